/* pmu_enabled.c - uncore boxes of client processors: an enable bit instead of freezing, line states in the select,
 * counters that always count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_text.h"

static const char units[] =
    "core intel 3 select 0x186 counter 0xc1 counters 4 width 48 fixed 0x309 fixed_counters 3 fixed_width 48 "
    "fixed_control 0x38d control 0x38f status 0x38e clear 0x390\n"
    "freeze 0x391 29 29 0x392\n"
    "device imc 50202 5\n"
    "box CBOX CBOX%C@ slice msr 0x700 0x10 width 44 overflow 3 4 select 0 1 counter 6 7 states select 8 M E S I\n"
    "box MBOX MBOX%C@ socket mmio imc width 32 always 0x400000 0x400101 counter 0 1\n"
    "event CBOX 0x34 0x1f READ_MESI = LOOKUP_DATA_READ\n"
    "event CBOX 0x34 0x18 READ_I = LOOKUP_DATA_READ\n"
    "event CBOX 0x34 0x11 READ_M = LOOKUP_DATA_READ\n"
    "event MBOX 0 0 NEVER = 0\n"
    "event MBOX 1 1 READS = CAS_READ[*]\n";
static const struct sim_config config = {.sockets = 1,
                                         .cores_per_socket = 2,
                                         .domains_per_socket = 1,
                                         .numa_per_socket = 1,
                                         .slices = 2,
                                         .channels = 2,
                                         .links = 1};
enum { CONTROL = 0x391, STATUS = 0x392, SELECT = 0x710, COUNTER = 0x716, IMC = 5, ENABLE = 1 << 22, RUN = 1 << 29 };

static int setup(void **state) {
    *state = text_unit(units, &config);
    return 0;
}

#define ENABLED_TEST(name) TEST_WITH(name, struct fixture *f, setup, fixture_teardown)

ENABLED_TEST(boxes_count_while_the_bit_is_set) {
    uint64_t *reads = &done(f)->domain[0].slice[1].lookups[LOOKUP_DATA_READ][LINE_E];
    wr(f, 0, 0, SELECT, 0x1f34 | ENABLE);
    *reads = 10;
    assert_int_equal(rd(f, 0, 0, COUNTER), 0);
    wr(f, 0, 1, CONTROL, RUN);
    *reads = 13;
    assert_int_equal(rd(f, 0, 0, COUNTER), 3);
    *reads = 17;
    assert_int_equal(rd(f, 0, 0, COUNTER), 7); /* read while it counts */
    wr(f, 0, 0, CONTROL, 0);
    *reads = 20;
    assert_int_equal(rd(f, 0, 0, COUNTER), 7);
    assert_int_equal(rd(f, 0, 0, CONTROL), 0);
    wr(f, 0, 0, COUNTER, (UINT64_C(1) << 44) - 1);
    wr(f, 0, 0, CONTROL, RUN);
    *reads = 21;
    assert_int_equal(rd(f, 0, 0, STATUS), 0); /* brought up to date by reading the counter */
    assert_int_equal(rd(f, 0, 0, COUNTER), 0);
    assert_int_equal(rd(f, 0, 0, STATUS), 1 << 3);
}

/* An interval ends with each reading: a fault that adds to the count adds again. */
ENABLED_TEST(a_reading_ends_an_interval) {
    static struct fault_list faults = {.count = 1};
    faults.fault[0] =
        (struct fault){.kind = FAULT_ADD, .target = FAULT_EVENT, .event = {"CBOX", 0x34, 0x1f}, .number = 5};
    f->pmu.faults = &faults;
    wr(f, 0, 0, SELECT, 0x1f34 | ENABLE);
    wr(f, 0, 0, CONTROL, RUN);
    assert_int_equal(rd(f, 0, 0, COUNTER), 5);
    assert_int_equal(rd(f, 0, 0, COUNTER), 10);
}

ENABLED_TEST(states_are_in_the_select) {
    static const struct {
        uint32_t mask;
        uint64_t expected;
    } cases[] = {{0x1f, 15}, {0x18, 1}, {0x11, 8}};
    uint64_t *lookups = done(f)->domain[0].slice[1].lookups[LOOKUP_DATA_READ];
    wr(f, 0, 0, CONTROL, RUN);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(lookups, 0, SIM_LINE_STATES * sizeof *lookups);
        wr(f, 0, 0, SELECT, 0);
        wr(f, 0, 0, COUNTER, 0);
        wr(f, 0, 0, SELECT, cases[i].mask << 8 | 0x34 | ENABLE);
        lookups[LINE_I] = 1, lookups[LINE_S] = 2, lookups[LINE_E] = 4, lookups[LINE_M] = 8;
        assert_int_equal(rd(f, 0, 0, COUNTER), cases[i].expected);
    }
}

/* Nothing programs, writes or freezes them; the first reading is their 0. */
ENABLED_TEST(counters_that_always_count) {
    done(f)->memory[0].cas_read[0] = 100;
    assert_int_equal(rd(f, IMC, 0, 1), 0);
    done(f)->memory[0].cas_read[0] = 101;
    done(f)->memory[0].cas_read[1] = 2;
    assert_int_equal(pmu_write(&f->pmu, IMC, 0, 1, 77), PMU_RESTRICTED);
    assert_int_equal(rd(f, IMC, 0, 1), 3);
    wr(f, 0, 0, CONTROL, RUN);
    wr(f, 0, 0, CONTROL, 0);
    done(f)->memory[0].cas_read[1] = 4;
    assert_int_equal(rd(f, IMC, 0, 1), 5);
    done(f)->memory[0].cas_read[1] += UINT64_C(1) << 32;
    assert_int_equal(rd(f, IMC, 0, 1), 5);
    assert_int_equal(rd(f, IMC, 0, 0), 0);
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, IMC, 0, 0x400000, &value), PMU_NO_REGISTER);
}
