/* sim_sharing.c - unit tests of coherence: inside a socket by core-valid bits, between sockets MESIF.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/trace.h"

enum { A = 1 << 20, ROUNDS = 100 };

/* Core 1 reads a line that core 0 has modified: HITM once; then both share it without snoops. */
TEST(modified_line_is_shared) {
    NODE node = node_1x2();
    sim_store(node_core(&node, 0), A, 8);
    sim_load(node_core(&node, 1), A, 8);
    sim_load(node_core(&node, 1), A + 8, 8);
    sim_load(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_HITM), 1);
    assert_int_equal(total(&node, 1, CORE_LOAD_L1_HIT), 1);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 1);
    assert_int_equal(total(&node, 1, CORE_L2_LINES_IN_S), 1);
    assert_int_equal(offcore(&node, 1, REQUEST_DATA_READ, SUPPLIER_L3, SNOOP_HITM), 1);
    assert_int_equal(cas_reads(&node, 0), 1);
    assert_int_equal(cas_writes(&node, 0), 0);
    sim_store(node_core(&node, 0), A, 8); /* shared: requests ownership; core 1's copy is clean */
    assert_int_equal(offcore(&node, 0, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), 1);
    assert_int_equal(total(&node, 0, CORE_L2_UPGRADE), 1);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), 1);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_IN_E), 1);
    assert_int_equal(lookups(&node, 0, LOOKUP_RFO, LINE_M), 1);
    sim_flush_line(node_core(&node, 1), A);
    assert_int_equal(cas_writes(&node, 0), 1);
}

/* Clean in the other core: snooped once (HIT); then two core-valid bits show that no core can have modified it. */
TEST(clean_line_is_shared) {
    NODE node = node_make(node_config(1, 3));
    for (uint32_t core = 0; core < 3; core++)
        sim_load(node_core(&node, core), A, 8);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 1);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_IN_E), 1);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_HIT), 1);
    assert_int_equal(total(&node, 2, CORE_LOAD_L3_HIT_SNOOP_NONE), 1);
    assert_int_equal(total(&node, 2, CORE_L2_LINES_IN_S), 1);
}

/* 8 other lines of its set displace the line from L1 (64 sets of 8); L2 keeps it, shared with core 1 or not. */
TEST(shared_line_is_in_l2) {
    for (uint64_t shared = 0; shared <= 1; shared++) {
        NODE node = node_1x2();
        if (shared)
            sim_load(node_core(&node, 1), A, 8);
        for (uint64_t i = 0; i <= 8; i++)
            sim_load(node_core(&node, 0), A + i * 64 * LINE, 8);
        sim_load(node_core(&node, 0), A, 8);
        assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_HIT), 1);
        assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_HIT_SHARED), shared);
        assert_int_equal(total(&node, 0, CORE_L2_CODE_READ_HIT_SHARED), 0);
        assert_int_equal(total(&node, 0, CORE_L2_UPGRADE), 0);
    }
}

/* Core 0 displaces a clean line from L1 (set 0 of 64) and L2 (set 0 of 512) by loading 8 others of that L2 set. Its
 * core-valid bit is stale, so the snoop misses and clears the bit; the second time there is no snoop. */
TEST(silently_evicted_line) {
    NODE node = node_1x2();
    for (uint64_t i = 0; i <= 8; i++)
        sim_load(node_core(&node, 0), A + i * 512 * LINE, 8);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_OUT_CLEAN), 1);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_MISS), 1);
    assert_int_equal(total(&node, 1, CORE_L2_LINES_IN_E), 1);
}

/* The same with a modified line: it was written back, so it is M in L3 and there is no snoop. */
TEST(written_back_line) {
    NODE node = node_1x2();
    sim_store(node_core(&node, 0), A, 8);
    for (uint64_t i = 1; i <= 16; i++)
        sim_load(node_core(&node, 0), A + i * 512 * LINE, 8);
    assert_int_equal(total(&node, 0, CORE_L2_L1D_WRITEBACK), 1);
    assert_int_equal(total(&node, 0, CORE_L2_WRITEBACK), 1);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_OUT_DIRTY), 1);
    assert_int_equal(lookups(&node, 0, LOOKUP_WRITE, LINE_E), 1);
    assert_int_equal(offcore(&node, 0, REQUEST_WRITEBACK, SUPPLIER_NONE, SNOOP_NONE), 1);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_NONE), 1);
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_M), 1);
    assert_int_equal(cas_writes(&node, 0), 0);
}

/* Two counters in one line, incremented in turn. Except for core 0's first turn, a core's load finds the line modified
 * in the other core, and its store requests ownership. */
TEST(false_sharing) {
    NODE node = node_1x2();
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t core = 0; core < 2; core++) {
            sim_load(node_core(&node, core), A + core * 8, 8);
            sim_store(node_core(&node, core), A + core * 8, 8);
        }
    assert_int_equal(total(&node, 0, CORE_LOAD_L3_HIT_SNOOP_HITM), ROUNDS - 1);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_HITM), ROUNDS);
    assert_int_equal(offcore(&node, 0, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), ROUNDS - 1);
    assert_int_equal(offcore(&node, 1, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), ROUNDS);
    assert_int_equal(cas_reads(&node, 0), 1);
}

/* With locked increments the load itself requests ownership: one transfer per turn, no upgrade. */
TEST(false_sharing_locked) {
    NODE node = node_1x2();
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t core = 0; core < 2; core++) {
            sim_load_locked(node_core(&node, core), A + core * 8, 8);
            sim_store(node_core(&node, core), A + core * 8, 8);
        }
    assert_int_equal(total(&node, 1, CORE_LOADS_LOCKED), ROUNDS);
    assert_int_equal(total(&node, 1, CORE_LOADS), ROUNDS);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_HITM), ROUNDS);
    assert_int_equal(offcore(&node, 1, REQUEST_RFO, SUPPLIER_L3, SNOOP_HITM), ROUNDS);
    assert_int_equal(offcore(&node, 1, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), 0);
}

TEST(padded_counters_share_nothing) {
    NODE node = node_1x2();
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t core = 0; core < 2; core++) {
            sim_load(node_core(&node, core), A + core * LINE, 8);
            sim_store(node_core(&node, core), A + core * LINE, 8);
        }
    for (uint32_t core = 0; core < 2; core++) {
        assert_int_equal(total(&node, core, CORE_LOAD_L3_HIT), 0);
        assert_int_equal(total(&node, core, CORE_L1D_REPLACEMENT), 1);
    }
}

/* Core 0 writes a buffer and core 1 reads it, repeatedly: each line is transferred in every round if the buffer fits in
 * L1. */
TEST(producer_consumer) {
    enum { LINES = 256 };
    NODE node = node_1x2();
    for (int round = 0; round < ROUNDS; round++) {
        for (uint64_t i = 0; i < LINES; i++)
            sim_store(node_core(&node, 0), A + i * LINE, 8);
        for (uint64_t i = 0; i < LINES; i++)
            sim_load(node_core(&node, 1), A + i * LINE, 8);
    }
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_HIT_SNOOP_HITM), LINES * ROUNDS);
    assert_int_equal(offcore(&node, 0, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), LINES * (ROUNDS - 1));
}

/* Line modified in the other socket: the data crosses the link once and is written to its home, socket 0. Then both
 * share it, and a store of socket 0 invalidates it in socket 1. */
TEST(remote_modified) {
    NODE node = node_2x1();
    sim_store(node_core(&node, 0), A, 8);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_REMOTE_HITM), 1);
    assert_int_equal(total(&node, 1, CORE_LOAD_L3_MISS), 1);
    assert_int_equal(offcore(&node, 1, REQUEST_DATA_READ, SUPPLIER_REMOTE_CACHE, SNOOP_HITM), 1);
    assert_int_equal(lookups(&node, 0, LOOKUP_REMOTE_SNOOP, LINE_E), 1);
    assert_int_equal(cas_reads(&node, 0), 1); /* by the store */
    assert_int_equal(cas_writes(&node, 0), 1);
    assert_int_equal(AGENTS(&node, 0, requests_local_read), 1);
    assert_int_equal(AGENTS(&node, 0, requests_remote_read), 1);
    assert_int_equal(node.counts->socket[0].link_data_lines_out[0], 1);
    assert_int_equal(node.counts->socket[1].link_data_lines_out[0], 0);
    sim_load(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 1);
    sim_store(node_core(&node, 0), A, 8);
    assert_int_equal(lookups(&node, 0, LOOKUP_RFO, LINE_S), 1);
    assert_int_equal(lookups(&node, 1, LOOKUP_REMOTE_SNOOP, LINE_F), 1);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_REMOTE_HITM), 2);
}

/* Line clean in the other socket: forwarded by the E or F holder without a memory read; the newest reader becomes F,
 * older ones S. */
TEST(remote_clean) {
    NODE node = node_make(node_config(3, 1));
    for (uint32_t core = 0; core < 3; core++)
        sim_load(node_core(&node, core), A, 8);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 1);
    assert_int_equal(total(&node, 1, CORE_LOAD_REMOTE_FORWARD), 1);
    assert_int_equal(total(&node, 2, CORE_LOAD_REMOTE_FORWARD), 1);
    assert_int_equal(lookups(&node, 0, LOOKUP_REMOTE_SNOOP, LINE_E), 1);
    assert_int_equal(lookups(&node, 0, LOOKUP_REMOTE_SNOOP, LINE_S), 1);
    assert_int_equal(lookups(&node, 1, LOOKUP_REMOTE_SNOOP, LINE_F), 1);
    assert_int_equal(node.counts->socket[0].link_data_lines_out[0], 1);
    assert_int_equal(node.counts->socket[1].link_data_lines_out[0], 1);
    assert_int_equal(cas_reads(&node, 0), 1);
    assert_int_equal(AGENTS(&node, 0, requests_remote_read), 2);
    assert_int_equal(offcore(&node, 2, REQUEST_DATA_READ, SUPPLIER_REMOTE_CACHE, SNOOP_HIT), 1);
}

/* Alternating stores of two sockets: ownership of the modified line moves; memory is not written. */
TEST(remote_ownership_moves) {
    NODE node = node_2x1();
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t core = 0; core < 2; core++)
            sim_store(node_core(&node, core), A, 8);
    assert_int_equal(offcore(&node, 1, REQUEST_RFO, SUPPLIER_REMOTE_CACHE, SNOOP_HITM), ROUNDS);
    assert_int_equal(offcore(&node, 0, REQUEST_RFO, SUPPLIER_REMOTE_CACHE, SNOOP_HITM), ROUNDS - 1);
    assert_int_equal(cas_reads(&node, 0), 1);
    assert_int_equal(cas_writes(&node, 0), 0);
    sim_flush_line(node_core(&node, 0), A);
    assert_int_equal(cas_writes(&node, 0), 1);
}

/* An L3 victim is also removed from L1 and L2: 20 more lines of its L3 set displace a line that core 0 keeps using in
 * L1. */
TEST(inclusion) {
    NODE node = node_make(node_config(1, 1));
    sim_store(node_core(&node, 0), A, 8);
    for (uint64_t i = 1; i <= 20; i++) {
        sim_load(node_core(&node, 0), A + i * 2048 * LINE, 8);
        sim_load(node_core(&node, 0), A, 8);
    }
    assert_int_equal(victims(&node, 0, LINE_M), 1); /* E in L3, modified in L1: it counts as M */
    assert_int_equal(victims(&node, 0, LINE_E), 1); /* the line was reloaded at the end and displaced another */
    assert_int_equal(cas_writes(&node, 0), 1);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 19);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 21);
}

/* Code that another core overwrites is fetched again. */
TEST(overwritten_code) {
    NODE node = node_1x2();
    sim_fetch(node_core(&node, 0), A, 128);
    sim_fetch(node_core(&node, 0), A, 64);
    assert_int_equal(total(&node, 0, CORE_L1I_MISS), 2);
    assert_int_equal(total(&node, 0, CORE_L2_CODE_READ_MISS), 2);
    assert_int_equal(total(&node, 0, CORE_ITLB_WALK), 1);
    sim_store(node_core(&node, 1), A, 8);
    assert_int_equal(offcore(&node, 1, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), 1);
    sim_fetch(node_core(&node, 0), A, 128);
    assert_int_equal(total(&node, 0, CORE_L1I_MISS), 3);
    assert_int_equal(offcore(&node, 0, REQUEST_CODE_READ, SUPPLIER_L3, SNOOP_HITM), 1);
}

/* An exchange is counted when a core reads or takes a line that another core has. Own lines, lines that the other core
 * lost (silently_evicted_line) and evictions do not count. */
TEST(exchanges) {
    NODE node = node_1x2();
    for (uint64_t i = 0; i <= 8; i++)
        sim_load(node_core(&node, 0), A + i * 512 * LINE, 8);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(sim_exchanges(node.sim), 0);
    sim_store(node_core(&node, 0), A + LINE, 8);
    sim_load(node_core(&node, 1), A + LINE, 8);
    assert_int_equal(sim_exchanges(node.sim), 1);
    sim_store(node_core(&node, 1), A + LINE, 8);
    assert_int_equal(sim_exchanges(node.sim), 2);
    sim_flush_line(node_core(&node, 0), A + LINE);
    assert_int_equal(sim_exchanges(node.sim), 3);
}

/* The line fetched last is not fetched again, unless the core has lost it. */
TEST(lost_code) {
    NODE node = node_1x2();
    const uint64_t words[] = {trace_word(A, trace_fetch(LINE)), trace_other(TRACE_END)};
    sim_trace(node_core(&node, 0), words);
    sim_load(node_core(&node, 0), A + LINE, 8);
    sim_store(node_core(&node, 1), A + LINE, 8);
    sim_trace(node_core(&node, 0), words);
    assert_int_equal(total(&node, 0, CORE_L1I_MISS), 1);
    sim_store(node_core(&node, 1), A, 8);
    sim_trace(node_core(&node, 0), words);
    assert_int_equal(total(&node, 0, CORE_L1I_MISS), 2);
}
