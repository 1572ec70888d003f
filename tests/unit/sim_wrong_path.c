/* sim_wrong_path.c - speculative branches on the wrong path of a conditional one, never retired.
 *
 * Exact, by hand: a place is known once the core has been there, and a wrong path is BRANCH_PENALTY * 16 bytes long.
 * The code lies as `layout` says; each case runs its own small program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

#include "vnode/sim/wrong_path.h"

#include "xorshift.h"

enum { REACH = BRANCH_PENALTY * WRONG_PATH_FETCH, JUMP_BYTES = 2, HEAD = 0x400000, SIDE = HEAD + 0x1000 };

static const enum sim_core_count speculative[] = {CORE_BEGUN_TAKEN,        CORE_BEGUN_NOT_TAKEN, CORE_BEGUN_JUMP,
                                                  CORE_BEGUN_CALL,         CORE_BEGUN_RETURN,    CORE_BEGUN_INDIRECT,
                                                  CORE_BEGUN_CALL_INDIRECT};
enum { KINDS = sizeof speculative / sizeof speculative[0] };

static void branch(struct node *node, uint64_t address, enum sim_branch_kind kind, int taken, uint64_t target) {
    sim_branch(node_core(node, 0), address, kind, taken, target, address + JUMP_BYTES);
}

/* Asserts the counts of speculative branches, in the order of `speculative`. */
static void assert_speculative(const struct node *node, const uint64_t expected[KINDS]) {
    for (size_t i = 0; i < KINDS; i++)
        assert_int_equal(total(node, 0, speculative[i]), expected[i]);
}

/* A loop with one branch, `bytes` long including it. At the exit the branch is mispredicted as taken, and the wrong
 * path repeats the loop as often as it fits in the reach. */
TEST(own_loop) {
    static const uint64_t lengths[] = {2, 5, 24, 119, 120, 121, REACH - 1, REACH, REACH + 1, 2 * REACH};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        NODE node = node_1x2();
        uint64_t end = HEAD + lengths[i] - JUMP_BYTES;
        for (int pass = 0; pass < 10; pass++)
            branch(&node, end, BRANCH_CONDITIONAL, pass < 9, HEAD);
        assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 1);
        assert_speculative(&node, (const uint64_t[KINDS]){REACH / lengths[i]});
    }
}

/* A loop of three branches. The first two are never taken, the last one leads back. After warming up, only the exit is
 * mispredicted, and the wrong path repeats the loop. It finds the same directions if its history has those that the
 * loop had. */
TEST(not_taken_in_history) {
    enum { PASSES = 30, APART = 4 };
    NODE node = node_1x2();
    uint64_t before[KINDS], expected[KINDS] = {REACH / APART / 3, 2 * (REACH / APART / 3)};
    for (int pass = 0; pass < PASSES; pass++) {
        branch(&node, HEAD + APART - JUMP_BYTES, BRANCH_CONDITIONAL, 0, SIDE);
        branch(&node, HEAD + 2 * APART - JUMP_BYTES, BRANCH_CONDITIONAL, 0, SIDE);
        for (size_t i = 0; i < KINDS; i++)
            before[i] = total(&node, 0, speculative[i]);
        branch(&node, HEAD + 3 * APART - JUMP_BYTES, BRANCH_CONDITIONAL, pass < PASSES - 1, HEAD);
    }
    for (size_t i = 0; i < KINDS; i++)
        expected[i] += before[i];
    assert_speculative(&node, expected);
}

/* A coin decides whether an `if` at HEAD jumps to SIDE or falls through. Both paths have a branch of `kind`, far before
 * the jump back. Returns the mispredictions of the `if`; the other conditional branch is always predicted correctly,
 * because the two addresses differ modulo 4. */
static uint64_t changes(struct node *node, enum sim_branch_kind kind, uint64_t distance) {
    enum { PASSES = 4000 };
    uint64_t x = 88172645463325252, back = HEAD + 0x2000;
    for (int pass = 0; pass < PASSES; pass++) {
        int taken = pass == 0 || (pass > 1 && next_random(&x) >> 63); /* as predicted, so that the path is known */
        uint64_t next = HEAD + 3, side = SIDE + 3, start = taken ? side : next;
        sim_branch(node_core(node, 0), HEAD, BRANCH_CONDITIONAL, taken, side, next);
        branch(node, start + distance - JUMP_BYTES, kind, 1, back);
        branch(node, back + REACH, BRANCH_JUMP, 1, HEAD);
    }
    return total(node, 0, CORE_MISPREDICTED_CONDITIONAL);
}

/* One speculative branch for each mispredicted `if`. */
TEST(one_each) {
    static const struct {
        enum sim_branch_kind kind;
        enum sim_core_count count;
    } cases[] = {{BRANCH_CONDITIONAL, CORE_BEGUN_TAKEN}, {BRANCH_JUMP, CORE_BEGUN_JUMP},
                 {BRANCH_CALL, CORE_BEGUN_CALL},         {BRANCH_RETURN, CORE_BEGUN_RETURN},
                 {BRANCH_INDIRECT, CORE_BEGUN_INDIRECT}, {BRANCH_CALL_INDIRECT, CORE_BEGUN_CALL_INDIRECT}};
    static const struct {
        uint64_t distance;
        int is_reached;
    } places[] = {{JUMP_BYTES, 1}, {REACH, 1}, {REACH + 1, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
            NODE node = node_1x2();
            uint64_t wrong = changes(&node, cases[c].kind, places[p].distance), sum = 0;
            for (size_t i = 0; i < KINDS; i++)
                sum += total(&node, 0, speculative[i]);
            assert_in_range(wrong, 1000, 3000);
            assert_int_equal(total(&node, 0, cases[c].count), sum);
            assert_int_equal(sum, places[p].is_reached ? wrong : 0);
        }
}

/* The first branch of a wrong path: at a place where the core has never been it is unknown. */
TEST(unknown_place) {
    NODE node = node_1x2();
    branch(&node, HEAD, BRANCH_CONDITIONAL, 0, SIDE); /* predicted as taken, like all new branches */
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 1);
    assert_speculative(&node, (const uint64_t[KINDS]){0});
}

/* From SIDE three known jumps follow at distances of 8 bytes: the wrong path executes them all and ends at a return; a
 * second return after it is not reached. */
TEST(chain) {
    NODE node = node_1x2();
    uint64_t at = SIDE;
    branch(&node, HEAD - 64, BRANCH_JUMP, 1, SIDE);
    for (int i = 0; i < 3; i++, at += 64)
        branch(&node, at + 8 - JUMP_BYTES, i == 1 ? BRANCH_CALL : BRANCH_JUMP, 1, at + 64);
    branch(&node, at + 8 - JUMP_BYTES, BRANCH_RETURN, 1, HEAD);
    branch(&node, HEAD, BRANCH_CONDITIONAL, 0, SIDE);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED_CONDITIONAL), 1);
    assert_speculative(&node, (const uint64_t[KINDS]){0, 0, 2, 1, 1});
}

/* The core has gone from FIRST to the branch at `end`. SECOND, between them, has the same table entry, but the core has
 * not started there. */
TEST(another_place) {
    enum { FIRST = 0x1fff0, SECOND = 0x2000f, END = 0x20020 };
    NODE node = node_1x2();
    branch(&node, HEAD, BRANCH_JUMP, 1, FIRST);
    branch(&node, END, BRANCH_JUMP, 1, HEAD + 0x2000);
    branch(&node, HEAD, BRANCH_CONDITIONAL, 0, SECOND);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 1);
    assert_speculative(&node, (const uint64_t[KINDS]){0});
    branch(&node, SIDE, BRANCH_CONDITIONAL, 0, FIRST);
    assert_speculative(&node, (const uint64_t[KINDS]){0, 0, 1});
}

/* A branch that ends at the address where the core is: another thread of the core ran in between. Nothing is learned
 * from it, and a wrong path that starts there ends. */
TEST(branch_behind) {
    NODE node = node_1x2();
    branch(&node, HEAD, BRANCH_JUMP, 1, SIDE + JUMP_BYTES);
    branch(&node, SIDE, BRANCH_CONDITIONAL, 1, SIDE + JUMP_BYTES);
    branch(&node, HEAD, BRANCH_CONDITIONAL, 0, SIDE + JUMP_BYTES);
    assert_int_equal(total(&node, 0, CORE_MISPREDICTED), 1);
    assert_speculative(&node, (const uint64_t[KINDS]){0});
}

/* A coin with heads once in 16, so that most mispredictions are at heads. */
static int heads(uint64_t *x) {
    return next_random(x) >> 60 == 0;
}

/* The path of heads has a jump, the path of tails a return. */
TEST(each_way) {
    NODE node = node_1x2();
    uint64_t x = 88172645463325252;
    for (int pass = 0; pass < 20000; pass++) {
        int taken = pass == 0 || (pass > 1 && heads(&x));
        branch(&node, HEAD, BRANCH_CONDITIONAL, taken, SIDE);
        branch(&node, taken ? SIDE + 8 : HEAD + 8, taken ? BRANCH_JUMP : BRANCH_RETURN, 1, HEAD + 0x2000);
        branch(&node, HEAD + 0x2000 + REACH, BRANCH_JUMP, 1, HEAD);
    }
    uint64_t wrong = total(&node, 0, CORE_MISPREDICTED_CONDITIONAL),
             returns = total(&node, 0, CORE_MISPREDICTED_RETURN);
    uint64_t taken = total(&node, 0, CORE_MISPREDICTED_TAKEN) - returns;
    assert_in_range(taken, 2 * (wrong - taken), wrong - 1);
    assert_speculative(&node, (const uint64_t[KINDS]){0, 0, wrong - taken, 0, taken});
}

/* Three `if`s: the first follows the coin, and its paths soon join; the second has the opposite direction; the third,
 * after the second's target, falls through. After the warm-up the second and third are predicted from the history. If
 * the first is mispredicted as not taken, the wrong path has the second as taken and the third as not taken. If it is
 * mispredicted as taken, it has the second as not taken, and no other branch is within reach. */
TEST(directions) {
    enum { PASSES = 20000, WARM = 1 << 7 };
    NODE node = node_1x2();
    uint64_t both = HEAD + 32, x = 88172645463325252;
    for (int pass = 0; pass < PASSES; pass++) {
        int taken = heads(&x);
        branch(&node, HEAD, BRANCH_CONDITIONAL, taken, both);
        if (!taken)
            branch(&node, HEAD + 16, BRANCH_JUMP, 1, both);
        branch(&node, both + 9, BRANCH_CONDITIONAL, !taken, both + 64);
        if (!taken)
            branch(&node, both + 74, BRANCH_CONDITIONAL, 0, both + 128);
        branch(&node, both + 128 + 2 * REACH, BRANCH_JUMP, 1, HEAD);
    }
    uint64_t wrong = total(&node, 0, CORE_MISPREDICTED), taken = total(&node, 0, CORE_MISPREDICTED_TAKEN);
    assert_in_range(taken, 8 * WARM, wrong);
    assert_in_range(total(&node, 0, CORE_BEGUN_TAKEN), taken - WARM, taken + WARM);
    assert_in_range(total(&node, 0, CORE_BEGUN_NOT_TAKEN), wrong - WARM, wrong + WARM);
}
