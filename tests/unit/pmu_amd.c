/* pmu_amd.c - AMD's counters by hand: of cores, core complexes (L3), sockets (data fabric) and memory channels.
 *
 * Registers and bits: AMD, Processor Programming Reference for family 19h, model 01h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_text.h"
#include "vnode/pmu/fault_file.h"

static const char zen[] = "core amd select 0xc0010200 counter 0xc0010201 step 2 counters 6 width 48 fixed_width 64 "
                          "control 0xc0010015\n"
                          "fixed 0 0xc00000e9 writable 0xe9 enable 30\n"
                          "fixed 1 0xc00000e8 writable 0xe8\n"
                          "fixed 2 0xc00000e7\n"
                          "box L3 CPMC@ domain msr 0xc0010230 0 layout l3 width 48 select 0 2 4 6 8 10 "
                          "counter 1 3 5 7 9 11\n"
                          "box DF DFC@ socket msr 0xc0010240 0 layout fabric width 48 select 0 2 4 6 counter 1 3 5 7\n"
                          "box WIDE FAB@ socket msr 0xc0010340 0 layout fabric12 width 48 "
                          "select 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 "
                          "counter 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31\n"
                          "box UMC UMC%C@ channel msr 0xc0010800 8 layout umc width 48 select 0 2 4 6 "
                          "counter 1 3 5 7\n"
                          "event FIXC 0 0 INSTRUCTIONS = CORE_INSTRUCTIONS\n"
                          "event FIXC 1 0 APERF cycles = CORE_CYCLES\n"
                          "event FIXC 2 0 MPERF cycles = CORE_CYCLES\n"
                          "event PMC 0x76 0 CYCLES cycles = CORE_CYCLES\n"
                          "event PMC 0x29 1 LOADS = CORE_LOADS\n"
                          "event PMC 0x46 1 WALKING once = CORE_DTLB_LOAD_WALK_CYCLES\n"
                          "event PMC 0x1c7 1 WIDE_CODE = CORE_STORES\n"
                          "event PMC 0xc7 1 NARROW_CODE = CORE_BRANCHES\n"
                          "event PMC 3 0xf FLOPS = CORE_FP_SCALAR_DP + 2 * CORE_FP_128_DP + 4 * CORE_FP_256_DP\n"
                          "event PMC 0xfff 0 MERGE merge = 0\n"
                          "event L3 4 1 MISSES = CAS_READ[0]\n";
static const char events[] = "event L3 4 0xff LOOKUPS = VICTIMS_IN_CLEAN[*]\n"
                             "event DF 0x07 0x38 CHANNEL_0 = CAS_READ[0] + CAS_WRITE[0]\n"
                             "event DF 0x1c7 0x38 CHANNEL_7 = CAS_READ[7]\n"
                             "event DF 0x3047 0x38 HIGH_CODE = CAS_WRITE[1]\n"
                             "event WIDE 0x42df 0x7fe LOCAL_READS = CAS_READ[7] - CAS_READ_REMOTE[7]\n"
                             "event UMC 0x0a 0 BOTH = CAS_READ + CAS_WRITE\n"
                             "event UMC 0x0a 1 READS = CAS_READ\n";

enum { CTL0 = (int)0xc0010200, CTR0, L3_CTL0 = (int)0xc0010230, L3_CTR0, DF_CTL0 = (int)0xc0010240, DF_CTR0 };
enum { INSTRUCTIONS = (int)0xc00000e9, APERF = (int)0xc00000e8, MPERF = (int)0xc00000e7, HWCR = (int)0xc0010015 };
enum { USER = 1 << 16, KERNEL = 1 << 17, EDGE = 1 << 18, ENABLE = 1 << 22, INVERT = 1 << 23, LOADS = 0x0129 };
/* Bits [11:8] of an event code are in bits [35:32] of a select register; the fabric's [13:12] in [60:59]. */
#define CODE(bits) ((uint64_t)(bits) << 32)
#define FABRIC_HIGH(bits) ((uint64_t)(bits) << 59)
/* LIKWID's selection of all threads of a core, all slices and all cores. */
#define ALL (UINT64_C(3) << 56 | UINT64_C(1) << 46 | UINT64_C(1) << 47)

/* Two sockets with two core complexes of two cores and two slices each, 8 channels per socket. */
static const struct sim_config config = {.sockets = 2,
                                         .cores_per_socket = 4,
                                         .domains_per_socket = 2,
                                         .numa_per_socket = 1,
                                         .slices = 2,
                                         .channels = 8,
                                         .links = 3,
                                         .clock_hz = UINT64_C(2450000000)};

static int setup(void **state) {
    char text[4096];
    struct pmu_table table;
    snprintf(text, sizeof text, "%s%s", zen, events);
    /* a complex has no channels: this line is refused and left out */
    const char *line = strstr(text, "event L3 4 1");
    assert_non_null(strstr(text_load(text, &table), "totals of other places"));
    memmove((char *)(uintptr_t)line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    *state = text_unit(text, &config);
    return 0;
}

#define AMD_TEST(name) TEST_WITH(name, struct fixture *f, setup, fixture_teardown)

static uint64_t *total(struct fixture *f, uint32_t core, int count) {
    return &done(f)->core[core].total[count];
}

AMD_TEST(each_counter_has_its_own_enable_bit) {
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(rd(f, 0, 5, (uint32_t)CTL0 + 2 * i), 0);
        wr(f, 0, 5, (uint32_t)CTL0 + 2 * i, LOADS | USER);
        *total(f, 5, CORE_LOADS) += 100;
        assert_int_equal(rd(f, 0, 5, (uint32_t)CTR0 + 2 * i), 0);
        wr(f, 0, 5, (uint32_t)CTL0 + 2 * i, LOADS | USER | ENABLE);
        *total(f, 5, CORE_LOADS) += 7;
        assert_int_equal(rd(f, 0, 5, (uint32_t)CTR0 + 2 * i), 7);
        wr(f, 0, 5, (uint32_t)CTL0 + 2 * i, LOADS | USER);
        *total(f, 5, CORE_LOADS) += 1000;
        assert_int_equal(rd(f, 0, 5, (uint32_t)CTR0 + 2 * i), 7);
    }
    uint64_t value;
    assert_int_equal(pmu_read(&f->pmu, 0, 5, (uint32_t)CTL0 + 12, &value), PMU_NO_REGISTER);
    assert_int_equal(pmu_read(&f->pmu, 0, 5, 0x38f, &value), PMU_NO_REGISTER); /* no global control */
    assert_int_equal(pmu_read(&f->pmu, 0, 5, 0x186, &value), PMU_NO_REGISTER);
    assert_int_equal(rd(f, 0, 4, (uint32_t)CTR0), 0); /* another core */
    assert_string_equal(f->notes, "");
}

AMD_TEST(codes_have_twelve_bits) {
    wr(f, 0, 0, (uint32_t)CTL0, CODE(1) | 0x01c7 | USER | ENABLE);
    wr(f, 0, 0, (uint32_t)CTL0 + 2, 0x01c7 | USER | ENABLE);
    wr(f, 0, 0, (uint32_t)CTL0 + 4, CODE(2) | 0x01c7 | USER | ENABLE);
    *total(f, 0, CORE_STORES) = 3;
    *total(f, 0, CORE_BRANCHES) = 5;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0), 3);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 2), 5);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 4), 0);
    assert_string_equal(f->notes, "PMC2 event is not modelled;");
}

AMD_TEST(reserved_bits_read_as_zero) {
    wr(f, 0, 0, (uint32_t)CTL0, ~UINT64_C(0) & ~(uint64_t)ENABLE);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTL0), UINT64_C(0x30fff97ffff) & ~(uint64_t)ENABLE);
}

AMD_TEST(what_is_not_simulated) {
    const uint64_t selects[] = {LOADS | USER | KERNEL, LOADS, LOADS | USER | EDGE, LOADS | USER | 1 << 24,
                                LOADS | USER | UINT64_C(1) << 40};
    for (uint32_t i = 0; i < 5; i++) {
        f->notes[0] = '\0';
        wr(f, 0, 0, (uint32_t)CTL0, selects[i] | ENABLE);
        assert_memory_equal(f->notes, "PMC0 ", 5);
        *total(f, 0, CORE_LOADS) += 10;
        assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0), 0);
    }
    wr(f, 0, 0, (uint32_t)CTL0, LOADS | USER | ENABLE | UINT64_C(3) << 40); /* guests and host: everything */
    *total(f, 0, CORE_LOADS) += 10;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0), 10);
    wr(f, 0, 0, (uint32_t)CTL0 + 2, 0x76 | USER | ENABLE | 2 << 24 | INVERT);
    *total(f, 0, CORE_CYCLES) += 9;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 2), 9);
}

AMD_TEST(counters_wrap_at_48_bits) {
    wr(f, 0, 0, (uint32_t)CTL0 + 2, LOADS | USER | ENABLE);
    wr(f, 0, 0, (uint32_t)CTR0 + 2, ~UINT64_C(0) - 1);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 2), (UINT64_C(1) << 48) - 2);
    *total(f, 0, CORE_LOADS) = 5;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 2), 3);
}

/* Instructions retired, APERF and MPERF have no control register and 64 bits. */
AMD_TEST(fixed_counters_run_by_themselves) {
    uint64_t first = rd(f, 0, 2, (uint32_t)APERF), instructions = rd(f, 0, 2, (uint32_t)INSTRUCTIONS);
    *total(f, 2, CORE_CYCLES) += 1000;
    *total(f, 2, CORE_INSTRUCTIONS) += 400;
    assert_int_equal(rd(f, 0, 2, (uint32_t)APERF) - first, 1000);
    assert_int_equal(rd(f, 0, 2, (uint32_t)MPERF), 0);                   /* first reading */
    assert_int_equal(rd(f, 0, 2, (uint32_t)INSTRUCTIONS), instructions); /* not enabled */
    wr(f, 0, 2, (uint32_t)HWCR, UINT64_C(1) << 30);
    *total(f, 2, CORE_CYCLES) += 20;
    *total(f, 2, CORE_INSTRUCTIONS) += 8;
    assert_int_equal(rd(f, 0, 2, (uint32_t)INSTRUCTIONS), instructions + 8);
    assert_int_equal(rd(f, 0, 2, (uint32_t)INSTRUCTIONS), instructions + 8);
    assert_int_equal(rd(f, 0, 2, (uint32_t)APERF) - first, 1020);
    assert_int_equal(rd(f, 0, 2, (uint32_t)MPERF), 20);
    assert_int_equal(pmu_write(&f->pmu, 0, 2, (uint32_t)APERF, 1), PMU_OK); /* without effect */
    assert_int_equal(rd(f, 0, 2, (uint32_t)APERF) - first, 1020);
    wr(f, 0, 2, 0xe8, ~UINT64_C(0) - 4); /* this one can be written */
    *total(f, 2, CORE_CYCLES) += 3;
    assert_true(rd(f, 0, 2, (uint32_t)APERF) == ~UINT64_C(0) - 1);
    *total(f, 2, CORE_CYCLES) += 5;
    assert_int_equal(rd(f, 0, 2, 0xe8), 3); /* 64 bits: wrapped */
    assert_string_equal(f->notes, "");
}

/* FLOPs: an even counter merged with the next odd one. */
/* At most one walk per cycle: cycles with at least one are the walks' cycles, and none has two. */
AMD_TEST(thresholds_of_what_happens_once_in_a_cycle) {
    enum { WALKING = 0x0146, AT_LEAST_1 = 1 << 24, AT_LEAST_2 = 2 << 24 };
    const uint64_t conditions[] = {0, AT_LEAST_1, AT_LEAST_2}, expected[] = {70, 70, 0};
    for (uint32_t i = 0; i < 3; i++)
        wr(f, 0, 1, (uint32_t)CTL0 + 2 * i, WALKING | USER | ENABLE | conditions[i]);
    *total(f, 1, CORE_DTLB_LOAD_WALK_CYCLES) += 70;
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rd(f, 0, 1, (uint32_t)CTR0 + 2 * i), expected[i]);
    assert_string_equal(f->notes, "");
    wr(f, 0, 1, (uint32_t)CTL0, WALKING | USER | ENABLE | AT_LEAST_1 | INVERT);
    assert_string_equal(f->notes, "PMC0 threshold, edge and invert are modelled for cycles only;");
}

AMD_TEST(merged_counters) {
    const uint64_t top = (UINT64_C(1) << 48) - 1;
    wr(f, 0, 0, (uint32_t)CTL0 + 4, 0x0f03 | USER | ENABLE);
    wr(f, 0, 0, (uint32_t)CTL0 + 6, CODE(0xf) | 0xff | USER | ENABLE);
    assert_string_equal(f->notes, "");
    *total(f, 0, CORE_FP_256_DP) = 5;
    *total(f, 0, CORE_FP_SCALAR_DP) = 3;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 4), 23);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 6), 0);
    wr(f, 0, 0, (uint32_t)CTR0 + 4, top);
    *total(f, 0, CORE_FP_SCALAR_DP) += 2;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 4), 1);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 6), 1); /* the upper bits */
    *total(f, 0, CORE_FP_SCALAR_DP) += UINT64_C(3) << 48;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 6), 4);
    wr(f, 0, 0, (uint32_t)CTL0 + 6, LOADS | USER | ENABLE); /* no longer merged */
    wr(f, 0, 0, (uint32_t)CTR0 + 6, 0);
    wr(f, 0, 0, (uint32_t)CTR0 + 4, top);
    *total(f, 0, CORE_FP_SCALAR_DP) += 2;
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 4), 1);
    assert_int_equal(rd(f, 0, 0, (uint32_t)CTR0 + 6), 0);
    wr(f, 0, 0, (uint32_t)CTL0, CODE(0xf) | 0xff | USER | ENABLE); /* merge event in an even counter */
    assert_non_null(strstr(f->notes, "PMC0 the event does not count in this counter;"));
}

AMD_TEST(caches_of_core_complexes) {
    for (uint32_t core = 0; core < 8; core += 2)
        for (uint32_t i = 0; i < 6; i++)
            wr(f, 0, core, (uint32_t)L3_CTL0 + 2 * i, 0xff04 | ALL | (i == 5 ? 0 : ENABLE));
    for (uint32_t domain = 0; domain < 4; domain++)
        for (uint32_t slice = 0; slice < 2; slice++)
            done(f)->domain[domain].slice[slice].victims_in_clean = 10 * (domain + 1) + slice;
    for (uint32_t core = 0; core < 8; core++)
        for (uint32_t i = 0; i < 6; i++)
            assert_int_equal(rd(f, 0, core, (uint32_t)L3_CTR0 + 2 * i), i == 5 ? 0 : 20 * (core / 2 + 1) + 1);
    assert_string_equal(f->notes, "");
    const uint64_t filters[] = {UINT64_C(3) << 56 | UINT64_C(1) << 46, UINT64_C(3) << 56 | UINT64_C(1) << 47,
                                UINT64_C(2) << 56 | UINT64_C(3) << 46};
    for (size_t i = 0; i < 3; i++) {
        f->notes[0] = '\0';
        wr(f, 0, 1, (uint32_t)L3_CTL0, 0xff04 | filters[i] | ENABLE);
        assert_memory_equal(f->notes, "CPMC0 filtering by ", 19);
    }
    f->notes[0] = '\0'; /* family 17h's selection of every thread and slice */
    wr(f, 0, 1, (uint32_t)L3_CTL0, 0xff04 | UINT64_C(0xff0f) << 48 | ENABLE);
    assert_string_equal(f->notes, "");
}

AMD_TEST(data_fabric_of_sockets) {
    wr(f, 0, 4, (uint32_t)DF_CTL0, 0x3807 | ENABLE);
    wr(f, 0, 4, (uint32_t)DF_CTL0 + 2, CODE(1) | 0x38c7 | ENABLE);
    wr(f, 0, 4, (uint32_t)DF_CTL0 + 4, FABRIC_HIGH(3) | 0x3847 | ENABLE);
    wr(f, 0, 4, (uint32_t)DF_CTL0 + 6, 0x3847 | ENABLE); /* without the high bits it is another event */
    assert_string_equal(f->notes, "DFC3 event is not modelled;");
    struct sim_memory_counts *memory = &done(f)->memory[1];
    memory->cas_read[0] = 11;
    memory->cas_write[0] = 22;
    memory->cas_read[7] = 44;
    memory->cas_write[1] = 88;
    for (uint32_t core = 4; core < 8; core++) {
        assert_int_equal(rd(f, 0, core, (uint32_t)DF_CTR0), 33);
        assert_int_equal(rd(f, 0, core, (uint32_t)DF_CTR0 + 2), 44);
        assert_int_equal(rd(f, 0, core, (uint32_t)DF_CTR0 + 4), 88);
    }
    assert_int_equal(rd(f, 0, 3, (uint32_t)DF_CTR0), 0); /* the other socket */
}

/* From Zen 4 on: sixteen counters, codes of 15 bits and masks of 12; and four counters of each memory channel. */
AMD_TEST(wide_masks_and_memory_channels) {
    enum { FAB_CTL15 = (int)0xc001035e, UMC7_CTL1 = (int)0xc001083a };
    const uint64_t runs = UINT64_C(1) << 31, low = 0xfedf | CODE(0x42) | ENABLE;
    wr(f, 0, 4, (uint32_t)FAB_CTL15, low | 7 << 24);
    wr(f, 0, 4, (uint32_t)FAB_CTL15 - 2, low); /* without the high bits it is another event */
    assert_string_equal(f->notes, "FAB14 event is not modelled;");
    wr(f, 0, 5, (uint32_t)UMC7_CTL1, 0x10a | runs);
    wr(f, 0, 5, (uint32_t)UMC7_CTL1 + 2, 0x0a | runs);
    wr(f, 0, 5, (uint32_t)UMC7_CTL1 + 4, 0x10a | ENABLE); /* the bit that enables other counters */
    struct sim_memory_counts *memory = &done(f)->memory[1];
    memory->cas_read[7] = 50;
    memory->cas_write[7] = 3;
    memory->cas_remote[DRAM_READ][7] = 8;
    assert_int_equal(rd(f, 0, 6, (uint32_t)FAB_CTL15 + 1), 42);
    assert_int_equal(rd(f, 0, 6, (uint32_t)FAB_CTL15 - 1), 0);
    assert_int_equal(rd(f, 0, 6, (uint32_t)UMC7_CTL1 + 1), 50);
    assert_int_equal(rd(f, 0, 6, (uint32_t)UMC7_CTL1 + 3), 53);
    assert_int_equal(rd(f, 0, 6, (uint32_t)UMC7_CTL1 + 5), 0);
}

static struct fault_list *inject(struct fixture *f, const char *text) {
    static struct fault_list list;
    char error[256];
    const char *wrong = faults_parse(text, "f", &f->table, &f->node.config, &list, NULL, error, sizeof error);
    if (wrong)
        fail_msg("%s", wrong);
    f->pmu.faults = &list;
    return &list;
}

/* For a counter that cannot be stopped, two readings delimit a counting interval. */
AMD_TEST(faults_of_fixed_counters) {
    inject(f, "FIXC1 scale 3\nFIXC1 add 100\nFIXC2 wrap 60 5");
    uint64_t value = rd(f, 0, 0, (uint32_t)APERF);
    for (uint64_t cycles = 0; cycles < 50; cycles += 10) {
        *total(f, 0, CORE_CYCLES) += cycles;
        uint64_t now = rd(f, 0, 0, (uint32_t)APERF);
        assert_int_equal(now - value, 3 * cycles + 100);
        value = now;
    }
    assert_true(rd(f, 0, 1, (uint32_t)MPERF) == (UINT64_C(1) << 60) - 5);
    *total(f, 0 + 1, CORE_CYCLES) += 7;
    assert_int_equal(rd(f, 0, 1, (uint32_t)MPERF), 2);
    inject(f, "FIXC2 deny");
    assert_int_equal(pmu_read(&f->pmu, 0, 1, (uint32_t)MPERF, &value), PMU_RESTRICTED);
}

/* The same for other counters: nothing stops all together, and LIKWID reads them while they count. */
AMD_TEST(faults_of_counters_that_are_read_as_they_count) {
    inject(f, "PMC2 scale 3\nPMC2 add 100\nDFC0 add 7");
    wr(f, 0, 0, (uint32_t)CTL0 + 4, LOADS | USER | ENABLE);
    wr(f, 0, 0, (uint32_t)DF_CTL0, 0x3807 | ENABLE);
    uint64_t value = rd(f, 0, 0, (uint32_t)CTR0 + 4), channel = rd(f, 0, 0, (uint32_t)DF_CTR0);
    for (uint64_t count = 0; count < 50; count += 10) {
        *total(f, 0, CORE_LOADS) += count;
        uint64_t now = rd(f, 0, 0, (uint32_t)CTR0 + 4), then = rd(f, 0, 0, (uint32_t)DF_CTR0);
        assert_int_equal(now - value, 3 * count + 100);
        assert_int_equal(then - channel, 7);
        value = now;
        channel = then;
    }
}

AMD_TEST(limits_of_faults_follow_the_width) {
    static struct fault_list list;
    char error[256];
    static const struct {
        const char *text;
        int is_bad;
    } cases[] = {{"FIXC1 stuck 18446744073709551615", 0},
                 {"FIXC1 wrap 64 18446744073709551615", 0},
                 {"FIXC1 wrap 65", 1},
                 {"PMC0 wrap 48", 0},
                 {"PMC0 wrap 49", 1},
                 {"PMC0 stuck 281474976710656", 1},
                 {"CPMC5 scale 2", 0},
                 {"CPMC6 scale 2", 1},
                 {"DFC3 add 281474976710655", 0},
                 {"CPMC nodevice", 0},
                 {"DFC nodevice", 0},
                 {"MBOX0 nodevice", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *wrong =
            faults_parse(cases[i].text, "f", &f->table, &f->node.config, &list, NULL, error, sizeof error);
        if ((wrong != NULL) != cases[i].is_bad)
            fail_msg("%s: %s", cases[i].text, wrong ? wrong : "accepted");
    }
    /* the counters of all complexes lose counts */
    uint64_t value;
    inject(f, "CPMC nodevice");
    assert_int_equal(pmu_read(&f->pmu, 0, 6, (uint32_t)L3_CTR0, &value), PMU_NO_REGISTER);
    assert_int_equal(pmu_read(&f->pmu, 0, 6, (uint32_t)DF_CTR0, &value), PMU_OK);
}
