/* pmu_core.c - the core's performance monitoring unit: enabling, writing, wrapping, decoding.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_fixture.h"

/* Architectural addresses and bits, Intel SDM vol. 4. */
enum { SELECT0 = 0x186, PMC0 = 0xc1, FIXED0 = 0x309, FIXED_CTRL = 0x38d, GLOBAL_STATUS = 0x38e, GLOBAL_CTRL = 0x38f };
enum { GLOBAL_OVF_CTRL = 0x390, RESPONSE0 = 0x1a6 };
enum { USER = 1 << 16, KERNEL = 1 << 17, EDGE = 1 << 18, ANY = 1 << 21, ENABLE = 1 << 22, INVERT = 1 << 23 };
enum { LOADS = 0x81d0, STORES = 0x82d0, CYCLES = 0x003c, LINES_IN_ALL = 0x07f1, UOPS_RETIRED = 0x01c2 };

static uint64_t threshold(unsigned n) {
    return (uint64_t)n << 24;
}

PMU_TEST(counts_only_while_enabled) {
    uint64_t *loads = &done(f)->core[1].total[CORE_LOADS];
    *loads = 1000;
    wr(f, 0, 1, SELECT0, LOADS | USER | ENABLE);
    assert_int_equal(rd(f, 0, 1, PMC0), 0); /* not enabled globally */
    *loads += 5;
    wr(f, 0, 1, GLOBAL_CTRL, 1);
    *loads += 7;
    assert_int_equal(rd(f, 0, 1, PMC0), 7);
    wr(f, 0, 1, GLOBAL_CTRL, 0);
    *loads += 100;
    assert_int_equal(rd(f, 0, 1, PMC0), 7);
    wr(f, 0, 1, GLOBAL_CTRL, 1);
    *loads += 3;
    assert_int_equal(rd(f, 0, 1, PMC0), 10);
    wr(f, 0, 1, SELECT0, LOADS | USER); /* without its own enable bit */
    *loads += 50;
    assert_int_equal(rd(f, 0, 1, PMC0), 10);
    assert_int_equal(rd(f, 0, 0, PMC0), 0); /* another core */
    assert_string_equal(f->notes, "");
}

PMU_TEST(changing_the_event_keeps_the_count) {
    wr(f, 0, 0, GLOBAL_CTRL, 1);
    wr(f, 0, 0, SELECT0, LOADS | USER | ENABLE);
    done(f)->core[0].total[CORE_LOADS] = 11;
    done(f)->core[0].total[CORE_STORES] = 500;
    wr(f, 0, 0, SELECT0, STORES | USER | ENABLE);
    done(f)->core[0].total[CORE_STORES] = 502;
    done(f)->core[0].total[CORE_LOADS] = 99;
    assert_int_equal(rd(f, 0, 0, PMC0), 11 + 2);
}

PMU_TEST(counters_are_writable_48_bits_and_overflow) {
    const uint64_t top = (UINT64_C(1) << 48) - 2;
    wr(f, 0, 0, SELECT0 + 1, LOADS | USER | ENABLE);
    wr(f, 0, 0, PMC0 + 1, UINT64_C(0xffff000000000000) | top);
    assert_int_equal(rd(f, 0, 0, PMC0 + 1), top);
    wr(f, 0, 0, GLOBAL_CTRL, 1 << 1);
    done(f)->core[0].total[CORE_LOADS] = 1;
    assert_int_equal(rd(f, 0, 0, PMC0 + 1), top + 1);
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 0);
    done(f)->core[0].total[CORE_LOADS] = 5;
    assert_int_equal(rd(f, 0, 0, PMC0 + 1), 3);
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 1 << 1);
    wr(f, 0, 0, GLOBAL_OVF_CTRL, 1 << 1);
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 0);
}

PMU_TEST(overflow_is_seen_without_reading_the_counter) {
    wr(f, 0, 0, FIXED_CTRL, 0x2);
    wr(f, 0, 0, FIXED0, (UINT64_C(1) << 48) - 1);
    wr(f, 0, 0, GLOBAL_CTRL, UINT64_C(1) << 32);
    done(f)->core[0].total[CORE_INSTRUCTIONS] = 1;
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), UINT64_C(1) << 32);
}

PMU_TEST(fixed_counters) {
    wr(f, 0, 3, FIXED_CTRL, 0x222);
    wr(f, 0, 3, GLOBAL_CTRL, UINT64_C(7) << 32);
    done(f)->core[3].total[CORE_INSTRUCTIONS] = 40;
    done(f)->core[3].total[CORE_CYCLES] = 90;
    assert_int_equal(rd(f, 0, 3, FIXED0), 40);
    assert_int_equal(rd(f, 0, 3, FIXED0 + 1), 90);
    assert_int_equal(rd(f, 0, 3, FIXED0 + 2), 90);
    wr(f, 0, 3, FIXED_CTRL, 0x202); /* the second off */
    done(f)->core[3].total[CORE_CYCLES] = 95;
    assert_int_equal(rd(f, 0, 3, FIXED0 + 1), 90);
    assert_int_equal(rd(f, 0, 3, FIXED0 + 2), 95);
}

/* Second threads of the four cores: 4 to 7. A thread counts its own events, with AnyThread its sibling's as well. */
PMU_TEST(siblings) {
    enum { SELF = 1, SIBLING = 5 };
    f->node.config.threads_per_core = 2;
    wr(f, 0, SELF, SELECT0, LOADS | USER | ENABLE);
    wr(f, 0, SELF, SELECT0 + 1, LOADS | USER | ENABLE | ANY);
    wr(f, 0, SELF, FIXED_CTRL, 0x62); /* the second of any thread */
    wr(f, 0, SELF, GLOBAL_CTRL, UINT64_C(3) << 32 | 3);
    wr(f, 0, SIBLING, SELECT0, LOADS | USER | ENABLE);
    wr(f, 0, SIBLING, GLOBAL_CTRL, 1);
    done(f)->core[SELF].total[CORE_LOADS] = 3;
    done(f)->core[SIBLING].total[CORE_LOADS] = 20;
    done(f)->core[SELF + 1].total[CORE_LOADS] = 500;
    done(f)->core[SELF].total[CORE_INSTRUCTIONS] = 7;
    done(f)->core[SIBLING].total[CORE_INSTRUCTIONS] = 900;
    done(f)->core[SELF].total[CORE_CYCLES] = 40;
    done(f)->core[SIBLING].total[CORE_CYCLES] = 2;
    assert_int_equal(rd(f, 0, SELF, PMC0), 3);
    assert_int_equal(rd(f, 0, SELF, PMC0 + 1), 23);
    assert_int_equal(rd(f, 0, SELF, FIXED0), 7);
    assert_int_equal(rd(f, 0, SELF, FIXED0 + 1), 42);
    assert_int_equal(rd(f, 0, SIBLING, PMC0), 20);
    assert_int_equal(pmu_check(&f->pmu, 0, 7), PMU_OK);
    assert_int_equal(pmu_check(&f->pmu, 0, 8), PMU_NO_CPU);
}

PMU_TEST(sums_of_totals) {
    wr(f, 0, 0, SELECT0 + 7, LINES_IN_ALL | USER | ENABLE);
    wr(f, 0, 0, GLOBAL_CTRL, 1 << 7);
    done(f)->core[0].total[CORE_L2_LINES_IN_S] = 4;
    done(f)->core[0].total[CORE_L2_LINES_IN_E] = 9;
    assert_int_equal(rd(f, 0, 0, PMC0 + 7), 13);
}

PMU_TEST(thresholds_of_cycles) {
    const uint64_t selects[] = {0, INVERT, threshold(1), threshold(1) | INVERT, threshold(2), threshold(2) | INVERT};
    const uint64_t expected[] = {100, 100, 100, 0, 0, 100};
    wr(f, 0, 0, GLOBAL_CTRL, 0x3f);
    for (uint32_t i = 0; i < 6; i++)
        wr(f, 0, 0, SELECT0 + i, CYCLES | USER | ENABLE | ANY | selects[i]);
    done(f)->core[0].total[CORE_CYCLES] = 100;
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(rd(f, 0, 0, PMC0 + i), expected[i]);
    assert_string_equal(f->notes, "");
}

PMU_TEST(what_is_not_modelled_is_reported_and_stands_still) {
    const uint64_t selects[] = {UOPS_RETIRED | USER,
                                LOADS | USER | KERNEL,
                                LOADS | USER | EDGE,
                                LOADS | USER | threshold(1),
                                LOADS,
                                LOADS | USER | UINT64_C(1) << 32};
    wr(f, 0, 0, GLOBAL_CTRL, 0xff);
    for (uint32_t i = 0; i < 6; i++) {
        char counter[8];
        f->notes[0] = '\0';
        wr(f, 0, 0, SELECT0 + i, selects[i] | ENABLE);
        snprintf(counter, sizeof counter, "PMC%u ", i);
        assert_non_null(strstr(f->notes, counter));
        done(f)->core[0].total[CORE_LOADS] += 10;
        assert_int_equal(rd(f, 0, 0, PMC0 + i), 0);
    }
    f->notes[0] = '\0';
    wr(f, 0, 0, SELECT0 + 6, UOPS_RETIRED | USER); /* not enabled: no report */
    assert_null(strstr(f->notes, "PMC6"));
}

/* LIKWID's filters for LOCAL_DRAM and REMOTE_DRAM, and "any response" to demand data reads. */
PMU_TEST(offcore_responses) {
    struct sim_core_counts *core = &done(f)->core[0];
    wr(f, 0, 0, RESPONSE0, UINT64_C(0x600408fff));
    wr(f, 0, 0, RESPONSE0 + 1, UINT64_C(0x67f808fff));
    wr(f, 0, 0, SELECT0, 0x01b7 | USER | ENABLE);
    wr(f, 0, 0, SELECT0 + 1, 0x01bb | USER | ENABLE);
    wr(f, 0, 0, GLOBAL_CTRL, 3);
    core->offcore[REQUEST_DATA_READ][SUPPLIER_LOCAL_DRAM][SNOOP_MISS] = 1;
    core->offcore[REQUEST_RFO][SUPPLIER_LOCAL_DRAM][SNOOP_NONE] = 2; /* reported as a miss on this processor */
    core->offcore[REQUEST_CODE_READ][SUPPLIER_LOCAL_DRAM][SNOOP_HIT] = 4;
    core->offcore[REQUEST_DATA_READ][SUPPLIER_LOCAL_DRAM][SNOOP_HITM] = 8; /* not selected */
    core->offcore[REQUEST_DATA_READ][SUPPLIER_L3][SNOOP_MISS] = 16;        /* not selected */
    core->offcore[REQUEST_DATA_READ][SUPPLIER_REMOTE_DRAM][SNOOP_MISS] = 32;
    core->offcore[REQUEST_DATA_READ][SUPPLIER_REMOTE_CACHE][SNOOP_HIT] = 64; /* forwarded: not selected */
    assert_int_equal(rd(f, 0, 0, PMC0), 1 + 2 + 4);
    assert_int_equal(rd(f, 0, 0, PMC0 + 1), 32);
    wr(f, 0, 0, RESPONSE0, 0x10001);
    wr(f, 0, 0, PMC0, 0);
    core->offcore[REQUEST_DATA_READ][SUPPLIER_L3][SNOOP_NONE] += 5;
    core->offcore[REQUEST_DATA_READ][SUPPLIER_REMOTE_CACHE][SNOOP_HITM] += 6;
    core->offcore[REQUEST_RFO][SUPPLIER_L3][SNOOP_NONE] += 7;
    assert_int_equal(rd(f, 0, 0, PMC0), 5 + 6);
    assert_string_equal(f->notes, "");
    wr(f, 0, 0, RESPONSE0, 0x8000); /* only requests that are not modelled */
    assert_non_null(strstr(f->notes, "PMC0 "));
}

PMU_TEST(registers_start_at_zero_and_unknown_ones_fail) {
    uint64_t value;
    for (uint32_t reg = SELECT0; reg < SELECT0 + 8; reg++)
        assert_int_equal(rd(f, 0, 0, reg), 0);
    assert_int_equal(rd(f, 0, 0, 0xce), UINT64_C(23) << 40 | 23 << 8);
    assert_int_equal(pmu_read(&f->pmu, 0, 4, SELECT0, &value), PMU_NO_CPU);
    assert_int_equal(pmu_read(&f->pmu, 0, 0, SELECT0 + 8, &value), PMU_NO_REGISTER);
    assert_int_equal(pmu_write(&f->pmu, 0, 0, 0xce, 1), PMU_NO_REGISTER);
    assert_int_equal(pmu_read(&f->pmu, 0, 0, 0x611, &value), PMU_NO_REGISTER);
    assert_string_equal(f->notes, ""); /* LIKWID probes the energy registers */
    assert_int_equal(pmu_read(&f->pmu, 0, 0, 0x611, &value), PMU_NO_REGISTER);
    assert_string_equal(f->notes, "PWR0 counter is not modelled;");
}
