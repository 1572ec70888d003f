/* command.h - how a program is started on the virtual node: natively if native-programs.txt names it, else under the
 * engine. Used by the launcher for the first command and by the shim for every later one; allocates nothing, so that
 * it may be used between fork() and exec().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_COMMAND_H
#define ASSAY_SHIM_COMMAND_H

#include <stddef.h>

#define NODE_TOOLS_VARIABLE "ASSAY_NODE_TOOLS"       /* folder of bin/assay-engine and valgrind/ */
#define NODE_AFFINITY_VARIABLE "ASSAY_NODE_AFFINITY" /* where a process starts: place.h */
#define NATIVE_PROGRAMS_FILE "native-programs.txt"   /* in the node's folder */

enum { COMMAND_PREFIX_WORDS = 8, COMMAND_PATH = 4096, COMMAND_LIST = 8192 };

struct command {
    char program[COMMAND_PATH]; /* what is executed, found in PATH */
    int simulated;              /* then it is to be executed as prefix[0] prefix[1] .. program arguments .. */
    const char *prefix[COMMAND_PREFIX_WORDS + 1];
    char engine[COMMAND_PATH], skip[2 * COMMAND_LIST];
};

/* `file` as for execvp() if `search`, else as for execve(); `path`: the list of folders to search; `measured`: it is
 * the program that likwid-perfctr measures. 0, or -1: there is no such program that could be executed. */
int command_prepare(struct command *out, const char *node_folder, const char *tools, const char *file, int search,
                    const char *path, int measured);

#endif
