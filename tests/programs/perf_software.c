/* perf_software.c - software events: perf_software MEMORIES, on a node that lets events count the kernel. Each count
 * follows from what the program does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "perf_open.h"

enum { TIMES = 37, PAGES = 1000, PAGE = 4096, PASSES = 1000000 };

static struct perf_event_attr software(uint64_t which, int of_kernel) {
    return (struct perf_event_attr){.size = sizeof(struct perf_event_attr),
                                    .type = PERF_TYPE_SOFTWARE,
                                    .config = which,
                                    .disabled = 1,
                                    .exclude_kernel = !of_kernel};
}

/* What the event counts of the thread while `act` runs; -1: it cannot be opened. */
static long counted(struct perf_event_attr attr, void (*act)(void)) {
    int fd = open_own(attr, NO_GROUP);
    if (fd < 0)
        return -1;
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    act();
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    long count = (long)value(fd);
    close(fd);
    return count;
}

static long switches(void (*act)(void)) {
    return counted(software(PERF_COUNT_SW_CONTEXT_SWITCHES, 1), act);
}

static long migrations(void (*act)(void)) {
    return counted(software(PERF_COUNT_SW_CPU_MIGRATIONS, 1), act);
}

static void run_on(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    promise(sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity()");
}

static void spin(void) {
    long passes = PASSES;
    __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(passes));
}

static void move(void) {
    for (int i = 1; i <= TIMES; i++)
        run_on(i % 2);
    for (int i = 1; i <= TIMES; i++)
        run_on(TIMES % 2); /* where it is */
}

static void sleep_often(void) {
    const struct timespec moment = {0, 1000};
    for (int i = 0; i < TIMES; i++)
        nanosleep(&moment, NULL);
}

/* ---- two threads ---- */

static int to_other[2], back[2];

static void *answer(void *none) {
    char byte;
    while (read(to_other[0], &byte, 1) == 1 && byte)
        promise(write(back[1], &byte, 1) == 1, "write()");
    return none;
}

static void handle(int signal) {
    (void)signal;
}

/* Calls that find nothing, or a signal that has come, and return at once. */
static void ask_in_vain(void) {
    const struct timespec none = {0, 0};
    struct pollfd input = {.fd = to_other[0], .events = POLLIN};
    struct epoll_event event = {.events = EPOLLIN};
    struct msghdr message = {0};
    sigset_t set, before;
    char byte;
    int sockets[2], listens = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), all = epoll_create1(0);
    struct sockaddr_un unnamed = {.sun_family = AF_UNIX};
    promise(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && epoll_ctl(all, EPOLL_CTL_ADD, sockets[0], &event) == 0,
            "sockets");
    promise(bind(listens, (struct sockaddr *)&unnamed, sizeof unnamed.sun_family) == 0 && listen(listens, 1) == 0,
            "listen()");
    promise(poll(&input, 1, 0) == 0 && ppoll(&input, 1, &none, NULL) == 0, "poll()");
    promise(epoll_wait(all, &event, 1, 0) == 0, "epoll_wait()");
    promise(fails_with(accept(listens, NULL, NULL), EAGAIN), "accept()");
    promise(fails_with((int)recv(sockets[0], &byte, 1, MSG_DONTWAIT), EAGAIN), "recv()");
    promise(fails_with((int)recvmsg(sockets[0], &message, MSG_DONTWAIT), EAGAIN), "recvmsg()");
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &before);
    promise(fails_with(sigtimedwait(&set, NULL, &none), EAGAIN), "sigtimedwait()");
    promise(raise(SIGUSR1) == 0 && sigwaitinfo(&set, NULL) == SIGUSR1, "sigwaitinfo()");
    promise(raise(SIGUSR1) == 0 && fails_with(sigsuspend(&before), EINTR), "sigsuspend()");
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(sockets[0]);
    close(sockets[1]);
    close(listens);
    close(all);
}

/* A byte that waits in the pipe is read without a wait. */
static void ask(void) {
    char byte = 1;
    for (int i = 0; i < TIMES; i++)
        promise(write(to_other[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1, "an answer");
    promise(write(back[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1, "what is there");
}

static void *spins(void *none) {
    run_on(0);
    spin();
    return none;
}

static void share(void) {
    run_on(0);
    pthread_t other;
    pthread_create(&other, NULL, spins, NULL);
    spin();
    pthread_join(other, NULL);
}

static void check_switches(void) {
    promise(switches(spin) == 0, "a program that computes keeps its CPU");
    promise(switches(sleep_often) == TIMES, "each sleep is a switch");
    promise(migrations(sleep_often) == 0, "a thread that sleeps stays on its CPU");
    promise(pipe(to_other) == 0 && pipe(back) == 0, "pipe()");
    pthread_t other;
    pthread_create(&other, NULL, answer, NULL);
    promise(switches(ask) == TIMES, "each wait for another thread is a switch");
    promise(write(to_other[1], "", 1) == 1, "write()");
    pthread_join(other, NULL);
    signal(SIGUSR1, handle);
    promise(switches(ask_in_vain) == 0, "what returns at once is no switch");
    promise(switches(share) > 2, "threads of one CPU take turns");
    promise(counted(software(PERF_COUNT_SW_CONTEXT_SWITCHES, 0), sleep_often) == 0, "switches happen in the kernel");
    struct perf_event_attr attr = software(PERF_COUNT_SW_CONTEXT_SWITCHES, 1);
    promise(fails_with(open_as(&attr, -1, 0, NO_GROUP, 0), ENOENT), "ENOENT for switches of a CPU");
    attr.sample_period = 1;
    promise(fails_with(open_own(attr, NO_GROUP), EOPNOTSUPP), "EOPNOTSUPP for samples of switches");
}

static void check_migrations(void) {
    run_on(0);
    promise(migrations(move) == TIMES, "each change of CPU is a migration");
    run_on(0);
    promise(switches(move) == TIMES, "and a switch");
    run_on(0);
    promise(counted(software(PERF_COUNT_SW_CPU_MIGRATIONS, 0), move) == 0, "migrations happen in the kernel");
    struct perf_event_attr attr = software(PERF_COUNT_SW_CPU_MIGRATIONS, 1);
    attr.disabled = 0;
    run_on(0);
    int there = open_as(&attr, -1, 1, NO_GROUP, 0);
    move();
    promise(value(there) == TIMES / 2 + 1, "a migration is counted on the new CPU");
    close(there);
}

/* ---- page faults ---- */

static char *memory;

static void touch(void) {
    for (int i = 0; i < PAGES; i++)
        memory[i * PAGE]++;
}

static void touch_anew(void) {
    madvise(memory, PAGES * PAGE, MADV_DONTNEED);
    touch();
}

static void check_faults(int memories) {
    struct perf_event_attr attr = software(PERF_COUNT_SW_PAGE_FAULTS, 0), minor = attr;
    minor.config = PERF_COUNT_SW_PAGE_FAULTS_MIN;
    memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    counted(minor, spin); /* the stack, and what open() needs */
    promise(counted(attr, touch) == (memories > 1 ? PAGES : -1), "each new page is a fault");
    promise(counted(attr, touch) == (memories > 1 ? 0 : -1), "once");
    promise(counted(minor, touch_anew) == (memories > 1 ? PAGES : -1), "and again when its contents were dropped");
    attr.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
    promise(fails_with(open_own(attr, NO_GROUP), ENOENT), "ENOENT for faults that read a file");
}

int main(int count, char **argument) {
    check_switches();
    check_migrations();
    check_faults(count > 1 ? atoi(argument[1]) : 1);
    promise(counted(software(PERF_COUNT_SW_ALIGNMENT_FAULTS, 1), touch) == 0 &&
                counted(software(PERF_COUNT_SW_EMULATION_FAULTS, 1), touch) == 0,
            "x86 has no alignment or emulation faults");
    return broken;
}
