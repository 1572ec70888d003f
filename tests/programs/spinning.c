/* spinning.c - threads that wait for each other busily: spinning THREADS ROUNDS yes|no. "yes": they call sched_yield()
 * meanwhile. In each round each thread does some work of its own, then waits at a barrier until all threads are there.
 * Thread t runs on core t. All rounds together are the marker region "rounds".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <likwid-marker.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS_MAX = 64, WORK = 100, WORDS = 4096 };

static struct {
    int threads, rounds, yields;
    atomic_int arrived, round;
    uint64_t words[WORDS];
} shared;

static void wait_for_all(int round) {
    if (atomic_fetch_add(&shared.arrived, 1) + 1 == shared.threads) {
        atomic_store(&shared.arrived, 0);
        atomic_store(&shared.round, round + 1);
        return;
    }
    while (atomic_load(&shared.round) == round)
        if (shared.yields)
            sched_yield();
}

/* Every thread writes to memory that another thread wrote in the previous round. */
static void work(int self, int round) {
    for (int i = 0; i < WORK * (self + 1); i++)
        shared.words[(i + round * 8) % WORDS] += (uint64_t)self;
}

static void run_on(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void *body(void *number) {
    int self = (int)(intptr_t)number;
    run_on(self);
    LIKWID_MARKER_THREADINIT;
    wait_for_all(0); /* all have started */
    LIKWID_MARKER_START("rounds");
    for (int round = 1; round <= shared.rounds; round++) {
        work(self, round);
        wait_for_all(round);
    }
    LIKWID_MARKER_STOP("rounds");
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread[THREADS_MAX];
    if (argc != 4)
        return 2;
    shared.threads = atoi(argv[1]);
    shared.rounds = atoi(argv[2]);
    shared.yields = argv[3][0] == 'y';
    if (shared.threads < 1 || shared.threads > THREADS_MAX)
        return 2;
    LIKWID_MARKER_INIT;
    for (int i = 1; i < shared.threads; i++)
        if (pthread_create(&thread[i], NULL, body, (void *)(intptr_t)i) != 0)
            return 2;
    body((void *)0);
    for (int i = 1; i < shared.threads; i++)
        pthread_join(thread[i], NULL);
    LIKWID_MARKER_CLOSE;
    return 0;
}
