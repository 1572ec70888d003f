/* sim_upper.c - unit tests of the upper halves of vector registers: hand-computed transitions; sequences in one word.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "vnode/sim/upper.h"

/* S: SSE, x: VEX with 128 bits, Y: VEX with 256 bits, z: vzeroupper, others: no vectors. */
static enum upper_use use_of(char letter) {
    return letter == 'S'   ? UPPER_LEGACY
           : letter == 'x' ? UPPER_VEX_128
           : letter == 'Y' ? UPPER_VEX_256
           : letter == 'z' ? UPPER_ZEROED
                           : UPPER_UNUSED;
}

static upper_effect effect_of(const char *letters) {
    upper_effect effect = upper_nothing();
    for (; *letters != '\0'; letters++)
        effect = upper_then(effect, use_of(*letters));
    return effect;
}

TEST(transitions) {
    static const struct {
        const char *letters;
        enum upper_state from, to;
        uint32_t to_sse, to_avx;
    } cases[] = {
        {"", UPPER_CLEAN, UPPER_CLEAN, 0, 0},      {"--", UPPER_SAVED, UPPER_SAVED, 0, 0},
        {"SxS", UPPER_CLEAN, UPPER_CLEAN, 0, 0},   {"Y", UPPER_CLEAN, UPPER_DIRTY, 0, 0},
        {"YxY", UPPER_CLEAN, UPPER_DIRTY, 0, 0},   {"YS", UPPER_CLEAN, UPPER_SAVED, 1, 0},
        {"Y-SSS", UPPER_CLEAN, UPPER_SAVED, 1, 0}, {"YSY", UPPER_CLEAN, UPPER_DIRTY, 1, 1},
        {"YSx", UPPER_CLEAN, UPPER_DIRTY, 1, 1},   {"YSxS", UPPER_CLEAN, UPPER_SAVED, 2, 1},
        {"YzS", UPPER_CLEAN, UPPER_CLEAN, 0, 0},   {"YSzY", UPPER_CLEAN, UPPER_DIRTY, 1, 0},
        {"S", UPPER_DIRTY, UPPER_SAVED, 1, 0},     {"S", UPPER_SAVED, UPPER_SAVED, 0, 0},
        {"x", UPPER_SAVED, UPPER_DIRTY, 0, 1},     {"z", UPPER_DIRTY, UPPER_CLEAN, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct upper_outcome outcome = upper_apply(effect_of(cases[i].letters), cases[i].from);
        assert_int_equal(outcome.state, cases[i].to);
        assert_int_equal(outcome.to_sse, cases[i].to_sse);
        assert_int_equal(outcome.to_avx, cases[i].to_avx);
    }
}

static void check(const char *letters, enum upper_state from) {
    struct upper_outcome whole = upper_apply(effect_of(letters), from), sum = {from, 0, 0};
    for (const char *at = letters; *at != '\0'; at++) {
        struct upper_outcome one = upper_apply(effect_of((char[]){*at, '\0'}), sum.state);
        sum = (struct upper_outcome){one.state, sum.to_sse + one.to_sse, sum.to_avx + one.to_avx};
    }
    assert_int_equal(whole.state, sum.state);
    assert_int_equal(whole.to_sse, sum.to_sse);
    assert_int_equal(whole.to_avx, sum.to_avx);
    int acts = whole.state != from || whole.to_sse != 0 || whole.to_avx != 0;
    assert_int_equal(upper_acts(effect_of(letters)) >> from & 1, acts);
}

/* Every sequence of six instructions has the same result as its instructions one by one. */
TEST(in_pieces) {
    static const char letters[] = "SxYz-";
    enum { LENGTH = 6, KINDS = 5 };
    for (int number = 0; number < KINDS * KINDS * KINDS * KINDS * KINDS * KINDS; number++) {
        char sequence[LENGTH + 1] = "";
        for (int i = 0, rest = number; i < LENGTH; i++, rest /= KINDS)
            sequence[i] = letters[rest % KINDS];
        for (int from = 0; from < UPPER_STATES; from++)
            check(sequence, (enum upper_state)from);
    }
}

/* The longest sequence that a word holds. */
TEST(longest) {
    upper_effect effect = upper_nothing();
    for (int i = 0; i < UPPER_SEQUENCE; i++)
        effect = upper_then(effect, i % 2 == 0 ? UPPER_LEGACY : UPPER_VEX_256);
    struct upper_outcome outcome = upper_apply(effect, UPPER_DIRTY);
    assert_int_equal(outcome.state, UPPER_SAVED);
    assert_int_equal(outcome.to_sse, 64);
    assert_int_equal(outcome.to_avx, 63);
}
