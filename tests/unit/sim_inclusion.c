/* sim_inclusion.c - instruction fetches beside streams of data, against a plain reference: three levels of LRU lists,
 * the last one inclusive or not. With inclusion the reference must agree miss by miss; without it, it is what
 * cachegrind simulates, and the difference is what an inclusive L3 takes from the L1I.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "sim_node.h"

enum { CORES = 2, CODE = 1 << 20 }; /* number of the first line of code: far from the data */

/* ---- the reference: a set is an array of lines, latest first ---- */

struct level {
    uint64_t *lines; /* sets * ways; 0: empty, so a line is kept as its number plus 1 */
    uint64_t sets;
    uint32_t ways;
    uint32_t slices; /* consecutive lines lie in consecutive slices; 1: not sliced */
};

struct reference {
    struct level l1i, l1d, l2, l3;
    int inclusive;
    uint64_t fetch_misses, load_misses;
};

static struct level level_make(const struct sim_cache_config *config, uint32_t slices) {
    struct level level = {NULL, config->size / LINE / config->ways, config->ways, slices};
    level.lines = calloc(level.sets * slices * level.ways, sizeof *level.lines);
    assert_non_null(level.lines);
    return level;
}

static uint64_t *set_of(const struct level *level, uint64_t line) {
    uint64_t slice = line % level->slices, set = line / level->slices % level->sets;
    return level->lines + (slice * level->sets + set) * level->ways;
}

/* Takes the line out; 1 if it was there. */
static int level_remove(const struct level *level, uint64_t line) {
    uint64_t *set = set_of(level, line);
    for (uint32_t i = 0; i < level->ways; i++) {
        if (set[i] != line + 1)
            continue;
        memmove(set + i, set + i + 1, (level->ways - i - 1) * sizeof *set);
        set[level->ways - 1] = 0;
        return 1;
    }
    return 0;
}

/* Enters the line as the latest. The line that it displaced, plus 1; 0: none. */
static uint64_t level_enter(const struct level *level, uint64_t line) {
    uint64_t *set = set_of(level, line), last = set[level->ways - 1];
    memmove(set + 1, set, (level->ways - 1) * sizeof *set);
    set[0] = line + 1;
    return last;
}

static int level_touch(const struct level *level, uint64_t line) {
    if (!level_remove(level, line))
        return 0;
    level_enter(level, line);
    return 1;
}

/* One access through `first`; the levels behind it are asked only if it misses. */
static void access(struct reference *r, const struct level *first, uint64_t line, uint64_t *misses) {
    if (level_touch(first, line))
        return;
    ++*misses;
    if (!level_touch(&r->l2, line)) {
        if (!level_touch(&r->l3, line)) {
            uint64_t victim = level_enter(&r->l3, line);
            if (victim && r->inclusive) {
                level_remove(&r->l1i, victim - 1);
                level_remove(&r->l1d, victim - 1);
                level_remove(&r->l2, victim - 1);
            }
        }
        level_enter(&r->l2, line);
    }
    level_enter(first, line);
}

static struct reference reference_make(const struct sim_config *config, int inclusive) {
    return (struct reference){.l1i = level_make(&config->l1i, 1),
                              .l1d = level_make(&config->l1d, 1),
                              .l2 = level_make(&config->l2, 1),
                              .l3 = level_make(&config->l3, config->cores_per_socket),
                              .inclusive = inclusive};
}

static void reference_free(struct reference *r) {
    free(r->l1i.lines);
    free(r->l1d.lines);
    free(r->l2.lines);
    free(r->l3.lines);
}

/* ---- the same accesses for the simulator and for both references ---- */

struct trial {
    struct node node;
    struct sim_core *core;
    struct reference inclusive, exclusive;
};

static struct trial trial_make(void) {
    struct trial t = {.node = node_make(node_config(1, CORES))};
    t.core = sim_core(t.node.sim, 0);
    t.inclusive = reference_make(&t.node.config, 1);
    t.exclusive = reference_make(&t.node.config, 0);
    return t;
}

static void trial_free(struct trial *t) {
    reference_free(&t->inclusive);
    reference_free(&t->exclusive);
    node_free(&t->node);
}

static void fetch(struct trial *t, uint64_t line) {
    sim_fetch(t->core, (CODE + line) * LINE, LINE);
    access(&t->inclusive, &t->inclusive.l1i, CODE + line, &t->inclusive.fetch_misses);
    access(&t->exclusive, &t->exclusive.l1i, CODE + line, &t->exclusive.fetch_misses);
}

static void load(struct trial *t, uint64_t line) {
    sim_load(t->core, line * LINE, 8);
    access(&t->inclusive, &t->inclusive.l1d, line, &t->inclusive.load_misses);
    access(&t->exclusive, &t->exclusive.l1d, line, &t->exclusive.load_misses);
}

static void agrees(const struct trial *t) {
    const uint64_t *total = t->node.counts->core[0].total;
    assert_int_equal(total[CORE_L1I_MISS], t->inclusive.fetch_misses);
    assert_int_equal(total[CORE_L1D_REPLACEMENT], t->inclusive.load_misses);
}

/* `code` lines of code that fit in the L1I, then a stream of `data` lines: fetched anew in every pass if the stream has
 * displaced them from the L3. */
static void nest(struct trial *t, uint64_t passes, uint64_t code, uint64_t data) {
    for (uint64_t pass = 0; pass < passes; pass++) {
        for (uint64_t i = 0; i < code; i++)
            fetch(t, i);
        for (uint64_t i = 0; i < data; i++)
            load(t, i);
    }
}

static void a_stream_through_l3_takes_the_code(void **state) {
    enum { PASSES = 6, LINES_OF_CODE = 300 };
    (void)state;
    struct trial t = trial_make();
    nest(&t, PASSES, LINES_OF_CODE, CORES * L3_SLICE_LINES * 3 / 2);
    agrees(&t);
    assert_int_equal(t.inclusive.fetch_misses, PASSES * LINES_OF_CODE);
    assert_int_equal(t.exclusive.fetch_misses, LINES_OF_CODE);
    trial_free(&t);
}

static void a_stream_within_l3_does_not(void **state) {
    enum { PASSES = 6, LINES_OF_CODE = 300 };
    (void)state;
    struct trial t = trial_make();
    nest(&t, PASSES, LINES_OF_CODE, CORES * L3_SLICE_LINES / 2);
    agrees(&t);
    assert_int_equal(t.inclusive.fetch_misses, LINES_OF_CODE);
    trial_free(&t);
}

/* Code that never leaves the L1I is asked for in the L3 never again, and so ages there: one line of code, fetched
 * before each load, is lost once in as many lines of its set as there are ways. */
static void the_hottest_line_is_lost_too(void **state) {
    enum { TURNS = 10 };
    (void)state;
    struct trial t = trial_make();
    for (uint64_t i = 0; i < (uint64_t)TURNS * CORES * L3_SLICE_LINES; i++) {
        fetch(&t, 0);
        load(&t, i);
    }
    agrees(&t);
    assert_in_range(t.inclusive.fetch_misses, TURNS - 1, TURNS + 1);
    assert_int_equal(t.exclusive.fetch_misses, 1);
    trial_free(&t);
}

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* Loops of changing length and place in code that fits in the L1I, beside a stream and random data of several sizes. */
static void random_programs(void **state) {
    enum { LOOPS = 400, STREAM = 3 * CORES * L3_SLICE_LINES };
    (void)state;
    uint64_t seed = 1, streamed = 0;
    struct trial t = trial_make();
    for (int loop = 0; loop < LOOPS; loop++) {
        uint64_t start = next_random(&seed) % 256, length = 1 + next_random(&seed) % 64;
        uint64_t turns = 1 + next_random(&seed) % 64, data = UINT64_C(256) << next_random(&seed) % 10;
        for (uint64_t i = 0; i < turns * length; i++) {
            fetch(&t, start + i % length);
            load(&t, next_random(&seed) & 1 ? next_random(&seed) % data : streamed++ % STREAM);
        }
    }
    agrees(&t);
    assert_true(t.inclusive.fetch_misses > t.exclusive.fetch_misses);
    trial_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_through_l3_takes_the_code),
        cmocka_unit_test(a_stream_within_l3_does_not),
        cmocka_unit_test(the_hottest_line_is_lost_too),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
