/* core_use.c - what an event select of a core counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "core_use.h"

#include "response.h"

int core_response(const struct pmu_table *table, uint32_t code, uint32_t umask) {
    for (uint32_t i = 0; i < table->responses; i++)
        if (table->response[i].code == code && table->response[i].umask == umask)
            return (int)i;
    return -1;
}

const char *core_use_of(const struct pmu_table *table, enum select_layout layout, uint64_t select,
                        const uint64_t *response, struct core_use *out) {
    struct selection s = select_decode(layout, select);
    int by = core_response(table, s.code, s.umask);
    *out = (struct core_use){0};
    if (s.unmodelled)
        return s.unmodelled;
    if (by >= 0) {
        out->by_response = 1;
        out->filter = response[by];
        if (s.threshold || s.edge)
            return "threshold and edge are modelled for cycles only";
        return response_error(table, out->filter);
    }
    struct table_event event;
    if (table_decode(table, UNIT_PMC, s.code, s.umask, &event) != 0)
        return "event is not modelled";
    out->merges = event.merges;
    const char *wrong = table_condition_error(&event, &s);
    if (!wrong && cycle_condition(s.threshold, s.invert))
        out->formula = event.formula;
    return wrong;
}

uint64_t core_use_value(const struct pmu_table *table, const struct node_view *view, uint32_t cpu,
                        const struct core_use *use) {
    if (use->by_response)
        return response_value(table, view, cpu, use->filter);
    struct place place = {.core = cpu};
    return formula_value(&use->formula, view, SCOPE_CORE, &place, NULL);
}
