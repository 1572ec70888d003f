/* pmu_found.c - uncore boxes that discovery tables describe: each is a device, selects have no enable bit, and a
 * device's register freezes all boxes of a socket while its bit is set.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_text.h"

static const char units[] =
    "core intel 5 select 0x186 counter 0xc1 counters 8 width 48 fixed 0x309 fixed_counters 4 fixed_width 48 "
    "fixed_control 0x38d control 0x38f status 0x38e clear 0x390 set 0x391\n"
    "device ubox 50202 70\n"
    "device cbox 50202 40\n"
    "freeze 27 0 - 28 ubox\n"
    "box CBOX CBOX%C@ slice mmio cbox layout found width 48 control 0 status 1 select 3 4 counter 9 10\n"
    "event CBOX 0x34 0x1bc1ff READS = LOOKUP_DATA_READ[*]\n"
    "event CBOX 0x34 0xff NARROW = 0\n";
static const struct sim_config config = {.sockets = 2,
                                         .cores_per_socket = 2,
                                         .domains_per_socket = 1,
                                         .numa_per_socket = 1,
                                         .slices = 2,
                                         .channels = 2,
                                         .links = 1};
enum { UBOX = 70, SLICE_1 = 41, GLOBAL = 27, CONTROL = 0, SELECT = 3, COUNTER = 9, FREEZE = 1 << 0 };
#define READS (UINT64_C(0x1bc1) << 32 | 0xff34)

static int setup(void **state) {
    *state = text_unit(units, &config);
    return 0;
}

#define FOUND_TEST(name) TEST_WITH(name, struct fixture *f, setup, fixture_teardown)

static uint64_t *reads_of(struct fixture *f, uint32_t socket) {
    return &done(f)->domain[socket].slice[1].lookups[LOOKUP_DATA_READ][LINE_E];
}

FOUND_TEST(any_event_counts_without_an_enable_bit) {
    wr(f, SLICE_1, 0, SELECT, READS);
    *reads_of(f, 0) = 3;
    assert_int_equal(rd(f, SLICE_1, 0, COUNTER), 3);
    wr(f, SLICE_1, 0, SELECT, 0);
    *reads_of(f, 0) = 5;
    assert_int_equal(rd(f, SLICE_1, 0, COUNTER), 3);
    wr(f, SLICE_1, 0, SELECT, 0xff35);
    assert_string_equal(f->notes, "CBOX1C0 event is not modelled;");
}

FOUND_TEST(the_mask_has_more_bits_above) {
    wr(f, SLICE_1, 0, SELECT, 0xff34);
    *reads_of(f, 0) = 3;
    assert_int_equal(rd(f, SLICE_1, 0, COUNTER), 0);
}

FOUND_TEST(a_device_freezes_its_socket) {
    for (uint32_t socket = 0; socket < 2; socket++)
        wr(f, SLICE_1, socket, SELECT, READS);
    wr(f, UBOX, 1, GLOBAL, FREEZE);
    *reads_of(f, 0) = 3;
    *reads_of(f, 1) = 4;
    assert_int_equal(rd(f, SLICE_1, 0, COUNTER), 3);
    assert_int_equal(rd(f, SLICE_1, 1, COUNTER), 0);
    assert_int_equal(rd(f, UBOX, 1, GLOBAL), FREEZE);
    wr(f, UBOX, 1, GLOBAL, 0);
    *reads_of(f, 1) = 6;
    assert_int_equal(rd(f, SLICE_1, 1, COUNTER), 2);
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, 0, 0, GLOBAL, &value), PMU_NO_REGISTER);
    assert_int_equal(pmu_check(&f->pmu, UBOX, 1), PMU_OK);
    assert_int_equal(pmu_check(&f->pmu, UBOX + 1, 1), PMU_NO_DEVICE);
}

FOUND_TEST(the_control_freezes_and_resets_a_box) {
    enum { RESET_SELECTS = 1 << 8, RESET_COUNTERS = 1 << 9 };
    wr(f, SLICE_1, 0, SELECT, READS);
    *reads_of(f, 0) = 3;
    wr(f, SLICE_1, 0, CONTROL, FREEZE);
    *reads_of(f, 0) = 7;
    assert_int_equal(rd(f, SLICE_1, 0, COUNTER), 3);
    wr(f, SLICE_1, 0, CONTROL, FREEZE | RESET_COUNTERS);
    assert_int_equal(rd(f, SLICE_1, 0, COUNTER), 0);
    assert_int_equal(rd(f, SLICE_1, 0, SELECT), READS);
    wr(f, SLICE_1, 0, CONTROL, RESET_SELECTS);
    assert_int_equal(rd(f, SLICE_1, 0, SELECT), 0);
}
