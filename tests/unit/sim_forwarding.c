/* sim_forwarding.c - unit tests of stores in flight: loads that they serve, loads that must wait, and aliased loads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"

#include "vnode/sim/forwarding.h"

enum { A = 1 << 30, ELSEWHERE = (1 << 29) + 2048 };

static void check(const struct node *node, uint64_t not_forwarded, uint64_t aliased) {
    assert_int_equal(total(node, 0, CORE_LOADS_NOT_FORWARDED), not_forwarded);
    assert_int_equal(total(node, 0, CORE_LOADS_ALIASED), aliased);
}

/* A load whose bytes the store has, all, some or none of them. */
static void bytes(void **state) {
    (void)state;
    const struct {
        int64_t from;
        uint32_t size;
        uint64_t not_forwarded;
    } cases[] = {{0, 8, 0}, {4, 4, 0},  {7, 1, 0},  {8, 8, 0},  {-8, 8, 0},
                 {4, 8, 1}, {-4, 8, 1}, {0, 16, 1}, {-1, 2, 1}, {-8, 32, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct node node = node_1x2();
        sim_store(node_core(&node, 0), A + 64, 8);
        sim_load(node_core(&node, 0), (uint64_t)(A + 64 + cases[i].from), cases[i].size);
        check(&node, cases[i].not_forwarded, 0);
        node_free(&node);
    }
}

/* Two halves serve no whole; a whole serves both halves, also across lines. */
static void halves(void **state) {
    (void)state;
    struct node node = node_1x2();
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
    node_free(&node);
}

/* The same place in another page: what is compared at first are bytes modulo 4 KiB. */
static void pages(void **state) {
    (void)state;
    const struct {
        int64_t from;
        uint64_t aliased;
    } cases[] = {{PAGE, 1},     {-PAGE, 1},    {5 * PAGE, 1}, {PAGE + 7, 1},
                 {PAGE - 7, 1}, {PAGE + 8, 0}, {PAGE - 8, 0}, {PAGE / 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct node node = node_1x2();
        sim_store(node_core(&node, 0), A, 8); /* a page begins here: some of these loads lie in two pages */
        sim_load(node_core(&node, 0), (uint64_t)(A + cases[i].from), 8);
        check(&node, 0, cases[i].aliased);
        node_free(&node);
    }
}

/* The youngest store that meets the load decides. */
static void youngest(void **state) {
    (void)state;
    struct node node = node_1x2();
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
    node_free(&node);
}

/* A load fails to be forwarded from the 42nd store before it and not from the 43rd; behind 71 loads and not behind 72.
 */
static void in_flight(void **state) {
    (void)state;
    for (uint64_t between = FORWARDING_STORES - 2; between <= FORWARDING_STORES; between++) {
        struct node node = node_1x2();
        for (uint64_t round = 0; round < 5; round++) { /* generations of marks come and go meanwhile */
            sim_store(node_core(&node, 0), A, 4);
            for (uint64_t i = 0; i < between; i++)
                sim_store(node_core(&node, 0), ELSEWHERE + 8 * i, 8);
            sim_load(node_core(&node, 0), A, 8);
        }
        check(&node, between < FORWARDING_STORES ? 5 : 0, 0);
        node_free(&node);
    }
    for (uint64_t between = FORWARDING_LOADS - 2; between <= FORWARDING_LOADS; between++) {
        struct node node = node_1x2();
        sim_store(node_core(&node, 0), A, 4);
        for (uint64_t i = 0; i < between; i++)
            sim_load(node_core(&node, 0), ELSEWHERE + 8 * i, 8);
        sim_load(node_core(&node, 0), A, 8);
        check(&node, between < FORWARDING_LOADS, 0);
        node_free(&node);
    }
}

/* Locked loads and fences wait for all stores; non-temporal stores are in buffers of their own; cores have their own.
 */
static void drained(void **state) {
    (void)state;
    struct node node = node_1x2();
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
    node_free(&node);
}

/* Nothing is followed as long as nobody asks; what was stored before then is unknown. */
static void asked(void **state) {
    (void)state;
    struct node node = node_1x2();
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
    node_free(&node);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes),     cmocka_unit_test(halves),  cmocka_unit_test(pages), cmocka_unit_test(youngest),
        cmocka_unit_test(in_flight), cmocka_unit_test(drained), cmocka_unit_test(asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
