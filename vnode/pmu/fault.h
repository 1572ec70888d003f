/* fault.h - deliberately wrong counters: what a fault does to the values that a client reads.
 *
 * A counting interval starts when a counter is started and ends when it stops. LIKWID stops all counters before it
 * reads them, if the hardware can stop them together. AMD's cannot: LIKWID reads them while they count, and there
 * each read ends one interval and starts the next. So a region is exactly one counting interval (unless another
 * region starts or stops within it), and so is a program measured as a whole.
 *
 * scale, add, spike and jitter change the count of an interval; stuck and wrap change the value read; swap, mirror,
 * unfiltered and sibling change what is counted; deny and nodevice refuse access. Several faults of one counter apply
 * in file order; of several stuck, wrap, swap or mirror the last one holds. Random numbers are drawn once per counting
 * interval. They depend only on the seed, the fault's position in the file, the counter, its core or socket, and the
 * interval's number.
 *
 * The list is plain data without pointers. fault_file.h parses it from text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FAULT_H
#define ASSAY_PMU_FAULT_H

#include <stdint.h>

#include "names.h"

enum { FAULTS_MAX = 1024 }; /* one per event of a table (table.h) */

enum fault_kind {
    FAULT_SCALE,
    FAULT_ADD,
    FAULT_SPIKE,
    FAULT_JITTER,
    FAULT_STUCK,
    FAULT_SWAP,
    FAULT_MIRROR,
    FAULT_UNFILTERED,
    FAULT_SIBLING,
    FAULT_WRAP,
    FAULT_DENY,
    FAULT_NO_DEVICE
};

/* What is wrong: one counter or all counters of a box, whatever they count; an event in any counter; all boxes of a
 * socket. */
enum fault_target { FAULT_COUNTER, FAULT_BOX, FAULT_EVENT, FAULT_SOCKET };

/* The event that a select register or fixed counter counts; `unit` as in struct table_event. */
struct selection_id {
    char unit[16];
    uint32_t code, umask;
};

struct fault {
    enum fault_kind kind;
    enum fault_target target;
    struct selection_id event;  /* FAULT_EVENT */
    struct counter_id counter;  /* FAULT_COUNTER, FAULT_BOX */
    uint32_t socket;            /* FAULT_SOCKET */
    double factor, probability; /* factor: scale, spike, jitter (relative standard deviation); probability: spike */
    uint64_t number;            /* add, stuck; wrap: bits */
    uint64_t before;            /* wrap: counts until the first overflow, 0: starts at 0 */
    uint32_t other;             /* swap: index of the other event in the table the list was parsed with;
                                   mirror: instance of the other box, or number of the other socket */
};

struct fault_list {
    uint64_t seed;
    uint32_t count;
    uint32_t noise; /* enum noise_level (noise.h) */
    struct fault fault[FAULTS_MAX];
};

/* A programmed counter, as input for the fault functions. */
struct programmed {
    const struct fault_list *faults; /* NULL: none */
    struct counter_id counter;
    struct selection_id event;
    uint32_t place;  /* its core, domain or socket */
    uint32_t socket; /* of a box */
    uint32_t bits;   /* the counter's width */
    uint64_t now;    /* uncore cycles at the access, and their rate; 0: unknown */
    double hz;
    double elapsed;  /* seconds in the counting interval, for noise */
    double per_walk; /* counts added per additional page walk, for noise */
};

/* The interval's count with faults, if its event happened `counted` times. */
uint64_t fault_count(const struct programmed *at, uint32_t interval, uint64_t counted);

/* The value read with faults, if the true value is `value`. */
uint64_t fault_show(const struct programmed *at, uint64_t value);

/* The counter's width with faults, and its value where the true value is 0. */
uint32_t fault_bits(const struct programmed *at);
uint64_t fault_origin(const struct programmed *at);

/* The successor of a random number: SplitMix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number
 * generators, 2014). */
uint64_t fault_mix(uint64_t x);

/* The index of the event counted instead, -1: no swap. */
int fault_swap(const struct programmed *at);

/* The fault by which the counter shows another box's or socket's counts, NULL: none. */
const struct fault *fault_mirror(const struct programmed *at);

/* Whether the counter ignores filters, thresholds, edge detection and inversion. */
int fault_unfilters(const struct programmed *at);

/* Whether the counter of a hardware thread also counts what the other threads of its core do. */
int fault_counts_siblings(const struct programmed *at);

/* `faults` may be NULL. */
int fault_denies(const struct fault_list *faults, const struct counter_id *counter);
int fault_removes(const struct fault_list *faults, const struct pmu_table *table, int32_t kind, uint32_t instance);

#endif
