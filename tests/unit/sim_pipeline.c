/* sim_pipeline.c - runs on a core's pipeline take the time of what limits them, in closed form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/pipeline.h"

enum { WIDTH = 4, WINDOW = 192, BEHIND = WINDOW / WIDTH, CYCLE = PIPELINE_TICKS, RUNS = 1000, REGISTER = 3, OTHER = 5 };

static struct node node_with_pipeline(uint32_t threads) {
    struct sim_config config = node_config(1, 2);
    config.threads_per_core = threads;
    config.has_pipeline = 1;
    config.pipeline = (struct sim_pipeline_config){.width = WIDTH, .window = WINDOW};
    return node_make(config);
}

/* A run of `cycles` to issue, with room for two edges. */
static struct pipeline_run *run_of(uint32_t cycles) {
    struct pipeline_run *run = calloc(1, sizeof *run + 2 * sizeof run->edge[0]);
    assert_non_null(run);
    run->issue = cycles * CYCLE;
    return run;
}

/* The register's value needs that of `from` for so many cycles. */
static void add_edge(struct pipeline_run *run, uint16_t to, uint16_t from, uint32_t cycles) {
    run->edge[run->edges++] = (struct pipeline_edge){to, from, cycles * CYCLE};
}

/* Cycles of RUNS further runs, after as many. */
static uint64_t cycles_of(const struct pipeline_run *run) {
    NODE node = node_with_pipeline(1);
    uint64_t before = 0;
    for (int i = 0; i < 2 * RUNS; i++) {
        if (i == RUNS)
            before = total(&node, 0, CORE_CYCLES);
        sim_pipeline_run(node_core(&node, 0), run);
    }
    return total(&node, 0, CORE_CYCLES) - before;
}

TEST(issue) {
    struct pipeline_run *run = run_of(2);
    assert_int_equal(cycles_of(run), 2 * RUNS);
    run->issue = CYCLE / 4; /* parts of a cycle add up */
    assert_int_equal(cycles_of(run), RUNS / 4);
    add_edge(run, REGISTER, PIPELINE_ISSUE, 20); /* results that nobody waits for */
    assert_int_equal(cycles_of(run), RUNS / 4);
    free(run);
}

TEST(chain) {
    struct pipeline_run *run = run_of(1);
    add_edge(run, REGISTER, REGISTER, 5);
    add_edge(run, REGISTER, PIPELINE_ISSUE, 5);
    assert_int_equal(cycles_of(run), 5 * RUNS);
    run->edge[0].from = OTHER; /* a register that is always there */
    assert_int_equal(cycles_of(run), RUNS);
    free(run);
}

/* Both read what the run before wrote, not each other's new value. */
TEST(exchange) {
    struct pipeline_run *run = run_of(1);
    add_edge(run, REGISTER, OTHER, 3);
    add_edge(run, OTHER, REGISTER, 4);
    assert_int_equal(cycles_of(run), (3 + 4) * RUNS / 2);
    free(run);
}

TEST(units) {
    struct pipeline_run *run = run_of(1);
    run->demand[SIM_UNIT_FP] = 3 * CYCLE;
    run->demand[SIM_UNIT_LOAD] = 2 * CYCLE; /* at the same time */
    assert_int_equal(cycles_of(run), 3 * RUNS);
    run->demand[SIM_UNIT_FP] = CYCLE;
    assert_int_equal(cycles_of(run), 2 * RUNS);
    free(run);
}

/* Only the window's instructions go on while one waits; then the issue waits, once. */
TEST(window) {
    enum { LATENCY = 100 };
    NODE node = node_with_pipeline(1);
    struct pipeline_run *slow = run_of(1), *fast = run_of(1);
    add_edge(slow, REGISTER, PIPELINE_ISSUE, LATENCY);
    sim_pipeline_run(node_core(&node, 0), slow);
    assert_int_equal(total(&node, 0, CORE_CYCLES), LATENCY - BEHIND);
    for (int i = 0; i < RUNS; i++)
        sim_pipeline_run(node_core(&node, 0), fast);
    assert_int_equal(total(&node, 0, CORE_CYCLES), LATENCY - BEHIND + RUNS);
    free(slow);
    free(fast);
}

/* A misprediction is noticed when the flags are there; a right prediction waits for nothing. */
TEST(misprediction) {
    enum { FLAGS = 30 };
    NODE node = node_with_pipeline(1);
    struct pipeline_run *run = run_of(1);
    add_edge(run, PIPELINE_FLAGS, PIPELINE_ISSUE, FLAGS);
    for (int i = 0; i < 3; i++) {
        uint64_t before = total(&node, 0, CORE_CYCLES), mispredicted = total(&node, 0, CORE_MISPREDICTED);
        sim_pipeline_run(node_core(&node, 0), run);
        sim_branch(node_core(&node, 0), 0x401000, BRANCH_CONDITIONAL, i < 2, 0x402000, 0x401006);
        uint64_t wrong = total(&node, 0, CORE_MISPREDICTED) - mispredicted;
        assert_int_equal(total(&node, 0, CORE_CYCLES) - before, wrong ? FLAGS + BRANCH_PENALTY : 1);
    }
    assert_in_range(total(&node, 0, CORE_MISPREDICTED), 1, 2);
    free(run);
}

/* Retired instructions take no time of their own, and misses stop the core. */
TEST(other_costs) {
    NODE node = node_with_pipeline(1);
    sim_retire(node_core(&node, 0), RUNS);
    assert_int_equal(total(&node, 0, CORE_CYCLES), 0);
    assert_int_equal(total(&node, 0, CORE_INSTRUCTIONS), RUNS);
    sim_load(node_core(&node, 0), 1 << 20, 8);
    assert_int_equal(total(&node, 0, CORE_CYCLES), MEMORY_LATENCY + WALK_LATENCY);
}

/* The sibling's registers are there. */
TEST(sibling) {
    NODE node = node_with_pipeline(2);
    struct pipeline_run *run = run_of(1);
    add_edge(run, REGISTER, REGISTER, BEHIND);
    add_edge(run, REGISTER, PIPELINE_ISSUE, BEHIND);
    sim_pipeline_run(node_core(&node, 0), run);
    sim_pipeline_run(node_core(&node, 2), run);
    assert_int_equal(total(&node, 2, CORE_CYCLES), 1);
    sim_pipeline_run(node_core(&node, 2), run);
    assert_int_equal(total(&node, 2, CORE_CYCLES), 1 + BEHIND - 1);
    free(run);
}
