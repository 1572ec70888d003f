/* formula.c - an event's count as a sum of totals. No libc: the engine links it, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "formula.h"

int formula_fits(const struct formula *formula, enum scope scope) {
    for (uint32_t i = 0; i < formula->terms; i++) {
        enum scope inner = formula->term[i].total.scope;
        int fits = formula->term[i].part == FORMULA_OWN ? scope_holds(inner, scope) : scope_holds(scope, inner);
        if (!fits)
            return 0;
    }
    return 1;
}

int formula_chooses(const struct formula *formula, enum total_choice choice) {
    for (uint32_t i = 0; i < formula->terms; i++)
        if (formula->term[i].total.choice == choice)
            return 1;
    return 0;
}

int formula_add(struct formula *sum, const struct formula *other) {
    if (sum->terms + other->terms > FORMULA_TERMS)
        return -1;
    for (uint32_t i = 0; i < other->terms; i++)
        sum->term[sum->terms++] = other->term[i];
    return 0;
}

static uint64_t total_value(const struct total_name *total, const struct node_view *view, const struct place *place,
                            const struct total_filter *filter) {
    node_ask(view->node, total);
    return node_sum(view, total, place, filter);
}

uint64_t formula_value(const struct formula *formula, const struct node_view *view, enum scope scope,
                       const struct place *place, const struct total_filter *filter) {
    const struct sim_config *config = &view->node->config;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < formula->terms; i++) {
        const struct total_name *total = &formula->term[i].total;
        int32_t part = formula->term[i].part;
        if (part == FORMULA_OWN) {
            sum += (uint64_t)formula->term[i].factor * total_value(total, view, place, filter);
            continue;
        }
        uint32_t parts = scope_parts(config, scope, place, total->scope);
        uint32_t first = part == FORMULA_ALL ? 0 : (uint32_t)part, last = part == FORMULA_ALL ? parts : first + 1;
        for (uint32_t n = first; n < last && n < parts; n++) {
            struct place at = scope_part(config, scope, place, total->scope, n);
            sum += (uint64_t)formula->term[i].factor * total_value(total, view, &at, filter);
        }
    }
    return sum;
}
