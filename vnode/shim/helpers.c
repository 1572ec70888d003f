/* helpers.c - processes that LIKWID's libraries start within a measured program: an access daemon, a shell that finds
 * it, a child that tries rdpmc, nm on the program. These belong to the measuring side: what they execute is not
 * simulated, and the child's code before that is not counted.
 *
 * LIKWID converts its daemon's pid to text. The number of instructions depends on the digits, so LIKWID gets a number
 * that always has eight (vnode/process_ids.h).
 *
 * popen() and system() start their shell within libc, where this library cannot intervene. So the calling thread is
 * marked meanwhile, which tells the engine about its children.
 *
 * Three of them are not started, because a fork of the engine takes long and what they do is known. A shell finds the
 * node's own daemon, in native processes, too. Another one removes a file. A child that tries rdpmc (up to four) exits
 * with 1, as rdpmc faults on the node. All versions of LIKWID (5.2 to 5.5) fork for a daemon directly after access(its
 * file, X_OK); they fork for nothing else but rdpmc.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helper.h"
#include "native_time.h"
#include "shim.h"
#include "vnode/engine/requests.h"

#define DAEMON "/bin/likwid-accessD" /* in the node's tools folder */

int starts_helper(void *caller) {
    return shim()->active && shim()->simulated && likwid_library_at(caller);
}

/* Files to execute that LIKWID asked for in this thread, for each of which a fork follows. */
static __thread int may_execute;

void helper_asked(void *caller) {
    if (starts_helper(caller))
        may_execute++;
}

/* The shell's answer; pclose() closes any stream. LIKWID asks access() for it at once, without a fork. */
static FILE *answer_daemon(void) {
    static char path[sizeof shim()->tools + sizeof DAEMON];
    may_execute = -1;
    int length = snprintf(path, sizeof path, "%s" DAEMON, shim()->tools);
    return fmemopen(path, (size_t)length, "r");
}

FILE *popen(const char *command, const char *mode) {
    if (shim()->active && strstr(command, "which likwid-accessD") && likwid_library_at(__builtin_return_address(0)))
        return answer_daemon();
    if (!starts_helper(__builtin_return_address(0)))
        return REAL(popen)(command, mode);
    int before = engine_set_measuring(1);
    FILE *pipe = REAL(popen)(command, mode);
    engine_set_measuring(before);
    return pipe;
}

/* "rm -f FILE 2>/dev/null", by which LIKWID's pin library removes a file of its own. */
static int removes_file(const char *command) {
    static const char before[] = "rm -f ", after[] = " 2>/dev/null";
    static const char plain[] = "/.-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *file = command + sizeof before - 1;
    size_t name = strncmp(command, before, sizeof before - 1) == 0 ? strspn(file, plain) : 0;
    char path[256];
    if (name == 0 || name >= sizeof path || strcmp(file + name, after) != 0)
        return 0;
    memcpy(path, file, name);
    path[name] = '\0';
    unlink(path);
    return 1;
}

int system(const char *command) {
    if (!starts_helper(__builtin_return_address(0)))
        return REAL(system)(command);
    if (command && removes_file(command))
        return 0;
    int before = engine_set_measuring(1);
    int status = REAL(system)(command);
    engine_set_measuring(before);
    return status;
}

/* The child inherits the mark. */
pid_t fork(void) {
    if (!starts_helper(__builtin_return_address(0)))
        return REAL(fork)();
    if (may_execute <= 0)
        return TRIES_RDPMC;
    may_execute = 0;
    int before = engine_set_measuring(1);
    pid_t child = REAL(fork)();
    if (child != 0)
        engine_set_measuring(before);
    return child > 0 ? child + TOLD_FIRST : child;
}

pid_t waitpid(pid_t process, int *status, int options) {
    if (!starts_helper(__builtin_return_address(0)))
        return clock_waitpid(process, status, options);
    if (process == TRIES_RDPMC) {
        *status = EXIT_FAILURE << 8;
        return process;
    }
    pid_t ended = REAL(waitpid)(helper_process(process), status, options);
    return ended > 0 ? ended + TOLD_FIRST : ended;
}
