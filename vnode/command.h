/* command.h - how a process outside of the engine starts a program on the virtual node: natively or under the engine.
 * Used by the launcher for the first command and by the shim for programs that LIKWID starts. Allocates nothing, so
 * it may be used between fork() and exec().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_COMMAND_H
#define ASSAY_SHIM_COMMAND_H

#include "vnode/program.h"

#define NODE_TOOLS_VARIABLE "ASSAY_NODE_TOOLS"       /* folder of bin/assay-engine and valgrind/ */
#define NODE_AFFINITY_VARIABLE "ASSAY_NODE_AFFINITY" /* where a process starts: place.h */

enum { COMMAND_PREFIX_WORDS = 8, COMMAND_PATH = 4096, COMMAND_LINE = 256 };

struct command {
    char program[COMMAND_PATH]; /* the executed file, found in PATH */
    enum program_kind kind;     /* if program_uses_engine(): execute prefix[0] prefix[1] .. program args .. */
    const char *prefix[COMMAND_PREFIX_WORDS + 1];
    char engine[COMMAND_PATH], node[COMMAND_PATH + 16];
};

/* The node's folder and its tools' folder. `beside`: 1 if LIKWID does not start the program (vnode/node_file.h). */
struct command_node {
    const char *folder, *tools;
    int beside;
};

/* `file` as for execvp() if `search`, else as for execve(); `path`: list of folders to search. 0, or -1 and errno as
 * execvp() sets it: ENOENT (also for a script without its interpreter), or EACCES if the file cannot be executed. */
int command_prepare(struct command *out, const struct command_node *node, const char *file, int search,
                    const char *path);

/* Whether the file is a script whose interpreter does not exist, and the interpreter's name. */
int command_lacks_interpreter(const char *path, char interpreter[COMMAND_LINE]);

/* Reports on standard error that the program runs uncounted, and why; nothing if it is counted or need not be. */
void command_explain(const struct command *command);

#endif
