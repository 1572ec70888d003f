/* pmu_events.c - every event in the node's table of Haswell-EP, programmed and read through registers on all cores and
 * boxes, against the meaning of its name (pmu_events_core.h, pmu_events_box.h). The totals are first all different
 * numbers, then those of the reference simulator (sim_reference.h) after a random trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_fixture.h"

#include "pmu_events_box.h"
#include "pmu_events_core.h"
#include "sim_node.h"
#include "sim_reference_trace.h"
#include "vnode/pmu/box_use.h"

enum { ENABLE = 1 << 22, USER = 1 << 16, EXTENDED = 1 << 21, GLOBAL = 0x38f, FIXED_CONTROL = 0x38d, FIXED = 0x309 };
enum { STATES = 0x1f << 17, OPCODE_BIT = 20, TRACE_ACCESSES = 100000 };

#define COUNTER_BITS ((UINT64_C(1) << 48) - 1)

/* ---- totals ---- */

/* Makes all totals different, and all sums of totals, except those that are equal in hardware. */
static void fill_apart(struct sim_counts *counts) {
    uint64_t *word = (uint64_t *)counts, x = 1;
    for (size_t i = 0; i < sizeof *counts / sizeof *word; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        word[i] = x >> 24; /* 40 bits; counters have 48 */
    }
    for (uint32_t core = 0; core < SIM_CORES_MAX; core++) {
        uint64_t *total = counts->core[core].total;
        total[CORE_LOAD_L2_MISS] = total[CORE_LOAD_L3_HIT] + total[CORE_LOAD_L3_MISS];
        total[CORE_LOAD_L1_MISS] = total[CORE_LOAD_L2_HIT] + total[CORE_LOAD_L2_MISS];
    }
}

/* Fills the totals by simulating a trace on a node like the fixture's. */
static void fill_by_trace(const struct fixture *f, struct sim_counts *counts) {
    struct sim_config config = node_config(f->node.config.sockets, f->node.config.cores_per_socket);
    config.l1i = config.l1d = (struct sim_cache_config){2 * 2 * LINE, 2, 0};
    config.l2 = (struct sim_cache_config){2 * 3 * LINE, 3, L2_LATENCY};
    config.l3 = (struct sim_cache_config){512 * 2 * LINE, 2, L3_LATENCY};
    config.dtlb = config.itlb = (struct sim_tlb_config){4, 2};
    config.stlb = (struct sim_tlb_config){8, 2};
    config.ranks = SIM_RANKS_MAX;
    config.banks = SIM_BANKS_MAX;
    config.dram_row = LINE;
    assert_int_equal(config.slices, f->node.config.slices);
    assert_int_equal(config.channels, f->node.config.channels);
    struct reference *reference = reference_make(&config);
    struct trace trace = trace_make(&config, 1);
    for (int i = 0; i < TRACE_ACCESSES; i++) {
        struct access access = trace_next(&trace);
        refer(reference, &access);
    }
    memcpy(counts, reference->counts, sizeof *counts);
    reference_free(reference);
}

/* ---- registers ---- */

/* The location of counter 0 of a box. */
struct at {
    int device;
    uint32_t cpu, select, counter;
};

static const struct box_layout *box_of(const struct fixture *f, const char *unit) {
    for (uint32_t i = 0; i < f->table.boxes; i++)
        if (strcmp(f->table.box[i].unit, unit) == 0)
            return &f->table.box[i];
    return NULL;
}

static struct at locate(const struct fixture *f, const struct box_layout *box, uint32_t socket, uint32_t instance) {
    uint32_t base = box->base + instance * box->step;
    if (box->space == SPACE_MSR)
        return (struct at){0, socket * f->node.config.cores_per_socket, base + box->select[0], base + box->counter[0]};
    int device = table_device(&f->table, box->device, f->node.likwid_version, instance);
    return (struct at){device, socket, box->select[0], box->counter[0]};
}

static uint64_t read_both_halves(struct fixture *f, const struct box_layout *box, const struct at *at) {
    uint64_t low = rd(f, at->device, at->cpu, at->counter);
    return box->space == SPACE_PCI ? low | rd(f, at->device, at->cpu, at->counter + 4) << 32 : low;
}

static uint64_t select_of(const struct table_event *event) {
    return (event->code & 0xff) | event->umask << 8 | (event->code >> 8 ? EXTENDED : 0);
}

/* ---- events ---- */

/* The expected count of box number `instance` of a socket. 0: unknown. */
static int box_truth(const struct table_event *event, const struct sim_counts *counts, uint32_t socket,
                     uint32_t instance, struct truth_filter filter, uint64_t *out) {
    uint64_t clock = counts->socket[socket].uncore_cycles;
    if (strcmp(event->unit, "MBOX") == 0)
        return channel_truth(event->name, &counts->memory[socket], instance, out);
    if (strcmp(event->unit, "BBOX") == 0)
        return agent_truth(event->name, &counts->memory[socket].agent[instance], clock, out);
    if (strcmp(event->unit, "QBOX") == 0)
        return link_truth(event->name, &counts->socket[socket], instance, out);
    if (strcmp(event->unit, "CBOX") == 0 && strcmp(event->name, "CBOX_CLOCKTICKS") != 0)
        return slice_truth(event->name, &counts->domain[socket].slice[instance], filter, out);
    *out = clock;
    return 1;
}

static void check_box_event(struct fixture *f, const struct table_event *event, const struct sim_counts *counts,
                            uint64_t opcode, struct truth_filter filter) {
    const struct box_layout *box = box_of(f, event->unit);
    uint32_t places = box_places(box, &f->node.config);
    memset(done(f), 0, sizeof *done(f));
    for (uint32_t i = 0; i < 2 * places; i++) {
        struct at at = locate(f, box, i / places, i % places);
        if (box->opcode_filter >= 0) {
            uint32_t own = at.select - box->select[0];
            wr(f, 0, at.cpu, own + box->filter[box->states_filter], STATES);
            wr(f, 0, at.cpu, own + box->filter[box->opcode_filter], opcode << OPCODE_BIT);
        }
        wr(f, at.device, at.cpu, at.select, select_of(event) | ENABLE);
        wr(f, at.device, at.cpu, at.counter, 0);
        if (box->space == SPACE_PCI)
            wr(f, at.device, at.cpu, at.counter + 4, 0);
    }
    memcpy(done(f), counts, sizeof *counts);
    for (uint32_t i = 0; i < 2 * places; i++) {
        struct at at = locate(f, box, i / places, i % places);
        uint64_t value = read_both_halves(f, box, &at), truth;
        if (!box_truth(event, counts, i / places, i % places, filter, &truth))
            fail_msg("%s: nobody knows what it counts", event->name);
        truth &= COUNTER_BITS;
        if (value != truth)
            fail_msg("%s of box %u: %llu, not %llu", event->name, i, (unsigned long long)value,
                     (unsigned long long)truth);
        wr(f, at.device, at.cpu, at.select, 0);
    }
}

static void check_core_event(struct fixture *f, const struct table_event *event, const struct sim_counts *counts) {
    const struct core_layout *core = &f->table.core;
    int fixed = strcmp(event->unit, UNIT_FIXED) == 0;
    uint32_t register_of = fixed ? FIXED + event->code : core->counter;
    memset(done(f), 0, sizeof *done(f));
    for (uint32_t i = 0; i < sim_cores(&f->node.config); i++) {
        wr(f, 0, i, GLOBAL, fixed ? UINT64_C(1) << (32 + event->code) : 1);
        if (fixed)
            wr(f, 0, i, FIXED_CONTROL, UINT64_C(2) << (4 * event->code));
        else
            wr(f, 0, i, core->select, select_of(event) | USER | ENABLE);
        wr(f, 0, i, register_of, 0);
    }
    memcpy(done(f), counts, sizeof *counts);
    for (uint32_t i = 0; i < sim_cores(&f->node.config); i++) {
        uint64_t value = rd(f, 0, i, register_of), truth;
        if (!core_truth(event->name, &counts->core[i], &truth))
            fail_msg("%s: nobody knows what it counts", event->name);
        truth &= COUNTER_BITS;
        if (value != truth)
            fail_msg("%s of core %u: %llu, not %llu", event->name, i, (unsigned long long)value,
                     (unsigned long long)truth);
        wr(f, 0, i, core->select, 0);
        wr(f, 0, i, FIXED_CONTROL, 0);
    }
}

/* Intel's opcodes of a slice's requests, and the requests (bits of enum sim_request) that have them. */
static const struct {
    uint64_t opcode;
    unsigned requests;
} opcodes[] = {
    {0x180, 1u << REQUEST_RFO | 1u << REQUEST_PREFETCH_RFO},
    {0x181, 1u << REQUEST_CODE_READ | 1u << REQUEST_PREFETCH_CODE_READ},
    {0x182, 1u << REQUEST_DATA_READ | 1u << REQUEST_L1_PREFETCH | 1u << REQUEST_PREFETCH_DATA_READ},
    {0x190, 1u << REQUEST_L3_PREFETCH_RFO},
    {0x191, 1u << REQUEST_L3_PREFETCH_CODE_READ},
    {0x192, 1u << REQUEST_L3_PREFETCH_DATA_READ},
    {0x1c4, 1u << REQUEST_WRITEBACK},
};

static void check_all(struct fixture *f, const struct sim_counts *counts) {
    for (uint32_t i = 0; i < f->table.events; i++) {
        const struct table_event *event = &f->table.event[i];
        if (!box_of(f, event->unit)) {
            check_core_event(f, event, counts);
            continue;
        }
        for (size_t k = 0; k < (strstr(event->name, "OPCODE") ? sizeof opcodes / sizeof *opcodes : 1); k++) {
            /* O is not selected: the filter has no bit for it */
            struct truth_filter filter = {~(1u << LINE_O), opcodes[k].requests};
            check_box_event(f, event, counts, opcodes[k].opcode, filter);
        }
    }
    assert_string_equal(f->notes, "");
}

PMU_TEST(events_of_totals_that_are_all_different) {
    struct sim_counts *counts = malloc(sizeof *counts);
    assert_non_null(counts);
    fill_apart(counts);
    check_all(f, counts);
    free(counts);
}

PMU_TEST(events_of_a_random_trace) {
    struct sim_counts *counts = malloc(sizeof *counts);
    assert_non_null(counts);
    fill_by_trace(f, counts);
    check_all(f, counts);
    free(counts);
}

PMU_TEST(five_hundred_events_have_a_name) {
    uint32_t never = 0;
    for (uint32_t i = 0; i < f->table.events; i++)
        never += f->table.event[i].formula.terms == 0;
    assert_true(f->table.events - never >= 500); /* without events that never happen */
}

/* Broadwell-EP has Haswell-EP's boxes: events with the same names have the same counts. */
PMU_TEST(broadwell_counts_the_same_under_the_same_names) {
    const struct total_filter filter = {~0U, ~0U};
    struct pmu_table *other = malloc(sizeof *other);
    struct sim_counts *counts = malloc(sizeof *counts);
    uint32_t same = 0;
    char error[512];
    assert_non_null(other);
    assert_non_null(counts);
    assert_null(table_load(GROUPS "/broadwellEP/pmu.events", other, error, sizeof error));
    fill_apart(counts);
    memcpy(done(f), counts, sizeof *counts);
    for (uint32_t i = 0; i < f->table.events; i++)
        for (uint32_t k = 0; k < other->events; k++) {
            const struct table_event *one = &f->table.event[i], *two = &other->event[k];
            if (strcmp(one->name, two->name) != 0)
                continue;
            const struct box_layout *box = box_of(f, one->unit);
            enum scope scope = box ? (enum scope)box->scope : SCOPE_CORE;
            uint64_t value = formula_value(&one->formula, &f->pmu.view, scope, &(struct place){0}, &filter);
            if (value != formula_value(&two->formula, &f->pmu.view, scope, &(struct place){0}, &filter))
                fail_msg("%s counts something else", one->name);
            same++;
        }
    assert_true(same > 500);
    free(counts);
    free(other);
}

/* ---- unit masks without a name ---- */

static int decode(const struct fixture *f, const char *unit, uint32_t code, uint32_t umask,
                  const struct sim_counts *counts, const struct place *place, uint64_t *out) {
    struct table_event event;
    if (table_decode(&f->table, unit, code, umask, &event) != 0)
        return 0;
    memcpy(done((struct fixture *)f), counts, sizeof *counts);
    *out =
        formula_value(&event.formula, &f->pmu.view, strcmp(unit, "PMC") == 0 ? SCOPE_CORE : SCOPE_CHANNEL, place, NULL);
    return 1;
}

/* Requests to L2 by request and outcome: a unit mask needs a bit of each. */
PMU_TEST(requests_by_outcome) {
    static const struct {
        uint32_t mask; /* bits of the request */
        int miss, hit;
    } totals[] = {{1, CORE_L2_DATA_READ_MISS, CORE_L2_DATA_READ_HIT},
                  {1, CORE_L2_L1_PREFETCH_MISS, CORE_L2_L1_PREFETCH_HIT},
                  {2, CORE_L2_RFO_MISS, CORE_L2_RFO_HIT},
                  {4, CORE_L2_CODE_READ_MISS, CORE_L2_CODE_READ_HIT},
                  {0x18, CORE_L2_PREFETCH_MISS, CORE_L2_PREFETCH_HIT}};
    struct sim_counts *counts = malloc(sizeof *counts);
    assert_non_null(counts);
    fill_apart(counts);
    for (uint32_t umask = 0; umask < 0x100; umask++) {
        uint64_t expected = 0, value;
        int is_known = (umask & 0x1f) && (umask & 0x60) && !((umask & 0x80) && !(umask & 0x40));
        for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
            if (umask & totals[i].mask)
                expected += (umask & 0x20 ? counts->core[1].total[totals[i].miss] : 0) +
                            (umask & 0x40 ? counts->core[1].total[totals[i].hit] : 0);
        assert_int_equal(decode(f, "PMC", 0x24, umask, counts, &(struct place){.core = 1}, &value), is_known);
        if (is_known)
            assert_int_equal(value, expected);
    }
    free(counts);
}

/* Loads by the conditions that they meet; each counts once, for any number of selected conditions. */
PMU_TEST(loads_by_condition) {
    static const struct {
        int total;
        uint32_t meets; /* hits of L1, L2, L3, misses of L1, L2, L3 */
    } loads[] = {{CORE_LOAD_L1_HIT, 1},
                 {CORE_LOAD_L2_HIT, 2 | 8},
                 {CORE_LOAD_L3_HIT, 4 | 8 | 16},
                 {CORE_LOAD_L3_MISS, 8 | 16 | 32}};
    struct sim_counts *counts = malloc(sizeof *counts);
    assert_non_null(counts);
    fill_apart(counts);
    for (uint32_t umask = 1; umask < 0x80; umask++) {
        uint64_t expected = 0, value;
        for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
            expected += umask & loads[i].meets ? counts->core[0].total[loads[i].total] : 0;
        assert_true(decode(f, "PMC", 0xd1, umask, counts, &(struct place){.core = 0}, &value));
        assert_int_equal(value, expected);
    }
    assert_false(decode(f, "PMC", 0xd1, 0x81, counts, &(struct place){.core = 0}, &(uint64_t){0}));
    free(counts);
}

/* Lines of a channel: writes in only one mode are unknown, as are bits of no field. */
PMU_TEST(lines_by_kind) {
    struct sim_counts *counts = malloc(sizeof *counts);
    assert_non_null(counts);
    fill_apart(counts);
    for (uint32_t umask = 0; umask < 0x40; umask++) {
        uint64_t value, reads = counts->memory[1].cas_read[3], writes = counts->memory[1].cas_write[3];
        uint32_t modes = umask & 0x0c;
        int is_known = umask != 0 && umask < 0x10 && modes != 4 && modes != 8;
        assert_int_equal(decode(f, "MBOX", 4, umask, counts, &(struct place){.numa = 1, .instance = 3}, &value),
                         is_known);
        if (is_known)
            assert_int_equal(value, (umask & 1 ? reads : 0) + (modes ? writes : 0));
    }
    free(counts);
}

PMU_TEST(unmodelled_opcode_is_reported) {
    const struct box_layout *box = box_of(f, "CBOX");
    struct at at = locate(f, box, 0, 1);
    wr(f, 0, 0, at.select - box->select[0] + box->filter[1], UINT64_C(0x18c) << OPCODE_BIT);
    wr(f, 0, 0, at.select, 0x0135 | ENABLE);
    assert_string_equal(f->notes, "CBOX1C0 no modelled opcode in the box's filter;");
}

/* An event that never happens stays 0 under any condition except invert, which would count the cycles without it. */
PMU_TEST(event_that_never_happens_stays_0) {
    enum { EDGE = 1 << 18, INVERT = 1 << 23, AT_LEAST_ONE = 1 << 24, TX_START = 0x01c9 };
    wr(f, 0, 0, GLOBAL, 1);
    wr(f, 0, 0, f->table.core.select, TX_START | USER | ENABLE | EDGE | AT_LEAST_ONE);
    assert_string_equal(f->notes, "");
    wr(f, 0, 0, f->table.core.select, TX_START | USER | ENABLE | INVERT | AT_LEAST_ONE);
    assert_string_equal(f->notes, "PMC0 threshold, edge and invert are modelled for cycles only;");
}
