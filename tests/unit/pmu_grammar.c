/* pmu_grammar.c - tables of events as text: each kind of line, and errors with their line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_text.h"

static const char intel[] = "core intel 4 select 0x186 counter 0xc1 counters 8 width 48 fixed 0x309 fixed_counters 4 "
                            "fixed_width 40 fixed_control 0x38d control 0x38f status 0x38e clear 0x390 set 0x391\n";
static const char amd[] = "core amd select 0xc0010200 counter 0xc0010201 step 2 counters 6 width 48 fixed_width 64 "
                          "control 0xc0010015\n"
                          "fixed 0 0xc00000e9 writable 0xe9 enable 30\n"
                          "fixed 1 0xc00000e8\n"
                          "event FIXC 0 0 INST = CORE_INSTRUCTIONS\n"
                          "event FIXC 1 0 APERF cycles = CORE_CYCLES\n";

TEST(cores_of_both_kinds) {
    static struct pmu_table table;
    assert_null(text_load(intel, &table));
    assert_int_equal(table.core.kind, CORE_INTEL);
    assert_int_equal(table.core.version, 4);
    assert_int_equal(table.core.counters, 8);
    assert_int_equal(table.core.step, 1);
    assert_int_equal(table.core.fixed_counters, 4);
    assert_int_equal(table.core.set, 0x391);
    assert_int_equal(table_width(&table, "PMC"), 48);
    assert_int_equal(table_width(&table, "FIXC"), 40);
    assert_null(text_load(amd, &table));
    assert_int_equal(table.core.kind, CORE_AMD);
    assert_int_equal(table.core.step, 2);
    assert_int_equal(table.core.fixed_counters, 2);
    assert_int_equal(table.core.own[0].address, 0xc00000e9);
    assert_int_equal(table.core.own[0].writable, 0xe9);
    assert_int_equal(table.core.own[0].enable_bit, 30);
    assert_int_equal(table.core.own[1].enable_bit, -1);
    assert_int_equal(table_width(&table, "FIXC"), 64);
}

TEST(boxes_of_all_spaces) {
    static struct pmu_table table;
    char text[2048];
    snprintf(text, sizeof text,
             "%sdevice imc 50202 5 6 7 9 10 11\ndevice imc 50400 49 50 51 53\ndevice mem 50202 43\n"
             "box L3 CPMC@ domain msr 0xc0010230 0 layout l3 width 48 select 0 2 4 6 8 10 counter 1 3 5 7 9 11\n"
             "box DF DFC@ socket msr 0xc0010240 0 layout fabric width 48 select 0 2 4 6 counter 1 3 5 7\n"
             "box MBOX MBOX%%C@ channel pci64 imc width 48 control 0xf4 status 0xf8 status_bit 1 overflow 39 3 "
             "select 0xd8 0xdc counter 0xa0 0xa8\n"
             "box MEM MMIO%%C@ numa mmio mem width 32 select 0x40 counter 8\n"
             "box CBOX CBOX%%C@ slice msr 0xe00 0x10 width 44 filter 5 6 select 1 counter 8 states 0 17 I - S E M O\n"
             "event MBOX 4 3 CAS_RD = CAS_READ\n"
             "event DF 0x3fff 0xff ALL = 2 * CAS_READ[*] - CAS_READ[3]\n"
             "event L3 4 0xff REFS = LOOKUP_DATA_READ[*] + CORE_L2_RFO_MISS[*]\n"
             "event CBOX 0 0 CLOCK cycles = UNCORE_CYCLES\n",
             amd);
    const char *wrong = text_load(text, &table);
    assert_null(wrong);
    assert_int_equal(table.boxes, 5);
    assert_int_equal(table.box[0].counters, 6);
    assert_int_equal(table.box[0].layout, SELECT_BOX_L3);
    assert_int_equal(table.box[0].scope, SCOPE_DOMAIN);
    assert_int_equal(table.box[1].layout, SELECT_BOX_FABRIC);
    assert_int_equal(table.box[2].space, SPACE_PCI64);
    assert_int_equal(table.box[2].layout, SELECT_BOX_INTEL);
    assert_int_equal(table.box[2].overflow_group, 3);
    assert_int_equal(table.box[3].space, SPACE_MMIO);
    assert_int_equal(table.box[3].width, 32);
    assert_int_equal(table.box[4].states, 6);
    assert_int_equal(table.box[4].state_order[1], -1);
    assert_int_equal(table.box[4].state_order[5], LINE_O);
    const struct table_event *event = table_event(&table, "DF", 0x3fff, 0xff);
    assert_non_null(event);
    assert_int_equal(event->formula.term[0].part, FORMULA_ALL);
    assert_int_equal(event->formula.term[1].part, 3);
    assert_int_equal(table_device(&table, "imc", 50202, 3), 9);
    assert_int_equal(table_device(&table, "imc", 50300, 5), 11);
    assert_int_equal(table_device(&table, "imc", 50400, 3), 53);
    assert_int_equal(table_device(&table, "imc", 50400, 5), 55); /* index beyond the list */
    assert_int_equal(table_device(&table, "imc", 50201, 0), -1);
    assert_int_equal(table_device(&table, "ha", 50400, 0), -1);
}

/* Line 2, after an Intel core in line 1, and the error about it. */
TEST(wrong_lines_are_named) {
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"colour 3", "unknown kind of line 'colour'"},
        {"core intel 3", "described twice"},
        {"fixed 0 0xe9", "behind an AMD core"},
        {"freeze 1 64 3 4", "out of range"},
        {"freeze 1 2 - 4 ha", "no device is called 'ha'"},
        {"ratio 0xce 0xff 0", "out of range"},
        {"device imc 50202 five", "'five'"},
        {"device imc 50202", "no number of 'imc'"},
        {"device imc 50202 -1", "expected a number, not '-1'"},
        {"device toolongname 50202 1", "missing or too long"},
        {"stored 0x100000000", "more than 32 bits"},
        {"box A A@ nowhere msr 1 1 width 48 select 1 counter 2", "'nowhere'"},
        {"box A A@ socket usb 1 1 width 48 select 1 counter 2", "'usb'"},
        {"box A A@ socket pci ha width 48 select 1 counter 2", "no device is called 'ha'"},
        {"box A A@ socket msr 1 1 select 1 counter 2", "no width in 'A'"},
        {"box A A@ socket msr 1 1 width 65 select 1 counter 2", "out of range"},
        {"box A A@ socket msr 1 1 width 48 select 1 2 counter 3", "as many selects as counters"},
        {"box A A@ socket msr 1 1 width 48", "as many selects as counters"},
        {"box A A@ socket msr 1 1 width 48 always 1 counter 2 3", "as many selects as counters"},
        {"box A A@ socket msr 1 1 width 48 select 1 counter 2 states select 64 I", "out of range"},
        {"box A A@ socket msr 1 1 width 48 select 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "too many"},
        {"box A A@ socket msr 1 1 7 width 48", "a number without a word"},
        {"box A A@ socket msr 1 1 width 48 layout core select 1 counter 2", "'core'"},
        {"box A A@ socket msr 1 1 width 48 select 1 counter 2 overflow 1 0", "out of range"},
        {"box A A@ socket msr 1 1 width 48 select 1 counter 2 states 0 17 I", "no such filter"},
        {"box A A@ socket msr 1 1 width 48 filter 3 select 1 counter 2 states 0 17 X", "'X'"},
        {"box A A@ socket msr 1 1 gap 0 9 width 48 select 1 counter 2", "out of range"},
        {"box A A@ socket msr 1 1 gap 3 9 gap 3 8 width 48 select 1 counter 2", "out of range"},
        {"box A A@ socket msr 1 1 gap 1 9 gap 2 8 gap 3 7 width 48 select 1 counter 2", "too many"},
        {"response_bit 64 any", "out of range"},
        {"response 0xb7 1 0x1a6", "missing or too long"},
        {"memory_snoop PERHAPS", "'PERHAPS'"},
        {"event PMC 0x10 X NAME = CORE_LOADS", "'X'"},
        {"event PMC 0x10 1 NAME = CORE_LOADS +", "expected the name of a total"},
        {"event PMC 0x10 1 NAME = CORE_NOTHING", "no total is called CORE_NOTHING"},
        {"event PMC 0x10 1 NAME = CORE_LOADS[x]", "expected a number or *"},
        {"event PMC 0x10 1 NAME = CAS_READ", "totals of other places"},
        {"event PMC 0x10 1 NAME = CAS_READ[*]", "totals of other places"},
        {"event PMC 0x10 1 NAME purple = CORE_LOADS", "'purple'"},
        {"event PMC 0x10 1 NAME", "no formula for 'NAME'"},
        {"event QBOX 0x10 1 NAME = 0", "no counters are called 'QBOX'"},
        {"event PMC 0x10+X 1 NAME = 0", "'X'"},
        {"event PMC 0xffffffff+1 1 NAME = 0", "more than 32 bits"},
        {"event PMC {b:0-1} 1 NAME = 0", "braces hold a capital letter and a range"},
        {"event PMC {B:1-0} 1 NAME = 0", "braces hold a capital letter and a range"},
        {"event PMC {B} 1 NAME = 0", "braces hold a capital letter and a range"},
        {"event PMC 0x10 {B:0-1} NAME{B} = BANK_READ_RANK0_BANK16", "no total is called BANK_READ_RANK0_BANK16"},
        {"event PMC 0x10+{B:0-1} 1 NAME = {B}", "a constant other than 0"},
        {"field QBOX 0x10 1 = 0", "no counters are called 'QBOX'"},
        {"field PMC 0x10 1&2&4&8 = 0", "too many"},
        {"field PMC 0x10 1 CORE_LOADS", "expected = behind a field's masks, not 'CORE_LOADS'"},
        {"field PMC 0x10 1!x = 0", "'x'"},
        {"field PMC 0x10 1 = ? CORE_LOADS", "unexpected 'CORE_LOADS'"},
        {"field PMC 0x10 1 = CAS_READ", "totals of other places"},
        {"opcode CBOX 0x182 READS", "unknown word 'READS'"},
        {"driver XBOX uncore_xbox", "no counters are called 'XBOX'"},
        {"generic L4-loads 0x81d0", "perf_event has no event 'L4-loads'"},
        {"box A A@ socket msr 1 1 width 48 select 1 counter 2 opcodes 0 20 9", "no such filter"},
    };
    static struct pmu_table table;
    char text[1024];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s # no\n", intel, cases[i].line);
        const char *wrong = text_load(text, &table);
        if (!wrong || strncmp(wrong, ":2: ", 4) != 0 || !strstr(wrong, cases[i].said) || strchr(wrong, '\n'))
            fail_msg("'%s' gives '%s'", cases[i].line, wrong ? wrong : "nothing");
    }
}

/* Sums of fields, alternatives, excluded bits, and names for these. */
TEST(fields_of_unit_masks) {
    static struct pmu_table table;
    char text[1024];
    struct table_event event;
    snprintf(text, sizeof text,
             "%sfield PMC 0x10 1&6 = CORE_LOADS\nfield PMC 0x10 2!8 = CORE_STORES\nfield PMC 0x10 0x10 = ?\n"
             "field PMC 0x10 8 = 0\nevent PMC 0x10 3 BOTH\n",
             intel);
    const char *wrong = text_load(text, &table);
    assert_null(wrong);
    assert_int_equal(table.events, 1);
    assert_int_equal(table.event[0].formula.terms, 2);
    static const struct {
        uint32_t umask;
        int terms; /* -1: not modelled */
    } cases[] = {{0, -1}, {1, -1}, {2, 1}, {3, 2}, {4, -1}, {5, 1}, {8, 0}, {0xa, 0}, {0xb, 1}, {0x12, -1}, {0x22, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int found = table_decode(&table, "PMC", 0x10, cases[i].umask, &event);
        assert_int_equal(found == 0 ? (int)event.formula.terms : -1, cases[i].terms);
    }
    assert_int_equal(table_decode(&table, "PMC", 0x11, 3, &event), -1);
    assert_int_equal(table_decode(&table, "FIXC", 0x10, 3, &event), -1);
    strcat(text, "event PMC 0x10 0x12 UNKNOWN\n");
    wrong = text_load(text, &table);
    assert_non_null(wrong);
    assert_non_null(strstr(wrong, ":7: its fields do not say what it counts: 'UNKNOWN'"));
}

/* One line stands for all pairs of numbers. */
TEST(lines_that_stand_for_several) {
    static struct pmu_table table;
    char text[1024];
    snprintf(text, sizeof text,
             "%sdevice imc 50202 5\nbox MBOX MBOX%%C@ channel pci imc width 48 select 1 counter 2\n"
             "event MBOX 0xb0+{R:0-2} {B:9-10} RD{R}_{B} = BANK_READ_RANK{R}_BANK{B}\n",
             intel);
    const char *wrong = text_load(text, &table);
    assert_null(wrong);
    assert_int_equal(table.events, 6);
    const struct table_event *event = table_event(&table, "MBOX", 0xb1, 10);
    assert_non_null(event);
    assert_string_equal(event->name, "RD1_10");
    assert_int_equal(event->formula.term[0].total.offset,
                     offsetof(struct sim_memory_counts, banks[DRAM_READ][0][1][10]));
    assert_string_equal(table.event[1].name, "RD0_10");
}

/* Whole tables. */
TEST(invalid_tables_are_refused) {
    static const char *const bad[] = {
        "",
        "# only a comment\n",
        "core sparc select 1\n",
        "core intel 2 select 1\n",
        "core intel 6 select 1\n",
        "core intel 3 select 0x186 counter 0xc1 counters 9 width 48 fixed 0x309 fixed_counters 3 fixed_width 48 "
        "fixed_control 0x38d control 0x38f status 0x38e clear 0x390\n",
        "core intel 3 select 0x186 counter 0xc1 counters 8 width 65 fixed 0x309 fixed_counters 3 fixed_width 48 "
        "fixed_control 0x38d control 0x38f status 0x38e clear 0x390\n",
        "core intel 4 select 0x186 counter 0xc1 counters 8 width 48 fixed 0x309 fixed_counters 3 fixed_width 48 "
        "fixed_control 0x38d control 0x38f status 0x38e clear 0x390\n",
        "core intel 3 select 0x186 counter 0xc1 counters 8 width 48 fixed 0x309 fixed_counters 3 fixed_width 48 "
        "fixed_control 0x38d control 0x38f status 0x38e clear 0x390 set 0x391\n",
        "core intel 3 select 0x186 counter 0xc1 counters 8 width 48 fixed_counters 3 fixed_width 48 "
        "fixed_control 0x38d control 0x38f status 0x38e clear 0x390\n",
        "core amd select 1 counter 2 step 2 counters 6 width 48 status 3\n",
        "core amd select 1 counter 2 step 0 counters 6 width 48\n",
        "core amd select 1 counter 2 step 2 counters 6 width 48\nfixed 0 0xe9\n", /* no width */
        "core amd select 1 counter 2 step 2 counters 6 width 48 fixed_width 64\nfixed 1 0xe9\n",
        "core amd select 1 counter 2 step 2 counters 6 width 48 fixed_width 64\nfixed 0 0xe9 enable 30\n",
        "core amd select 1 counter 2 step 2 counters 6 width 48 fixed_width 64\nfixed 0 0xe9\n", /* no event */
    };
    static struct pmu_table table;
    char path[64] = "/tmp/nonexistent/pmu.events", error[256], text[1024];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!text_load(bad[i], &table))
            fail_msg("accepted: %s", bad[i]);
    snprintf(text, sizeof text, "%sevent FIXC 0 0 AGAIN = CORE_LOADS\n", amd);
    assert_non_null(strstr(text_load(text, &table), ":6: the same unit, code and unit mask"));
    assert_non_null(table_load(path, &table, error, sizeof error));
    assert_memory_equal(error, path, strlen(path));
}

TEST(a_line_that_is_too_long) {
    static struct pmu_table table;
    static char text[4096];
    memset(text, ' ', sizeof text - 1);
    memcpy(text, intel, sizeof intel - 1);
    memcpy(text + 3000, "stored 0x10", 11);
    assert_non_null(strstr(text_load(text, &table), ":2: a line is too long"));
}

TEST(formulas_of_larger_places) {
    static struct pmu_table table;
    /* 2 sockets of 5 cores: domains of 3 and 2 cores with 2 slices, 2 NUMA domains with 3 channels, 2 links */
    static const struct sim_config config = {.sockets = 2,
                                             .cores_per_socket = 5,
                                             .domains_per_socket = 2,
                                             .numa_per_socket = 2,
                                             .slices = 2,
                                             .channels = 3,
                                             .links = 2};
    struct fixture *f = text_unit(intel, &config);
    struct sim_counts *counts = done(f);
    struct formula formula;
    char error[128];
    (void)table;
    for (uint32_t i = 0; i < 10; i++)
        counts->core[i].total[CORE_LOADS] = UINT64_C(1) << (4 * i);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 3; j++) {
            counts->memory[i].cas_read[j] = UINT64_C(1) << (4 * (3 * i + j));
            counts->domain[i].slice[j].victims_in_clean = UINT64_C(1) << (4 * (3 * i + j));
        }
    counts->socket[1].link_data_lines_out[0] = 3;
    counts->socket[1].link_data_lines_out[1] = 5;
    const struct {
        const char *text;
        enum scope scope;
        struct place place;
        uint64_t expected;
    } cases[] = {
        {"CORE_LOADS", SCOPE_CORE, {.core = 7}, UINT64_C(0x10000000)},
        {"CORE_LOADS[*]", SCOPE_DOMAIN, {.domain = 0}, 0x111},
        {"CORE_LOADS[*]", SCOPE_DOMAIN, {.domain = 1}, 0x11000},
        {"CORE_LOADS[*]", SCOPE_DOMAIN, {.domain = 3, .socket = 1}, UINT64_C(0x1100000000)},
        {"CORE_LOADS[2]",
         SCOPE_DOMAIN,
         {.domain = 1},
         0}, /* the domain has two cores: the next one is in another socket */
        {"CORE_LOADS[*]", SCOPE_SOCKET, {.socket = 1}, UINT64_C(0x1111100000)},
        {"CAS_READ[*]", SCOPE_NUMA, {.numa = 2, .socket = 1}, UINT64_C(0x111000000)},
        {"CAS_READ[*]", SCOPE_SOCKET, {.socket = 0}, 0x111111},
        {"CAS_READ[4]", SCOPE_SOCKET, {.socket = 1}, UINT64_C(1) << 40},
        {"CAS_READ[6]", SCOPE_SOCKET, {.socket = 0}, 0},
        {"3 * CAS_READ - CAS_READ[0]", SCOPE_CHANNEL, {.numa = 1, .instance = 2}, 2u << 20},
        {"VICTIMS_IN_CLEAN[*]", SCOPE_DOMAIN, {.domain = 3, .socket = 1}, UINT64_C(0x11000000000)},
        {"VICTIMS_IN_CLEAN[*]", SCOPE_SOCKET, {.socket = 1}, UINT64_C(0x11011000000)},
        {"LINK_DATA_LINES_OUT", SCOPE_LINK, {.socket = 1, .instance = 1}, 5},
        {"LINK_DATA_LINES_OUT[*]", SCOPE_SOCKET, {.socket = 1}, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(formula_parse(cases[i].text, &formula, error, sizeof error));
        assert_true(formula_fits(&formula, cases[i].scope));
        uint64_t value = formula_value(&formula, &f->pmu.view, cases[i].scope, &cases[i].place, NULL);
        if (value != cases[i].expected)
            fail_msg("%s of a %s: 0x%llx", cases[i].text, scope_name((int)cases[i].scope), (unsigned long long)value);
    }
    assert_null(formula_parse("CAS_READ", &formula, error, sizeof error));
    assert_false(formula_fits(&formula, SCOPE_SOCKET)); /* of which channel? */
    assert_null(formula_parse("CORE_LOADS[*]", &formula, error, sizeof error));
    assert_false(formula_fits(&formula, SCOPE_NUMA));
    free(f);
}
