/* fault.h - counters that are wrong on purpose: what a fault does to the values that a client reads.
 *
 * A counter counts in intervals: one starts whenever the counter is let run and ends when it stops. LIKWID stops all
 * counters to read them, where they can be stopped together; where they cannot (AMD's), it reads them as they count,
 * and there one counting interval ends and the next starts whenever the counter is read. So a region is exactly one
 * counting interval (unless another region starts or stops within it), and so is a program measured as a whole. scale,
 * add, spike and jitter change what a counting interval counts; stuck and wrap change what the counter shows; swap
 * changes what it counts; deny and nodevice refuse access. Several faults of one counter apply in the order of the
 * file. Random numbers are drawn once for each counting interval, and depend on nothing but the seed, the fault's place
 * in the file, the counter, its core or socket, and the number of the counting interval.
 *
 * The list is plain data without pointers. Reading one from text: fault_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FAULT_H
#define ASSAY_PMU_FAULT_H

#include <stdint.h>

#include "names.h"

enum { FAULTS_MAX = 1024 }; /* one for each event of a table (table.h) */

enum fault_kind {
    FAULT_SCALE,
    FAULT_ADD,
    FAULT_SPIKE,
    FAULT_JITTER,
    FAULT_STUCK,
    FAULT_SWAP,
    FAULT_WRAP,
    FAULT_DENY,
    FAULT_NO_DEVICE
};

/* What a select register says, or a fixed counter counts: `unit` as in struct table_event. */
struct selection_id {
    char unit[16];
    uint32_t code, umask;
};

struct fault {
    enum fault_kind kind;
    int by_event;               /* else `counter` is hit, whatever it counts */
    struct selection_id event;  /* by_event */
    struct counter_id counter;  /* not by_event; of FAULT_NO_DEVICE the box */
    double factor, probability; /* scale, spike; spike. jitter: `factor` is the relative standard deviation */
    uint64_t number;            /* add, stuck; wrap: bits */
    uint64_t before;            /* wrap: counts until it wraps first, 0: it starts at 0 */
    uint32_t other;             /* swap: its index in the table that the list was read with */
};

struct fault_list {
    uint64_t seed;
    uint32_t count;
    struct fault fault[FAULTS_MAX];
};

/* A counter that is programmed, as faults find it. */
struct programmed {
    const struct fault_list *faults; /* NULL: none */
    struct counter_id counter;
    struct selection_id event;
    uint32_t place; /* its core, domain or socket */
    uint32_t bits;  /* the counter's width */
};

/* What a counting interval counts when its event has happened `counted` times. */
uint64_t fault_count(const struct programmed *at, uint32_t interval, uint64_t counted);

/* What the counter shows when it should show `value`. */
uint64_t fault_show(const struct programmed *at, uint64_t value);

/* How many bits the counter has, and what it shows when it should show 0. */
uint32_t fault_bits(const struct programmed *at);
uint64_t fault_origin(const struct programmed *at);

/* A random number that follows from another: SplitMix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom
 * number generators, 2014). */
uint64_t fault_mix(uint64_t x);

/* The index of the event that it counts instead, -1: nothing else. */
int fault_swap(const struct programmed *at);

/* `faults` may be NULL. */
int fault_denies(const struct fault_list *faults, const struct counter_id *counter);
int fault_removes(const struct fault_list *faults, const struct pmu_table *table, int32_t kind, uint32_t instance);

#endif
