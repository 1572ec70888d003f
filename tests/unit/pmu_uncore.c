/* pmu_uncore.c - uncore boxes: freezing, halves of PCI counters, line states, absent hardware.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_fixture.h"

/* Addresses: Intel 331051. Devices: LIKWID 5.2.2. */
enum { GLOBAL_CTL = 0x700, UCLK_CTL = 0x703, UCLK_CTR = 0x704, GLOBAL_STATUS = 0x701 };
enum { CBOX0_CTL = 0xe00, CBOX_STEP = 0x10, CBOX_SELECT0 = 1, CBOX_FILTER0 = 5, CBOX_COUNTER0 = 8 };
enum { PCI_CONTROL = 0xf4, PCI_STATUS = 0xf8, PCI_SELECT0 = 0xd8, PCI_COUNTER0 = 0xa0, PCI_HIGH = 4 };
enum { IMC0 = 5, HA0 = 13, QPI0 = 17, QPI1 = 18 };
enum { ENABLE = 1 << 22, EDGE = 1 << 18, THREAD = 1 << 19 };
enum { CAS_RD = 0x0304, CAS_WR = 0x0c04, LOOKUP_ANY = 0x1134, VICTIM_M_EVENT = 0x0137, IMC_WRITES_FULL = 0x011a };
#define FREEZE (UINT64_C(1) << 31)
#define UNFREEZE (UINT64_C(1) << 29)

PMU_TEST(channels_of_both_sockets) {
    for (int s = 0; s < 2; s++)
        for (int channel = 0; channel < 8; channel++) {
            wr(f, IMC0 + channel, (uint32_t)s, PCI_SELECT0, CAS_RD | ENABLE);
            wr(f, IMC0 + channel, (uint32_t)s, PCI_SELECT0 + 4, CAS_WR | ENABLE);
        }
    for (int s = 0; s < 2; s++)
        for (int channel = 0; channel < 8; channel++) {
            done(f)->memory[s].cas_read[channel] = (uint64_t)(100 * s + channel);
            done(f)->memory[s].cas_write[channel] = (uint64_t)(1000 + 100 * s + channel);
        }
    for (int s = 0; s < 2; s++)
        for (int channel = 0; channel < 8; channel++) {
            assert_int_equal(rd(f, IMC0 + channel, (uint32_t)s, PCI_COUNTER0), 100 * s + channel);
            assert_int_equal(rd(f, IMC0 + channel, (uint32_t)s, PCI_COUNTER0 + 8), 1000 + 100 * s + channel);
        }
}

PMU_TEST(halves_of_a_counter) {
    wr(f, IMC0, 0, PCI_SELECT0, CAS_RD | ENABLE);
    wr(f, IMC0, 0, PCI_COUNTER0, 0xfffffffe);
    wr(f, IMC0, 0, PCI_COUNTER0 + PCI_HIGH, 0xab);
    done(f)->memory[0].cas_read[0] = 5;
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0), 3);
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0 + PCI_HIGH), 0xac);
    wr(f, IMC0, 0, PCI_COUNTER0 + PCI_HIGH, 0xffff);
    wr(f, IMC0, 0, PCI_COUNTER0, 0xffffffff);
    done(f)->memory[0].cas_read[0] = 7;
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0 + PCI_HIGH), 0);
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0), 1);
    assert_int_equal(rd(f, IMC0, 0, PCI_STATUS), 1 << 1);  /* bit 0 is the fixed counter's */
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 1 << 23); /* channels 0 to 3 */
    wr(f, IMC0, 0, PCI_STATUS, 1 << 1);
    assert_int_equal(rd(f, IMC0, 0, PCI_STATUS), 0);
}

PMU_TEST(freezing) {
    uint64_t *reads = &done(f)->memory[1].cas_read[2];
    wr(f, IMC0 + 2, 1, PCI_SELECT0, CAS_RD | ENABLE);
    wr(f, 0, 2, GLOBAL_CTL, FREEZE); /* core 2 is on socket 1 */
    *reads = 10;
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_COUNTER0), 0);
    wr(f, 0, 2, GLOBAL_CTL, UNFREEZE);
    *reads = 14;
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_COUNTER0), 4);
    wr(f, IMC0 + 2, 1, PCI_CONTROL, 1 << 8); /* only this box */
    *reads = 20;
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_COUNTER0), 4);
    wr(f, IMC0 + 2, 1, PCI_CONTROL, 0);
    wr(f, 0, 0, GLOBAL_CTL, FREEZE); /* the other socket */
    *reads = 21;
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_COUNTER0), 5);
    wr(f, IMC0 + 2, 1, PCI_CONTROL, 1 << 1); /* resets the counters */
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_COUNTER0), 0);
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_SELECT0), CAS_RD | ENABLE);
    wr(f, IMC0 + 2, 1, PCI_CONTROL, 1 << 0); /* resets the selects */
    assert_int_equal(rd(f, IMC0 + 2, 1, PCI_SELECT0), 0);
}

/* The state filter has the bits I S E M F from bit 17 on. */
PMU_TEST(lookups_by_state) {
    const struct {
        uint32_t filter;
        uint64_t expected;
    } cases[] = {{0x01, 1 + 100}, {0x02, 2}, {0x04, 4}, {0x08, 8}, {0x10, 16}, {0x1f, 131}, {0, 0}, {0x60, 0}};
    const uint32_t box = CBOX0_CTL + CBOX_STEP; /* slice 1 of socket 0 */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sim_slice_counts *slice = &done(f)->domain[0].slice[1];
        memset(slice, 0, sizeof *slice);
        wr(f, 0, 0, box + CBOX_FILTER0, (uint64_t)cases[i].filter << 17);
        wr(f, 0, 0, box + CBOX_SELECT0, LOOKUP_ANY | ENABLE);
        wr(f, 0, 0, box + CBOX_COUNTER0, 0);
        slice->lookups[LOOKUP_DATA_READ][LINE_I] = 1;
        slice->lookups[LOOKUP_RFO][LINE_S] = 2;
        slice->lookups[LOOKUP_CODE_READ][LINE_E] = 4;
        slice->lookups[LOOKUP_WRITE][LINE_M] = 8;
        slice->lookups[LOOKUP_REMOTE_SNOOP][LINE_F] = 16;
        slice->lookups[LOOKUP_WRITE][LINE_I] = 100;
        assert_int_equal(rd(f, 0, 0, box + CBOX_COUNTER0), cases[i].expected);
        wr(f, 0, 0, box + CBOX_SELECT0, 0);
    }
}

PMU_TEST(victims_and_clocks_and_agents) {
    wr(f, 0, 3, CBOX0_CTL + CBOX_SELECT0 + 3, VICTIM_M_EVENT | ENABLE);
    wr(f, 0, 3, UCLK_CTL, ENABLE | 1 << 20);
    wr(f, HA0 + 1, 1, PCI_SELECT0 + 12, IMC_WRITES_FULL | ENABLE);
    done(f)->domain[1].slice[0].victims[LINE_M] = 12;
    done(f)->domain[1].slice[0].victims[LINE_E] = 50;
    done(f)->socket[1].uncore_cycles = 2300;
    done(f)->memory[1].agent[1].writes = 30;
    done(f)->memory[1].agent[1].writes_partial = 4;
    assert_int_equal(rd(f, 0, 3, CBOX0_CTL + CBOX_COUNTER0 + 3), 12);
    assert_int_equal(rd(f, 0, 3, UCLK_CTR), 2300);
    assert_int_equal(rd(f, HA0 + 1, 1, PCI_COUNTER0 + 24), 30 - 4);
}

PMU_TEST(absent_hardware) {
    uint64_t value;
    const uint32_t third_slice = CBOX0_CTL + 2 * CBOX_STEP;
    assert_int_equal(pmu_read(&f->pmu, 0, 0, third_slice + CBOX_SELECT0, &value), PMU_NO_REGISTER);
    assert_int_equal(pmu_read(&f->pmu, 0, 0, 0x720, &value), PMU_NO_REGISTER); /* SBOX */
    assert_int_equal(pmu_check(&f->pmu, QPI0, 0), PMU_OK);
    assert_int_equal(pmu_check(&f->pmu, QPI1, 0), PMU_NO_DEVICE);
    assert_int_equal(pmu_check(&f->pmu, IMC0, 2), PMU_NO_DEVICE); /* no third socket */
    assert_int_equal(pmu_check(&f->pmu, -1, 0), PMU_NO_DEVICE);
    f->node.config.sockets = 1;
    f->node.config.channels = 4;
    assert_int_equal(pmu_check(&f->pmu, QPI0, 0), PMU_NO_DEVICE);
    assert_int_equal(pmu_read(&f->pmu, IMC0 + 4, 0, PCI_SELECT0, &value), PMU_NO_DEVICE);
    assert_int_equal(pmu_read(&f->pmu, IMC0 + 3, 0, PCI_SELECT0, &value), PMU_OK);
    assert_int_equal(pmu_read(&f->pmu, IMC0 + 3, 0, PCI_SELECT0 + 1, &value), PMU_NO_REGISTER);
}

PMU_TEST(device_numbers_follow_the_version) {
    f->node.likwid_version = 50300;
    assert_int_equal(pmu_check(&f->pmu, 21, 0), PMU_OK);
    assert_int_equal(pmu_check(&f->pmu, 5, 0), PMU_NO_DEVICE);
    f->node.likwid_version = 50501;
    assert_int_equal(pmu_check(&f->pmu, 49, 0), PMU_OK);
    assert_int_equal(pmu_check(&f->pmu, 57, 0), PMU_OK);
    assert_int_equal(pmu_check(&f->pmu, 21, 0), PMU_NO_DEVICE);
}

PMU_TEST(what_is_not_modelled_is_reported) {
    wr(f, IMC0 + 3, 0, PCI_SELECT0 + 8, 0x0106); /* written first without enable, as LIKWID does */
    assert_string_equal(f->notes, "");
    wr(f, IMC0 + 3, 0, PCI_SELECT0 + 8, 0x0106 | ENABLE); /* DRAM_PRE */
    assert_string_equal(f->notes, "MBOX3C2 event is not modelled;");
    f->notes[0] = '\0';
    wr(f, 0, 0, CBOX0_CTL + CBOX_STEP + CBOX_SELECT0, LOOKUP_ANY | THREAD | ENABLE);
    assert_string_equal(f->notes, "CBOX1C0 filtering by core is not modelled;");
    f->notes[0] = '\0';
    wr(f, HA0, 0, PCI_SELECT0, IMC_WRITES_FULL | EDGE | ENABLE);
    assert_non_null(strstr(f->notes, "BBOX0C0 "));
}
