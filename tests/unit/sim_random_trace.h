/* sim_random_trace.h - random accesses of several cores, the same for the same seed.
 * A trace has phases. A phase uses some of the node's cores and some lines of a pool, in order or at random, with its
 * own probabilities of each kind of access. This gives streams, shared reading, ping-pong and random mixtures. The pool
 * is made for conflicts: most of its lines are in a few sets of the last level, many more than the sets have ways; the
 * others are adjacent.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_RANDOM_TRACE_H
#define ASSAY_TESTS_SIM_RANDOM_TRACE_H

#include <stdint.h>

#include "vnode/sim/config.h"

#include "xorshift.h"

enum kind { LOAD, LOAD_LOCKED, STORE, NT_FULL, NT_PARTIAL, FLUSH, FETCH, FENCE, MOVE, UNMAP, KINDS };

static const char *const KIND_NAMES[] = {
    "load",  "locked load", "store", "full non-temporal store", "non-temporal store",
    "flush", "fetch",       "fence", "move of the page",        "unmapping of the page"};

struct access {
    enum kind kind;
    uint32_t core;
    uint64_t address;
    uint32_t size;
    uint32_t memory; /* to which a page moves */
};

struct phase {
    uint32_t left;        /* remaining accesses */
    uint32_t core, cores; /* first core, number of cores */
    uint32_t line, lines; /* first line of the pool, number of lines */
    uint32_t taste;
    int stream;
    int favourite; /* the first line is accessed repeatedly between the others */
    uint32_t at;   /* the stream's position */
};

struct trace {
    uint64_t x;
    uint32_t cores, memories, line;
    uint32_t near, columns; /* adjacent lines; number of copies at distances of a last level */
    uint64_t apart;
    struct phase phase;
};

enum { TRACE_BASE = 1 << 20, TRACE_ROWS = 2, TRACE_SIDE = 320 }; /* in lines; SIDE: lines with few conflicts */

static inline uint32_t draw(struct trace *trace, uint32_t below) {
    return (uint32_t)(next_random(&trace->x) >> 24) % below;
}

static inline struct trace trace_make(const struct sim_config *config, uint64_t seed) {
    return (struct trace){.x = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15), /* close seeds must start differently */
                          .cores = sim_cpus(config),
                          .memories = sim_memories(config),
                          .line = config->line,
                          .near = TRACE_ROWS * config->slices,
                          .columns = 2 * (config->l3.ways + config->l2.ways),
                          .apart = config->l3.size / config->line / config->l3.ways * config->slices};
}

static inline uint32_t trace_pool(const struct trace *trace) {
    return trace->columns * trace->near + TRACE_SIDE;
}

static inline uint64_t trace_line(const struct trace *trace, uint32_t of_pool) {
    uint32_t colliding = trace->columns * trace->near;
    if (of_pool >= colliding)
        return TRACE_BASE + trace->columns * trace->apart + of_pool - colliding;
    return TRACE_BASE + of_pool / trace->near * trace->apart + of_pool % trace->near;
}

/* A random choice; later ones are increasingly rare. */
static inline uint32_t draw_few(struct trace *trace, uint32_t most) {
    static const uint32_t few[] = {1, 2, 3, 8, 24};
    uint32_t which = draw(trace, 2 + sizeof few / sizeof *few);
    return which < sizeof few / sizeof *few && few[which] < most ? few[which] : most;
}

/* Every second phase (on average) uses the same lines in another way. */
static inline void trace_new_phase(struct trace *trace, uint32_t tastes) {
    struct phase *phase = &trace->phase;
    if (phase->lines == 0 || draw(trace, 2)) {
        phase->core = draw(trace, trace->cores);
        phase->cores = draw_few(trace, trace->cores);
        phase->line = draw(trace, trace_pool(trace));
        phase->lines = draw_few(trace, trace_pool(trace));
        phase->stream = draw(trace, 3) == 0;
        phase->favourite = draw(trace, 2) == 0;
    }
    phase->left = 8 + draw(trace, 300);
    phase->taste = draw(trace, tastes);
}

static inline enum kind draw_kind(struct trace *trace, const uint8_t *weights) {
    uint32_t sum = 0;
    for (int kind = 0; kind < KINDS; kind++)
        sum += weights[kind];
    uint32_t left = draw(trace, sum), kind = 0;
    while (left >= weights[kind])
        left -= weights[kind++];
    return (enum kind)kind;
}

static inline struct access trace_next(struct trace *trace) {
    static const uint8_t tastes[][KINDS] = {
        {90, 2, 5, 0, 0, 0, 3, 0, 0, 0},    /* read */
        {30, 5, 60, 0, 0, 0, 5, 0, 0, 0},   /* write */
        {25, 40, 35, 0, 0, 0, 0, 0, 0, 0},  /* contend */
        {50, 0, 10, 0, 0, 0, 40, 0, 0, 0},  /* execute */
        {94, 0, 6, 0, 0, 0, 0, 0, 0, 0},    /* data only */
        {10, 0, 0, 0, 0, 0, 90, 0, 0, 0},   /* code */
        {20, 2, 18, 25, 30, 0, 3, 2, 0, 0}, /* write around the caches */
        {30, 10, 25, 6, 8, 6, 11, 2, 1, 1}, /* anything */
        {40, 0, 30, 0, 0, 25, 5, 0, 0, 0},  /* flush */
    };
    struct phase *phase = &trace->phase;
    if (phase->left == 0)
        trace_new_phase(trace, sizeof tastes / sizeof *tastes);
    phase->left--;
    uint32_t core = (phase->core + draw(trace, phase->cores)) % trace->cores;
    uint32_t which = phase->stream ? phase->at++ % phase->lines : draw(trace, phase->lines);
    if (phase->favourite && draw(trace, 4))
        which = 0;
    uint64_t address = trace_line(trace, (phase->line + which) % trace_pool(trace)) * trace->line;
    enum kind kind = draw_kind(trace, tastes[phase->taste]);
    uint32_t size = kind == NT_FULL ? trace->line : 1 + draw(trace, 32);
    if (kind != NT_FULL)
        address += draw(trace, trace->line);
    return (struct access){kind, core, address, size, draw(trace, trace->memories)};
}

#endif
