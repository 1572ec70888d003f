/* sim_streams.c - lines per level of streaming loops in steady state against the closed form, exactly.
 *
 * All arrays of a mix lie behind one another without gaps, so that a footprint of n lines puts n / sets lines in every
 * set (n a multiple of the sets). With LRU a cyclic sweep of more lines than ways misses at every line, one of at most
 * as many never. So, per pass and per line of an array that is only loaded: one line into each level that the
 * footprint exceeds; per line of a stored array one line in (write allocate) and one line out of it (write back);
 * non-temporal stores: one line written to memory and nothing else.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

enum use { LOADED, STORED, UPDATED, NON_TEMPORAL }; /* UPDATED: loaded, then stored */

struct mix {
    const char *name;
    int arrays;
    enum use use[4];
};

static const struct mix mixes[] = {
    {"load", 1, {LOADED}},
    {"store", 1, {STORED}},
    {"copy", 2, {LOADED, STORED}},
    {"daxpy", 2, {LOADED, UPDATED}},
    {"ddot", 2, {LOADED, LOADED}},
    {"stream", 3, {LOADED, LOADED, STORED}},
    {"triad", 4, {LOADED, LOADED, LOADED, STORED}},
    {"store_nt", 1, {NON_TEMPORAL}},
    {"copy_nt", 2, {LOADED, NON_TEMPORAL}},
    {"stream_nt", 3, {LOADED, LOADED, NON_TEMPORAL}},
    {"triad_nt", 4, {LOADED, LOADED, LOADED, NON_TEMPORAL}},
};
enum { MIXES = sizeof mixes / sizeof mixes[0], BASE = 1 << 28, ACCESS = 32 };

static void access_once(struct sim_core *core, enum use use, uint64_t address) {
    if (use == LOADED || use == UPDATED)
        sim_load(core, address, ACCESS);
    if (use == STORED || use == UPDATED)
        sim_store(core, address, ACCESS);
    if (use == NON_TEMPORAL)
        sim_store_nt(core, address, ACCESS);
}

/* One pass of `cores` cores in lockstep, each over its own arrays. Without lockstep the inclusive L3 would evict the
 * lines of a waiting core, and modified ones would go to memory without L2 counting them. */
static void pass(const struct node *node, const struct mix *mix, uint32_t cores, uint64_t bytes_per_array) {
    for (uint64_t i = 0; i < bytes_per_array; i += ACCESS)
        for (uint32_t c = 0; c < cores; c++)
            for (int a = 0; a < mix->arrays; a++)
                access_once(node_core(node, c), mix->use[a],
                            BASE + ((uint64_t)c << 32) + (uint64_t)a * bytes_per_array + i);
}

static uint64_t count_arrays(const struct mix *mix, int loaded, int stored, int non_temporal) {
    uint64_t n = 0;
    for (int a = 0; a < mix->arrays; a++)
        n += (uint64_t)((loaded && mix->use[a] == LOADED) ||
                        (stored && (mix->use[a] == STORED || mix->use[a] == UPDATED)) ||
                        (non_temporal && mix->use[a] == NON_TEMPORAL));
    return n;
}

/* Checks `passes` passes of `cores` cores over arrays of `lines` lines that fit in `level` but not in the levels above
 * it: 1 L1, 2 L2, 3 L3, 4 memory. */
static void check(const struct mix *mix, uint64_t lines, int level, uint32_t cores) {
    enum { PASSES = 1, WARM = 1 }; /* after one pass the contents of LRU caches do not depend on earlier ones */
    NODE node = node_1x2();
    for (int p = 0; p < WARM; p++)
        pass(&node, mix, cores, lines * LINE);
    struct sim_counts before = *node.counts;
    for (int p = 0; p < PASSES; p++)
        pass(&node, mix, cores, lines * LINE);

    uint64_t in = count_arrays(mix, 1, 1, 0) * lines * PASSES;
    uint64_t out = count_arrays(mix, 0, 1, 0) * lines * PASSES;
    uint64_t streamed = count_arrays(mix, 0, 0, 1) * lines * PASSES;
    for (uint32_t c = 0; c < cores; c++) {
#define SINCE(count) (total(&node, c, count) - before.core[c].total[count])
        assert_int_equal(SINCE(CORE_L1D_REPLACEMENT), level > 1 ? in : 0);
        assert_int_equal(SINCE(CORE_L2_L1D_WRITEBACK), level > 1 ? out : 0);
        assert_int_equal(SINCE(CORE_L2_LINES_IN_E) + SINCE(CORE_L2_LINES_IN_S), level > 2 ? in : 0);
        assert_int_equal(SINCE(CORE_L2_WRITEBACK), level > 2 ? out : 0);
        assert_int_equal(SINCE(CORE_STORES_NT), streamed * LINE / ACCESS);
#undef SINCE
    }
    uint64_t reads = 0, writes = 0, agent_reads = 0, agent_writes = 0, partial = 0;
    for (int i = 0; i < SIM_CHANNELS_MAX; i++) {
        reads -= before.memory[0].cas_read[i];
        writes -= before.memory[0].cas_write[i];
    }
    for (int i = 0; i < SIM_AGENTS_MAX; i++) {
        agent_reads -= before.memory[0].agent[i].reads;
        agent_writes -= before.memory[0].agent[i].writes;
        partial -= before.memory[0].agent[i].writes_partial;
    }
    reads += cas_reads(&node, 0);
    writes += cas_writes(&node, 0);
    assert_int_equal(reads, level > 3 ? in * cores : 0);
    assert_int_equal(writes, (level > 3 ? out * cores : 0) + streamed * cores);
    assert_int_equal(agent_reads + AGENTS(&node, 0, reads), reads);
    assert_int_equal(agent_writes + AGENTS(&node, 0, writes), writes);
    assert_int_equal(partial + AGENTS(&node, 0, writes_partial), 0);
}

/* Lines per array such that all arrays have about `footprint` lines, in whole sets of every level. Only arrays without
 * NT stores count, because others are not cached. */
static uint64_t lines_per_array(const struct mix *mix, uint64_t footprint, uint64_t sets) {
    uint64_t cached = count_arrays(mix, 1, 1, 0);
    return footprint / (cached ? cached : 1) / sets * sets;
}

TEST(streams_in_l1) {
    for (int i = 0; i < MIXES; i++)
        check(&mixes[i], lines_per_array(&mixes[i], L1_LINES / 2, 64), 1, 1);
}

TEST(streams_in_l2) {
    for (int i = 0; i < MIXES; i++)
        if (count_arrays(&mixes[i], 1, 1, 0))
            check(&mixes[i], lines_per_array(&mixes[i], L2_LINES / 2, 64), 2, 1);
}

TEST(streams_in_l3) {
    for (int i = 0; i < MIXES; i++)
        if (count_arrays(&mixes[i], 1, 1, 0))
            check(&mixes[i], lines_per_array(&mixes[i], L3_SLICE_LINES, 512), 3, 1);
}

TEST(streams_in_memory) {
    for (int i = 0; i < MIXES; i++)
        check(&mixes[i], lines_per_array(&mixes[i], 3 * L3_SLICE_LINES, 4096), count_arrays(&mixes[i], 1, 1, 0) ? 4 : 1,
              1);
}

/* Both cores at once: their footprints share the L3. */
TEST(streams_of_two_cores) {
    for (int i = 0; i < MIXES; i++)
        if (count_arrays(&mixes[i], 1, 1, 0)) {
            check(&mixes[i], lines_per_array(&mixes[i], L2_LINES / 2, 64), 2, 2);
            check(&mixes[i], lines_per_array(&mixes[i], L3_SLICE_LINES / 2, 512), 3, 2);
            check(&mixes[i], lines_per_array(&mixes[i], 2 * L3_SLICE_LINES, 4096), 4, 2);
        }
}

/* With LRU, one line per set more than the level has ways is enough to miss at every line. */
TEST(one_way_too_many) {
    check(&mixes[1], L1_LINES / 8 * 9, 2, 1);
    check(&mixes[1], L2_LINES / 8 * 9, 3, 1);
    check(&mixes[1], 2 * L3_SLICE_LINES / 20 * 21, 4, 1);
    check(&mixes[1], L1_LINES, 1, 1);
    check(&mixes[1], L2_LINES, 2, 1);
    check(&mixes[1], 2 * L3_SLICE_LINES, 3, 1);
}

/* Each pass begins the run of consecutive lines anew, so it reads EVASION lines of each stored array; loads are all
 * read. */
TEST(stores_evade_reads) {
    enum { EVASION = 4, LINES = 4 * L3_SLICE_LINES };
    struct sim_config config = node_config(1, 2);
    config.evasion = EVASION;
    for (int i = 0; i < MIXES; i++) {
        if (count_arrays(&mixes[i], 1, 1, 0) == 0)
            continue;
        NODE node = node_make(config);
        pass(&node, &mixes[i], 1, LINES * LINE);
        uint64_t reads = cas_reads(&node, 0), writes = cas_writes(&node, 0), stored = 0;
        for (int a = 0; a < mixes[i].arrays; a++)
            stored += mixes[i].use[a] == STORED;
        pass(&node, &mixes[i], 1, LINES * LINE);
        uint64_t loaded = count_arrays(&mixes[i], 1, 1, 0) - stored;
        assert_int_equal(cas_reads(&node, 0) - reads, loaded * LINES + stored * EVASION);
        assert_int_equal(cas_writes(&node, 0) - writes, count_arrays(&mixes[i], 0, 1, 1) * LINES);
    }
}
