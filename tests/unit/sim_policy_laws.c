/* sim_policy_laws.c - the laws of sim_checks.h on random accesses for each combination of policies, and one more: each
 * store reaches memory exactly once, whatever happens to its line in between.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_policies.h"
#include "test.h"
#include "xorshift.h"

enum { LINES_PER_SLICE = 24, ACCESSES = 100000, WATCHED_ACCESSES = 4000, LINES_MAX = 4 * LINES_PER_SLICE };

static uint64_t all_writes(const struct node *node) {
    uint64_t sum = 0;
    for (uint32_t n = 0; n < sim_numas(&node->config); n++)
        sum += cas_writes(node, n);
    return sum;
}

/* Makes a random access of any kind. Returns its own writes to memory, and in `overwrites` whether it replaces the
 * line's earlier data. */
static uint64_t random_access(const struct node *node, uint64_t r, uint64_t line, int *overwrites) {
    struct sim_core *core = node_core(node, (uint32_t)(r >> 8) % sim_cores(&node->config));
    uint64_t address = line * LINE + (r >> 16) % 48;
    *overwrites = 0;
    switch (r % 16) {
    case 0:
        *overwrites = 1;
        sim_store_nt(core, line * LINE, LINE);
        return 1;
    case 1:
        sim_store_nt(core, address, 16);
        sim_fence(core);
        return 1;
    case 2:
        sim_flush_line(core, address);
        return 0;
    case 3:
    case 4:
        sim_fetch(core, address, 8);
        return 0;
    case 5:
        sim_load_locked(core, address, 8);
        return 0;
    case 6:
    case 7:
    case 8:
    case 9:
        sim_store(core, address, 16);
        return 0;
    default:
        sim_load(core, address, 16);
        return 0;
    }
}

/* Caches that hold newer data than memory. */
enum { IN_L1 = 1, IN_L2 = 2, IN_LAST_LEVEL = 4 };

static uint8_t modified_where(const struct node *node, uint64_t line) {
    unsigned where = 0;
    for (uint32_t d = 0; d < sim_domains(&node->config); d++) {
        struct known known = known_of(&node->sim->domain[d], line);
        if (line_modified(known.state))
            where |= IN_LAST_LEVEL;
        for (uint64_t bits = known.sharers; bits; bits &= bits - 1) {
            const struct sim_core *core = core_of_bit(&node->sim->domain[d], bits);
            const uint64_t *l1d = near_peek(&core->l1d, line), *l2 = cache_peek(&core->l2, line);
            where |= l1d && cache_state(*l1d) == PRIVATE_M ? IN_L1 : 0;
            where |= l2 && cache_state(*l2) == PRIVATE_M ? IN_L2 : 0;
        }
    }
    return (uint8_t)where;
}

/* The memory writes of each access must be its own writes plus one for each line that is no longer modified anywhere.
 * Uncertain case: if a line was modified again while an older copy was being evicted, the copy may be written, merged
 * or moved. */
static void watch_modifications(const struct node *node) {
    uint8_t was[LINES_MAX] = {0};
    uint32_t lines = LINES_PER_SLICE * node->config.slices;
    uint64_t x = 88172645463325252;
    for (int i = 0; i < WATCHED_ACCESSES; i++) {
        uint64_t r = next_random(&x), before = all_writes(node), expected, unsure = 0;
        uint32_t at = (uint32_t)(r >> 24) % lines;
        int overwrites;
        expected = random_access(node, r, policy_line(&node->config, at), &overwrites);
        for (uint32_t k = 0; k < lines; k++) {
            uint8_t now = modified_where(node, policy_line(&node->config, k));
            expected += was[k] && !now && !(overwrites && k == at);
            unsure += (was[k] & (was[k] - 1)) != 0;
            if (!was[k] && now)
                assert_int_equal(k, at);
            was[k] = now;
        }
        assert_in_range(all_writes(node) - before, expected, expected + unsure);
    }
}

static void run(const struct node *node) {
    uint32_t lines = LINES_PER_SLICE * node->config.slices;
    uint64_t x = 1234567890987654321;
    for (int i = 0; i < ACCESSES; i++) {
        uint64_t r = next_random(&x);
        int overwrites;
        random_access(node, r, policy_line(&node->config, (uint32_t)(r >> 24) % (r >> 60 ? lines : 4)), &overwrites);
        if (i % 20000 == 7)
            check_invariants(node);
    }
    check_invariants(node);
}

/* Cases that the runs met. */
struct reach {
    uint64_t victims[SIM_LINE_STATES], directory;
};

static void add_reach(struct reach *reach, const struct node *node) {
    for (uint32_t d = 0; d < sim_domains(&node->config); d++) {
        for (int s = 0; s < SIM_LINE_STATES; s++)
            reach->victims[s] += victims(node, d, (enum sim_line_state)s);
        for (int kind = 0; kind < SIM_LOOKUPS; kind++)
            reach->directory += SLICES(node, d, lookups_directory[kind]);
    }
}

static void check_reach(const struct reach *reach, enum sim_inclusion inclusion, enum sim_protocol protocol) {
    const int reached[SIM_LINE_STATES] = {
        [LINE_S] = 1, [LINE_E] = 1, [LINE_M] = 1, [LINE_F] = protocol == SIM_MESIF, [LINE_O] = protocol == SIM_MOESI};
    for (int s = 0; s < SIM_LINE_STATES; s++)
        assert_int_equal(reach->victims[s] > 0, reached[s]);
    assert_int_equal(reach->directory > 0, inclusion == SIM_VICTIM);
}

TEST(every_policy) {
    for (int p = 0; p < POLICIES; p++)
        for (int protocol = SIM_MESIF; protocol <= SIM_MOESI; protocol++) {
            struct reach reach = {0};
            for (int s = 0; s < SHAPES; s++) {
                NODE node = node_make(policy_config(&policies[p], &shapes[s], (enum sim_protocol)protocol));
                watch_modifications(&node);
                check_invariants(&node);
                run(&node);
                add_reach(&reach, &node);
            }
            check_reach(&reach, policies[p].inclusion, (enum sim_protocol)protocol);
        }
}

/* Lines that entered the last level = lines that moved out of it, were evicted, or are in it. Each core uses its own
 * lines, because shared modified data would enter by another path. */
TEST(victims_in_are_out_or_there) {
    const struct shape shape = {1, 3, 1, 1, 3, 3, 1, 1};
    for (int p = 1; p < POLICIES; p++) {
        NODE node = node_make(policy_config(&policies[p], &shape, SIM_MESIF));
        uint64_t x = 1234567890987654321, in, out = 0, there = 0;
        for (int i = 0; i < ACCESSES; i++) {
            uint64_t r = next_random(&x);
            uint32_t core = (uint32_t)(r >> 8) % 3;
            uint64_t line = policy_line(&node.config, (uint32_t)(r >> 24) % 72 + 72 * core);
            if (r & 1)
                sim_load(node_core(&node, core), line * LINE, 8);
            else
                sim_store(node_core(&node, core), line * LINE, 8);
        }
        in = SLICES(&node, 0, victims_in_clean) + SLICES(&node, 0, lookups_directory[LOOKUP_WRITE]);
        for (int kind = LOOKUP_DATA_READ; kind <= LOOKUP_RFO; kind++)
            out += all_lookups(&node, 0, (enum sim_lookup)kind) - lookups(&node, 0, (enum sim_lookup)kind, LINE_I) -
                   SLICES(&node, 0, lookups_directory[kind]);
        for (int s = 0; s < SIM_LINE_STATES; s++)
            out += victims(&node, 0, (enum sim_line_state)s);
        const struct l3 *l3 = &node.sim->domain[0].l3;
        for (uint32_t i = 0; i < l3->divisor.value; i++)
            for (uint32_t way = 0; way < L3_WAYS_MAX; way++)
                there += l3->sets[i].state[way] != LINE_I;
        assert_true(SLICES(&node, 0, victims_in_modified) > 0 && there > 0);
        assert_int_equal(in, out + there);
    }
}
