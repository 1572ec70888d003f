/* affinity.c - the node's cores that a native process may use. This only affects programs that the process starts. In
 * simulated processes the engine answers the system calls.
 *
 * A mask wider than the caller's buffer is never written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "place.h"
#include "shim.h"
#include "vnode/engine/requests.h"

uint64_t shim_affinity(void) {
    return shim()->simulated ? engine_get_affinity(0) : place_native()->cores;
}

static uint64_t to_mask(size_t size, const cpu_set_t *set) {
    uint64_t mask = 0;
    memcpy(&mask, set, size < sizeof mask ? size : sizeof mask);
    return mask & shim()->all;
}

/* 0 or an error number. `tid` 0: the calling thread. */
static int set_affinity(pid_t tid, size_t size, const cpu_set_t *set) {
    uint64_t mask = to_mask(size, set);
    if (!mask)
        return EINVAL;
    if (tid != 0 && tid != (pid_t)syscall(SYS_gettid))
        return 0;
    place_native()->cores = mask;
    return place_changed() == 0 ? 0 : errno;
}

/* 0 or an error number. */
static int get_affinity(size_t size, cpu_set_t *set) {
    size_t needed = (shim()->cores + 7) / 8;
    if (size < needed)
        return EINVAL;
    memset(set, 0, size);
    memcpy(set, &place_native()->cores, size < sizeof(uint64_t) ? size : sizeof(uint64_t));
    return 0;
}

static int is_native(void) {
    return shim()->active && !shim()->simulated;
}

static int fail(int error) {
    errno = error;
    return error ? -1 : 0;
}

int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set) {
    if (!is_native())
        return REAL(sched_setaffinity)(tid, size, set);
    int saved = errno, error = set_affinity(tid, size, set);
    errno = saved;
    return error ? fail(error) : 0;
}

int sched_getaffinity(pid_t tid, size_t size, cpu_set_t *set) {
    if (!is_native())
        return REAL(sched_getaffinity)(tid, size, set);
    int error = get_affinity(size, set);
    return error ? fail(error) : 0;
}

/* The kernel's thread id, from the id of its CPU clock, (~tid << 3) | 6 (Linux' posix-timers). 0: none. */
static pid_t thread_id(pthread_t thread) {
    clockid_t clock;
    return pthread_getcpuclockid(thread, &clock) == 0 ? (pid_t) ~(clock >> 3) : 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
    if (!is_native())
        return REAL(pthread_setaffinity_np)(thread, size, set);
    pid_t tid = thread_id(thread);
    return tid ? set_affinity(tid, size, set) : ESRCH;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
    if (!is_native())
        return REAL(pthread_getaffinity_np)(thread, size, set);
    return thread_id(thread) ? get_affinity(size, set) : ESRCH;
}
