/* pmu_fault.c - injected faults as a client sees them, kind by kind: core counters, fixed counters, uncore boxes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "pmu_fixture.h"
#include "vnode/pmu/fault_file.h"

/* Addresses and bits: Intel SDM vol. 4 and 331051. Devices: LIKWID 5.2.2. */
enum { SELECT0 = 0x186, PMC0 = 0xc1, FIXED0 = 0x309, FIXED_CTRL = 0x38d, GLOBAL_STATUS = 0x38e, GLOBAL_CTRL = 0x38f };
enum { RESPONSE0 = 0x1a6, ANY_RESPONSE_TO_DATA_READS = 1 << 16 | 1 };
enum { USER = 1 << 16, ENABLE = 1 << 22 };
enum { LOADS = 0x81d0, STORES = 0x82d0, OFFCORE = 0x01b7, CYCLES = 0x003c };
enum { FREEZE_CTL = 0x700, IMC0 = 5, HA1 = 14, PCI_SELECT0 = 0xd8, PCI_COUNTER0 = 0xa0, PCI_HIGH = 4 };
enum { CAS_RD = 0x0304, CAS_WR = 0x0c04, FIXED_IMC_SELECT = 0xf0 };
enum { CBOX_STEP = 0x10, CBOX0_FILTER0 = 0xe05, CBOX0_COUNTER0 = 0xe08, TOR_OPCODE = 0x2135, DATA_READS = 0x182 };
enum { CBOX1_SELECT0 = 0xe11, CBOX1_COUNTER0 = 0xe18, CBOX0_SELECT0 = 0xe01, VICTIM_M_EVENT = 0x0137 };
#define FREEZE (UINT64_C(1) << 31)
#define UNFREEZE (UINT64_C(1) << 29)

struct faulty {
    struct fixture f;
    struct fault_list list;
};

static int setup(void **state) {
    struct faulty *faulty = calloc(1, sizeof *faulty);
    assert_non_null(faulty);
    fixture_begin(&faulty->f);
    *state = faulty;
    return 0;
}

#define FAULT_TEST(name) TEST_WITH(name, struct faulty *faulty, setup, fixture_teardown)

static struct fixture *inject(struct faulty *faulty, const char *text) {
    char error[256];
    assert_null(
        faults_parse(text, "test", &faulty->f.table, &faulty->f.node.config, &faulty->list, NULL, error, sizeof error));
    faulty->f.pmu.faults = &faulty->list;
    return &faulty->f;
}

/* Like LIKWID: programs, clears and starts all counters of a core. */
static void start(struct fixture *f, uint32_t core, uint32_t event) {
    wr(f, 0, core, GLOBAL_CTRL, 0);
    wr(f, 0, core, SELECT0, event | USER | ENABLE);
    wr(f, 0, core, FIXED_CTRL, 0x222);
    wr(f, 0, core, PMC0, 0);
    wr(f, 0, core, FIXED0, 0);
    wr(f, 0, core, GLOBAL_CTRL, UINT64_C(7) << 32 | 1);
}

/* Like LIKWID at the start and stop of a region: counters are stopped while they are read. */
static uint64_t reading(struct fixture *f, uint32_t core, uint32_t reg) {
    uint64_t running = rd(f, 0, core, GLOBAL_CTRL);
    wr(f, 0, core, GLOBAL_CTRL, 0);
    uint64_t value = rd(f, 0, core, reg);
    wr(f, 0, core, GLOBAL_CTRL, running);
    return value;
}

/* The count of a region with `loads` loads. */
static int64_t region(struct fixture *f, uint32_t core, uint64_t loads) {
    uint64_t before = reading(f, core, PMC0);
    done(f)->core[core].total[CORE_LOADS] += loads;
    return (int64_t)(reading(f, core, PMC0) - before);
}

FAULT_TEST(scale_changes_every_count) {
    struct fixture *f = inject(faulty, "MEM_UOPS_RETIRED_LOADS scale 0.6");
    start(f, 0, LOADS);
    done(f)->core[0].total[CORE_LOADS] = 77; /* before any region */
    assert_int_equal(region(f, 0, 1000), 600);
    assert_int_equal(region(f, 0, 5), 3);
    assert_int_equal(region(f, 0, 1000000), 600000);
    start(f, 1, STORES); /* another event on the same counter */
    done(f)->core[1].total[CORE_STORES] = 1000;
    assert_int_equal(rd(f, 0, 1, PMC0), 1000);
}

FAULT_TEST(a_running_counter_is_scaled_as_well) {
    struct fixture *f = inject(faulty, "PMC0 scale 3");
    start(f, 0, LOADS);
    for (uint64_t n = 1; n < 5; n++) {
        done(f)->core[0].total[CORE_LOADS] = n;
        assert_int_equal(rd(f, 0, 0, PMC0), 3 * n);
    }
}

FAULT_TEST(add_once_in_each_interval) {
    struct fixture *f = inject(faulty, "PMC0 add 50");
    start(f, 0, LOADS);
    assert_int_equal(rd(f, 0, 0, PMC0), 50); /* wrapper mode: added once */
    assert_int_equal(rd(f, 0, 0, PMC0), 50);
    assert_int_equal(region(f, 0, 0), 50);
    assert_int_equal(region(f, 0, 7), 57);
}

FAULT_TEST(faults_of_one_counter_in_order) {
    struct fixture *f = inject(faulty, "PMC0 scale 2\nPMC0 add 1\nPMC0 scale 10 # (2 n + 1) * 10");
    start(f, 0, LOADS);
    assert_int_equal(region(f, 0, 4), 90);
}

FAULT_TEST(stuck) {
    struct fixture *f = inject(faulty, "MEM_UOPS_RETIRED_LOADS stuck 1234");
    assert_int_equal(rd(f, 0, 0, PMC0), 0); /* nothing is programmed: with a count LIKWID would think it is in use */
    start(f, 0, LOADS);
    assert_int_equal(rd(f, 0, 0, PMC0), 1234);
    assert_int_equal(region(f, 0, 99), 0);
}

FAULT_TEST(swap) {
    struct fixture *f = inject(faulty, "MEM_UOPS_RETIRED_LOADS swap MEM_UOPS_RETIRED_STORES");
    done(f)->core[0].total[CORE_STORES] = 5;
    start(f, 0, LOADS);
    done(f)->core[0].total[CORE_STORES] += 9;
    assert_int_equal(region(f, 0, 1000), 0);
    assert_int_equal(rd(f, 0, 0, PMC0), 9);
}

FAULT_TEST(wrap_sets_the_overflow_bit) {
    struct fixture *f = inject(faulty, "PMC0 wrap 10");
    start(f, 0, LOADS);
    assert_int_equal(region(f, 0, 1000), 1000);
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 0);
    assert_int_equal(region(f, 0, 100), 100 - 1024);
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 1);
    assert_int_equal(rd(f, 0, 0, PMC0), 1100 - 1024);
}

FAULT_TEST(wrap_that_comes_soon) {
    struct fixture *f = inject(faulty, "PMC0 wrap 32 150");
    start(f, 0, LOADS);
    assert_int_equal(region(f, 0, 100), 100);
    assert_int_equal(region(f, 0, 100), 100 - (INT64_C(1) << 32));
    assert_int_equal(rd(f, 0, 0, GLOBAL_STATUS), 1);
    assert_int_equal(region(f, 0, 100), 100);
    assert_int_equal(rd(f, 0, 0, PMC0), 150);
}

FAULT_TEST(fixed_counters_and_offcore_responses) {
    struct fixture *f = inject(faulty, "INSTR_RETIRED_ANY scale 2\nOFFCORE_RESPONSE_0_OPTIONS scale 3");
    wr(f, 0, 0, RESPONSE0, ANY_RESPONSE_TO_DATA_READS);
    start(f, 0, OFFCORE);
    done(f)->core[0].total[CORE_INSTRUCTIONS] = 10;
    done(f)->core[0].offcore[REQUEST_DATA_READ][SUPPLIER_L3][SNOOP_NONE] = 10;
    assert_int_equal(rd(f, 0, 0, FIXED0), 20);
    assert_int_equal(rd(f, 0, 0, PMC0), 30);
}

static void denied(struct fixture *f, int device, uint32_t cpu, uint32_t reg, enum pmu_answer answer) {
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, device, cpu, reg, &value), answer);
    assert_int_equal(pmu_write(&f->pmu, device, cpu, reg, 0), answer);
}

FAULT_TEST(deny) {
    struct fixture *f = inject(faulty, "PMC2 deny\nFIXC1 deny\nMBOX3C1 deny\nCBOX1C0 deny");
    denied(f, 0, 1, SELECT0 + 2, PMU_RESTRICTED);
    denied(f, 0, 1, PMC0 + 2, PMU_RESTRICTED);
    denied(f, 0, 0, FIXED0 + 1, PMU_RESTRICTED);
    denied(f, IMC0 + 3, 1, PCI_SELECT0 + 4, PMU_RESTRICTED);
    denied(f, IMC0 + 3, 1, PCI_COUNTER0 + 8, PMU_RESTRICTED);
    denied(f, IMC0 + 3, 1, PCI_COUNTER0 + 8 + PCI_HIGH, PMU_RESTRICTED);
    denied(f, 0, 0, CBOX1_SELECT0, PMU_RESTRICTED);
    denied(f, 0, 0, CBOX1_COUNTER0, PMU_RESTRICTED);
    rd(f, 0, 1, SELECT0 + 1);
    rd(f, 0, 0, FIXED0);
    rd(f, IMC0 + 3, 1, PCI_SELECT0);
    rd(f, 0, 0, CBOX0_SELECT0);
}

FAULT_TEST(nodevice) {
    struct fixture *f = inject(faulty, "MBOX3 nodevice\nCBOX1 nodevice");
    assert_int_equal(pmu_check(&f->pmu, IMC0 + 3, 0), PMU_NO_DEVICE);
    assert_int_equal(pmu_check(&f->pmu, IMC0 + 2, 0), PMU_OK);
    denied(f, IMC0 + 3, 0, PCI_SELECT0, PMU_NO_DEVICE);
    denied(f, IMC0 + 3, 0, FIXED_IMC_SELECT, PMU_NO_DEVICE); /* the same device */
    denied(f, 0, 0, CBOX1_SELECT0, PMU_NO_REGISTER);
    rd(f, IMC0 + 2, 0, PCI_SELECT0);
    rd(f, 0, 0, CBOX0_SELECT0);
}

static uint64_t pci_value(struct fixture *f, int device, uint32_t counter) {
    uint32_t reg = PCI_COUNTER0 + 8 * counter;
    return rd(f, device, 0, reg + PCI_HIGH) << 32 | rd(f, device, 0, reg);
}

FAULT_TEST(uncore_counts_in_intervals) {
    struct fixture *f = inject(faulty, "CAS_COUNT_RD add 7\nMBOX1C1 scale 3\nCAS_COUNT_WR wrap 33 100");
    for (int channel = 0; channel < 2; channel++) {
        wr(f, 0, 0, FREEZE_CTL, FREEZE);
        wr(f, IMC0 + channel, 0, PCI_SELECT0, CAS_RD | ENABLE);
        wr(f, IMC0 + channel, 0, PCI_SELECT0 + 4, CAS_WR | ENABLE);
    }
    wr(f, 0, 0, FREEZE_CTL, UNFREEZE);
    wr(f, 0, 0, FREEZE_CTL, FREEZE);
    uint64_t before = pci_value(f, IMC0, 0);
    assert_int_equal(before, 7);
    assert_int_equal(pci_value(f, IMC0, 1), (UINT64_C(1) << 33) - 100);
    wr(f, 0, 0, FREEZE_CTL, UNFREEZE);
    done(f)->memory[0].cas_read[0] = 1000;
    done(f)->memory[0].cas_write[0] = 101;
    done(f)->memory[0].cas_write[1] = 40;
    wr(f, 0, 0, FREEZE_CTL, FREEZE);
    assert_int_equal(pci_value(f, IMC0, 0) - before, 1007);
    assert_int_equal(pci_value(f, IMC0, 1), 1);
    assert_int_equal(pci_value(f, IMC0 + 1, 1), 20); /* 3 * 40 - 100 */
}

FAULT_TEST(swap_in_a_box) {
    struct fixture *f = inject(faulty, "MBOX0C0 swap CAS_COUNT_WR");
    wr(f, IMC0, 0, PCI_SELECT0, CAS_RD | ENABLE);
    wr(f, IMC0 + 1, 0, PCI_SELECT0, CAS_RD | ENABLE);
    for (int channel = 0; channel < 2; channel++) {
        done(f)->memory[0].cas_read[channel] = 5;
        done(f)->memory[0].cas_write[channel] = 8;
    }
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0), 8);
    assert_int_equal(rd(f, IMC0 + 1, 0, PCI_COUNTER0), 5);
}

/* Starts a channel's first counter on each socket. */
static void count_reads(struct fixture *f, int device) {
    for (uint32_t socket = 0; socket < 2; socket++)
        wr(f, device, socket, PCI_SELECT0, CAS_RD | ENABLE);
}

FAULT_TEST(mirror_of_a_box) {
    struct fixture *f = inject(faulty, "MBOX1 mirror MBOX0");
    for (int channel = 0; channel < 3; channel++)
        count_reads(f, IMC0 + channel);
    for (int socket = 0; socket < 2; socket++)
        for (int channel = 0; channel < 3; channel++)
            done(f)->memory[socket].cas_read[channel] = (uint64_t)(10 * socket + channel + 1);
    for (uint32_t socket = 0; socket < 2; socket++) {
        assert_int_equal(rd(f, IMC0, socket, PCI_COUNTER0), 10 * socket + 1);
        assert_int_equal(rd(f, IMC0 + 1, socket, PCI_COUNTER0), 10 * socket + 1);
        assert_int_equal(rd(f, IMC0 + 2, socket, PCI_COUNTER0), 10 * socket + 3);
    }
}

FAULT_TEST(a_box_that_counts_nothing) {
    struct fixture *f = inject(faulty, "MBOX1 stuck 0");
    for (int channel = 0; channel < 2; channel++) {
        count_reads(f, IMC0 + channel);
        done(f)->memory[0].cas_read[channel] = 7;
    }
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0), 7);
    assert_int_equal(rd(f, IMC0 + 1, 0, PCI_COUNTER0), 0);
    assert_int_equal(pmu_check(&f->pmu, IMC0 + 1, 0), PMU_OK);
}

FAULT_TEST(socket_whose_boxes_are_wrong) {
    struct fixture *f = inject(faulty, "S1 mirror S0");
    start(f, 2, LOADS);
    count_reads(f, IMC0);
    done(f)->core[2].total[CORE_LOADS] = 9;
    done(f)->memory[0].cas_read[0] = 5;
    done(f)->memory[1].cas_read[0] = 80;
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0), 5);
    assert_int_equal(rd(f, IMC0, 1, PCI_COUNTER0), 5);
    assert_int_equal(rd(f, 0, 2, PMC0), 9); /* cores are no boxes */
    f = inject(faulty, "S1 stuck 0");
    assert_int_equal(rd(f, IMC0, 0, PCI_COUNTER0), 5);
    assert_int_equal(rd(f, IMC0, 1, PCI_COUNTER0), 0);
}

FAULT_TEST(unfiltered) {
    struct fixture *f = inject(faulty, "CBOX1 unfiltered\nOFFCORE_RESPONSE_0_OPTIONS unfiltered\nPMC0 unfiltered");
    for (uint32_t box = 0; box < 2; box++) {
        wr(f, 0, 0, CBOX0_FILTER0 + box * CBOX_STEP + 1, (uint64_t)DATA_READS << 20);
        wr(f, 0, 0, CBOX0_SELECT0 + box * CBOX_STEP, TOR_OPCODE | ENABLE);
    }
    wr(f, 0, 0, RESPONSE0, ANY_RESPONSE_TO_DATA_READS);
    start(f, 0, OFFCORE);
    for (int slice = 0; slice < 2; slice++) {
        done(f)->domain[0].slice[slice].requests[REQUEST_DATA_READ][LINE_KNOWN][DISTANCE_LOCAL] = 3;
        done(f)->domain[0].slice[slice].requests[REQUEST_RFO][LINE_KNOWN][DISTANCE_LOCAL] = 40;
    }
    done(f)->core[0].offcore[REQUEST_DATA_READ][SUPPLIER_L3][SNOOP_NONE] = 10;
    done(f)->core[0].offcore[REQUEST_RFO][SUPPLIER_LOCAL_DRAM][SNOOP_NONE] = 200;
    assert_int_equal(rd(f, 0, 0, CBOX0_COUNTER0), 3);
    assert_int_equal(rd(f, 0, 0, CBOX0_COUNTER0 + CBOX_STEP), 43);
    assert_int_equal(rd(f, 0, 0, PMC0), 210);
    start(f, 0, CYCLES | 2 << 24); /* at least two in a cycle: never, without the fault */
    done(f)->core[0].total[CORE_CYCLES] = 9;
    assert_int_equal(rd(f, 0, 0, PMC0), 9);
}

/* As by erratum HSD29: one event, in any counter. */
FAULT_TEST(sibling_counts_as_well) {
    enum { SELF = 1, SIBLING = 5 };
    faulty->f.node.config.threads_per_core = 2;
    struct fixture *f = inject(faulty, "MEM_UOPS_RETIRED_LOADS sibling");
    start(f, SELF, LOADS);
    done(f)->core[SELF].total[CORE_LOADS] = 3;
    done(f)->core[SIBLING].total[CORE_LOADS] = 20;
    done(f)->core[SELF + 1].total[CORE_LOADS] = 500;
    done(f)->core[SELF].total[CORE_INSTRUCTIONS] = 7;
    done(f)->core[SIBLING].total[CORE_INSTRUCTIONS] = 900;
    assert_int_equal(rd(f, 0, SELF, PMC0), 23);
    assert_int_equal(rd(f, 0, SELF, FIXED0), 7);
}

FAULT_TEST(spike_now_and_then) {
    enum { REGIONS = 4000 };
    struct fixture *f = inject(faulty, "PMC0 spike 4 0.25\n* seed 5");
    int spikes = 0;
    start(f, 0, LOADS);
    for (int i = 0; i < REGIONS; i++) {
        int64_t shown = region(f, 0, 100);
        assert_true(shown == 100 || shown == 400);
        spikes += shown == 400;
    }
    /* binomial: mean 1000, standard deviation 27 */
    assert_in_range(spikes, 1000 - 5 * 27, 1000 + 5 * 27);
}

FAULT_TEST(jitter_is_normal_and_repeatable) {
    enum { REGIONS = 4000 };
    double sum = 0, squares = 0;
    int64_t first = 0;
    for (int turn = 0; turn < 2; turn++) {
        struct fixture *f = inject(faulty, turn == 0 ? "PMC0 jitter 0.1\n* seed 5" : "* seed 6\nPMC0 jitter 0.1");
        memset(&f->state, 0, sizeof f->state);
        start(f, 0, LOADS);
        for (int i = 0; turn == 0 && i < REGIONS; i++) {
            double relative = (double)region(f, 0, 1000000) / 1e6 - 1;
            first = i == 0 ? lround(1e6 * relative) : first;
            sum += relative;
            squares += relative * relative;
        }
        if (turn == 1) /* another seed gives another number */
            assert_int_not_equal(region(f, 0, 1000000) - 1000000, first);
    }
    assert_true(fabs(sum / REGIONS) < 5 * 0.1 / sqrt(REGIONS));
    assert_true(fabs(sqrt(squares / REGIONS) / 0.1 - 1) < 5 / sqrt(2.0 * REGIONS));
    struct fixture *f = inject(faulty, "PMC0 jitter 0.1\n* seed 5");
    memset(&f->state, 0, sizeof f->state);
    start(f, 0, LOADS);
    assert_int_equal(region(f, 0, 1000000) - 1000000, first);
}

FAULT_TEST(cores_draw_their_own_numbers) {
    struct fixture *f = inject(faulty, "PMC0 jitter 0.1");
    start(f, 0, LOADS);
    start(f, 1, LOADS);
    assert_int_not_equal(region(f, 0, 1000000), region(f, 1, 1000000));
}

/* The count that busy daemons add in one second to an event that does not happen. */
static int64_t idle_second(struct faulty *faulty, uint32_t event) {
    struct fixture *f = inject(faulty, "* noise busy");
    memset(&f->state, 0, sizeof f->state);
    f->node.config.walk_latency = 30;
    start(f, 0, event);
    uint64_t before = reading(f, 0, PMC0);
    done(f)->socket[0].uncore_cycles += f->node.config.uncore_hz;
    return (int64_t)(reading(f, 0, PMC0) - before);
}

FAULT_TEST(noise_makes_page_walks) {
    enum { WALKS = 0x0108, CYCLES_OF_WALKS = 0x1008, LARGE_WALKS = 0x0408 };
    int64_t walks = idle_second(faulty, WALKS);
    assert_in_range(walks, 1, 250 * 12); /* exponentially distributed, mean 250 */
    assert_in_range(idle_second(faulty, CYCLES_OF_WALKS), 30 * walks - 16, 30 * walks + 16);
    assert_int_equal(idle_second(faulty, LARGE_WALKS), 0); /* daemons evict small pages */
    assert_int_equal(idle_second(faulty, LOADS), 0);
}

FAULT_TEST(seeds_of_runs) {
    assert_int_equal(faults_seed(1, "job/run/1"), faults_seed(1, "job/run/1"));
    assert_int_not_equal(faults_seed(1, "job/run/1"), faults_seed(1, "job/run/2"));
    assert_int_not_equal(faults_seed(1, "job/run/1"), faults_seed(2, "job/run/1"));
}
