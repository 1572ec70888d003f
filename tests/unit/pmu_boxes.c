/* pmu_boxes.c - uncore boxes of every scope and with every kind of register, on a node with several last-level domains,
 * NUMA domains and links per socket.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_text.h"

static const char units[] =
    "core intel 4 select 0x186 counter 0xc1 counters 8 width 48 fixed 0x309 fixed_counters 3 fixed_width 48 "
    "fixed_control 0x38d control 0x38f status 0x38e clear 0x390 set 0x391\n"
    "freeze 0x700 63 61 0x701\n"
    "device imc 50202 5 6 8 9\n"
    "device upi 50202 17\n"
    "device mem 50202 43\n"
    "device ha 50202 13\n"
    "box CHA CBOX%C@ slice msr 0xe00 0x10 width 48 control 0 status 7 filter 5 6 select 1 2 3 4 counter 8 9 10 11 "
    "overflow 3 1 states 0 17 I - - - S E M F\n"
    "box IMC MBOX%C@ channel pci64 imc width 48 control 0xf4 status 0xf8 status_bit 1 overflow 39 2 "
    "select 0xd8 0xdc 0xe0 0xe4 counter 0xa0 0xa8 0xb0 0xb8\n"
    "box UPI SBOX%C@ link pci64 upi width 48 control 0x378 status 0x37c overflow 41 1 select 0x350 0x358 "
    "counter 0x318 0x320\n"
    "box NUMA NBOX%C@ numa mmio mem width 36 select 0x40 0x44 counter 0x8 0x10\n"
    "box AGENT BBOX%C@ agent pci ha width 48 select 0xd8 counter 0xa0\n"
    "box OWN OWN@ core msr 0xd00 0 width 48 select 0 counter 1\n"
    "box GROUP GROUP@ domain msr 0xd10 0 width 48 select 0 counter 1\n"
    "box WIDE WIDE%C@ slice msr 0x1e00 0xe layout wide gap 2 0x1f0a gap 5 0x1b60 width 48 select 1 counter 8\n"
    "event WIDE 0x34 0x1bc1ff WIDE_READS = LOOKUP_DATA_READ[*]\n"
    "event CHA 0x34 0x11 LOOKUP = LOOKUP_DATA_READ + LOOKUP_WRITE\n"
    "event IMC 4 3 CAS_RD = CAS_READ\n"
    "event UPI 2 0xf DATA_OUT = LINK_DATA_LINES_OUT\n"
    "event NUMA 1 0 ALL_READS = CAS_READ[*]\n"
    "event AGENT 1 3 READS = AGENT_READS\n"
    "event OWN 1 0 LOADS = CORE_LOADS\n"
    "event GROUP 1 0 LOADS_OF_ALL = CORE_LOADS[*]\n";

/* 2 sockets of 4 cores; a socket: 2 domains with 3 slices, 2 NUMA domains with 2 channels and an agent, 2 links. */
static const struct sim_config config = {.sockets = 2,
                                         .cores_per_socket = 4,
                                         .domains_per_socket = 2,
                                         .numa_per_socket = 2,
                                         .slices = 3,
                                         .channels = 2,
                                         .agents = 1,
                                         .links = 2};
enum { ENABLE = 1 << 22, THREAD = 1 << 19 };
enum { CHA_SELECT = 0xe01, CHA_FILTER = 0xe05, CHA_COUNTER = 0xe08, CHA_STATUS = 0xe07, CHA_STEP = 0x10 };
enum { FREEZE_CTL = 0x700, FREEZE_STATUS = 0x701 };

static int setup(void **state) {
    *state = text_unit(units, &config);
    return 0;
}

#define BOX_TEST(name) TEST_WITH(name, struct fixture *f, setup, fixture_teardown)

BOX_TEST(slices_are_numbered_over_a_socket) {
    for (uint32_t box = 0; box < 6; box++) {
        wr(f, 0, 5, CHA_FILTER + CHA_STEP * box, UINT64_C(0x3ff) << 17);
        wr(f, 0, 5, CHA_SELECT + CHA_STEP * box, 0x1134 | ENABLE);
    }
    for (uint32_t domain = 0; domain < 4; domain++)
        for (uint32_t slice = 0; slice < 3; slice++)
            done(f)->domain[domain].slice[slice].lookups[LOOKUP_WRITE][LINE_M] = 100 * domain + slice + 1;
    for (uint32_t box = 0; box < 6; box++) {
        assert_int_equal(rd(f, 0, 7, CHA_COUNTER + CHA_STEP * box), 100 * (2 + box / 3) + box % 3 + 1);
        assert_int_equal(rd(f, 0, 3, CHA_COUNTER + CHA_STEP * box), 0); /* not programmed on the other socket */
    }
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, 0, 5, CHA_COUNTER + CHA_STEP * 6, &value), PMU_NO_REGISTER);
}

/* Slices 2 and 5 of a socket begin elsewhere; bits 32 to 55 of a select belong to the unit mask. */
BOX_TEST(gaps_and_wide_unit_masks) {
    static const uint32_t bases[] = {0x1e00, 0x1e0e, 0x1f0a, 0x1f18, 0x1f26, 0x1b60};
    uint64_t value, select = UINT64_C(0x1bc1) << 32 | 0xff34 | ENABLE;
    for (uint32_t i = 0; i < 6; i++)
        wr(f, 0, 1, bases[i] + 1, select);
    for (uint32_t i = 0; i < 6; i++)
        done(f)->domain[i / 3].slice[i % 3].lookups[LOOKUP_DATA_READ][LINE_M] = i + 1;
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(rd(f, 0, 1, bases[i] + 8), i + 1);
    assert_int_equal(pmu_read(&f->pmu, 0, 1, 0x1e1c + 8, &value), PMU_NO_REGISTER); /* a third before the gap */
    assert_int_equal(pmu_read(&f->pmu, 0, 1, 0x1b6e + 8, &value), PMU_NO_REGISTER); /* a seventh slice */
    assert_string_equal(f->notes, "");
    wr(f, 0, 1, bases[0] + 1, select ^ UINT64_C(1) << 32);
    assert_string_equal(f->notes, "WIDE0C0 event is not modelled;");
}

/* Bits 17 to 24: I, three states that are not simulated, S, E, M, F. */
BOX_TEST(states_that_lines_do_not_have) {
    for (uint32_t bit = 0; bit < 10; bit++) {
        static const uint64_t expected[] = {1, 0, 0, 0, 2, 4, 8, 16, 0, 0};
        struct sim_slice_counts *slice = &done(f)->domain[0].slice[0];
        memset(slice, 0, sizeof *slice);
        wr(f, 0, 0, CHA_SELECT, 0);
        wr(f, 0, 0, CHA_COUNTER, 0);
        wr(f, 0, 0, CHA_FILTER, UINT64_C(1) << (17 + bit));
        wr(f, 0, 0, CHA_SELECT, 0x1134 | ENABLE);
        slice->lookups[LOOKUP_DATA_READ][LINE_I] = 1;
        slice->lookups[LOOKUP_DATA_READ][LINE_S] = 2;
        slice->lookups[LOOKUP_DATA_READ][LINE_E] = 4;
        slice->lookups[LOOKUP_DATA_READ][LINE_M] = 8;
        slice->lookups[LOOKUP_DATA_READ][LINE_F] = 16;
        slice->lookups[LOOKUP_DATA_READ][LINE_O] = 32;
        assert_int_equal(rd(f, 0, 0, CHA_COUNTER), expected[bit]);
    }
}

/* A counter is one register; device numbers need not be adjacent; the four channels of a socket are two per NUMA
 * domain. */
BOX_TEST(channels_of_numa_domains) {
    static const int devices[] = {5, 6, 8, 9};
    for (uint32_t i = 0; i < 4; i++) {
        wr(f, devices[i], 1, 0xd8, 0x0304 | ENABLE);
        wr(f, devices[i], 1, 0xa0, (UINT64_C(7) << 32) + i);
        done(f)->memory[2 + i / 2].cas_read[i % 2] = 1000 * (i + 1);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(rd(f, devices[i], 1, 0xa0) == (UINT64_C(7) << 32) + i + 1000 * (i + 1));
        assert_int_equal(rd(f, devices[i], 0, 0xa0), 0);
    }
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, 5, 1, 0xa4, &value), PMU_NO_REGISTER); /* no upper half */
    assert_int_equal(pmu_check(&f->pmu, 7, 1), PMU_NO_DEVICE);
    assert_int_equal(pmu_check(&f->pmu, 10, 1), PMU_NO_DEVICE);
    f->node.config.last_lacks = 1; /* the second channel of each NUMA domain of socket 1 is missing */
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(pmu_check(&f->pmu, devices[i], 0), PMU_OK);
        assert_int_equal(pmu_check(&f->pmu, devices[i], 1), i % 2 ? PMU_NO_DEVICE : PMU_OK);
    }
    f->node.ghost_boxes = 1;
    assert_int_equal(pmu_check(&f->pmu, devices[1], 1), PMU_OK);
}

BOX_TEST(links_by_instance) {
    for (int link = 0; link < 2; link++)
        wr(f, 17 + link, 0, 0x358, 0x0f02 | ENABLE);
    done(f)->socket[0].link_data_lines_out[0] = 3;
    done(f)->socket[0].link_data_lines_out[1] = 40;
    done(f)->socket[1].link_data_lines_out[1] = 500;
    assert_int_equal(rd(f, 17, 0, 0x320), 3);
    assert_int_equal(rd(f, 18, 0, 0x320), 40);
    assert_int_equal(pmu_check(&f->pmu, 19, 0), PMU_NO_DEVICE);
    wr(f, 17, 0, 0x350, 0x0f02 | ENABLE | UINT64_C(1) << 45); /* only some packets */
    assert_string_equal(f->notes, "SBOX0C0 filtering by opcode is not modelled;");
    f->node.config.sockets = 1; /* no socket to link to */
    assert_int_equal(pmu_check(&f->pmu, 17, 0), PMU_NO_DEVICE);
}

BOX_TEST(mapped_memory_of_numa_domains) {
    wr(f, 44, 1, 0x44, 1 | ENABLE);
    done(f)->memory[3].cas_read[0] = (UINT64_C(1) << 36) + 5;
    done(f)->memory[3].cas_read[1] = 6;
    assert_int_equal(rd(f, 44, 1, 0x10), 11); /* 36 bits */
    assert_int_equal(rd(f, 43, 1, 0x10), 0);
    assert_int_equal(pmu_check(&f->pmu, 45, 1), PMU_NO_DEVICE);
}

BOX_TEST(agents_of_numa_domains) {
    wr(f, 13, 1, 0xd8, 0x0301 | ENABLE);
    wr(f, 14, 1, 0xd8, 0x0301 | ENABLE);
    done(f)->memory[2].agent[0].reads = (UINT64_C(2) << 32) + 7;
    done(f)->memory[3].agent[0].reads = 9;
    assert_int_equal(rd(f, 13, 1, 0xa0), 7); /* two registers of 32 bits */
    assert_int_equal(rd(f, 13, 1, 0xa4), 2);
    assert_int_equal(rd(f, 14, 1, 0xa0), 9);
}

BOX_TEST(boxes_of_cores_and_domains) {
    for (uint32_t core = 0; core < 8; core++) {
        wr(f, 0, core, 0xd00, 1 | ENABLE);
        wr(f, 0, core, 0xd10, 1 | ENABLE);
    }
    for (uint32_t core = 0; core < 8; core++)
        done(f)->core[core].total[CORE_LOADS] = UINT64_C(1) << (4 * core);
    for (uint32_t core = 0; core < 8; core++) {
        assert_int_equal(rd(f, 0, core, 0xd01), UINT64_C(1) << (4 * core));
        assert_int_equal(rd(f, 0, core, 0xd11), UINT64_C(0x11) << (8 * (core / 2)));
    }
    f->notes[0] = '\0';
    wr(f, 0, 6, 0xd10, 2 | ENABLE);
    assert_string_equal(f->notes, "GROUP0 event is not modelled;");
}

/* Bits 63 and 61 of the global control act on all boxes of one socket; overflows are shown per box and per socket. */
BOX_TEST(freezing_and_overflows) {
    uint64_t *reads = &done(f)->memory[3].cas_read[0];
    wr(f, 8, 1, 0xd8, 0x0304 | ENABLE);
    wr(f, 0, 6, 0xd10, 1 | ENABLE);
    wr(f, 0, 4, FREEZE_CTL, UINT64_C(1) << 63);
    *reads = 10;
    done(f)->core[6].total[CORE_LOADS] = 10;
    assert_int_equal(rd(f, 8, 1, 0xa0), 0);
    assert_int_equal(rd(f, 0, 6, 0xd11), 0);
    wr(f, 0, 0, FREEZE_CTL, UINT64_C(1) << 61); /* of the other socket */
    *reads = 20;
    assert_int_equal(rd(f, 8, 1, 0xa0), 0);
    wr(f, 0, 4, FREEZE_CTL, UINT64_C(1) << 61);
    *reads = 23;
    assert_int_equal(rd(f, 8, 1, 0xa0), 3);
    wr(f, 8, 1, 0xa0, (UINT64_C(1) << 48) - 1);
    *reads = 24;
    assert_int_equal(rd(f, 8, 1, 0xf8), 2);
    assert_int_equal(rd(f, 0, 4, FREEZE_STATUS), UINT64_C(1) << 40); /* channels 2 and 3 of the socket */
    assert_int_equal(rd(f, 0, 0, FREEZE_STATUS), 0);
    wr(f, 0, 4, FREEZE_STATUS, UINT64_C(1) << 40);
    assert_int_equal(rd(f, 0, 4, FREEZE_STATUS), 0);
    wr(f, 0, 4, CHA_FILTER + CHA_STEP * 5, UINT64_C(1) << 17);
    wr(f, 0, 4, CHA_SELECT + CHA_STEP * 5 + 2, 0x1134 | ENABLE);
    wr(f, 0, 4, CHA_COUNTER + CHA_STEP * 5 + 2, (UINT64_C(1) << 48) - 1);
    done(f)->domain[3].slice[2].lookups[LOOKUP_WRITE][LINE_I] = 1;
    assert_int_equal(rd(f, 0, 4, CHA_STATUS + CHA_STEP * 5), 4);
    assert_int_equal(rd(f, 0, 4, FREEZE_STATUS), UINT64_C(1) << 8);
}

/* Every box has its own state. */
BOX_TEST(no_two_boxes_share_a_register) {
    static const struct {
        int32_t device;
        uint32_t reg;
    } registers[] = {{0, 0xe01},  {0, 0xe11},  {0, 0xe51}, {5, 0xd8},  {6, 0xd8},  {8, 0xd8}, {9, 0xd8},
                     {17, 0x350}, {18, 0x350}, {43, 0x40}, {44, 0x40}, {13, 0xd8}, {14, 0xd8}};
    enum { COUNT = sizeof registers / sizeof *registers };
    f->pmu.not_counted = NULL;
    for (uint32_t i = 0; i < 2 * COUNT; i++)
        wr(f, registers[i / 2].device, registers[i / 2].device ? i % 2 : 4 * (i % 2), registers[i / 2].reg, 0x100 + i);
    for (uint32_t core = 0; core < 8; core++)
        wr(f, 0, core, 0xd00, 0x200 + core);
    for (uint32_t core = 0; core < 8; core += 2)
        wr(f, 0, core, 0xd10, 0x300 + core);
    for (uint32_t i = 0; i < 2 * COUNT; i++)
        assert_int_equal(
            rd(f, registers[i / 2].device, registers[i / 2].device ? i % 2 : 4 * (i % 2), registers[i / 2].reg),
            0x100 + i);
    for (uint32_t core = 0; core < 8; core++) {
        assert_int_equal(rd(f, 0, core, 0xd00), 0x200 + core);
        assert_int_equal(rd(f, 0, core, 0xd10), 0x300 + core / 2 * 2);
    }
}
