/* native_time.c - LIKWID's native tools in the node's time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "native_time.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/clock_file.h"

#define SECOND UINT64_C(1000000000)

enum { MOMENT_NS = 5000000, NAP_NS = 50000, NAP_MAX_NS = 1000000, LOOK_NS = 200000000 };

struct native_time {
    struct clock_file *file;
    pid_t pid; /* the process that uses the node's time: its forked children do not */
};

static struct native_time *self(void) {
    static struct native_time state;
    return &state;
}

static uint64_t host_ns(clockid_t clock) {
    struct timespec now = {0};
    syscall(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static long read_file(const char *path, char *out, unsigned size) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, out, size);
    if (fd >= 0)
        close(fd);
    return length;
}

/* The node's first process creates the file. */
static struct clock_file *map_file(void) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", shim()->folder, CLOCK_FILE_NAME);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    void *mapped = MAP_FAILED;
    if (ftruncate(fd, sizeof(struct clock_file)) == 0)
        mapped = mmap(NULL, sizeof(struct clock_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return mapped == MAP_FAILED ? NULL : mapped;
}

/* NULL in a process that does not use the node's time. */
static struct clock_member *member(void) {
    struct native_time *s = self();
    return s->file && s->pid == getpid() ? clock_join(s->file, s->pid) : NULL;
}

static uint64_t latest(void) {
    return __atomic_load_n(&self()->file->latest, __ATOMIC_ACQUIRE);
}

/* Sets the member's time to `time`. It then works in zero time, and no other process gets ahead of it. */
static void work_at(struct clock_member *m, uint64_t time) {
    clock_set(self()->file, m, CLOCK_AT, time);
    clock_reach(self()->file, time);
    __atomic_store_n(&m->in_kernel, self()->pid, __ATOMIC_RELEASE);
}

void native_time_start(void) {
    struct native_time *s = self();
    s->file = map_file();
    s->pid = getpid();
    if (!s->file)
        return;
    clock_begin(s->file, host_ns(CLOCK_MONOTONIC) / SECOND * SECOND, host_ns(CLOCK_REALTIME) / SECOND * SECOND);
    struct clock_member *m = member();
    if (m)
        work_at(m, m->time);
}

/* A process that was considered asleep, and no longer waited for, continues at the others' time. */
static void rejoin(struct clock_member *m) {
    if (m->state == CLOCK_WAITS)
        work_at(m, latest());
}

uint64_t native_time_now(int realtime) {
    struct clock_member *m = member();
    if (!m)
        return 0;
    rejoin(m);
    return (realtime ? self()->file->origin_real : self()->file->origin_monotonic) + m->time;
}

void native_time_leave(void) {
    struct clock_member *m = member();
    if (m)
        clock_set(self()->file, m, CLOCK_WAITS, m->time);
}

void native_time_return(void) {
    int error = errno;
    struct clock_member *m = member();
    if (m)
        rejoin(m);
    errno = error;
}

int native_time_lacks(pid_t child) {
    return child > 0 && member() && !clock_find(self()->file, child);
}

void native_time_child(pid_t child) {
    struct clock_member *m = member(), *other = m ? clock_join(self()->file, child) : NULL;
    if (other)
        clock_set(self()->file, other, CLOCK_RUNS, m->time);
}

/* Returns -1: signal; 1: the program has ended; 0: neither. */
static int nap(int program, uint64_t ns) {
    struct pollfd ended = {.fd = program, .events = POLLIN};
    const struct timespec length = {.tv_nsec = (long)ns};
    int result = (int)syscall(SYS_ppoll, &ended, 1, &length, NULL, 0);
    return result < 0 && errno != EINTR ? 0 : result;
}

/* Whether a process waits for something other than the node's time, such as a process that LIKWID started within it. */
static int waits_outside(pid_t process) {
    const struct clock_member *program = process ? clock_find(self()->file, process) : NULL;
    return program && __atomic_load_n(&program->state, __ATOMIC_ACQUIRE) == CLOCK_WAITS;
}

/* Waits until the member's deadline, `ns` from its time. 0 when reached, else as nap(). While the program that it
 * watches waits for something else, the node's time follows the host's instead of jumping. */
static int await(struct clock_member *m, uint64_t ns, pid_t until, int program) {
    struct clock_watch watch = {0};
    uint64_t begun = host_ns(CLOCK_MONOTONIC), now = begun, looked = begun, length = NAP_NS;
    while (!clock_may_go(self()->file, m) || clock_has_waking(self()->file, m, read_file) ||
           (waits_outside(until) && now - begun < ns)) {
        int result = nap(program, length);
        if (result)
            return result;
        now = host_ns(CLOCK_MONOTONIC);
        int long_enough = now - looked > LOOK_NS;
        clock_look_about(self()->file, m, long_enough ? &watch : NULL, read_file);
        looked = long_enough ? now : looked;
        length = length < NAP_MAX_NS ? 2 * length : length;
    }
    /* No process holds it: the program may just have ended. Its first thread may end before others. */
    return nap(program, program >= 0 && clock_is_gone(until, read_file) ? SECOND - 1 : 0);
}

uint64_t native_time_sleep(uint64_t ns, pid_t until) {
    struct clock_member *m = member();
    if (!m)
        return ns;
    rejoin(m);
    uint64_t deadline = m->time + ns;
    int program = until ? (int)syscall(SYS_pidfd_open, until, 0) : -1;
    if (until && program < 0 && errno == ESRCH)
        return ns; /* it has ended and was waited for */
    __atomic_store_n(&m->in_kernel, 0, __ATOMIC_RELEASE);
    clock_set(self()->file, m, CLOCK_AT, deadline);
    /* sleep up to MOMENT_NS of real time: LIKWID tries to reach its access daemon a limited number of times */
    int cut = nap(program, ns < MOMENT_NS ? ns : MOMENT_NS);
    if (!cut)
        cut = await(m, ns, until, program);
    if (program >= 0)
        close(program);
    uint64_t now = cut && latest() < deadline ? latest() : deadline;
    work_at(m, now);
    return deadline - now;
}

__attribute__((destructor)) static void leave(void) {
    struct clock_member *m = member();
    if (m)
        clock_set(self()->file, m, CLOCK_ENDS, m->time);
}
