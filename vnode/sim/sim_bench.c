/* sim_bench.c - simulated accesses per second for streams that stay in L1, L2, L3 and memory, with 1 and 2 cores.
 *
 * A stream loads 32 bytes and stores 32 bytes in turn, as an AVX copy does. Prints million accesses per second.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inline.h"
#include "sim.h"

static const struct sim_config node = {
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

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const uint32_t nobody_asks = 0;

static void copy(struct sim_core *core, uint64_t base, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes / 2; i += 32) {
        sim_load_inline(core, base + i, 32);
        sim_store_inline(core, base + bytes / 2 + i, 32);
    }
}

/* Million accesses per second of `cores` cores that each copy within `bytes`, alternating after each pass. */
static double rate(uint32_t cores, uint64_t bytes) {
    void *memory = aligned_alloc(64, sim_bytes(&node));
    struct sim_counts *counts = calloc(1, sizeof *counts);
    if (!memory || !counts) {
        fprintf(stderr, "sim_bench: out of memory\n");
        exit(1);
    }
    memset(memory, 0, sim_bytes(&node));
    struct sim *sim = sim_init(memory, &node, counts);
    sim_follow_stores(sim, &nobody_asks); /* like most runs */
    double begin = 0, elapsed = 0;
    uint64_t accesses = 0;
    for (int pass = 0; pass < 2 || elapsed < 0.5; pass++) {
        if (pass == 2) { /* the caches are warm */
            begin = seconds();
            accesses = 0;
        }
        for (uint32_t i = 0; i < cores; i++)
            copy(sim_core(sim, i), UINT64_C(1) << 32 | (uint64_t)i << 30, bytes);
        accesses += cores * bytes / 32;
        elapsed = pass < 2 ? 0 : seconds() - begin;
    }
    free(counts);
    free(memory);
    return 1e-6 * (double)accesses / elapsed;
}

int main(void) {
    static const struct {
        const char *name;
        uint64_t bytes;
    } levels[] = {{"L1", 16 << 10}, {"L2", 128 << 10}, {"L3", 2 << 20}, {"memory", 40 << 20}};
    for (uint32_t cores = 1; cores <= node.cores_per_socket; cores++)
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
            printf("%-6s %u core%s %8.1f Maccesses/s\n", levels[i].name, cores, cores > 1 ? "s" : " ",
                   rate(cores, levels[i].bytes));
    return 0;
}
