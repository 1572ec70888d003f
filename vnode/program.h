/* program.h - what the file of a program says about how a virtual node runs it (docs/design.md, "Which processes are
 * counted").
 *
 * Used by the launcher, by the preloaded library between fork() and exec(), and by the engine: no libc, no memory of
 * its own; the file is looked at through the caller's functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_PROGRAM_H
#define ASSAY_VNODE_PROGRAM_H

enum program_kind {
    PROGRAM_COUNTED,    /* runs under the engine; so does what cannot be read: executing it fails in its own way */
    PROGRAM_LIKWID,     /* one of LIKWID's tools, or its access daemon: measures, and is not measured */
    PROGRAM_PRIVILEGED, /* set-user-id, set-group-id or file capabilities */
    PROGRAM_32_BIT,
    PROGRAM_FOREIGN /* of another architecture */
};

struct program_files {
    /* Up to `size` bytes from the file's start; their number, or -1. */
    long (*start)(const char *path, unsigned char *out, unsigned size);
    int (*privileged)(const char *path); /* 1: has more rights than its caller */
    int (*exists)(const char *path);
};

enum { PROGRAM_PATH = 4096 };

/* `tools`: the folder of the node's bin/likwid-accessD. */
enum program_kind program_kind(const char *path, const char *tools, const struct program_files *files);

/* Whether the engine's start (vnode/shim/engine_start.c) deals with it. */
int program_uses_engine(enum program_kind kind);

/* Why a program of that kind cannot be counted, NULL if it can or is not to be. */
const char *program_obstacle(enum program_kind kind);

#endif
