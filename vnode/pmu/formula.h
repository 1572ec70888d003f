/* formula.h - an event's count as a sum of totals: "CORE_LOADS - CORE_LOADS_LOCKED + 2 * CORE_STORES"; "0": the node
 * truly never does it.
 *
 * A total is read at the counter's place, or at the larger place that contains it (a slice's socket). If the
 * counter's place contains several places of the total, the name is followed by an index, "CAS_READ[3]" (0 if the
 * node has fewer), or by "[*]" for all: "CAS_READ[*]". All terms without an index belong to the same kind of place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FORMULA_H
#define ASSAY_PMU_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "totals.h"

enum { FORMULA_TERMS = 20, FORMULA_OWN = -1, FORMULA_ALL = -2 };

struct formula {
    uint32_t terms;
    struct {
        int64_t factor;
        struct total_name total;
        int32_t part; /* FORMULA_OWN, FORMULA_ALL, or an index */
    } term[FORMULA_TERMS];
};

/* Returns NULL, or one line that says what is wrong with `text` (in `error`). */
const char *formula_parse(const char *text, struct formula *out, char *error, size_t error_size);

/* Whether a counter of that scope can count the formula. */
int formula_fits(const struct formula *formula, enum scope scope);

/* Whether a filter of kind `choice` affects any of the formula's totals. */
int formula_chooses(const struct formula *formula, enum total_choice choice);

/* Adds `other` to `sum`. 0, or -1: too many terms. */
int formula_add(struct formula *sum, const struct formula *other);

/* The formula's value at a place of `scope`, modulo 2^64. The filter (NULL: none) affects only totals that it can
 * choose from. Call with the node locked. */
uint64_t formula_value(const struct formula *formula, const struct node_view *view, enum scope scope,
                       const struct place *place, const struct total_filter *filter);

#endif
