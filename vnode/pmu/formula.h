/* formula.h - what an event counts, as a sum of totals: "CORE_LOADS - CORE_LOADS_LOCKED + 2 * CORE_STORES", or "0"
 * for something that the node truly never does.
 *
 * A total is that of the place that the counter belongs to, or of the one that this lies in (a slice's socket). Where
 * the counter belongs to a larger one, the total is followed by which of the smaller ones it is, "CAS_READ[3]" (number
 * 3 of them; 0 where the node has fewer), or "CAS_READ[*]": all of them. Terms without such a choice all belong to one
 * kind of place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FORMULA_H
#define ASSAY_PMU_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "totals.h"

enum { FORMULA_TERMS = 12, FORMULA_OWN = -1, FORMULA_ALL = -2 };

struct formula {
    uint32_t terms;
    struct {
        int64_t factor;
        struct total_name total;
        int32_t part; /* FORMULA_OWN, FORMULA_ALL, or the number of one */
    } term[FORMULA_TERMS];
};

/* NULL, or one line that says what is wrong with `text` (in `error`). */
const char *formula_parse(const char *text, struct formula *out, char *error, size_t error_size);

/* Whether a counter of a place of that scope can count it. */
int formula_fits(const struct formula *formula, enum scope scope);

/* Whether a filter chooses of its totals in that way. */
int formula_chooses(const struct formula *formula, enum total_choice choice);

/* Adds `other` to `sum`. 0, or -1: too many terms. */
int formula_add(struct formula *sum, const struct formula *other);

/* The formula's value at a place of `scope`, modulo 2^64. The filter (NULL: nothing is chosen) matters for totals of
 * which it chooses only. Call with the node locked. */
uint64_t formula_value(const struct formula *formula, const struct node_view *view, enum scope scope,
                       const struct place *place, const struct total_filter *filter);

#endif
