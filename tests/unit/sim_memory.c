/* sim_memory.c - unit tests of memory: first touch, remote traffic, channels and agents, non-temporal stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/home.h"

enum { A = 1 << 24, PAGE_LINES = PAGE / LINE };

/* Socket 0 touches page 0, socket 1 page 1; then each reads the other's page after it has left the caches. */
TEST(first_touch) {
    NODE node = node_2x1();
    for (uint32_t core = 0; core < 2; core++)
        for (uint64_t i = 0; i < PAGE_LINES; i++) {
            sim_load(node_core(&node, core), A + core * PAGE + i * LINE, 8);
            sim_flush_line(node_core(&node, core), A + core * PAGE + i * LINE);
        }
    for (uint32_t core = 0; core < 2; core++)
        for (uint64_t i = 0; i < PAGE_LINES; i++)
            sim_load(node_core(&node, core), A + (1 - core) * PAGE + i * LINE, 8);
    for (uint32_t s = 0; s < 2; s++) {
        assert_int_equal(total(&node, s, CORE_LOAD_LOCAL_DRAM), PAGE_LINES);
        assert_int_equal(total(&node, s, CORE_LOAD_REMOTE_DRAM), PAGE_LINES);
        assert_int_equal(offcore(&node, s, REQUEST_DATA_READ, SUPPLIER_LOCAL_DRAM, SNOOP_MISS), PAGE_LINES);
        assert_int_equal(offcore(&node, s, REQUEST_DATA_READ, SUPPLIER_REMOTE_DRAM, SNOOP_MISS), PAGE_LINES);
        assert_int_equal(cas_reads(&node, s), 2 * PAGE_LINES);
        assert_int_equal(cas_remote(&node, s, DRAM_READ), PAGE_LINES);
        assert_int_equal(cas_remote(&node, s, DRAM_WRITE), 0);
        assert_int_equal(AGENTS(&node, s, requests_local_read), PAGE_LINES);
        assert_int_equal(AGENTS(&node, s, requests_remote_read), PAGE_LINES);
        assert_int_equal(node.counts->socket[s].link_data_lines_out[0], PAGE_LINES);
    }
}

/* A line of socket 1's page, modified by socket 0, crosses the link when it is displaced and is written there. */
TEST(remote_write) {
    NODE node = node_2x1();
    sim_load(node_core(&node, 1), A, 8);
    sim_flush_line(node_core(&node, 1), A);
    sim_store(node_core(&node, 0), A, 8);
    sim_flush_line(node_core(&node, 0), A);
    assert_int_equal(cas_writes(&node, 0), 0);
    assert_int_equal(cas_writes(&node, 1), 1);
    assert_int_equal(cas_remote(&node, 1, DRAM_WRITE), 1);
    assert_int_equal(AGENTS(&node, 1, requests_remote_write), 1);
    assert_int_equal(node.counts->socket[0].link_data_lines_out[0], 1);
}

TEST(unmapped_page_is_placed_again) {
    NODE node = node_2x1();
    sim_load(node_core(&node, 0), A, 8);
    sim_unmap(node.sim, A, PAGE);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_LOCAL_DRAM), 1);
}

/* The socket that has modified a line of its own page writes it, and nothing crosses the link. */
TEST(unmapped_page_is_written_by_its_holder) {
    NODE node = node_2x1();
    sim_store(node_core(&node, 1), A, 8);
    sim_unmap(node.sim, A, PAGE);
    assert_int_equal(cas_writes(&node, 1), 1);
    assert_int_equal(cas_remote(&node, 1, DRAM_WRITE), 0);
    assert_int_equal(AGENTS(&node, 1, requests_local_write), 1);
    assert_int_equal(node.counts->socket[0].link_data_lines_out[0], 0);
    assert_int_equal(node.counts->socket[0].link_snoops_out[0], 0);
}

/* A write-combining buffer with a part of a line writes it where the page was. */
TEST(unmapped_page_leaves_write_combining_buffers) {
    NODE node = node_2x1();
    sim_load(node_core(&node, 0), A + LINE, 8);
    sim_store_nt(node_core(&node, 1), A, 8);
    sim_unmap(node.sim, A, PAGE);
    assert_int_equal(cas_writes(&node, 0), 1);
    sim_fence(node_core(&node, 1));
    assert_int_equal(sim_home(node.sim, A), -1);
}

/* The table holds HOME_GROUPS * 7 / 8 groups of pages; further pages are interleaved, known ones keep their home. */
TEST(full_home_table) {
    struct home_table homes;
    uint64_t *groups = calloc(1, home_bytes(2));
    assert_non_null(groups);
    home_init(&homes, groups, 2, 2);
    const uint64_t capacity = HOME_GROUPS / 8 * 7;
    for (uint64_t i = 0; i < capacity; i++)
        assert_int_equal(home_of(&homes, i * HOME_GROUP_PAGES, 1), 1);
    for (uint64_t page = 0; page < 8; page++)
        assert_int_equal(home_of(&homes, capacity * HOME_GROUP_PAGES + page, 0), page % 2);
    assert_int_equal(home_of(&homes, capacity * HOME_GROUP_PAGES, 1), 0);
    for (uint64_t i = 0; i < capacity; i++)
        assert_int_equal(home_of(&homes, i * HOME_GROUP_PAGES, 0), 1);
    assert_int_equal(home_of(&homes, 1, 0), 0); /* a new page of a known group */
    free(groups);
}

/* Two sockets, each with a second memory of 32 channels. The page of socket 1's memory 3 and a page of its own: 64
 * lines each, two a channel of memory 3 and eight a channel of memory 1. No agent sees the former. */
TEST(high_bandwidth_memory) {
    struct sim_config config = node_config(2, 1);
    config.hbm_channels = 32;
    NODE node = node_make(config);
    sim_set_home(node.sim, A, 3);
    for (uint64_t i = 0; i < 2 * PAGE_LINES; i++)
        sim_load(node_core(&node, 1), A + i * LINE, 8);
    for (uint32_t channel = 0; channel < 32; channel++) {
        assert_int_equal(node.counts->hbm[1].cas[DRAM_READ][channel], 2);
        assert_int_equal(node.counts->hbm[1].cas[DRAM_WRITE][channel], 0);
        assert_int_equal(node.counts->hbm[0].cas[DRAM_READ][channel], 0);
    }
    for (uint32_t channel = 0; channel < 8; channel++)
        assert_int_equal(node.counts->memory[1].cas_read[channel], 8);
    assert_int_equal(cas_reads(&node, 0), 0);
    assert_int_equal(total(&node, 1, CORE_LOAD_LOCAL_DRAM), 2 * PAGE_LINES);
    assert_int_equal(AGENTS(&node, 1, requests_local_read), PAGE_LINES);
    /* the other socket modifies a line of it, which crosses the link and is written there */
    sim_store(node_core(&node, 0), A + 5 * LINE, 8);
    sim_flush_line(node_core(&node, 0), A + 5 * LINE);
    assert_int_equal(node.counts->hbm[1].cas[DRAM_WRITE][5], 1);
    assert_int_equal(cas_writes(&node, 1), 0);
    assert_int_equal(node.counts->socket[0].link_data_lines_out[0], 1);
}

/* No page is there by itself, also of those that the table of homes has no room for. */
TEST(high_bandwidth_memory_is_asked_for) {
    struct home_table homes;
    uint64_t *groups = calloc(1, home_bytes(2));
    assert_non_null(groups);
    home_init(&homes, groups, 1, 2);
    homes.limit = 1;
    for (uint64_t page = 0; page < 4 * HOME_GROUP_PAGES; page++)
        assert_int_equal(home_of(&homes, page, 0), 0);
    home_set(&homes, 1, 1);
    assert_int_equal(home_known(&homes, 1), 1);
    free(groups);
}

/* 64 lines over 8 channels: 8 each; agent 0 has channels 0 to 3. */
TEST(channels_and_agents) {
    NODE node = node_1x2();
    for (uint64_t i = 0; i < 64; i++)
        sim_load(node_core(&node, 0), A + i * LINE, 8);
    sim_load(node_core(&node, 0), A + 64 * LINE, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(node.counts->memory[0].cas_read[i], 8 + (i == 0));
    assert_int_equal(node.counts->memory[0].agent[0].reads, 33);
    assert_int_equal(node.counts->memory[0].agent[1].reads, 32);
}

/* With six channels, three per agent, the first four get one more of 64 lines. */
TEST(channels_that_are_no_power_of_two) {
    struct sim_config config = node_config(1, 2);
    config.channels = 6;
    NODE node = node_make(config);
    uint64_t first = A / LINE % 6;
    for (uint64_t i = 0; i < 64; i++)
        sim_load(node_core(&node, 0), A + i * LINE, 8);
    for (uint64_t i = 0; i < 6; i++)
        assert_int_equal(node.counts->memory[0].cas_read[(first + i) % 6], i < 4 ? 11 : 10);
    assert_int_equal(node.counts->memory[0].agent[0].reads + node.counts->memory[0].agent[1].reads, 64);
}

/* Four interleaved streams of 32-byte stores, one of them not aligned to 32: full lines only, except at its ends. */
TEST(full_lines_without_reading) {
    enum { LINES = 1000 };
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    for (uint64_t i = 0; i < LINES * LINE; i += 32)
        for (uint64_t stream = 0; stream < 4; stream++)
            sim_store_nt(core, A + (stream << 20) + (stream == 3 ? 16 : 0) + i, 32);
    sim_fence(core);
    assert_int_equal(cas_reads(&node, 0), 0);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 2); /* the unaligned stream's first and last line */
    assert_int_equal(cas_writes(&node, 0), 4 * LINES + 1);
    assert_int_equal(AGENTS(&node, 0, writes), 4 * LINES + 1);
    assert_int_equal(offcore(&node, 0, REQUEST_STREAMING_STORE, SUPPLIER_NONE, SNOOP_NONE), 4 * LINES + 1);
    assert_int_equal(total(&node, 0, CORE_STORES_NT), 8 * LINES);
    assert_int_equal(total(&node, 0, CORE_STORES), 8 * LINES);
    assert_int_equal(total(&node, 0, CORE_STORES_SPLIT), LINES);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), 0);
}

/* The eleventh line displaces the buffer opened first, even if that was written last. */
TEST(eleventh_buffer) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    for (uint64_t i = 0; i < 10; i++)
        sim_store_nt(core, A + i * LINE, 32);
    sim_store_nt(core, A, 16);
    assert_int_equal(AGENTS(&node, 0, writes), 0);
    sim_store_nt(core, A + 10 * LINE, 32);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 1);
    for (uint64_t i = 1; i <= 10; i++)
        sim_store_nt(core, A + i * LINE + 32, 32);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 1);
    assert_int_equal(AGENTS(&node, 0, writes), 11);
}

/* A full line replaces modified data in the caches; a partial one is written to memory after that data. */
TEST(cached_line_is_dropped) {
    NODE node = node_1x2();
    for (uint64_t i = 0; i < 2; i++)
        for (uint32_t c = 0; c < 2; c++)
            sim_store(node_core(&node, c), A + i * LINE, 8);
    sim_store_nt(node_core(&node, 0), A, 32);
    sim_store_nt(node_core(&node, 0), A + 32, 32);
    assert_int_equal(cas_writes(&node, 0), 1);
    sim_store_nt(node_core(&node, 0), A + LINE, 32);
    sim_fence(node_core(&node, 0));
    assert_int_equal(cas_writes(&node, 0), 3);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 1);
    for (uint32_t c = 0; c < 2; c++)
        sim_load(node_core(&node, c), A + c * LINE, 8);
    assert_int_equal(cas_reads(&node, 0), 4);
}

/* A load from a line in the core's own open buffer flushes the buffer first, even if the line was in L1. */
TEST(own_load_flushes) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    sim_load(core, A, 8);
    sim_store_nt(core, A, 32);
    sim_load(core, A, 8);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 1);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 2);
    sim_store_nt(core, A + LINE, 32);
    sim_load_locked(core, A, 8);
    assert_int_equal(AGENTS(&node, 0, writes_partial), 2);
}
