/* formula.h - what an event counts, as a sum of totals: "CORE_LOADS - CORE_LOADS_LOCKED + 2 * CORE_STORES", or "0"
 * for something that the node truly never does. All totals of a formula belong to the same kind of place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FORMULA_H
#define ASSAY_PMU_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "totals.h"

enum { FORMULA_TERMS = 12 };

struct formula {
    uint32_t terms;
    struct {
        int64_t factor;
        struct total_name total;
    } term[FORMULA_TERMS];
};

/* NULL, or one line that says what is wrong with `text` (in `error`). */
const char *formula_parse(const char *text, struct formula *out, char *error, size_t error_size);

/* The formula's value at a place, modulo 2^64. `states` has bit s set for every enum sim_line_state s whose totals
 * count; it matters for totals that are kept per state only. Call with the node locked. */
uint64_t formula_value(const struct formula *formula, const struct node_view *view, const struct place *place,
                       uint32_t states);

#endif
