/* native_calls.c - calls of syscall(2) that are answered in another way than by the kernel.
 *
 * Memory policies of native processes, whose memory is not the node's. LIKWID's tools set them for programs that they
 * start (likwid-pin -i) or for memory of their own (likwid-memsweeper). LIKWID, hwloc and libnuma make these system
 * calls through syscall(2). In simulated processes the engine answers them.
 *
 * gettid() has no arguments. In a simulated process the first one tells the engine who asks (engine/threads.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "place.h"
#include "shim.h"

enum { ARGUMENTS = 6, ERRORS = 4095, WORD_BITS = 64 };

static long fail(int error) {
    errno = error;
    return -1;
}

static uint64_t domains_of_node(void) {
    return (UINT64_C(1) << sim_memories(&shim()->config)) - 1;
}

/* The domains of the set that the node has; `bits` is one too large, as in Linux. */
static uint64_t domains_at(long address, long bits) {
    const uint64_t *set = (const uint64_t *)address; // NOLINT: an argument of a system call
    if (!set || bits < 2)
        return 0;
    uint64_t known = bits > WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << (bits - 1)) - 1;
    return *set & known & domains_of_node();
}

static long set_policy(const long *arguments) {
    struct place *place = place_native();
    uint64_t domains = domains_at(arguments[1], arguments[2]);
    if (arguments[1] && arguments[0] && !domains)
        return fail(EINVAL);
    place->mode = (unsigned)arguments[0];
    place->domains = domains;
    return place_changed();
}

/* Only without an address: a native process's pages are in no domain of the node. */
static long get_policy(const long *arguments) {
    int *mode = (int *)arguments[0];
    uint64_t *set = (uint64_t *)arguments[1];
    if (arguments[4])
        return fail(EINVAL);
    if (mode)
        *mode = (int)place_native()->mode;
    for (long bit = 0; set && bit + 1 < arguments[2]; bit += WORD_BITS)
        set[bit / WORD_BITS] = bit ? 0 : place_native()->domains;
    return 0;
}

static long bind_memory(const long *arguments) {
    if (arguments[2] && arguments[3] && !domains_at(arguments[3], arguments[4]))
        return fail(EINVAL);
    return 0;
}

static long real(long number, const long *a) {
    long result;
    register long fourth __asm__("r10") = a[3], fifth __asm__("r8") = a[4], sixth __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result < 0 && result >= -ERRORS ? fail((int)-result) : result;
}

long syscall(long number, ...) {
    long arguments[ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    switch (number) {
    case SYS_gettid:
        arguments[0] = (long)__builtin_return_address(0);
        return real(number, arguments);
    case SYS_set_mempolicy:
        return shim()->active && !shim()->simulated ? set_policy(arguments) : real(number, arguments);
    case SYS_get_mempolicy:
        return shim()->active && !shim()->simulated ? get_policy(arguments) : real(number, arguments);
    case SYS_mbind:
        return shim()->active && !shim()->simulated ? bind_memory(arguments) : real(number, arguments);
    default:
        return real(number, arguments);
    }
}
