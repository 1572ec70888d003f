/* sim_inclusion.c - instruction fetches next to streams of data: an inclusive last level evicts lines from the L1I, a
 * victim level does not. All other cases: sim_random_*.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

enum { CORES = 2, CODE = 1 << 20 }; /* number of the first line of code: far from the data */

static struct node make(enum sim_inclusion inclusion) {
    struct sim_config config = node_config(1, CORES);
    config.inclusion = inclusion;
    config.directory = inclusion == SIM_INCLUSIVE ? SIM_DIRECTORY_INCLUSIVE : SIM_SHADOW_TAGS;
    return node_make(config);
}

/* Fetch misses of `passes` passes, each over `code` lines of code (which fit in L1I) and a stream of `data` lines. */
static uint64_t nest(enum sim_inclusion inclusion, uint64_t passes, uint64_t code, uint64_t data) {
    struct node node = make(inclusion);
    for (uint64_t pass = 0; pass < passes; pass++) {
        for (uint64_t i = 0; i < code; i++)
            sim_fetch(node_core(&node, 0), (CODE + i) * LINE, LINE);
        for (uint64_t i = 0; i < data; i++)
            sim_load(node_core(&node, 0), i * LINE, 8);
    }
    uint64_t misses = total(&node, 0, CORE_L1I_MISS);
    assert_int_equal(total(&node, 0, CORE_L1D_REPLACEMENT), passes * data);
    node_free(&node);
    return misses;
}

TEST(a_stream_larger_than_l3_evicts_the_code) {
    enum { PASSES = 6, LINES_OF_CODE = 300, STREAM = CORES * L3_SLICE_LINES * 3 / 2 };
    assert_int_equal(nest(SIM_INCLUSIVE, PASSES, LINES_OF_CODE, STREAM), PASSES * LINES_OF_CODE);
    assert_int_equal(nest(SIM_VICTIM, PASSES, LINES_OF_CODE, STREAM), LINES_OF_CODE);
}

TEST(a_stream_that_fits_in_l3_does_not) {
    enum { PASSES = 6, LINES_OF_CODE = 300, STREAM = CORES * L3_SLICE_LINES / 2 };
    assert_int_equal(nest(SIM_INCLUSIVE, PASSES, LINES_OF_CODE, STREAM), LINES_OF_CODE);
    assert_int_equal(nest(SIM_VICTIM, PASSES, LINES_OF_CODE, STREAM), LINES_OF_CODE);
}

/* One line of code, fetched before each load of a stream. */
static uint64_t hottest(enum sim_inclusion inclusion, uint64_t loads) {
    struct node node = make(inclusion);
    for (uint64_t i = 0; i < loads; i++) {
        sim_fetch(node_core(&node, 0), CODE * LINE, LINE);
        sim_load(node_core(&node, 0), i * LINE, 8);
    }
    uint64_t misses = total(&node, 0, CORE_L1I_MISS);
    node_free(&node);
    return misses;
}

/* Code that stays in the L1I is never requested from the L3 again, so it ages there: with W ways, every W new lines of
 * its set evict it. */
TEST(the_hottest_line_is_evicted_too) {
    enum { TURNS = 10 };
    assert_in_range(hottest(SIM_INCLUSIVE, (uint64_t)TURNS * CORES * L3_SLICE_LINES), TURNS - 1, TURNS + 1);
    assert_int_equal(hottest(SIM_VICTIM, (uint64_t)TURNS * CORES * L3_SLICE_LINES), 1);
}
