/* sim_frames.c - unit tests of random physical frames.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_policies.h"
#include "test.h"
#include "xorshift.h"

#include "vnode/sim/frames.h"

enum { A = 1 << 30, PAGES = 4096, COLOURS = (256 << 10) / 8 / PAGE }; /* pages that fit side by side in a way of L2 */

/* Every page has its own frame, and the way back leads to it. */
TEST(frames_are_a_permutation) {
    const uint64_t mask = 0xfff; /* few enough to see all */
    for (uint64_t seed = 1; seed < 4; seed++) {
        uint8_t taken[0x1000] = {0};
        for (uint64_t page = 0; page <= mask; page++) {
            uint64_t frame = frames_permute(page, seed, mask);
            assert_true(frame <= mask);
            assert_false(taken[frame]++);
            assert_int_equal(frames_undo(frame, seed, mask), page);
        }
    }
    uint64_t x = 88172645463325252;
    for (int i = 0; i < 10000; i++) {
        uint64_t r = next_random(&x), all = ADDRESS_MASK >> 12;
        assert_int_equal(frames_undo(frames_permute(r & all, r >> 40, all), r >> 40, all), r & all);
    }
}

/* Colours of consecutive pages: drawn at random, each about equally often (a binomial's standard deviation is 21). */
TEST(colours_are_drawn) {
    const uint64_t all = ADDRESS_MASK >> 12;
    for (uint64_t seed = 1; seed < 20; seed++) {
        uint32_t pages[COLOURS] = {0}, same = 0;
        for (uint64_t page = A / PAGE; page < A / PAGE + PAGES; page++) {
            uint64_t colour = frames_permute(page, seed, all) % COLOURS;
            pages[colour]++;
            same += colour == frames_permute(page + 1, seed, all) % COLOURS;
        }
        for (uint32_t colour = 0; colour < COLOURS; colour++)
            assert_in_range(pages[colour], PAGES / COLOURS - 5 * 21, PAGES / COLOURS + 5 * 21);
        assert_in_range(same, PAGES / COLOURS - 5 * 21, PAGES / COLOURS + 5 * 21);
    }
}

/* L2 keeps 8 lines of a set, so 8 pages of a colour. In the order of addresses the 64 pages of L2 fit; at random some
 * colours have more than 8 pages, and a cyclic sweep misses all lines of these. L1 does not see frames. */
TEST(colours_overflow) {
    enum { SWEEPS = 4, SWEPT = 64, WAYS = 8 };
    for (uint32_t seed = 0; seed < 4; seed++) {
        struct sim_config config = node_config(1, 2);
        config.frames_seed = seed;
        NODE node = node_make(config);
        uint32_t pages[COLOURS] = {0};
        uint64_t lost = 0;
        for (uint64_t page = 0; page < SWEPT; page++)
            pages[(seed ? frames_permute(A / PAGE + page, seed, ADDRESS_MASK >> 12) : page) % COLOURS]++;
        for (uint32_t colour = 0; colour < COLOURS; colour++)
            lost += pages[colour] > WAYS ? pages[colour] * (PAGE / LINE) : 0;
        for (uint64_t i = 0; i < (uint64_t)SWEEPS * SWEPT * PAGE / LINE; i++)
            sim_load(node_core(&node, 0), A + i % (SWEPT * PAGE / LINE) * LINE, 8);
        assert_int_equal(total(&node, 0, CORE_LOAD_L1_MISS), SWEEPS * SWEPT * PAGE / LINE);
        assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), SWEPT * PAGE / LINE + (SWEEPS - 1) * lost);
        assert_true(seed == 0 ? lost == 0 : lost > 0);
    }
}

/* Snoops, homes and flushes find lines by their frames: a written line is read by the other socket and by its owner. */
TEST(lines_are_found) {
    struct sim_config config = node_config(2, 1);
    config.frames_seed = 5;
    NODE node = node_make(config);
    sim_store(node_core(&node, 0), A, 8);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_REMOTE_HITM), 1);
    assert_int_equal(sim_home(node.sim, A), 0);
    sim_flush_line(node_core(&node, 0), A);
    sim_load(node_core(&node, 1), A, 8);
    assert_int_equal(total(&node, 1, CORE_LOAD_REMOTE_DRAM), 1);
}

/* With caches that hold all lines every count but those of banks is the same with and without random frames. This
 * applies to prefetchers as well: what they fetch stays in its page. */
TEST(same_counts_without_evictions) {
    for (size_t i = 0; i < POLICIES * SHAPES * 2; i++) {
        struct node node[2];
        for (uint32_t seed = 0; seed < 2; seed++) {
            struct sim_config config = policy_config(&policies[i / 2 % 3], &shapes[i / 2 / POLICIES], SIM_MESIF);
            config.prefetchers = i % 2 ? SIM_PREFETCHERS : 0;
            config.l1d = config.l1i = (struct sim_cache_config){32 << 10, 8, 0};
            config.l2 = (struct sim_cache_config){256 << 10, 8, L2_LATENCY};
            config.frames_seed = seed;
            config.large_page = 0; /* the last level of some shapes is too small for their frames */
            node[seed] = node_make(config);
            uint64_t x = 88172645463325252;
            for (int access = 0; access < 5000; access++) {
                uint64_t r = next_random(&x);
                struct sim_core *core = node_core(&node[seed], (uint32_t)(r >> 8) % sim_cores(&config));
                uint64_t address = A + (r >> 32) % (2 * PAGE);
                sim_at(core, 1 + r % 3);
                if (r % 16 == 0)
                    sim_flush_line(core, address);
                else if (r % 16 == 1)
                    sim_store_nt(core, address, 16);
                else if (r % 4 == 1)
                    sim_store(core, address, 16);
                else
                    sim_load(core, address, 16);
            }
        }
        for (uint32_t c = 0; c < sim_cores(&node[0].config); c++)
            assert_memory_equal(&node[0].counts->core[c], &node[1].counts->core[c], sizeof(struct sim_core_counts));
        node_free(&node[0]);
        node_free(&node[1]);
    }
}

static int from_a(void *context, uint64_t large_page) {
    (void)context;
    return large_page >= A / LARGE;
}

static struct node random_node(uint32_t seed) {
    struct sim_config config = node_config(1, 2);
    config.frames_seed = seed;
    struct node node = node_make(config);
    sim_know_large_pages(node.sim, from_a, NULL);
    return node;
}

/* All lines of a large page follow each other in a large frame of its own, and L2, filled by them, keeps them all. */
TEST(large_pages_have_one_frame) {
    for (uint32_t seed = 1; seed < 4; seed++) {
        struct node node = random_node(seed);
        uint64_t before = frames_line(node.sim, A / LINE - 1), first = frames_line(node.sim, A / LINE);
        assert_int_equal(frames_program_line(node.sim, before), A / LINE - 1);
        assert_int_equal(first % (LARGE / LINE), 0);
        for (uint64_t line = 0; line < LARGE / LINE; line++) {
            assert_int_equal(frames_line(node.sim, A / LINE + line), first + line);
            assert_int_equal(frames_program_line(node.sim, first + line), A / LINE + line);
        }
        for (uint64_t i = 0; i < 3 * L2_LINES; i++)
            sim_load(node_core(&node, 0), A + i % L2_LINES * LINE, 8);
        assert_int_equal(total(&node, 0, CORE_L2_DATA_READ_MISS), L2_LINES);
        node_free(&node);
    }
}

/* A line that was written in a small page is written to memory before the page becomes large, and comes from there. */
TEST(pages_leave_their_frames) {
    struct node node = random_node(7);
    sim_know_large_pages(node.sim, NULL, NULL);
    sim_store(node_core(&node, 0), A, 8);
    sim_leave_frames(node.sim, A, LARGE);
    sim_know_large_pages(node.sim, from_a, NULL);
    sim_forget_translations(node.sim);
    sim_load(node_core(&node, 0), A, 8);
    assert_int_equal(total(&node, 0, CORE_LOAD_LOCAL_DRAM), 1);
    assert_int_equal(total(&node, 0, CORE_L2_LINES_OUT_DIRTY), 0);
    node_free(&node);
}
