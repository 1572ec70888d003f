/* sim_smt.c - unit tests of two hardware threads per core: what siblings share, and what each has of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/trace.h"

enum { A = 1 << 20, BRANCH_AT = 0x401000, TARGET = 0x402000, NEXT = 0x401006, PASSES = 8 };

/* One socket of two cores with two threads each: 0 and 2 are siblings, 1 and 3. */
static struct node node_1x2x2(void) {
    struct sim_config config = node_config(1, 2);
    config.threads_per_core = 2;
    return node_make(config);
}

TEST(numbers) {
    struct sim_config config = node_config(2, 3);
    config.domains_per_socket = 3;
    config.threads_per_core = 2;
    assert_int_equal(sim_cores(&config), 6);
    assert_int_equal(sim_cpus(&config), 12);
    for (uint32_t core = 0; core < 6; core++) {
        assert_int_equal(sim_core_of(&config, core + 6), core);
        assert_int_equal(sim_socket_of(&config, core + 6), core / 3);
        assert_int_equal(sim_domain_of(&config, core + 6), core);
        assert_int_equal(sim_numa_of(&config, core + 6), core / 3);
    }
}

/* The sibling hits the line in the common L1: one miss, and nothing to snoop. The other core snoops once. */
TEST(a_line_is_shared) {
    NODE node = node_1x2x2();
    sim_store(node_core(&node, 0), A, 8);
    sim_load(node_core(&node, 2), A, 8);
    sim_store(node_core(&node, 2), A, 8);
    sim_load(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), 1);
    assert_int_equal(total(&node, 2, CORE_L1D_REPLACEMENT), 0);
    assert_int_equal(total(&node, 2, CORE_LOAD_L1_HIT), 1);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 1);
    assert_int_equal(total(&node, 2, CORE_DTLB_LOAD_WALK), 0);
    assert_int_equal(offcore(&node, 2, REQUEST_RFO, SUPPLIER_L3, SNOOP_NONE), 0);
    assert_int_equal(cas_reads(&node, 0), 1);
    assert_int_equal(sim_exchanges(node.sim), 0);
    sim_load(node_core(&node, 3), A, 8);
    assert_int_equal(total(&node, 3, CORE_LOAD_L3_HIT_SNOOP_HITM), 1);
    assert_int_equal(total(&node, 1, CORE_LOADS), 0);
}

/* Each thread's data fill 5 of the 8 ways: together they do not fit, and LRU order makes every load miss. */
TEST(lines_are_displaced) {
    enum { WAYS_EACH = 5, ROUNDS = 10, SET_STRIDE = 64 * LINE };
    NODE node = node_1x2x2();
    for (int round = 0; round < ROUNDS; round++)
        for (uint64_t i = 0; i < 2 * WAYS_EACH; i++)
            sim_load(node_core(&node, i < WAYS_EACH ? 0 : 2), A + i * SET_STRIDE, 8);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), WAYS_EACH * ROUNDS);
    assert_int_equal(total(&node, 2, CORE_LOAD_L1_MISS), WAYS_EACH * ROUNDS);
    assert_int_equal(total(&node, 2, CORE_LOAD_L2_HIT), WAYS_EACH * (ROUNDS - 1)); /* all ten: L2 has more sets */
}

/* Accesses that go on on the same page, after the sibling has displaced it. */
TEST(pages_are_displaced) {
    enum { SETS = 16, WAYS = 4 };
    NODE node = node_1x2x2();
    const uint64_t words[] = {trace_word(A, trace_access(TRACE_LOAD, 8)),
                              trace_word(A + 8, trace_access(TRACE_LOAD, 8)), trace_other(TRACE_END)};
    sim_trace(node_core(&node, 0), words);
    for (uint64_t i = 1; i <= WAYS; i++)
        sim_load(node_core(&node, 2), A + i * SETS * PAGE, 8);
    sim_trace(node_core(&node, 0), words);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_WALK), 1);
    assert_int_equal(total(&node, 2, CORE_DTLB_LOAD_WALK), WAYS);
    assert_int_equal(total(&node, 0, CORE_DTLB_LOAD_STLB_HIT), 1);
    assert_int_equal(total(&node, 0, CORE_LOADS), 4);
}

/* Never taken, which the first thread has to learn twice (counters begin at weakly taken). The sibling has the same
 * history, so the counters that the first one trained predict for it; but its own returns are not there. */
TEST(the_predictor_is_shared) {
    NODE node = node_1x2x2();
    for (int i = 0; i < PASSES; i++)
        sim_branch(node_core(&node, 0), BRANCH_AT, BRANCH_CONDITIONAL, 0, TARGET, NEXT);
    for (int i = 0; i < PASSES; i++)
        sim_branch(node_core(&node, 2), BRANCH_AT, BRANCH_CONDITIONAL, 0, TARGET, NEXT);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 1);
    assert_int_equal(total(&node, 2, CORE_MISPREDICTED), 0);
    assert_int_equal(total(&node, 2, CORE_BRANCHES), PASSES);
    sim_branch(node_core(&node, 0), BRANCH_AT, BRANCH_CALL, 1, TARGET, NEXT);
    sim_branch(node_core(&node, 2), BRANCH_AT, BRANCH_CALL, 1, TARGET + 64, NEXT + 64);
    sim_branch(node_core(&node, 0), TARGET + 8, BRANCH_RETURN, 1, NEXT, TARGET + 9);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_RETURN), 0);
}

/* Both halves of a line, written by the two threads, leave as one full line. */
TEST(write_combining_is_shared) {
    NODE node = node_1x2x2();
    for (uint64_t at = 0; at < LINE; at += 8)
        sim_store_nt(node_core(&node, at < LINE / 2 ? 0 : 2), A + at, 8);
    assert_int_equal(cas_writes(&node, 0), 1);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 0);
    assert_int_equal(offcore(&node, 2, REQUEST_STREAMING_STORE, SUPPLIER_NONE, SNOOP_NONE), 1);
}

/* A load meets only stores of its own thread. */
TEST(stores_in_flight_are_not_shared) {
    NODE node = node_1x2x2();
    sim_store(node_core(&node, 0), A, 4);
    sim_load(node_core(&node, 2), A, 8);
    assert_int_equal(total(&node, 2, CORE_LOADS_NOT_FORWARDED), 0);
    sim_load(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 0, CORE_LOADS_NOT_FORWARDED), 1);
}

TEST(threads_have_their_own_times_and_counts) {
    NODE node = node_1x2x2();
    sim_retire(node_core(&node, 0), 400);
    sim_retire(node_core(&node, 2), 40);
    sim_idle(node_core(&node, 0), 7);
    assert_int_equal(sim_time(node.sim, 0), 107);
    assert_int_equal(sim_time(node.sim, 2), 10);
    assert_int_equal(total(&node, 2, CORE_CYCLES), 10);
    struct sim_counts *child = calloc(1, sizeof *child);
    assert_non_null(child);
    sim_set_counts(node.sim, child);
    sim_retire(node_core(&node, 2), 40);
    assert_int_equal(sim_time(node.sim, 0), 107);
    assert_int_equal(sim_time(node.sim, 2), 20);
    assert_int_equal(total(&node, 2, CORE_INSTRUCTIONS), 40);
    assert_int_equal(child->core[2].total[CORE_INSTRUCTIONS], 40);
    assert_int_equal(child->core[0].total[CORE_INSTRUCTIONS], 0);
    free(child);
}

TEST(refused) {
    struct sim_config config = node_config(2, 17);
    config.threads_per_core = 2;
    assert_non_null(sim_config_error(&config));
    config.cores_per_socket = 16;
    assert_null(sim_config_error(&config));
    config.threads_per_core = 3;
    assert_string_equal(sim_config_error(&config), "threads_per_core: must be 1 or 2");
}
