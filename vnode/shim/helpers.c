/* helpers.c - processes that LIKWID's libraries start within a measured program: they find their access daemon with a
 * shell, try rdpmc in a child, run nm on the program. These belong to the measuring side: what they execute is not
 * simulated, and the child's code before that is not counted.
 *
 * LIKWID converts its daemon's pid to text. The number of instructions depends on the digits, so LIKWID gets a number
 * that always has eight (helper.h).
 *
 * popen() and system() start their shell within libc, where this library cannot intervene. So the calling thread is
 * marked meanwhile, which tells the engine about its children.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helper.h"
#include "native_time.h"
#include "shim.h"
#include "vnode/engine/requests.h"

int starts_helper(void *caller) {
    return shim()->active && shim()->simulated && likwid_library_at(caller);
}

FILE *popen(const char *command, const char *mode) {
    if (!starts_helper(__builtin_return_address(0)))
        return REAL(popen)(command, mode);
    int before = engine_set_measuring(1);
    FILE *pipe = REAL(popen)(command, mode);
    engine_set_measuring(before);
    return pipe;
}

int system(const char *command) {
    if (!starts_helper(__builtin_return_address(0)))
        return REAL(system)(command);
    int before = engine_set_measuring(1);
    int status = REAL(system)(command);
    engine_set_measuring(before);
    return status;
}

/* The child inherits the mark. */
pid_t fork(void) {
    if (!starts_helper(__builtin_return_address(0)))
        return REAL(fork)();
    int before = engine_set_measuring(1);
    pid_t child = REAL(fork)();
    if (child != 0)
        engine_set_measuring(before);
    return child > 0 ? child + HELPER_FIRST : child;
}

pid_t waitpid(pid_t process, int *status, int options) {
    if (!starts_helper(__builtin_return_address(0)))
        return clock_waitpid(process, status, options);
    pid_t ended = REAL(waitpid)(helper_process(process), status, options);
    return ended > 0 ? ended + HELPER_FIRST : ended;
}
