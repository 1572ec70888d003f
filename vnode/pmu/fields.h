/* fields.h - event codes whose unit mask consists of fields: an event's count is the sum of the fields its unit mask
 * matches.
 *
 * A unit mask matches a field if it has a bit of each of `mask` and none of `without`. Not modelled: masks that match
 * no field or an unknown one, or set bits outside all fields.
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
    int unknown; /* its count is unknown */
    struct formula formula;
};

/* Whether the code has fields. */
int fields_know(const struct table_field *fields, uint32_t count, const char *unit, uint32_t code);

/* Gives the unit mask's count as a formula in `out`. 0, or -1: not modelled. */
int fields_decode(const struct table_field *fields, uint32_t count, const char *unit, uint32_t code, uint32_t umask,
                  struct formula *out);

#endif
