/* sim_forwarding.c - unit tests of stores in flight: loads that they serve, loads that must wait, and aliased loads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/forwarding.h"

enum { A = 1 << 30, ELSEWHERE = (1 << 29) + 2048 };

static void check(const struct node *node, uint64_t not_forwarded, uint64_t aliased) {
    assert_int_equal(total(node, 0, CORE_LOADS_NOT_FORWARDED), not_forwarded);
    assert_int_equal(total(node, 0, CORE_LOADS_ALIASED), aliased);
}

/* A load with all, some or none of its bytes in the store. */
TEST(bytes) {
    const struct {
        int64_t from;
        uint32_t size;
        uint64_t not_forwarded;
    } cases[] = {{0, 8, 0}, {4, 4, 0},  {7, 1, 0},  {8, 8, 0},  {-8, 8, 0},
                 {4, 8, 1}, {-4, 8, 1}, {0, 16, 1}, {-1, 2, 1}, {-8, 32, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NODE node = node_1x2();
        sim_store(node_core(&node, 0), A + 64, 8);
        sim_load(node_core(&node, 0), (uint64_t)(A + 64 + cases[i].from), cases[i].size);
        check(&node, cases[i].not_forwarded, 0);
    }
}

/* Two half-size stores do not serve a full-size load; a full-size store serves both halves, also across lines. */
TEST(halves) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    sim_store(core, A, 8);
    sim_store(core, A + 8, 8);
    sim_load(core, A, 16);
    check(&node, 1, 0);
    sim_store(core, A + 48, 32);
    sim_load(core, A + 48, 16);
    sim_load(core, A + 64, 16);
    check(&node, 1, 0);
    sim_load(core, A + 72, 16);
    check(&node, 2, 0);
}

/* The same offset in another page: addresses are first compared modulo 4 KiB. */
TEST(pages) {
    const struct {
        int64_t from;
        uint64_t aliased;
    } cases[] = {{PAGE, 1},     {-PAGE, 1},    {5 * PAGE, 1}, {PAGE + 7, 1},
                 {PAGE - 7, 1}, {PAGE + 8, 0}, {PAGE - 8, 0}, {PAGE / 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        NODE node = node_1x2();
        sim_store(node_core(&node, 0), A, 8); /* start of a page: some of these loads cross into it */
        sim_load(node_core(&node, 0), (uint64_t)(A + cases[i].from), 8);
        check(&node, 0, cases[i].aliased);
    }
}

/* The youngest store that overlaps the load decides. */
TEST(youngest) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    sim_store(core, A, 8);
    sim_store(core, A + PAGE, 8);
    sim_load(core, A, 8);
    check(&node, 0, 1);
    sim_store(core, A, 8);
    sim_load(core, A, 8);
    check(&node, 0, 1);
    sim_store(core, A, 4);
    sim_load(core, A, 8);
    check(&node, 1, 1);
}

/* A failed forwarding is possible from the 42nd store before a load but not the 43rd, and after 71 loads but not 72. */
TEST(in_flight) {
    for (uint64_t between = FORWARDING_STORES - 2; between <= FORWARDING_STORES; between++) {
        NODE node = node_1x2();
        for (uint64_t round = 0; round < 5; round++) { /* passes several generations of marks */
            sim_store(node_core(&node, 0), A, 4);
            for (uint64_t i = 0; i < between; i++)
                sim_store(node_core(&node, 0), ELSEWHERE + 8 * i, 8);
            sim_load(node_core(&node, 0), A, 8);
        }
        check(&node, between < FORWARDING_STORES ? 5 : 0, 0);
    }
    for (uint64_t between = FORWARDING_LOADS - 2; between <= FORWARDING_LOADS; between++) {
        NODE node = node_1x2();
        sim_store(node_core(&node, 0), A, 4);
        for (uint64_t i = 0; i < between; i++)
            sim_load(node_core(&node, 0), ELSEWHERE + 8 * i, 8);
        sim_load(node_core(&node, 0), A, 8);
        check(&node, between < FORWARDING_LOADS, 0);
    }
}

/* Locked loads and fences wait for all stores; non-temporal stores use separate buffers, and so does each core. */
TEST(drained) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    sim_store(core, A, 4);
    sim_load_locked(core, A, 8);
    sim_load(core, A, 8);
    sim_store(core, A, 4);
    sim_fence(core);
    sim_load(core, A, 8);
    sim_store_nt(core, A, 4);
    sim_load(core, A, 8);
    sim_store(node_core(&node, 1), A, 4);
    sim_load(core, A, 8);
    check(&node, 0, 0);
}

/* Stores are tracked only after a request; earlier stores are unknown. */
TEST(asked) {
    NODE node = node_1x2();
    struct sim_core *core = node_core(&node, 0);
    uint32_t word = 0;
    sim_follow_stores(node.sim, &word);
    sim_store(core, A, 4);
    sim_load(core, A, 8);
    word = 1;
    sim_load(core, A, 8);
    check(&node, 0, 0);
    sim_store(core, A, 4);
    sim_load(core, A, 8);
    check(&node, 1, 0);
}
