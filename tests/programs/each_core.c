/* each_core.c - a pinned thread on each core of the node: thread t on core t executes (t + 1) * PASSES loads in the
 * region "each". Prints the core of each thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { PASSES = 1000, CORES_MAX = 64 };

static long word;

struct task {
    int number, core;
};

static void load(long count) {
    for (long i = 0; i < count; i++)
        __asm__ volatile("movq (%0), %%rax" ::"r"(&word) : "rax", "memory");
}

static void *run(void *argument) {
    struct task *task = argument;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(task->number, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    LIKWID_MARKER_START("few");
    load(PASSES);
    LIKWID_MARKER_STOP("few");
    LIKWID_MARKER_START("each");
    load((long)PASSES * (task->number + 2));
    LIKWID_MARKER_STOP("each");
    task->core = sched_getcpu();
    return NULL;
}

int main(void) {
    static pthread_t threads[CORES_MAX];
    static struct task tasks[CORES_MAX];
    int count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    LIKWID_MARKER_INIT;
    for (int i = 0; i < count; i++) {
        tasks[i].number = i;
        if (pthread_create(&threads[i], NULL, run, &tasks[i]) != 0)
            return 1;
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    LIKWID_MARKER_CLOSE;
    for (int i = 0; i < count; i++)
        printf("%d%c", tasks[i].core, i + 1 < count ? ' ' : '\n');
    return 0;
}
