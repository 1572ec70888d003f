/* pmu_versions.c - Intel's architectural performance monitoring by version: what versions 4 and 5 add and remove, and
 * bits that no version allows to write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_text.h"

/* Architectural addresses and bits, Intel SDM vol. 4. */
enum { SELECT0 = 0x186, PMC0 = 0xc1, FIXED0 = 0x309, FIXED_CTRL = 0x38d, STATUS = 0x38e, GLOBAL_CTRL = 0x38f };
enum { STATUS_RESET = 0x390, STATUS_SET = 0x391 };
enum { USER = 1 << 16, ANY = 1 << 21, ENABLE = 1 << 22, LOADS = 0x01cd };
#define FREEZE (UINT64_C(1) << 59)

static struct fixture *unit(int version, int counters, int fixed) {
    static const struct sim_config config = {
        .sockets = 1, .cores_per_socket = 2, .domains_per_socket = 1, .numa_per_socket = 1, .slices = 2};
    char text[1024];
    snprintf(
        text, sizeof text,
        "core intel %d select 0x186 counter 0xc1 counters %d width 48 fixed 0x309 fixed_counters %d fixed_width 48 "
        "fixed_control 0x38d control 0x38f status 0x38e clear 0x390 %s\n"
        "event PMC 0xcd 1 LOADS = CORE_LOADS\nevent FIXC 0 0 INSTRUCTIONS = CORE_INSTRUCTIONS\n"
        "event FIXC 3 0 SLOTS cycles = 4 * CORE_CYCLES\n",
        version, counters, fixed, version >= 4 ? "set 0x391" : "");
    return text_unit(text, &config);
}

static int is_refused(struct fixture *f, uint32_t reg, uint64_t value) {
    uint64_t before, after;
    assert_int_equal(pmu_read(&f->pmu, 0, 0, reg, &before), PMU_OK);
    int refused = pmu_write(&f->pmu, 0, 0, reg, value) == PMU_NO_REGISTER;
    assert_int_equal(pmu_read(&f->pmu, 0, 0, reg, &after), PMU_OK);
    assert_true(!refused || before == after);
    return refused;
}

TEST(status_bits_can_be_set_from_version_4_on) {
    for (int version = 3; version <= 5; version++) {
        struct fixture *f = unit(version, 8, 3);
        enum pmu_answer answer = pmu_write(&f->pmu, 0, 0, STATUS_SET, UINT64_C(1) << 33 | 4);
        assert_int_equal(answer, version == 3 ? PMU_NO_REGISTER : PMU_OK);
        assert_int_equal(rd(f, 0, 0, STATUS), version == 3 ? 0 : UINT64_C(1) << 33 | 4);
        wr(f, 0, 0, STATUS_RESET, UINT64_C(1) << 33 | UINT64_C(3) << 62);
        assert_int_equal(rd(f, 0, 0, STATUS), version == 3 ? 0 : 4);
        assert_int_equal(rd(f, 0, 0, STATUS_RESET), 0); /* write only */
        assert_int_equal(pmu_write(&f->pmu, 0, 0, STATUS, 0), PMU_NO_REGISTER);
        free(f);
    }
}

TEST(counters_freeze_from_version_4_on) {
    for (int version = 4; version <= 5; version++) {
        struct fixture *f = unit(version, 8, 3);
        uint64_t *loads = &done(f)->core[0].total[CORE_LOADS], *fixed = &done(f)->core[0].total[CORE_INSTRUCTIONS];
        wr(f, 0, 0, SELECT0, LOADS | USER | ENABLE);
        wr(f, 0, 0, FIXED_CTRL, 2);
        wr(f, 0, 0, GLOBAL_CTRL, UINT64_C(1) << 32 | 1);
        *loads = *fixed = 10;
        wr(f, 0, 0, STATUS_SET, FREEZE);
        *loads = *fixed = 100;
        assert_int_equal(rd(f, 0, 0, PMC0), 10);
        assert_int_equal(rd(f, 0, 0, FIXED0), 10);
        assert_int_equal(rd(f, 0, 0, STATUS), FREEZE);
        wr(f, 0, 0, STATUS_RESET, FREEZE);
        *loads = *fixed = 101;
        assert_int_equal(rd(f, 0, 0, PMC0), 11);
        assert_int_equal(rd(f, 0, 0, FIXED0), 11);
        free(f);
    }
}

TEST(overflows_of_all_counters) {
    struct fixture *f = unit(5, 8, 4);
    wr(f, 0, 0, SELECT0 + 7, LOADS | USER | ENABLE);
    wr(f, 0, 0, FIXED_CTRL, 0x2000);
    wr(f, 0, 0, PMC0 + 7, (UINT64_C(1) << 48) - 1);
    wr(f, 0, 0, FIXED0 + 3, (UINT64_C(1) << 48) - 4);
    wr(f, 0, 0, GLOBAL_CTRL, UINT64_C(8) << 32 | 0x80);
    done(f)->core[0].total[CORE_LOADS] = 2;
    done(f)->core[0].total[CORE_CYCLES] = 2;
    assert_int_equal(rd(f, 0, 0, STATUS), UINT64_C(8) << 32 | 0x80);
    assert_int_equal(rd(f, 0, 0, PMC0 + 7), 1);
    assert_int_equal(rd(f, 0, 0, FIXED0 + 3), 4); /* the fourth fixed counter: slots */
    free(f);
}

TEST(reserved_bits_are_refused) {
    for (int version = 3; version <= 5; version++) {
        struct fixture *f = unit(version, 4, 3);
        assert_true(is_refused(f, SELECT0, LOADS | USER | UINT64_C(1) << 40));
        assert_int_equal(is_refused(f, SELECT0, LOADS | USER | UINT64_C(1) << 34), version < 5);
        assert_int_equal(is_refused(f, SELECT0, LOADS | USER | ANY), version >= 5);
        assert_false(is_refused(f, SELECT0, LOADS | USER | UINT64_C(3) << 32));
        assert_true(is_refused(f, GLOBAL_CTRL, 0x10)); /* a fifth counter */
        assert_true(is_refused(f, GLOBAL_CTRL, UINT64_C(8) << 32));
        assert_false(is_refused(f, GLOBAL_CTRL, UINT64_C(7) << 32 | 0xf));
        assert_true(is_refused(f, FIXED_CTRL, 0x1000));
        assert_int_equal(is_refused(f, FIXED_CTRL, 0x040), version >= 5);
        assert_false(is_refused(f, FIXED_CTRL, 0x222));
        if (version >= 4)
            assert_true(is_refused(f, STATUS_SET, UINT64_C(1) << 62));
        free(f);
    }
}
