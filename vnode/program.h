/* program.h - how a virtual node runs a program, decided from the program's file (docs/design.md, "Which processes
 * are counted").
 *
 * Used by the launcher, by the preloaded library between fork() and exec(), and by the engine: no libc, no
 * allocation; the caller passes functions that read the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PROGRAM_H
#define ASSAY_VNODE_PROGRAM_H

enum program_kind {
    PROGRAM_COUNTED,    /* runs under the engine; also if unreadable: executing it then fails as usual */
    PROGRAM_LIKWID,     /* a LIKWID tool or its access daemon: measures, is not measured */
    PROGRAM_PRIVILEGED, /* set-user-id, set-group-id or file capabilities */
    PROGRAM_32_BIT,
    PROGRAM_FOREIGN /* of another architecture */
};

struct program_files {
    /* Reads up to `size` bytes from the file's start; returns their number, or -1. */
    long (*start)(const char *path, unsigned char *out, unsigned size);
    int (*privileged)(const char *path); /* 1: gets more privileges than its caller */
    int (*exists)(const char *path);
};

enum { PROGRAM_PATH = 4096 };

/* `tools`: the folder of the node's bin/likwid-accessD. */
enum program_kind program_kind(const char *path, const char *tools, const struct program_files *files);

/* Whether vnode/shim/engine_start.c starts such a program. */
int program_uses_engine(enum program_kind kind);

/* Why such a program cannot be counted, NULL: it can, or need not be. */
const char *program_obstacle(enum program_kind kind);

#endif
