/* box_use.c - the boxes of a node, and what an event select of a box counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "box_use.h"

uint32_t box_places(const struct box_layout *box, const struct sim_config *config) {
    return scope_parts(config, SCOPE_SOCKET, &(struct place){0}, (enum scope)box->scope);
}

uint32_t box_instances(const struct box_layout *box, const struct sim_config *config) {
    return box->scope == SCOPE_CORE || box->scope == SCOPE_DOMAIN ? 1 : box_places(box, config);
}

/* Line states selected by the box's filter or the select; all states without such a filter. */
static uint32_t selected_states(const struct box_layout *box, const uint64_t *filter, uint64_t select) {
    uint32_t states = 0;
    if (box->states_filter < 0)
        return UINT32_MAX;
    uint64_t bits = box->states_filter == BOX_FILTERS ? select : filter[box->states_filter];
    for (uint32_t i = 0; i < box->states; i++)
        if (box->state_order[i] >= 0 && (bits >> (box->states_bit + i) & 1))
            states |= 1u << box->state_order[i];
    return states;
}

static uint32_t selected_requests(const struct pmu_table *table, const struct box_layout *box, const uint64_t *filter) {
    if (box->opcode_filter < 0)
        return 0;
    uint64_t opcode = filter[box->opcode_filter] >> box->opcode_bit & low_bits(box->opcode_bits);
    return table_opcode(table, box->unit, (uint32_t)opcode);
}

const char *box_use_of(const struct pmu_table *table, const struct box_layout *box, uint64_t select,
                       const uint64_t *filter, struct box_use *use) {
    struct selection s = select_decode((enum select_layout)box->layout, select);
    struct table_event event;
    *use = (struct box_use){.filter = {selected_states(box, filter, select), selected_requests(table, box, filter)}};
    if (table_decode(table, box->unit, s.code, s.umask, &event) != 0)
        return "event is not modelled";
    if (s.unmodelled)
        return s.unmodelled;
    if (formula_chooses(&event.formula, CHOICE_REQUESTS) && !use->filter.requests)
        return "no modelled opcode in the box's filter";
    const char *wrong = table_condition_error(&event, &s);
    if (!wrong && cycle_condition(s.threshold, s.invert))
        use->formula = event.formula;
    return wrong;
}
