/* command.h - how a program is started on the virtual node, as seen from outside of the engine: natively, or with the
 * engine before it. Used by the launcher for the first command and by the shim for what LIKWID starts; allocates
 * nothing, so that it may be used between fork() and exec().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_COMMAND_H
#define ASSAY_SHIM_COMMAND_H

#include <stddef.h>

#include "vnode/program.h"

#define NODE_TOOLS_VARIABLE "ASSAY_NODE_TOOLS"       /* folder of bin/assay-engine and valgrind/ */
#define NODE_AFFINITY_VARIABLE "ASSAY_NODE_AFFINITY" /* where a process starts: place.h */

enum { COMMAND_PREFIX_WORDS = 8, COMMAND_PATH = 4096, COMMAND_LINE = 256 };

struct command {
    char program[COMMAND_PATH]; /* what is executed, found in PATH */
    enum program_kind kind;     /* program_uses_engine(): to be executed as prefix[0] prefix[1] .. program args .. */
    const char *prefix[COMMAND_PREFIX_WORDS + 1];
    char engine[COMMAND_PATH], node[COMMAND_PATH + 16];
};

/* The node: its folder, and that of its tools. `beside`: the program is not started by LIKWID (vnode/node_file.h). */
struct command_node {
    const char *folder, *tools;
    int beside;
};

/* `file` as for execvp() if `search`, else as for execve(); `path`: the list of folders to search. 0, or -1 and errno
 * as execvp() has it: ENOENT (for a script without its interpreter, too), or EACCES if what is there cannot be
 * executed. */
int command_prepare(struct command *out, const struct command_node *node, const char *file, int search,
                    const char *path);

/* Whether the file is a script whose interpreter is not there; its name then. */
int command_lacks_interpreter(const char *path, char interpreter[COMMAND_LINE]);

/* Says on standard error that the program runs uncounted, and why; nothing if it is counted or not to be. */
void command_explain(const struct command *command);

#endif
