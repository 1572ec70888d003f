/* engine_start.c - starts the engine like Valgrind's own launcher. The tool contains Valgrind's core and only needs
 * its folder and its launcher, which is this program: bin/assay-engine next to the folder valgrind. Adds the
 * process's place (place.h), unless a simulated process starts it: then the engine has passed it. Pads the
 * environment (vnode/padding.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "marker_file.h"
#include "vnode/command.h"
#include "vnode/padding.h"

extern char **environ;

#define MARKER_VARIABLE "LIKWID_FILEPATH"

/* Index of the program among the arguments, `argc` if there is none. */
static int program_at(int argc, char **argv) {
    int at = 1;
    while (at < argc && argv[at][0] == '-')
        at++;
    return at;
}

static int fail(const char *program) {
    int status = errno == ENOENT ? 127 : 126;
    fprintf(stderr, "assay: %s: cannot be executed: %s\n", program, strerror(errno));
    return status;
}

/* Runs a program that the engine cannot simulate; returns if the engine can. */
static void run_uncounted(char **argv) {
    static struct command command;
    const struct command_node nowhere = {.folder = "", .tools = ""};
    if (command_prepare(&command, &nowhere, argv[0], 0, NULL) != 0)
        exit(fail(argv[0]));
    if (!program_obstacle(command.kind))
        return;
    command_explain(&command);
    unsetenv("LD_PRELOAD"); /* no libraries for such programs */
    execv(argv[0], argv);
    exit(command.kind == PROGRAM_FOREIGN ? 126 : fail(argv[0]));
}

static int pad_environment(void) {
    static char padding[PADDING_STEP + 1];
    memset(padding, '.', PADDING_STEP);
    return setenv(PADDING_VARIABLE, padding, 1);
}

/* LIKWID's file name contains likwid-perfctr's pid: slashes pad its digits. */
static int widen_marker_file(void) {
    enum { LENGTH = 32 };
    char path[LENGTH + 1];
    const char *given = getenv(MARKER_VARIABLE), *name = given ? marker_file_name(given) : NULL;
    if (!name || strlen(name) + sizeof MARKER_FOLDER > LENGTH)
        return 0;
    memset(path, '/', LENGTH);
    snprintf(path + LENGTH - strlen(name), strlen(name) + 1, "%s", name);
    memcpy(path, MARKER_FOLDER, strlen(MARKER_FOLDER));
    return setenv(MARKER_VARIABLE, path, 1);
}

#define TRACED_OPTION "--traced=yes"

static int is_traced(void) {
    char line[256];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "re");
    while (status && !tracer && fgets(line, sizeof line, status))
        sscanf(line, "TracerPid: %d", &tracer);
    if (status)
        fclose(status);
    return tracer != 0;
}

/* The program's execve() is two for the kernel. A tracer may only see the first: the engine discards the SIGTRAP of the
 * second (vnode/engine/children.c). Returns whether the engine must unblock SIGTRAP. */
static int hide_execution(void) {
    sigset_t trap, before;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    return is_traced() && sigprocmask(SIG_BLOCK, &trap, &before) == 0 && !sigismember(&before, SIGTRAP);
}

int main(int argc, char **argv) {
    char self[COMMAND_PATH], tool[COMMAND_PATH + 64], affinity[64], policy[64], folder[COMMAND_PATH + 16];
    const char *mask = getenv(NODE_AFFINITY_VARIABLE);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0 || argc < 2) {
        fputs("assay-engine: start programs of the virtual node with assay vnode\n", stderr);
        return 126;
    }
    if (program_at(argc, argv) < argc)
        run_uncounted(argv + program_at(argc, argv));
    self[length] = '\0';
    const char *tools = getenv(NODE_TOOLS_VARIABLE); /* path without characters that LD_PRELOAD excludes */
    if (tools)
        snprintf(folder, sizeof folder, "%s/valgrind", tools);
    else
        snprintf(folder, sizeof folder, "%.*s/../valgrind", (int)(strrchr(self, '/') - self), self);
    snprintf(tool, sizeof tool, "%s/assay-amd64-linux", folder);
    setenv("VALGRIND_LAUNCHER", self, 1);
    setenv("VALGRIND_LIB", folder, 1);
    char **arguments = calloc((size_t)argc + 4, sizeof *arguments);
    if (!arguments || widen_marker_file() != 0 || pad_environment() != 0)
        return 126;
    int count = 0, from = 1;
    arguments[count++] = tool;
    int told = 0;
    for (; from < argc && argv[from][0] == '-'; from++) {
        told |= strncmp(argv[from], "--affinity=", 11) == 0;
        if (strcmp(argv[from], TRACED_OPTION) != 0) /* the parent was traced */
            arguments[count++] = argv[from];
    }
    if (mask && !told) {
        size_t cores = strcspn(mask, ",");
        snprintf(affinity, sizeof affinity, "--affinity=%.*s", (int)cores, mask);
        arguments[count++] = affinity;
        if (mask[cores]) {
            snprintf(policy, sizeof policy, "--policy=%s", mask + cores + 1);
            arguments[count++] = policy;
        }
    }
    if (hide_execution())
        arguments[count++] = TRACED_OPTION;
    for (; from < argc; from++)
        arguments[count++] = argv[from];
    execv(tool, arguments);
    fprintf(stderr, "assay-engine: %s: cannot start the engine: %m\n", tool);
    return 126;
}
