/* clocks.c - how long waiting takes on the node's clocks. Each line: what, seconds, seconds expected; exit status 1 if
 * a time is off by more than 0.1 ms + 1 %.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int wrong;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void expect(const char *what, double seconds, double expected) {
    printf("%-28s %.6f %.6f\n", what, seconds, expected);
    double off = seconds > expected ? seconds - expected : expected - seconds;
    wrong |= off > 1e-4 + 0.01 * expected;
}

#define TIMED(what, expected, call)                                                                                    \
    do {                                                                                                               \
        double begun = now(CLOCK_MONOTONIC);                                                                           \
        call;                                                                                                          \
        expect(what, now(CLOCK_MONOTONIC) - begun, expected);                                                          \
    } while (0)

static void on_signal(int number) {
    (void)number;
}

static double work(void) {
    double begun = now(CLOCK_MONOTONIC);
    for (volatile int i = 0; i < 1000000; i++) {
    }
    return now(CLOCK_MONOTONIC) - begun;
}

/* Starts a child that sleeps and then sends a signal or a byte. */
static pid_t child(unsigned seconds, int signal, int pipe) {
    pid_t pid = fork();
    if (pid)
        return pid;
    sleep(seconds);
    if (signal)
        kill(getppid(), signal);
    if (pipe >= 0 && write(pipe, "x", 1) != 1)
        _exit(1);
    _exit(0);
}

static void wait_on_condition(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &until);
}

static void *sleep_long(void *unused) {
    sleep(4);
    return unused;
}

int main(void) {
    double process = now(CLOCK_PROCESS_CPUTIME_ID), thread = now(CLOCK_THREAD_CPUTIME_ID), took;
    int ends[2];
    setvbuf(stdout, NULL, _IONBF, 0);
    TIMED("sleep", 2, sleep(2));
    expect("process' clock in a sleep", now(CLOCK_PROCESS_CPUTIME_ID) - process, 0);
    expect("thread's clock in a sleep", now(CLOCK_THREAD_CPUTIME_ID) - thread, 0);
    took = work();
    expect("thread's clock in work", now(CLOCK_THREAD_CPUTIME_ID) - thread, took);
    TIMED("child that sleeps", 3, waitpid(child(3, 0, -1), NULL, 0));
    pid_t worker = fork();
    if (worker == 0) {
        work();
        _exit(0);
    }
    TIMED("child that works", took, waitpid(worker, NULL, 0));
    TIMED("poll of nothing", 0.7, poll(NULL, 0, 700));
    if (pipe(ends) != 0)
        return 1;
    struct pollfd wanted = {.fd = ends[0], .events = POLLIN};
    TIMED("poll of an empty pipe", 0.7, poll(&wanted, 1, 700));
    child(1, 0, ends[1]);
    TIMED("poll of a pipe", 1, poll(&wanted, 1, 5000));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    char byte;
    TIMED("read what is there", 0, wrong |= read(ends[0], &byte, 1) != 1);
    TIMED("select of an empty pipe", 0.3, select(ends[0] + 1, &set, NULL, NULL, &(struct timeval){0, 300000}));
    child(1, 0, ends[1]);
    TIMED("read of a pipe", 1, wrong |= read(ends[0], &byte, 1) != 1);
    TIMED("condition's timeout", 2, wait_on_condition());
    signal(SIGUSR1, on_signal);
    child(1, SIGUSR1, -1);
    TIMED("sleep that a signal ends", 1, sleep(10));
    pthread_t other;
    pthread_create(&other, NULL, sleep_long, NULL);
    TIMED("thread that sleeps", 4, pthread_join(other, NULL));
    return wrong;
}
