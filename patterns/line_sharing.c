/* line_sharing.c - producer and consumer: one thread writes a range of lines, the other reads it, the next step uses
 * the next range.
 *
 * The first thread produces: it writes one word of every line of the step's range, and then its progress word. The
 * second thread reads one word of each line, and then writes its own progress word. A waiting thread polls the other's
 * word with long sleeps, so that the lines of the two words move about once per step and thread. A step before the
 * region moves the other lines that the threads share.
 *
 * The range consists of nodes of two lines, in the order of a ring (patterns/program/ring.h); only the first line of a
 * node is used. So prefetchers find neither a stream nor a stride, and the second line, which one may fetch, is never
 * written: each line moves by the consumer's own load.
 *
 * The code `signalled` hands over by a mutex and a condition variable instead. The lock's lines then move as well,
 * each time the threads meet there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "patterns/program/ring.h"

enum { LINES, STEPS }; /* parameters */
enum { PRODUCER, CONSUMER };
enum { SHARED, SIGNALLED }; /* codes */
enum { PAUSE_NANOSECONDS = 200000, NODE_WORDS = RING_NODE_BYTES / sizeof(long) };

static const char *const codes[] = {"shared", "signalled", NULL};

/* Number of steps that a thread has finished; it has a cache line to itself. */
struct progress {
    alignas(PROGRAM_LINE_BYTES) atomic_size_t steps;
};

struct exchange {
    struct progress done[2];
    volatile long *range; /* all steps' nodes */
    size_t bytes;
    alignas(PROGRAM_LINE_BYTES) pthread_mutex_t lock; /* signalled: held to see or change `done` */
    pthread_cond_t changed;
    alignas(PROGRAM_LINE_BYTES) long sum; /* the consumer's; keeps the compiler from dropping the reads */
};

static int setup(struct program_point *point, struct error *error) {
    struct exchange *exchange = aligned_alloc(PROGRAM_LINE_BYTES, sizeof *exchange);
    if (exchange == NULL)
        return error_set(error, "no memory for an exchange; free some");
    size_t lines = point->parameter[LINES] * (1 + point->parameter[STEPS]);
    *exchange = (struct exchange){.lock = PTHREAD_MUTEX_INITIALIZER,
                                  .changed = PTHREAD_COND_INITIALIZER,
                                  .bytes = (lines + RING_PAGE_NODES - 1) / RING_PAGE_NODES * RING_PAGE_BYTES};
    exchange->range = program_allocate(exchange->bytes, error);
    if (exchange->range == NULL) {
        free(exchange);
        return -1;
    }
    point->data = exchange;
    return 0;
}

/* First touch of the producer's memory: one write to every page. */
static void first_touch(const struct program_point *point, size_t thread) {
    const struct exchange *exchange = point->data;
    enum { PAGE_WORDS = RING_PAGE_BYTES / sizeof(long) };
    for (size_t word = 0; thread == PRODUCER && word < exchange->bytes / sizeof(long); word += PAGE_WORDS)
        exchange->range[word] = 0;
}

static void tell_by_word(struct exchange *exchange, size_t thread, size_t steps) {
    atomic_store_explicit(&exchange->done[thread].steps, steps, memory_order_release);
}

static void wait_for_word(struct exchange *exchange, size_t thread, size_t steps) {
    const struct timespec pause = {.tv_nsec = PAUSE_NANOSECONDS};
    while (atomic_load_explicit(&exchange->done[thread].steps, memory_order_acquire) < steps)
        nanosleep(&pause, NULL);
}

static void tell_by_signal(struct exchange *exchange, size_t thread, size_t steps) {
    pthread_mutex_lock(&exchange->lock);
    tell_by_word(exchange, thread, steps);
    pthread_cond_broadcast(&exchange->changed);
    pthread_mutex_unlock(&exchange->lock);
}

static void wait_for_signal(struct exchange *exchange, size_t thread, size_t steps) {
    pthread_mutex_lock(&exchange->lock);
    while (exchange->done[thread].steps < steps)
        pthread_cond_wait(&exchange->changed, &exchange->lock);
    pthread_mutex_unlock(&exchange->lock);
}

/* The functions of each code: publish that `thread` has finished `steps` steps, and wait until it has. */
static const struct handover {
    void (*tell)(struct exchange *exchange, size_t thread, size_t steps);
    void (*wait_for)(struct exchange *exchange, size_t thread, size_t steps);
} handovers[] = {[SHARED] = {tell_by_word, wait_for_word}, [SIGNALLED] = {tell_by_signal, wait_for_signal}};

/* The word of a line of the range; lines are numbered through all steps. */
static inline volatile long *word_of(const struct exchange *exchange, size_t line) {
    size_t page = line / RING_PAGE_NODES, turn = line % RING_PAGE_NODES;
    return exchange->range + (page * RING_PAGE_NODES + ring_node_of_turn(turn)) * NODE_WORDS;
}

/* Steps `first` to `last` - 1. */
static void exchange_steps(const struct program_point *point, size_t thread, size_t first, size_t last) {
    const struct handover *handover = &handovers[point->code];
    struct exchange *exchange = point->data;
    size_t lines = point->parameter[LINES];
    long sum = 0;
    for (size_t step = first; step < last; step++) {
        size_t begin = step * lines, end = begin + lines;
        if (thread == PRODUCER) {
            for (size_t line = begin; line < end; line++)
                *word_of(exchange, line) = (long)step;
        } else {
            handover->wait_for(exchange, PRODUCER, step + 1);
            for (size_t line = begin; line < end; line++)
                sum += *word_of(exchange, line);
        }
        handover->tell(exchange, thread, step + 1);
        if (thread == PRODUCER)
            handover->wait_for(exchange, CONSUMER, step + 1);
    }
    if (thread == CONSUMER)
        exchange->sum = sum;
}

static void warm_up(const struct program_point *point, size_t thread) {
    exchange_steps(point, thread, 0, 1);
}

static void work(const struct program_point *point, size_t thread) {
    exchange_steps(point, thread, 1, 1 + point->parameter[STEPS]);
}

static void release(struct program_point *point) {
    struct exchange *exchange = point->data;
    program_free((void *)exchange->range, exchange->bytes);
    free(exchange);
}

const struct pattern_program pattern_program = {
    .usage = "Producer and consumer, LINES cache lines a step: REGION shared|signalled LINES STEPS\n",
    .codes = codes,
    .parameters = 2,
    .threads = 2,
    .setup = setup,
    .first_touch = first_touch,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
