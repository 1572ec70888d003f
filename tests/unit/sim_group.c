/* sim_group.c - unit tests of grouped accesses: the same counts and the same hardware as one by one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/group.h"
#include "vnode/sim/hardware.h"

static uint32_t next(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Streams in few sets, so that groups displace each other's lines; with small steps in a line, and larger ones. */
static struct sim_group some_group(uint32_t *seed, uint64_t *first) {
    static const uint8_t steps[] = {8, 16, 32, 32, 32, 48, 64};
    static const uint8_t sizes[] = {4, 8, 16, 32, 32, 32, 64};
    struct sim_group group = {0};
    group.width = (uint8_t)(1 + next(seed) % SIM_GROUP_WIDTH);
    group.length = (uint8_t)(1 + next(seed) % (4u * group.width));
    group.step = steps[next(seed) % sizeof steps];
    group.stores = (uint8_t)(next(seed) & ((1u << group.width) - 1));
    if (group.length < group.width)
        group.length = group.width;
    for (uint32_t i = 0; i < group.width; i++) {
        group.last[i] = (uint8_t)(sizes[next(seed) % sizeof sizes] - 1);
        uint64_t set = next(seed) % 4, tag = next(seed) % 40, offset = next(seed) % 4 ? 0 : next(seed) % LINE;
        first[i] = (UINT64_C(1) << 30) + tag * (64 * PAGE) + set * LINE + offset;
    }
    return group;
}

static void one_by_one(struct sim_core *core, struct sim_group group, const uint64_t *first) {
    for (uint32_t i = 0; i < group.length; i++) {
        uint32_t which = i % group.width;
        uint64_t address = first[which] + (uint64_t)(i / group.width) * group.step;
        if (group.stores >> which & 1)
            sim_store(core, address, group.last[which] + 1u);
        else
            sim_load(core, address, group.last[which] + 1u);
    }
}

/* `follows`: see sim_follow_stores(). */
static void compare_with_one_by_one(const struct sim_config *config, uint32_t follows) {
    enum { CORES = 4, GROUPS = 100000 };
    struct node grouped = node_make(*config), single = node_make(*config);
    uint32_t seed = 1;
    sim_follow_stores(grouped.sim, &follows);
    sim_follow_stores(single.sim, &follows);
    for (int n = 0; n < GROUPS; n++) {
        uint64_t first[SIM_GROUP_WIDTH] = {0};
        struct sim_group group = some_group(&seed, first);
        uint32_t core = next(&seed) % CORES;
        sim_at(sim_core(grouped.sim, core), 1 + next(&seed) % 2);
        sim_at(sim_core(single.sim, core), sim_core(grouped.sim, core)->instruction);
        sim_access_group(sim_core(grouped.sim, core), group, first);
        one_by_one(sim_core(single.sim, core), group, first);
        if (n % 1000 == 0)
            assert_memory_equal(grouped.counts, single.counts, sizeof *single.counts);
    }
    assert_memory_equal(grouped.counts, single.counts, sizeof *single.counts);
    assert_true(single.counts->core[0].total[CORE_LOAD_L3_HIT_SNOOP_HITM] > 0);
    assert_true(single.counts->core[0].total[CORE_LOADS_SPLIT] > 0);
    if (config->prefetchers)
        assert_true(single.counts->core[0].total[CORE_L2_L1_PREFETCH_HIT] > 0);
    node_free(&grouped);
    node_free(&single);
}

/* Two sockets of two cores, which take lines from each other and evict them from each other's L3. */
TEST(same_as_one_by_one) {
    struct sim_config config = node_config(2, 2);
    compare_with_one_by_one(&config, 0);
    compare_with_one_by_one(&config, 1);
    config.prefetchers = SIM_PREFETCHERS; /* they displace lines of a group between its rounds */
    compare_with_one_by_one(&config, 0);
    compare_with_one_by_one(&config, 1);
}

/* Two rounds of two loads and a store in three lines: 6 accesses, 3 of them certain L1 hits. */
TEST(later_rounds_hit) {
    NODE node = node_make(node_config(1, 1));
    const struct sim_group group = {.width = 3, .length = 6, .step = 32, .stores = 4, .last = {31, 31, 31}};
    const uint64_t first[SIM_GROUP_WIDTH] = {1 << 20, 2 << 20, 3 << 20};
    sim_access_group(sim_core(node.sim, 0), group, first);

    assert_int_equal(total(&node, 0, CORE_LOADS), 4);
    assert_int_equal(total(&node, 0, CORE_STORES), 2);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_HIT), 2);
    assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), 2);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), 3);
}
