/* sim_victim.c - unit tests of victim last levels, their directories, and both protocols between domains, computed by
 * hand.
 *
 * The nodes of sim_policies.h: L1D of 2 sets of 2 lines, L1I of 2 lines, L2 of 4 sets of 2 lines, a last level of 512
 * sets of 2 lines in a slice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_policies.h"
#include "test.h"

enum { L2_SMALL = 8, LL_SMALL = 1024, BASE = 1 << 20 };

static const struct shape one_domain = {1, 2, 1, 1, 1, 2, 1, 1};
static const struct policy shadow = {SIM_VICTIM, SIM_SHADOW_TAGS, 0}, inclusive = {SIM_INCLUSIVE, 0, 0};

static void load(const struct node *node, uint32_t core, uint64_t line) {
    sim_load(node_core(node, core), (BASE + line) * LINE, 8);
}

static void store(const struct node *node, uint32_t core, uint64_t line) {
    sim_store(node_core(node, core), (BASE + line) * LINE, 8);
}

/* Two more lines of its sets of L1D and L2 displace it from both. */
static void push_out(const struct node *node, uint32_t core, uint64_t line) {
    load(node, core, line + 4 * 25);
    load(node, core, line + 4 * 26);
}

static int last_level_has(const struct node *node, uint32_t domain, uint64_t line) {
    return l3_find(&node->sim->domain[domain].l3, BASE + line).way >= 0;
}

static struct known known(const struct node *node, uint32_t domain, uint64_t line) {
    return known_of(&node->sim->domain[domain], BASE + line);
}

static uint64_t hits(const struct node *node, uint32_t core, enum sim_supplier supplier, enum sim_snoop snoop) {
    return offcore(node, core, REQUEST_DATA_READ, supplier, snoop);
}

static void sweep(const struct node *node, uint64_t lines, int stores) {
    memset(node->counts, 0, sizeof *node->counts);
    for (uint64_t i = 0; i < lines; i++)
        (stores ? store : load)(node, 0, i);
}

/* 256 lines fit in L2 and last level together. The first sweep leaves 8 in L2 and 248 in the last level; each later
 * sweep moves every line up and as many down. */
TEST(a_sweep_moves_lines_up_and_down) {
    enum { LINES = 256 };
    NODE node = node_make(policy_config(&shadow, &one_domain, SIM_MESIF));
    sweep(&node, LINES, 0);
    assert_int_equal(cas_reads(&node, 0), LINES);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_IN_E), LINES);
    assert_int_equal(total(&node, 0, CORE_L2_VICTIM_CLEAN), LINES - L2_SMALL);
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_I), LINES);
    sweep(&node, LINES, 0);
    assert_int_equal(cas_reads(&node, 0), 0);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_IN_E), LINES);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_OUT_CLEAN), LINES);
    assert_int_equal(total(&node, 0, CORE_L2_VICTIM_CLEAN), LINES);
    assert_int_equal(SLICES(&node, 0, victims_in_clean), LINES);
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_E), LINES);
    assert_int_equal(hits(&node, 0, SUPPLIER_L3, SNOOP_NONE), LINES);
    sweep(&node, LINES, 1); /* the 8 clean lines of L2 go first */
    assert_int_equal(total(&node, 0, CORE_L2_VICTIM_CLEAN), L2_SMALL);
    assert_int_equal(SLICES(&node, 0, victims_in_modified), LINES - L2_SMALL);
    sweep(&node, LINES, 0); /* modified lines move up and down as modified */
    assert_int_equal(total(&node, 0, CORE_L2_L1D_WRITEBACK),
                     4); /* lines that were still in L1D; L1D receives lines as clean */
    assert_int_equal(total(&node, 0, CORE_L2_WRITEBACK), LINES);
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_M),
                     LINES); /* L2's 8 lines move down before they are read */
    assert_int_equal(cas_reads(&node, 0) + cas_writes(&node, 0), 0);
}

/* 2048 lines are twice the capacity: with LRU each line is evicted before its next use. */
TEST(a_long_sweep_goes_to_memory) {
    enum { LINES = 2 * LL_SMALL };
    NODE node = node_make(policy_config(&shadow, &one_domain, SIM_MESIF));
    sweep(&node, LINES, 1);
    sweep(&node, LINES, 1);
    assert_int_equal(cas_reads(&node, 0), LINES);
    assert_int_equal(cas_writes(&node, 0), LINES);
    assert_int_equal(victims(&node, 0, LINE_M), LINES);
    assert_int_equal(total(&node, 0, CORE_L2_WRITEBACK), LINES);
    sweep(&node, LINES, 0);
    sweep(&node, LINES, 0);
    assert_int_equal(cas_reads(&node, 0), LINES);
    assert_int_equal(cas_writes(&node, 0), 0);
    assert_int_equal(victims(&node, 0, LINE_E), LINES);
    assert_int_equal(total(&node, 0, CORE_L2_VICTIM_CLEAN), LINES);
}

/* A line read by two cores is in both; when the last of them displaces it, it moves to the last level without a second
 * copy. */
TEST(shared_lines_have_no_second_copy) {
    NODE node = node_make(policy_config(&shadow, &one_domain, SIM_MESIF));
    load(&node, 0, 0);
    load(&node, 1, 0); /* snoops core 0, which has it clean */
    assert_int_equal(hits(&node, 1, SUPPLIER_L3, SNOOP_HIT), 1);
    assert_int_equal(SLICES(&node, 0, lookups_directory[LOOKUP_DATA_READ]), 1);
    assert_int_equal(cas_reads(&node, 0), 1);
    assert_int_equal(total(&node, 1, CORE_L2_LINES_IN_S), 1);
    assert_int_equal(known(&node, 0, 0).sharers, 3);
    push_out(&node, 0, 0);
    assert_int_equal(known(&node, 0, 0).sharers, 2);
    assert_false(last_level_has(&node, 0, 0));
    assert_int_equal(total(&node, 0, CORE_L2_LINES_OUT_CLEAN), 1);
    assert_int_equal(total(&node, 0, CORE_L2_VICTIM_CLEAN), 0);
    push_out(&node, 1, 0);
    assert_int_equal(known(&node, 0, 0).sharers, 0);
    assert_true(last_level_has(&node, 0, 0));
    assert_int_equal(total(&node, 1, CORE_L2_VICTIM_CLEAN), 1);
    load(&node, 0, 0); /* only user: the line moves out of the last level */
    assert_false(last_level_has(&node, 0, 0));
    assert_int_equal(known(&node, 0, 0).sharers, 1);
    assert_int_equal(cas_reads(&node, 0), 1 + 2); /* the two lines that displaced it; core 1 got them from core 0 */
}

/* Modified data of a shared line are in the last level; a core that gets ownership takes them and writes them back. */
TEST(modified_lines_between_cores) {
    NODE node = node_make(policy_config(&shadow, &one_domain, SIM_MESIF));
    store(&node, 0, 0);
    load(&node, 1, 0);
    assert_int_equal(hits(&node, 1, SUPPLIER_L3, SNOOP_HITM), 1);
    assert_int_equal(known(&node, 0, 0).state, LINE_M);
    assert_int_equal(known(&node, 0, 0).sharers, 3);
    assert_true(last_level_has(&node, 0, 0));
    push_out(&node, 0, 0); /* already in the last level: dropped */
    assert_int_equal(total(&node, 0, CORE_L2_VICTIM_CLEAN), 0);
    sim_load_locked(node_core(&node, 1), BASE * LINE, 8); /* takes ownership without a store */
    assert_false(last_level_has(&node, 0, 0));
    assert_int_equal(known(&node, 0, 0).state, LINE_E);
    push_out(&node, 1, 0);
    assert_int_equal(total(&node, 1, CORE_L2_WRITEBACK), 1);
    assert_int_equal(known(&node, 0, 0).state, LINE_M);
    assert_int_equal(cas_writes(&node, 0), 0);
    sim_flush_line(node_core(&node, 0), BASE * LINE);
    assert_int_equal(cas_writes(&node, 0), 1);
    assert_int_equal(known(&node, 0, 0).state, LINE_I);
}

/* Cores keep their copies when the last level evicts a line: lines 512 apart share a set of 2 ways. */
TEST(cores_keep_what_the_last_level_evicts) {
    NODE node = node_make(policy_config(&shadow, &one_domain, SIM_MESIF));
    store(&node, 0, 0);
    load(&node, 1, 0); /* M in the last level, shared by both */
    for (uint64_t i = 1; i <= 2; i++) {
        load(&node, 0, 512 * i);
        push_out(&node, 0, 512 * i);
    }
    assert_int_equal(victims(&node, 0, LINE_M), 1);
    assert_int_equal(cas_writes(&node, 0), 1);
    assert_false(last_level_has(&node, 0, 0));
    assert_int_equal(known(&node, 0, 0).state, LINE_E);
    assert_int_equal(known(&node, 0, 0).sharers, 2);
    uint64_t reads = cas_reads(&node, 0);
    load(&node, 0, 0); /* core 1 still has it */
    assert_int_equal(cas_reads(&node, 0), reads);
    assert_int_equal(hits(&node, 0, SUPPLIER_L3, SNOOP_HIT), 1);
}

/* When L2 displaces a line of code that stays in L1I, it moves to the last level and its core stays a sharer. */
TEST(code_stays_in_l1i) {
    NODE node = node_make(policy_config(&shadow, &one_domain, SIM_MESIF));
    sim_fetch(node_core(&node, 0), BASE * LINE, 8);
    push_out(&node, 0, 0);
    assert_true(last_level_has(&node, 0, 0));
    assert_int_equal(known(&node, 0, 0).sharers, 1);
    store(&node, 1, 0);
    assert_int_equal(known(&node, 0, 0).sharers, 2);
    assert_int_equal(offcore(&node, 1, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), 1);
    sim_fetch(node_core(&node, 0), BASE * LINE, 8);
    assert_int_equal(total(&node, 0, CORE_L1I_MISS), 2);
}

/* The filter compares 32 bits first. */
TEST(a_filter_tells_lines_apart_that_have_32_bits_in_common) {
    const struct policy filter = {SIM_VICTIM, SIM_SNOOP_FILTER, 4};
    NODE node = node_make(policy_config(&filter, &one_domain, SIM_MESIF));
    load(&node, 0, 0);
    load(&node, 0, UINT64_C(1) << 32);
    assert_int_equal(lookups(&node, 0, LOOKUP_DATA_READ, LINE_I), 2);
    assert_int_equal(known(&node, 0, 0).sharers, 1);
}

/* A filter with one set of 4 entries: the fifth line displaces the least recently requested one; clean lines are
 * dropped, modified ones are written to memory. Shadow tags displace nothing. */
TEST(a_snoop_filter_takes_lines_back) {
    const struct policy filter = {SIM_VICTIM, SIM_SNOOP_FILTER, 4};
    const struct policy *both[] = {&filter, &shadow};
    for (int i = 0; i < 2; i++) {
        NODE node = node_make(policy_config(both[i], &one_domain, SIM_MESIF));
        int taken = i == 0;
        store(&node, 0, 0);
        for (uint64_t line = 1; line <= 3; line++)
            load(&node, 0, line);
        load(&node, 1, 1); /* uses 1 again: the order is 0, 2, 3, 1 */
        load(&node, 0, 4); /* displaces 0, in the same L2 set */
        assert_int_equal(cas_writes(&node, 0), taken);
        assert_int_equal(known(&node, 0, 0).sharers, !taken);
        load(&node, 0, 5); /* displaces 2 */
        assert_int_equal(known(&node, 0, 2).sharers, !taken);
        assert_int_equal(known(&node, 0, 1).sharers, 3);
        assert_int_equal(cas_writes(&node, 0), taken);
        assert_int_equal(SLICES(&node, 0, victims_in_clean), 0);
        assert_int_equal(cas_reads(&node, 0), 6);
    }
}

/* Each slice has its own set: 4 lines in each of 3 slices. */
TEST(a_snoop_filter_has_slices) {
    const struct policy filter = {SIM_VICTIM, SIM_SNOOP_FILTER, 4};
    const struct shape shape = {1, 3, 1, 1, 3, 2, 1, 1};
    NODE node = node_make(policy_config(&filter, &shape, SIM_MESIF));
    for (uint32_t i = 0; i < 12; i++)
        load(&node, i / 4, i);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(known(&node, 0, i).sharers, 1 << i / 4);
}

/* A line that stays in the last level because cores share it becomes the most recent of its set there. */
TEST(a_read_renews_what_stays) {
    const struct shape shape = {1, 3, 1, 1, 1, 2, 1, 1};
    NODE node = node_make(policy_config(&shadow, &shape, SIM_MESIF));
    store(&node, 0, 0);
    load(&node, 1, 0); /* modified in the last level */
    load(&node, 0, 512);
    push_out(&node, 0, 512); /* the second line of its set, more recent */
    load(&node, 2, 0);
    assert_int_equal(hits(&node, 2, SUPPLIER_L3, SNOOP_HIT), 1); /* by core 1: core 0 no longer has it */
    load(&node, 0, 2 * 512);
    push_out(&node, 0, 2 * 512); /* the third displaces the second */
    assert_true(last_level_has(&node, 0, 0));
    assert_false(last_level_has(&node, 0, 512));
}

/* Modified data of a line evicted from the filter go to the last level if that has the line: here it has older data
 * from L2, and the core's L1D newer data. */
TEST(a_snoop_filter_renews_the_last_level) {
    const struct policy filter = {SIM_VICTIM, SIM_SNOOP_FILTER, 4};
    NODE node = node_make(policy_config(&filter, &one_domain, SIM_MESIF));
    store(&node, 0, 0);
    sim_fetch(node_core(&node, 0), (BASE + 4) * LINE, 8); /* L2 set of line 0; L1D keeps 0 */
    sim_fetch(node_core(&node, 0), (BASE + 8) * LINE, 8); /* L2 evicts 0 in the state in which it was loaded: clean */
    assert_true(last_level_has(&node, 0, 0));
    assert_int_equal(known(&node, 0, 0).state, LINE_E);
    assert_int_equal(known(&node, 0, 0).sharers, 1);
    for (uint64_t line = 1; line <= 2; line++)
        load(&node, 1, line); /* 0, 4, 8, 1: 2 displaces 0 */
    assert_int_equal(known(&node, 0, 0).state, LINE_M);
    assert_int_equal(known(&node, 0, 0).sharers, 0);
    assert_int_equal(cas_writes(&node, 0), 0);
}

/* Domain 0 modifies a line, domain 1 reads it, domain 0 evicts it: written once, at the read (MESIF) or at the eviction
 * (MOESI), for inclusive and victim caches. */
TEST(one_write_in_either_protocol) {
    const struct shape two_sockets = {2, 1, 1, 1, 1, 2, 1, 1}, two_domains = {1, 2, 2, 1, 1, 2, 1, 1};
    for (int i = 0; i < 8; i++) {
        enum sim_protocol protocol = i & 1 ? SIM_MOESI : SIM_MESIF;
        const struct policy *policy = i & 2 ? &shadow : &inclusive;
        int sockets = !(i & 4);
        NODE node = node_make(policy_config(policy, sockets ? &two_sockets : &two_domains, protocol));
        enum sim_supplier supplier = sockets ? SUPPLIER_REMOTE_CACHE : SUPPLIER_SOCKET_CACHE;
        store(&node, 0, 0);
        uint64_t before = total(&node, 1, CORE_CYCLES);
        load(&node, 1, 0);
        assert_int_equal(total(&node, 1, CORE_CYCLES) - before,
                         WALK_LATENCY + (sockets ? REMOTE_LATENCY : MEMORY_LATENCY));
        assert_int_equal(total(&node, 1, sockets ? CORE_LOAD_REMOTE_HITM : CORE_LOAD_SOCKET_HITM), 1);
        assert_int_equal(hits(&node, 1, supplier, SNOOP_HITM), 1);
        assert_int_equal(node.counts->socket[0].link_data_lines_out[0], sockets);
        assert_int_equal(cas_reads(&node, 0), 1);
        assert_int_equal(cas_writes(&node, 0), protocol == SIM_MESIF);
        assert_int_equal(known(&node, 0, 0).state, protocol == SIM_MESIF ? LINE_S : LINE_O);
        assert_int_equal(known(&node, 1, 0).state, protocol == SIM_MESIF ? LINE_F : LINE_S);
        assert_int_equal(last_level_has(&node, 0, 0), policy == &inclusive || protocol == SIM_MOESI);
        for (uint64_t k = 1; k <= 3; k++) { /* the set of line 0 in domain 0's last level, of 2 ways */
            load(&node, 0, 512 * k);
            push_out(&node, 0, 512 * k);
        }
        assert_false(last_level_has(&node, 0, 0));
        assert_int_equal(cas_writes(&node, 0), 1);
    }
}

/* The owner of an O line supplies every reader and stays O; a sharer that stores takes over the modified data without a
 * write to memory. */
TEST(an_owed_line_moves_on) {
    const struct shape three_domains = {1, 3, 3, 1, 1, 2, 1, 1};
    for (int i = 0; i < 2; i++) {
        NODE node = node_make(policy_config(i ? &shadow : &inclusive, &three_domains, SIM_MOESI));
        store(&node, 0, 0);
        load(&node, 1, 0);
        load(&node, 2, 0);
        assert_int_equal(hits(&node, 2, SUPPLIER_SOCKET_CACHE, SNOOP_HITM), 1);
        assert_int_equal(known(&node, 0, 0).state, LINE_O);
        assert_int_equal(known(&node, 1, 0).state, LINE_S);
        assert_int_equal(known(&node, 2, 0).state, LINE_S);
        sim_load_locked(node_core(&node, 1), BASE * LINE, 8);
        assert_int_equal(known(&node, 0, 0).state, LINE_I);
        assert_int_equal(known(&node, 2, 0).state, LINE_I);
        assert_int_equal(known(&node, 1, 0).state, i ? LINE_E : LINE_M);
        assert_int_equal(cas_reads(&node, 0), 1);
        assert_int_equal(cas_writes(&node, 0), 0);
        sim_flush_line(node_core(&node, 2), BASE * LINE);
        assert_int_equal(cas_writes(&node, 0), 1);
    }
}

/* Core 1 is in the second NUMA domain of its socket: pages that it touches first use that domain's channels. A line's
 * number selects the link to the other socket. */
TEST(homes_channels_and_links) {
    const struct shape shape = {2, 2, 2, 2, 1, 3, 0, 4};
    NODE node = node_make(policy_config(&shadow, &shape, SIM_MESIF));
    for (uint64_t line = 0; line < 6; line++)
        load(&node, 1, line);
    for (uint32_t i = 0; i < 3; i++) /* lines 0..5 over three channels */
        assert_int_equal(node.counts->memory[1].cas_read[i], 2);
    assert_int_equal(cas_reads(&node, 0), 0);
    assert_int_equal(total(&node, 1, CORE_LOAD_LOCAL_DRAM), 6);
    for (uint64_t line = 6; line < 12; line++)
        load(&node, 2, line); /* the same page, from the other socket: 6, 7, .. 11 over four links */
    assert_int_equal(total(&node, 2, CORE_LOAD_REMOTE_DRAM), 6);
    const uint64_t lines_of_link[] = {1, 1, 2, 2};
    for (int i = 0; i < 4; i++)
        assert_int_equal(node.counts->socket[0].link_data_lines_out[i], lines_of_link[i]);
    for (int i = 0; i < 4; i++)
        assert_int_equal(node.counts->socket[1].link_data_lines_out[i], 0);
}

/* Memory is local for all cores of its socket, in any of its NUMA domains. */
TEST(local_is_the_socket) {
    const struct shape shape = {2, 2, 2, 2, 1, 2, 1, 1};
    NODE node = node_make(policy_config(&shadow, &shape, SIM_MESIF));
    store(&node, 1, 0);
    sim_flush_line(node_core(&node, 0), BASE * LINE);
    load(&node, 0, 0);
    const struct sim_agent_counts *agent = &node.counts->memory[1].agent[0];
    assert_int_equal(agent->requests_local_write, 1);
    assert_int_equal(agent->requests_local_read, 2);
    assert_int_equal(agent->requests_remote_write + agent->requests_remote_read, 0);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 1);
}

/* 64 cores in one victim domain: the last one's bit is the highest. */
TEST(sixty_four_cores) {
    const struct shape shape = {1, 64, 1, 1, 40, 12, 2, 1};
    NODE node = node_make(policy_config(&shadow, &shape, SIM_MESIF));
    for (uint32_t core = 0; core < 64; core++)
        load(&node, core, 0);
    assert_int_equal(known(&node, 0, 0).sharers, ~UINT64_C(0));
    store(&node, 63, 0);
    assert_int_equal(known(&node, 0, 0).sharers, UINT64_C(1) << 63);
    assert_int_equal(offcore(&node, 63, REQUEST_RFO, SUPPLIER_L3, SNOOP_HIT), 1);
    check_invariants(&node);
}
