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

/* How PMCi or FIXCi is programmed. One that counts nothing is not hit by faults: its register must read zero. */
static struct programmed programmed(const struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i) {
    const struct core_state *state = &pmu->state->core[core];
    uint64_t select = state->select[i];
    int is_fixed = kind == NAME_FIXED;
    int used = is_fixed ? (state->fixed_control >> (FIXED_BITS * i) & FIXED_USER) != 0 : (select & SELECT_ENABLE) != 0;
    struct programmed at = {.faults = used ? pmu->faults : NULL, .counter = {.kind = kind, .index = i}, .place = core};
    at.event = is_fixed ? (struct selection_id){"FIXC", i, 0}
                        : (struct selection_id){"PMC", (uint32_t)(select & 0xff), (uint32_t)(select >> 8 & 0xff)};
    return at;
}

/* What happens to a counter when the core's registers are read (`restart` 0) or have been written. 1 if it wrapped. */
static int synchronise_counter(struct pmu *pmu, uint32_t core, int32_t kind, uint32_t i, int restart) {
    struct core_state *state = &pmu->state->core[core];
    int is_fixed = kind == NAME_FIXED;
    struct counter *counter = is_fixed ? &state->fixed[i] : &state->counter[i];
    struct programmed at = programmed(pmu, core, kind, i);
    struct use use;
    int enabled = is_fixed ? (state->fixed_control >> (FIXED_BITS * i) & FIXED_USER) &&
                                 (state->control >> (FIXED_STATUS_BIT + i) & 1)
                           : (state->select[i] & SELECT_ENABLE) && (state->control >> i & 1);
    if (!counter->running && !(restart && enabled))
        return 0;
    const char *wrong = is_fixed ? fixed_use(pmu, core, i, &use) : select_use(pmu, core, state->select[i], &use);
    const struct formula *other = fault_swap(&at);
    if (other)
        use = (struct use){.formula = other};
    uint64_t now = wrong ? 0 : use_value(pmu, core, &use);
    if (!restart)
        return counter_update(counter, &at, now);
    counter_run(counter, &at, enabled && !wrong, now);
    return 0;
}

/* Brings all counters of the core up to date; then, if `restart`, lets those run that the registers now enable. */
static void synchronise(struct pmu *pmu, uint32_t core, int restart) {
    struct core_state *state = &pmu->state->core[core];
    node_lock(pmu->view.node);
    for (uint32_t i = 0; i < pmu->table->core.counters; i++)
        if (synchronise_counter(pmu, core, NAME_PMC, i, restart))
            state->status |= UINT64_C(1) << i;
    for (uint32_t i = 0; i < pmu->table->core.fixed_counters; i++)
        if (synchronise_counter(pmu, core, NAME_FIXED, i, restart))
            state->status |= UINT64_C(1) << (FIXED_STATUS_BIT + i);
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

/* The counter at an address, NULL: none. */
static struct counter *counter_at(struct pmu *pmu, uint32_t core, uint32_t reg, struct counter_id *id) {
    const struct core_layout *layout = &pmu->table->core;
    if (reg - layout->counter < layout->counters) {
        *id = (struct counter_id){.kind = NAME_PMC, .index = reg - layout->counter};
        return &pmu->state->core[core].counter[id->index];
    }
    if (reg - layout->fixed < layout->fixed_counters) {
        *id = (struct counter_id){.kind = NAME_FIXED, .index = reg - layout->fixed};
        return &pmu->state->core[core].fixed[id->index];
    }
    return NULL;
}

/* Whether access to a register is refused: by a fault, or because the client must do without the counter. */
static int denied(const struct pmu *pmu, uint32_t reg, const struct counter *counter, const struct counter_id *id) {
    char name[16];
    if (counter)
        return fault_denies(pmu->faults, id);
    struct counter_id selected = {.kind = NAME_PMC, .index = reg - pmu->table->core.select};
    if (selected.index >= pmu->table->core.counters)
        return 0;
    counter_name(pmu->table, &selected, name, sizeof name);
    return fault_denies(pmu->faults, &selected) || is_denied(pmu->denied, name);
}

enum pmu_answer core_read(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t *data) {
    const struct pmu_table *table = pmu->table;
    struct counter_id id;
    uint64_t *plain = configuration(pmu, core, reg);
    struct counter *counter = counter_at(pmu, core, reg, &id);
    if (denied(pmu, reg, counter, &id))
        return PMU_RESTRICTED;
    if (plain) {
        *data = *plain;
        return PMU_OK;
    }
    if (counter || reg == table->core.status)
        synchronise(pmu, core, 0);
    if (counter) {
        struct programmed at = programmed(pmu, core, id.kind, id.index);
        *data = counter_value(counter, &at);
    } else if (reg == table->core.status) {
        *data = pmu->state->core[core].status;
    } else if (reg == table->core.clear) {
        *data = 0; /* write only */
    } else {
        return PMU_NO_REGISTER;
    }
    return PMU_OK;
}

/* A counter whose event changes ends its stretch: it was another event's. */
static void end_stretch(struct pmu *pmu, uint32_t core, uint32_t reg) {
    uint32_t i = reg - pmu->table->core.select;
    if (i < pmu->table->core.counters) {
        struct programmed at = programmed(pmu, core, NAME_PMC, i);
        counter_run(&pmu->state->core[core].counter[i], &at, 0, 0);
    }
}

enum pmu_answer core_write(struct pmu *pmu, uint32_t core, uint32_t reg, uint64_t data) {
    struct counter_id id;
    uint64_t *plain = configuration(pmu, core, reg);
    struct counter *counter = counter_at(pmu, core, reg, &id);
    if (denied(pmu, reg, counter, &id))
        return PMU_RESTRICTED;
    if (!plain && !counter && reg != pmu->table->core.clear)
        return PMU_NO_REGISTER;
    synchronise(pmu, core, 0);
    if (plain) {
        end_stretch(pmu, core, reg);
        *plain = data;
    } else if (counter) {
        counter_write(counter, data);
    } else {
        pmu->state->core[core].status &= ~data;
    }
    if (plain) {
        synchronise(pmu, core, 1);
        /* LIKWID clears the filters of offcore responses before the selects: that is no new programming */
        if (data != 0 && reg != pmu->table->core.control)
            report_selects(pmu, core);
    }
    return PMU_OK;
}
