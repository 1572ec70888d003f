/* sim_core.c - unit tests of a core's TLBs, split accesses, branch predictor and clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"
#include "xorshift.h"

#include "vnode/sim/trace.h"

enum { A = 1 << 30, CODE = 0x400000 };

static void touch_pages(struct sim_core *core, uint64_t pages) {
    for (uint64_t i = 0; i < pages; i++)
        sim_load(core, A + i * PAGE, 8);
}

/* Reach: 64 pages fit in the first level, 1024 in the second; a cyclic sweep over more always misses (exact LRU, pages
 * spread evenly over the sets). */
TEST(tlb_reach) {
    enum { PASSES = 5 };
    const struct {
        uint64_t pages, second_level_hits, walks;
    } cases[] = {{64, 0, 64}, {80, 80 * (PASSES - 1), 80}, {1024, 1024 * (PASSES - 1), 1024}, {1152, 0, 1152 * PASSES}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NODE node = node_1x2();
        for (int p = 0; p < PASSES; p++)
            touch_pages(node_core(&node, 0), cases[i].pages);
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_STLB_HIT), cases[i].second_level_hits);
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), cases[i].walks);
        assert_int_equal(total(&node, 0, CORE_LOADS_STLB_MISS), cases[i].walks);
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_CYCLES), cases[i].walks * WALK_LATENCY);
        assert_int_equal(total(&node, 0, CORE_DTLB_STORE_WALK), 0);
    }
}

static int all_large(void *context, uint64_t large_page) {
    (void)context;
    return large_page >= A / LARGE;
}

/* Reach in large pages: 32 fit in their own first level; without one, 64 fit in the level shared with small pages. Both
 * sizes share the second level of 1024. Each large page is touched in two of its small pages. */
TEST(reach_in_large_pages) {
    enum { PASSES = 5 };
    const struct {
        uint32_t entries;
        uint64_t pages, second_level_hits, walks;
    } cases[] = {{32, 32, 0, 32},
                 {32, 64, 64 * (PASSES - 1), 64},
                 {32, 1024, 1024 * (PASSES - 1), 1024},
                 {32, 1152, 0, 1152 * PASSES},
                 {0, 64, 0, 64},
                 {0, 80, 80 * (PASSES - 1), 80}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim_config config = node_config(1, 2);
        config.dtlb_large.entries = cases[i].entries;
        NODE node = node_make(config);
        sim_know_large_pages(node.sim, all_large, NULL);
        for (uint64_t n = 0; n < PASSES * cases[i].pages; n++) {
            sim_load(node_core(&node, 0), A + n % cases[i].pages * LARGE, 8);
            sim_load(node_core(&node, 0), A + n % cases[i].pages * LARGE + 7 * PAGE, 8);
        }
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_STLB_HIT), cases[i].second_level_hits);
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_STLB_HIT_LARGE), cases[i].second_level_hits);
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), cases[i].walks);
        assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_LARGE), cases[i].walks);
        assert_int_equal(total(&node, 0, CORE_LOADS_STLB_MISS), cases[i].walks);
    }
}

/* Small and large pages: each size has its own entries and counts. */
TEST(both_sizes) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    sim_know_large_pages(node.sim, all_large, NULL);
    for (int pass = 0; pass < 3; pass++) {
        for (uint64_t i = 0; i < 64; i++)
            sim_store(core, A - LARGE + i * PAGE, 8);
        for (uint64_t i = 0; i < 32; i++)
            sim_store(core, A + i * LARGE, 8);
    }
    assert_int_equal(total(&node, 0, CORE_DTLB_STORE_WALK), 64 + 32);
    assert_int_equal(total(&node, 0, CORE_DTLB_STORE_WALK_LARGE), 32);
    assert_int_equal(total(&node, 0, CORE_DTLB_STORE_STLB_HIT), 0);
    sim_load(core, A - 8, 16); /* the last small page, and the first large one */
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 1);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_LARGE), 0);
    sim_fetch(core, A, 16); /* code has small pages only */
    assert_int_equal(total(&node, 0, CORE_ITLB_WALK), 1);
}

/* Making pages large drops their translations. */
TEST(forgotten_translations) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    const uint64_t words[] = {trace_word(A, trace_access(TRACE_LOAD, 8)), trace_other(TRACE_END)};
    sim_trace(core, words);
    sim_trace(core, words);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 1);
    sim_know_large_pages(node.sim, all_large, NULL);
    sim_forget_translations(node.sim);
    sim_trace(core, words);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 2);
    sim_load(core, A + PAGE, 8);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 2);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_LARGE), 1);
    sim_know_large_pages(node.sim, NULL, NULL);
    sim_forget_translations(node.sim);
    sim_load(core, A, 8);
    sim_load(core, A + PAGE, 8);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 4);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_LARGE), 1);
    sim_know_large_pages(node.sim, all_large, NULL); /* earlier large pages are dropped, too */
    sim_forget_translations(node.sim);
    sim_load(core, A, 8);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_LARGE), 2);
}

/* Large pages that displace each other from a single way are looked up for every word of a trace. */
TEST(large_pages_in_turns) {
    struct sim_config config = node_config(1, 2);
    config.dtlb_large.ways = 1;
    NODE node = node_make(config);
    sim_know_large_pages(node.sim, all_large, NULL);
    const uint64_t access = trace_access(TRACE_LOAD, 8), other = A + 32 * (uint64_t)LARGE;
    const uint64_t words[] = {trace_word(A, access), trace_word(other, access), trace_word(A + 8, access),
                              trace_word(other + 8, access), trace_other(TRACE_END)};
    sim_trace(node_core(&node, 0), words);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK_LARGE), 2);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_STLB_HIT_LARGE), 2);
}

/* A page known as data needs no walk as code: the second level is unified. */
TEST(unified_second_level) {
    NODE node = node_1x2();
    sim_store(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 0, CORE_DTLB_STORE_WALK), 1);
    assert_int_equal(total(&node, 0, CORE_STORES_STLB_MISS), 1);
    sim_fetch(node_core(&node, 0), A, 16);
    sim_fetch(node_core(&node, 0), A + 16, 16);
    assert_int_equal(total(&node, 0, CORE_ITLB_STLB_HIT), 1);
    assert_int_equal(total(&node, 0, CORE_ITLB_WALK), 0);
}

/* 32 bytes at offset 48 of a line touch two lines, at the end of a page two pages; each access is one load. */
TEST(split_accesses) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    sim_load(core, A + 48, 32);
    sim_load(core, A + 32, 32); /* ends at the line's end: no split */
    sim_store(core, A + 48, 32);
    sim_load(core, A + PAGE - 16, 32);
    assert_int_equal(total(&node, 0, CORE_LOADS), 3);
    assert_int_equal(total(&node, 0, CORE_LOADS_SPLIT), 2);
    assert_int_equal(total(&node, 0, CORE_STORES_SPLIT), 1);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), 4);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 2);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 1);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 2);
    assert_int_equal(total(&node, 0, CORE_LOADS_STLB_MISS), 2);
    sim_load(core, A + 2 * LINE, 8);
    sim_load(core, A + 2 * LINE + 48, 32); /* L1 and memory: counts once, as served by memory */
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 4);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 1);
}

static void conditional(struct sim_core *core, uint64_t address, int taken) {
    sim_branch(core, address, BRANCH_CONDITIONAL, taken, address - 32, address + 6);
}

/* A loop's branch is predicted correctly from the first pass on and mispredicted at the exit. */
TEST(loop_branch) {
    NODE node = node_1x2();
    for (int i = 0; i < 1000; i++)
        conditional(node_core(&node, 0), CODE, i < 999);
    assert_int_equal(total(&node, 0, CORE_BRANCHES), 1000);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_CONDITIONAL), 1000);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_TAKEN), 999);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_NOT_TAKEN), 1);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 1);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_CONDITIONAL), 1);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_TAKEN), 0);
    assert_int_equal(total(&node, 0, CORE_CYCLES), BRANCH_PENALTY);
}

/* Coin tosses in a loop: half of them are mispredicted, the loop branch is not. The standard deviation for n tosses is
 * sqrt(n)/2; the bound is five times that. The loop branch needs no warm-up: its index contains 6 of the tosses, and
 * each of these 64 contexts starts weakly taken. */
TEST(random_branch) {
    enum { TOSSES = 160000, FIVE_SIGMA = 5 * 400 / 2 };
    NODE node = node_1x2();
    uint64_t x = 88172645463325252;
    for (int i = 0; i < TOSSES; i++) {
        conditional(node_core(&node, 0), CODE, (int)(next_random(&x) >> 63));
        conditional(node_core(&node, 0), CODE + 0x20, 1);
    }
    assert_in_range(total(&node, 0, CORE_MISPREDICTED), TOSSES / 2 - FIVE_SIGMA, TOSSES / 2 + FIVE_SIGMA);
}

/* Calls and returns pair up to 16 deep; the return of the 17th outer call has lost its entry. */
TEST(returns) {
    const struct { uint64_t depth, mispredicted; } cases[] = {{1, 0}, {16, 0}, {17, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        NODE node = node_1x2();
        struct sim_core *core = node_core(&node, 0);
        uint64_t depth = cases[c].depth;
        for (uint64_t i = 0; i < depth; i++)
            sim_branch(core, CODE + i * 64, BRANCH_CALL, 1, CODE + (i + 1) * 64, CODE + i * 64 + 5);
        for (uint64_t i = depth; i-- > 0;)
            sim_branch(core, CODE + i * 64 + 70, BRANCH_RETURN, 1, CODE + i * 64 + 5, CODE + i * 64 + 71);
        assert_int_equal(total(&node, 0, CORE_BRANCHES_CALL), depth);
        assert_int_equal(total(&node, 0, CORE_BRANCHES_RETURN), depth);
        assert_int_equal(total(&node, 0, CORE_MISPREDICTED), cases[c].mispredicted);
        assert_int_equal(total(&node, 0, CORE_MISPREDICTED_RETURN), cases[c].mispredicted);
        assert_int_equal(total(&node, 0, CORE_MISPREDICTED_INDIRECT), 0);
    }
}

/* An indirect jump is predicted to its last target: mispredicted at first and at each change. */
TEST(indirect_jumps) {
    NODE node = node_1x2();
    const uint64_t targets[] = {1, 1, 1, 2, 2, 1, 2};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        sim_branch(node_core(&node, 0), CODE, BRANCH_INDIRECT, 1, CODE + targets[i] * 64, CODE + 2);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_INDIRECT), 7);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 4);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_TAKEN), 4);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_INDIRECT), 4);
    sim_branch(node_core(&node, 0), CODE + 64, BRANCH_JUMP, 1, CODE, CODE + 69);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 4);
    sim_branch(node_core(&node, 0), CODE + 128, BRANCH_CALL_INDIRECT, 1, CODE, CODE + 130);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_CALL_INDIRECT), 1);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_INDIRECT), 7);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_INDIRECT), 5);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_RETURN), 0);
    assert_int_equal(total(&node, 0, CORE_BRANCHES), 9);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_TAKEN), 9);
    assert_int_equal(total(&node, 0, CORE_BRANCHES_CALL), 1);
}

/* Four instructions per cycle; a remainder is kept. Memory, L3, L2 and page walks cost their latency. */
TEST(cycles) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    for (int i = 0; i < 10; i++)
        sim_retire(core, 3);
    assert_int_equal(total(&node, 0, CORE_INSTRUCTIONS), 30);
    assert_int_equal(total(&node, 0, CORE_CYCLES), 7);
    sim_retire(core, 2);
    assert_int_equal(total(&node, 0, CORE_CYCLES), 8);
    sim_load(core, A, 8);
    assert_int_equal(total(&node, 0, CORE_CYCLES), 8 + MEMORY_LATENCY + WALK_LATENCY);
    uint64_t now = sim_time(node.sim, 0);
    assert_int_equal(now, total(&node, 0, CORE_CYCLES));
    sim_idle(core, 1000);
    assert_int_equal(sim_time(node.sim, 0), now + 1000);
    assert_int_equal(total(&node, 0, CORE_CYCLES), now);
    assert_int_equal(node.counts->socket[0].uncore_cycles, now + 1000);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_CYCLES), L3_LATENCY + WALK_LATENCY);
    for (uint64_t i = 1; i <= 8; i++) /* pushes A out of its L1 set */
        sim_load(node_core(&node, 1), A + i * 64 * LINE, 8);
    now = total(&node, 1, CORE_CYCLES);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_CYCLES), now + L2_LATENCY);
    now = total(&node, 1, CORE_CYCLES);
    for (uint64_t i = 0; i < 7; i++)
        sim_store_nt(node_core(&node, 1), A + 16 * LINE + 8 * i, 8);
    assert_int_equal(total(&node, 1, CORE_CYCLES), now);
    sim_store_nt(node_core(&node, 1), A + 16 * LINE + 56, 8); /* the line goes to memory */
    assert_int_equal(total(&node, 1, CORE_CYCLES), now + MEMORY_LATENCY);
}

/* The uncore at half the clock: half the cycles of the latest core, no cycle lost to rounding. */
TEST(uncore_clock) {
    struct sim_config config = node_config(1, 2);
    config.uncore_hz = config.clock_hz / 2;
    NODE node = node_make(config);
    for (int i = 0; i < 1001; i++)
        sim_retire(node_core(&node, 1), 4);
    sim_retire(node_core(&node, 0), 4000);
    assert_int_equal(node.counts->socket[0].uncore_cycles, 500);
    sim_idle(node_core(&node, 0), UINT64_C(1) << 40);
    assert_int_equal(node.counts->socket[0].uncore_cycles, (1000 + (UINT64_C(1) << 40)) / 2);
}

/* After a fork the child counts from its own zero, with the caches and the time of its parent. */
TEST(counts_of_a_child) {
    NODE node = node_1x2();
    struct sim_counts *child = calloc(1, sizeof *child);
    assert_non_null(child);
    sim_load(node_core(&node, 0), A, 8);
    uint64_t now = sim_time(node.sim, 0);
    sim_set_counts(node.sim, child);
    sim_load(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 0, CORE_LOADS), 1);
    assert_int_equal(child->core[0].total[CORE_LOADS], 1);
    assert_int_equal(child->core[0].total[CORE_LOAD_L1_HIT], 1);
    assert_int_equal(sim_time(node.sim, 0), now);
    free(child);
}
