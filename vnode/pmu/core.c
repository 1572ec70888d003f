/* core.c - the performance monitoring unit of one core: architectural version 3 and offcore responses.
 *
 * Bits: Intel SDM vol. 3B, "Architectural Performance Monitoring Version 3".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "core.h"

#include <stdio.h>

#include "counter.h"
#include "response.h"

/* IA32_PERFEVTSELx */
enum {
    SELECT_USER = 1 << 16,
    SELECT_KERNEL = 1 << 17,
    SELECT_EDGE = 1 << 18,
    SELECT_ENABLE = 1 << 22,
    SELECT_INVERT = 1 << 23,
};
#define SELECT_TRANSACTIONS (UINT64_C(3) << 32)
/* Four bits per counter in IA32_FIXED_CTR_CTRL. */
enum { FIXED_KERNEL = 1, FIXED_USER = 2, FIXED_BITS = 4, FIXED_STATUS_BIT = 32 };

/* What a counter counts. */
struct use {
    const struct formula *formula; /* NULL: nothing ever */
    int by_response;
    uint64_t filter;
};

static const char *select_use(const struct pmu *pmu, uint32_t core, uint64_t select, struct use *use) {
    uint32_t code = select & 0xff, umask = select >> 8 & 0xff, threshold = select >> 24 & 0xff;
    int invert = (select & SELECT_INVERT) != 0, edge = (select & SELECT_EDGE) != 0;
    *use = (struct use){0};
    if (!(select & SELECT_USER) || (select & SELECT_KERNEL))
        return "kernel mode is not simulated";
    if (select & SELECT_TRANSACTIONS)
        return "transactions are not simulated";
    for (uint32_t i = 0; i < pmu->table->responses; i++)
        if (pmu->table->response[i].code == code && pmu->table->response[i].umask == umask) {
            use->by_response = 1;
            use->filter = pmu->state->core[core].response[i];
            if (threshold || edge)
                return "threshold and edge are modelled for cycles only";
            return response_error(pmu->table, use->filter);
        }
    const struct table_event *event = table_event(pmu->table, "PMC", code, umask);
    if (!event)
        return "event is not modelled";
    if (edge || (threshold && !event->cycles))
        return "threshold, edge and invert are modelled for cycles only";
    if (cycle_condition(threshold, invert))
        use->formula = &event->formula;
    return NULL;
}

static const char *fixed_use(const struct pmu *pmu, uint32_t core, uint32_t i, struct use *use) {
    const struct table_event *event = table_event(pmu->table, "FIXC", i, 0);
    *use = (struct use){.formula = event ? &event->formula : NULL};
    if (!event)
        return "event is not modelled";
    uint64_t bits = pmu->state->core[core].fixed_control >> (FIXED_BITS * i);
    return bits & FIXED_KERNEL ? "kernel mode is not simulated" : NULL;
}

static uint64_t use_value(const struct pmu *pmu, uint32_t core, const struct use *use) {
    struct place place = {.core = core};
    if (use->by_response)
        return response_value(pmu->table, &pmu->view, core, use->filter);
    return use->formula ? formula_value(use->formula, &pmu->view, &place, 0) : 0;
}

/* Brings all counters of the core up to date; then, if `restart`, lets those run that the registers now enable. */
static void synchronise(struct pmu *pmu, uint32_t core, int restart) {
    struct core_state *state = &pmu->state->core[core];
    struct use use;
    node_lock(pmu->view.node);
    for (uint32_t i = 0; i < pmu->table->core.counters; i++) {
        int enabled = (state->select[i] & SELECT_ENABLE) && (state->control >> i & 1);
        if (!state->counter[i].running && !(restart && enabled))
            continue;
        int counts = select_use(pmu, core, state->select[i], &use) == NULL;
        uint64_t now = counts ? use_value(pmu, core, &use) : 0;
        if (restart)
            counter_run(&state->counter[i], enabled && counts, now);
        else if (counter_update(&state->counter[i], now))
            state->status |= UINT64_C(1) << i;
    }
    for (uint32_t i = 0; i < pmu->table->core.fixed_counters; i++) {
        int enabled =
            (state->fixed_control >> (FIXED_BITS * i) & FIXED_USER) && (state->control >> (FIXED_STATUS_BIT + i) & 1);
        if (!state->fixed[i].running && !(restart && enabled))
            continue;
        int counts = fixed_use(pmu, core, i, &use) == NULL;
        uint64_t now = counts ? use_value(pmu, core, &use) : 0;
        if (restart)
            counter_run(&state->fixed[i], enabled && counts, now);
        else if (counter_update(&state->fixed[i], now))
            state->status |= UINT64_C(1) << (FIXED_STATUS_BIT + i);
    }
    node_unlock(pmu->view.node);
}

static void report_selects(const struct pmu *pmu, uint32_t core) {
    char name[16];
    struct use use;
    for (uint32_t i = 0; i < pmu->table->core.counters; i++) {
        uint64_t select = pmu->state->core[core].select[i];
        const char *reason = select & SELECT_ENABLE ? select_use(pmu, core, select, &use) : NULL;
        snprintf(name, sizeof name, "PMC%u", i);
        if (reason)
            report_not_counted(pmu, name, select, reason);
    }
    for (uint32_t i = 0; i < pmu->table->core.fixed_counters; i++) {
        uint64_t bits = pmu->state->core[core].fixed_control >> (FIXED_BITS * i) & 0xf;
        const char *reason = bits & (FIXED_USER | FIXED_KERNEL) ? fixed_use(pmu, core, i, &use) : NULL;
        snprintf(name, sizeof name, "FIXC%u", i);
        if (reason)
            report_not_counted(pmu, name, bits, reason);
    }
}

/* The plain register behind an address that programs the unit, NULL: none such. */
static uint64_t *configuration(struct pmu *pmu, uint32_t core, uint32_t reg) {
    const struct core_layout *layout = &pmu->table->core;
    struct core_state *state = &pmu->state->core[core];
    if (reg - layout->select < layout->counters)
        return &state->select[reg - layout->select];
    if (reg == layout->fixed_control)
        return &state->fixed_control;
    if (reg == layout->control)
        return &state->control;
    for (uint32_t i = 0; i < pmu->table->responses; i++)
        if (reg == pmu->table->response[i].address)
            return &state->response[i];
    return NULL;
}

static struct counter *counter_at(struct pmu *pmu, uint32_t core, uint32_t reg) {
    const struct core_layout *layout = &pmu->table->core;
    if (reg - layout->counter < layout->counters)
        return &pmu->state->core[core].counter[reg - layout->counter];
    if (reg - layout->fixed < layout->fixed_counters)
        return &pmu->state->core[core].fixed[reg - layout->fixed];
    return NULL;
}

static int denied_select(const struct pmu *pmu, uint32_t reg) {
    char name[16];
    uint32_t i = reg - pmu->table->core.select;
    if (i >= pmu->table->core.counters)
        return 0;
    snprintf(name, sizeof name, "PMC%u", i);
    return is_denied(pmu->denied, name);
}

enum pmu_answer core_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data) {
    const struct pmu_table *table = pmu->table;
    if (denied_select(pmu, reg))
        return PMU_RESTRICTED;
    uint64_t *plain = configuration(pmu, core, reg);
    struct counter *counter = counter_at(pmu, core, reg);
    if (plain) {
        *data = *plain;
        return PMU_OK;
    }
    if (counter || reg == table->core.status)
        synchronise(pmu, core, 0);
    if (counter)
        *data = counter->value;
    else if (reg == table->core.status)
        *data = pmu->state->core[core].status;
    else if (reg == table->core.clear)
        *data = 0; /* write only */
    else
        return PMU_NO_REGISTER;
    return PMU_OK;
}

enum pmu_answer core_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data) {
    if (denied_select(pmu, reg))
        return PMU_RESTRICTED;
    uint64_t *plain = configuration(pmu, core, reg);
    struct counter *counter = counter_at(pmu, core, reg);
    if (!plain && !counter && reg != pmu->table->core.clear)
        return PMU_NO_REGISTER;
    synchronise(pmu, core, 0);
    if (plain)
        *plain = data;
    else if (counter)
        counter->value = data & COUNTER_MASK;
    else
        pmu->state->core[core].status &= ~data;
    if (plain) {
        synchronise(pmu, core, 1);
        /* LIKWID clears the filters of offcore responses before the selects: that is no new programming */
        if (data != 0 && reg != pmu->table->core.control)
            report_selects(pmu, core);
    }
    return PMU_OK;
}
