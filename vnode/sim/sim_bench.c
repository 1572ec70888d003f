/* sim_bench.c - simulated accesses per second for streams that stay in L1, L2, L3 and memory, with 1 and 2 cores.
 *
 * A stream loads 32 bytes and stores 32 bytes in turn, as an AVX copy does. Prints million accesses per second without
 * and with prefetchers, and the ratio of their times: the median of rounds in which both take turns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim.h"
#include "trace.h"

static const struct sim_config plain = {
    .sockets = 1,
    .cores_per_socket = 2,
    .domains_per_socket = 1,
    .numa_per_socket = 1,
    .line = 64,
    .page = 4096,
    .l1i = {32 << 10, 8, 0},
    .l1d = {32 << 10, 8, 0},
    .l2 = {256 << 10, 8, 12},
    .l3 = {2560 << 10, 20, 34},
    .slices = 2,
    .channels = 8,
    .ranks = 4,
    .banks = 16,
    .dram_row = 8 << 10,
    .agents = 2,
    .links = 1,
    .memory_latency = 200,
    .remote_latency = 310,
    .dtlb = {64, 4},
    .itlb = {128, 4},
    .stlb = {1024, 8},
    .walk_latency = 30,
    .branch_penalty = 15,
    .instructions_per_cycle_x4 = 16,
    .clock_hz = 2300000000,
    .uncore_hz = 2300000000,
};

enum { ROUNDS = 5, INSTRUCTION = 0x400000, CODE_BYTES = 8 };

/* Processor time: others who use the machine do not count. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const uint32_t nobody_asks = 0;

/* As generated code does it: WORDS words at a time. */
static void copy(struct sim_core *core, uint64_t base, uint64_t bytes) {
    enum { WORDS = 2048 };
    static uint64_t trace[WORDS + 1];
    uint64_t *word = trace;
    for (uint64_t i = 0; i < bytes / 2; i += 32) {
        *word++ = trace_word(INSTRUCTION, trace_other(TRACE_INSTRUCTION));
        *word++ = trace_word(base + i, trace_access(TRACE_LOAD, 32));
        *word++ = trace_word(INSTRUCTION + CODE_BYTES, trace_other(TRACE_INSTRUCTION));
        *word++ = trace_word(base + bytes / 2 + i, trace_access(TRACE_STORE, 32));
        if (word == trace + WORDS || i + 32 >= bytes / 2) {
            *word = trace_other(TRACE_END);
            sim_trace(core, trace);
            word = trace;
        }
    }
}

/* A node on which `cores` cores copy within `bytes` each, alternating after each pass. */
struct stream {
    void *memory;
    struct sim *sim;
    struct sim_counts *counts;
    uint32_t cores;
    uint64_t bytes;
};

static void pass(const struct stream *stream) {
    for (uint32_t i = 0; i < stream->cores; i++)
        copy(sim_core(stream->sim, i), UINT64_C(1) << 32 | (uint64_t)i << 30, stream->bytes);
}

static struct stream begin(const struct sim_config *config, uint32_t cores, uint64_t bytes) {
    struct stream stream = {.memory = aligned_alloc(64, sim_bytes(config)),
                            .counts = calloc(1, sizeof *stream.counts),
                            .cores = cores,
                            .bytes = bytes};
    if (!stream.memory || !stream.counts) {
        fprintf(stderr, "sim_bench: out of memory\n");
        exit(1);
    }
    memset(stream.memory, 0, sim_bytes(config));
    stream.sim = sim_init(stream.memory, config, stream.counts);
    sim_follow_stores(stream.sim, &nobody_asks); /* like most runs */
    pass(&stream);                               /* warms the caches */
    pass(&stream);
    return stream;
}

/* Million accesses per second. */
static double rate(const struct stream *stream) {
    double start = seconds(), elapsed = 0;
    uint64_t accesses = 0;
    for (; elapsed < 0.1; elapsed = seconds() - start) {
        pass(stream);
        accesses += stream->cores * stream->bytes / 32;
    }
    return 1e-6 * (double)accesses / elapsed;
}

static void end(struct stream *stream) {
    free(stream->counts);
    free(stream->memory);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS]) {
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

static void print(const char *level, uint32_t cores, uint64_t bytes) {
    struct sim_config prefetching = plain;
    prefetching.prefetchers = SIM_PREFETCHERS;
    struct stream without = begin(&plain, cores, bytes), with = begin(&prefetching, cores, bytes);
    double off[ROUNDS], on[ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        off[i] = rate(&without);
        on[i] = rate(&with);
        ratio[i] = off[i] / on[i];
    }
    printf("%-6s %5u %15.1f %15.1f %12.2f\n", level, cores, median(off), median(on), median(ratio));
    end(&without);
    end(&with);
}

int main(void) {
    static const struct {
        const char *name;
        uint64_t bytes;
    } levels[] = {{"L1", 16 << 10}, {"L2", 128 << 10}, {"L3", 2 << 20}, {"memory", 40 << 20}};
    puts("data   cores   Maccesses/s  with prefetchers  time ratio");
    for (uint32_t cores = 1; cores <= plain.cores_per_socket; cores++)
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
            print(levels[i].name, cores, levels[i].bytes);
    return 0;
}
