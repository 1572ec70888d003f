/* fields.h - event codes whose unit mask is made of fields: what a unit mask counts is the sum of what its fields
 * select.
 *
 * A field says which unit masks select it: those that have a bit of each of its masks, and none of `without`. A unit
 * mask that selects none, or one of which nothing is known, or that has a bit that is in no field of its code, is not
 * modelled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_FIELDS_H
#define ASSAY_PMU_FIELDS_H

#include <stdint.h>

#include "formula.h"

enum { FIELD_MASKS = 3 };

struct table_field {
    char unit[16];
    uint32_t code;
    uint32_t masks, mask[FIELD_MASKS], without;
    int unknown; /* nothing is known of what it selects */
    struct formula formula;
};

/* Whether some field is of that code. */
int fields_know(const struct table_field *fields, uint32_t count, const char *unit, uint32_t code);

/* What the unit mask counts, in `out`. 0, or -1: it is not modelled. */
int fields_decode(const struct table_field *fields, uint32_t count, const char *unit, uint32_t code, uint32_t umask,
                  struct formula *out);

#endif
