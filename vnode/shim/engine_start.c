/* engine_start.c - starts the engine as Valgrind's own launcher would: the tool contains Valgrind's core and only needs
 * to know its folder and its launcher, which is this program. Adds the cores that the process starts on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

int main(int argc, char **argv) {
    char self[COMMAND_PATH], tool[COMMAND_PATH + 64], affinity[64], folder[COMMAND_PATH + 16];
    const char *tools = getenv(NODE_TOOLS_VARIABLE), *mask = getenv(NODE_AFFINITY_VARIABLE);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!tools || length < 0 || argc < 2) {
        fputs("assay-engine: start programs of the virtual node with assay vnode\n", stderr);
        return 126;
    }
    self[length] = '\0';
    snprintf(folder, sizeof folder, "%s/valgrind", tools);
    snprintf(tool, sizeof tool, "%s/assay-amd64-linux", folder);
    setenv("VALGRIND_LAUNCHER", self, 1);
    setenv("VALGRIND_LIB", folder, 1);
    char **arguments = calloc((size_t)argc + 4, sizeof *arguments);
    if (!arguments)
        return 126;
    int count = 0, from = 1;
    arguments[count++] = tool;
    arguments[count++] = "--command-line-only=yes"; /* the user's VALGRIND_OPTS and .valgrindrc are for other tools */
    arguments[count++] = "--vgdb=no";               /* its pipes in TMPDIR outlive a killed process */
    for (; from < argc && argv[from][0] == '-'; from++)
        if (!mask || strncmp(argv[from], "--affinity=", 11) != 0)
            arguments[count++] = argv[from];
    if (mask) {
        snprintf(affinity, sizeof affinity, "--affinity=%s", mask);
        arguments[count++] = affinity;
    }
    for (; from < argc; from++)
        arguments[count++] = argv[from];
    execv(tool, arguments);
    fprintf(stderr, "assay-engine: %s: cannot start the engine: %m\n", tool);
    return 126;
}
