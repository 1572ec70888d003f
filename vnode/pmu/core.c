/* core.c - the performance monitoring unit of one hardware thread, called a core here; drivers handle the differences
 * between vendors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "core.h"

#include <string.h>

#include "core_driver.h"
#include "core_use.h"
#include "counter.h"

const struct core_driver *core_driver(const struct pmu_table *table) {
    return table->core.kind == CORE_AMD ? &core_amd : &core_intel;
}

static struct core_register find(const struct pmu_table *table, uint32_t reg) {
    for (uint32_t i = 0; i < table->responses; i++)
        if (reg == table->response[i].address)
            return (struct core_register){.role = ROLE_RESPONSE, .index = i};
    return core_driver(table)->find(&table->core, reg);
}

static const char *select_use(const struct pmu *pmu, uint32_t core, uint32_t i, struct core_use *use) {
    const struct core_driver *driver = core_driver(pmu->table);
    const struct core_state *state = &pmu->state->core[core];
    const char *wrong = core_use_of(pmu->table, driver->layout, state->select[i], state->response, use);
    return wrong || driver->takes(use->merges, i) ? wrong : "the event does not count in this counter";
}

/* The event of PMCi without the conditions of its select and its offcore response filter. */
static const char *unfiltered_use(const struct pmu *pmu, uint32_t core, uint32_t i, struct core_use *use) {
    enum select_layout layout = core_driver(pmu->table)->layout;
    uint64_t everything[TABLE_RESPONSES];
    memset(everything, 0xff, sizeof everything);
    return core_use_of(pmu->table, layout, select_unconditional(layout, pmu->state->core[core].select[i]), everything,
                       use);
}

static const char *fixed_use(const struct pmu *pmu, uint32_t core, uint32_t i, struct core_use *use) {
    const struct table_event *event = table_event(pmu->table, UNIT_FIXED, i, 0);
    *use = (struct core_use){0};
    if (!event)
        return "event is not modelled";
    use->formula = event->formula;
    return core_driver(pmu->table)->fixed_error(&pmu->state->core[core], i);
}

static const char *counter_use(const struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i, struct core_use *use) {
    const char *wrong = kind == NAME_FIXED ? fixed_use(pmu, core, i, use) : select_use(pmu, core, i, use);
    use->any_thread = core_driver(pmu->table)->any_thread(&pmu->state->core[core], kind, i);
    return wrong;
}

static uint64_t use_value(const struct pmu *pmu, uint32_t core, const struct core_use *use) {
    const struct sim_config *config = &pmu->view.node->config;
    uint64_t sum = 0;
    if (!use->any_thread)
        return core_use_value(pmu->table, &pmu->view, core, use);
    for (uint32_t cpu = sim_core_of(config, core); cpu < sim_cpus(config); cpu += sim_cores(config))
        sum += core_use_value(pmu->table, &pmu->view, cpu, use);
    return sum;
}

/* Whether a term of the formula is one of these totals. */
static int counts_any(const struct formula *formula, const enum sim_core_count *counts, size_t count) {
    for (uint32_t term = 0; term < formula->terms; term++)
        for (size_t i = 0; i < count; i++) {
            const struct total_name *total = &formula->term[term].total;
            size_t offset = offsetof(struct sim_core_counts, total) + counts[i] * sizeof(uint64_t);
            if (total->scope == SCOPE_CORE && total->offset == offset)
                return 1;
        }
    return 0;
}

/* What a page walk more, of a small page, adds to the formula's value. */
static double per_walk(const struct pmu *pmu, const struct formula *formula) {
    static const enum sim_core_count walks[] = {CORE_DTLB_LOAD_WALK, CORE_DTLB_STORE_WALK, CORE_ITLB_WALK,
                                                CORE_LOADS_STLB_MISS, CORE_STORES_STLB_MISS},
                                     cycles[] = {CORE_DTLB_LOAD_WALK_CYCLES, CORE_DTLB_STORE_WALK_CYCLES,
                                                 CORE_ITLB_WALK_CYCLES};
    int is_walk = counts_any(formula, walks, sizeof walks / sizeof *walks);
    return is_walk ? 1
                   : counts_any(formula, cycles, sizeof cycles / sizeof *cycles) * pmu->view.node->config.walk_latency;
}

/* How PMCi or FIXCi is programmed. Faults do not apply to a counter without event: its register must read zero. */
static struct programmed programmed(const struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i) {
    const struct core_driver *driver = core_driver(pmu->table);
    const struct core_layout *layout = &pmu->table->core;
    const struct core_state *state = &pmu->state->core[core];
    struct programmed at = {.faults = driver->is_used(layout, state, kind, i) ? pmu->faults : NULL,
                            .counter = {.kind = kind, .index = i},
                            .place = core,
                            .bits = layout->fixed_width,
                            .hz = (double)pmu->view.node->config.uncore_hz};
    at.event = (struct selection_id){UNIT_FIXED, i, 0};
    if (kind == NAME_PMC) {
        struct selection s = select_decode(driver->layout, state->select[i]);
        at.event = (struct selection_id){UNIT_PMC, s.code, s.umask};
        at.bits = layout->width;
    }
    struct core_use use;
    if (at.faults && at.faults->noise && !counter_use(pmu, core, kind, i, &use))
        at.per_walk = per_walk(pmu, &use.formula);
    return at;
}

static struct counter *counter_of(struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i) {
    struct core_state *state = &pmu->state->core[core];
    return kind == NAME_FIXED ? &state->fixed[i] : &state->counter[i];
}

/* Updates a counter when the core's registers are read (`restart` 0) or after they were written. */
static void synchronise_counter(struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i, int restart) {
    const struct core_driver *driver = core_driver(pmu->table);
    struct core_state *state = &pmu->state->core[core];
    struct counter *counter = counter_of(pmu, core, kind, i);
    int runs = driver->is_running(&pmu->table->core, state, kind, i);
    struct core_use use;
    if (!counter->running && !(restart && runs))
        return;
    struct programmed at = programmed(pmu, core, kind, i);
    const char *wrong = counter_use(pmu, core, kind, i, &use);
    if (at.faults && at.faults->noise) /* nothing else needs the time */
        at.now = uncore_cycles(&pmu->view, sim_socket_of(&pmu->view.node->config, core));
    if (kind == NAME_PMC && fault_unfilters(&at))
        wrong = unfiltered_use(pmu, core, i, &use);
    int other = fault_swap(&at);
    if (other >= 0)
        use = (struct core_use){.formula = pmu->table->event[other].formula};
    use.any_thread |= fault_counts_siblings(&at);
    uint64_t now = wrong ? 0 : use_value(pmu, core, &use);
    if (restart && !counter->running)
        moment_uses(pmu->view.moment, counter_key(pmu, counter, 0));
    if (restart)
        counter_run(counter, &at, runs && !wrong, now);
    else
        driver->overflow(pmu->table, state, kind, i, counter_update(counter, &at, now));
}

/* The core's counters, fixed ones last. */
struct each {
    int32_t kind;
    uint32_t i;
};

static struct each each_of(const struct pmu *pmu, uint32_t n) {
    uint32_t counters = pmu->table->core.counters;
    return n < counters ? (struct each){NAME_PMC, n} : (struct each){NAME_FIXED, n - counters};
}

static uint32_t counters_of(const struct pmu *pmu) {
    return pmu->table->core.counters + pmu->table->core.fixed_counters;
}

/* Whether a counter of the core runs, or the registers enable one. */
static int is_counting(struct pmu *pmu, uint32_t core) {
    for (uint32_t n = 0; n < counters_of(pmu); n++) {
        struct each of = each_of(pmu, n);
        if (counter_of(pmu, core, of.kind, of.i)->running ||
            core_driver(pmu->table)->is_running(&pmu->table->core, &pmu->state->core[core], of.kind, of.i))
            return 1;
    }
    return 0;
}

/* Updates all counters of the core; then, if `restart`, starts those that the registers now enable. */
static void synchronise(struct pmu *pmu, uint32_t core, int restart) {
    if (!is_counting(pmu, core))
        return;
    moment_take(&pmu->view);
    node_lock(pmu->view.node);
    for (uint32_t n = 0; n < counters_of(pmu); n++)
        synchronise_counter(pmu, core, each_of(pmu, n).kind, each_of(pmu, n).i, restart);
    node_unlock(pmu->view.node);
}

/* A counter whose event changes ends its counting interval. */
static void end_interval(struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i) {
    struct programmed at = programmed(pmu, core, kind, i);
    counter_run(counter_of(pmu, core, kind, i), &at, 0, 0);
}

static void report(const struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i, uint64_t select) {
    char name[16];
    struct core_use use;
    struct counter_id id = {.kind = kind, .index = i};
    const char *reason = counter_use(pmu, core, kind, i, &use);
    counter_name(pmu->table, &id, name, sizeof name);
    if (reason)
        report_not_counted(pmu, name, select, reason);
}

static void report_selects(const struct pmu *pmu, uint32_t core) {
    const struct core_driver *driver = core_driver(pmu->table);
    const struct core_layout *layout = &pmu->table->core;
    const struct core_state *state = &pmu->state->core[core];
    for (uint32_t i = 0; i < layout->counters; i++)
        if (driver->is_used(layout, state, NAME_PMC, i))
            report(pmu, core, NAME_PMC, i, state->select[i]);
    for (uint32_t i = 0; !driver->read_running && i < layout->fixed_counters; i++)
        if (driver->is_used(layout, state, NAME_FIXED, i) || driver->fixed_error(state, i))
            report(pmu, core, NAME_FIXED, i, state->fixed_control);
}

/* Whether a fault refuses access to a register. */
static int denied(const struct pmu *pmu, const struct core_register *reg) {
    struct counter_id id = {.kind = reg->role == ROLE_FIXED ? NAME_FIXED : NAME_PMC, .index = reg->index};
    int is_counters = reg->role == ROLE_COUNTER || reg->role == ROLE_FIXED || reg->role == ROLE_SELECT;
    return is_counters && fault_denies(pmu->faults, &id);
}

/* The register's stored value, NULL: it has none. */
static uint64_t *configuration(struct core_state *state, const struct core_register *reg) {
    switch (reg->role) {
    case ROLE_SELECT:
        return &state->select[reg->index];
    case ROLE_FIXED_CONTROL:
        return &state->fixed_control;
    case ROLE_CONTROL:
        return &state->control;
    case ROLE_RESPONSE:
        return &state->response[reg->index];
    default:
        return NULL;
    }
}

static int32_t kind_of(const struct core_register *counter) {
    return counter->role == ROLE_FIXED ? NAME_FIXED : NAME_PMC;
}

static uint64_t read_counter(struct pmu *pmu, uint32_t core, const struct core_register *reg) {
    int32_t kind = kind_of(reg);
    struct programmed at = programmed(pmu, core, kind, reg->index);
    struct counter *counter = counter_of(pmu, core, kind, reg->index);
    uint64_t value = counter_value(counter, &at);
    moment_uses(pmu->view.moment, counter_key(pmu, counter, 0));
    if (core_driver(pmu->table)->read_running)
        counter_cut(counter, &at);
    if (!counter->running) { /* an always-on counter starts at its first reading */
        moment_take(&pmu->view);
        node_lock(pmu->view.node);
        synchronise_counter(pmu, core, kind, reg->index, 1);
        node_unlock(pmu->view.node);
    }
    return value;
}

enum pmu_answer core_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data) {
    struct core_state *state = &pmu->state->core[core];
    struct core_register at = find(pmu->table, reg);
    uint64_t *plain = configuration(state, &at);
    if (at.role == ROLE_NONE)
        return PMU_NO_REGISTER;
    if (denied(pmu, &at))
        return PMU_RESTRICTED;
    if (plain) {
        *data = *plain;
        return PMU_OK;
    }
    *data = 0; /* write only */
    if (at.role == ROLE_CLEAR || at.role == ROLE_SET)
        return PMU_OK;
    if (at.role != ROLE_STATUS)
        moment_stops(pmu->view.moment, counter_key(pmu, counter_of(pmu, core, kind_of(&at), at.index), 0));
    synchronise(pmu, core, 0);
    *data = at.role == ROLE_STATUS ? state->status : read_counter(pmu, core, &at);
    return PMU_OK;
}

/* Whether a register enables the counter. */
static int governs(const struct core_register *reg, struct each counter) {
    return reg->role == ROLE_CONTROL || (reg->role == ROLE_FIXED_CONTROL && counter.kind == NAME_FIXED) ||
           (reg->role == ROLE_SELECT && counter.kind == NAME_PMC && counter.i == reg->index);
}

/* Before such a register is written: running counters may stop. */
static void prepare_stop(struct pmu *pmu, uint32_t core, const struct core_register *reg) {
    for (uint32_t n = 0; n < counters_of(pmu); n++) {
        const struct counter *counter = counter_of(pmu, core, each_of(pmu, n).kind, each_of(pmu, n).i);
        if (counter->running && governs(reg, each_of(pmu, n)))
            moment_stops(pmu->view.moment, counter_key(pmu, counter, 0));
    }
}

static void write_register(struct pmu *pmu, uint32_t core, const struct core_register *at, uint64_t data) {
    struct core_state *state = &pmu->state->core[core];
    uint64_t *plain = configuration(state, at);
    if (at->role == ROLE_SELECT)
        end_interval(pmu, core, NAME_PMC, at->index); /* the old count belonged to another event */
    if (plain)
        *plain = data;
    else if (at->role == ROLE_COUNTER)
        counter_write(&state->counter[at->index], data, pmu->table->core.width);
    else if (at->role == ROLE_FIXED)
        counter_write(&state->fixed[at->index], data, pmu->table->core.fixed_width);
    else if (at->role == ROLE_SET)
        state->status |= data;
    else
        state->status &= ~data;
}

enum pmu_answer core_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data) {
    struct core_register at = find(pmu->table, reg);
    if (denied(pmu, &at))
        return PMU_RESTRICTED;
    if (at.role == ROLE_FIXED && at.read_only)
        return PMU_OK; /* no effect: LIKWID writes 0 to probe the register, and hardware keeps counting */
    if (at.role == ROLE_NONE || at.read_only)
        return PMU_NO_REGISTER;
    if (core_driver(pmu->table)->accept(&pmu->table->core, &at, data, &data) != 0)
        return PMU_NO_REGISTER;
    const struct counter *selected = at.role == ROLE_SELECT ? &pmu->state->core[core].counter[at.index] : NULL;
    int ran = selected && selected->running;
    prepare_stop(pmu, core, &at);
    synchronise(pmu, core, 0);
    write_register(pmu, core, &at, data);
    if (at.role == ROLE_COUNTER || at.role == ROLE_FIXED)
        return PMU_OK;
    synchronise(pmu, core, 1);
    if (selected && !ran && !selected->running)
        moment_ends(pmu->view.moment); /* it was programmed */
    /* LIKWID clears the offcore response filters before the selects: that does not count as programming */
    if (data != 0 && (at.role == ROLE_SELECT || at.role == ROLE_FIXED_CONTROL || at.role == ROLE_RESPONSE))
        report_selects(pmu, core);
    return PMU_OK;
}
