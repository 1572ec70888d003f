/* fields.c - event codes whose unit mask consists of fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "fields.h"

#include <string.h>

static int is_of(const struct table_field *field, const char *unit, uint32_t code) {
    return field->code == code && strcmp(field->unit, unit) == 0;
}

static int selects(const struct table_field *field, uint32_t umask) {
    for (uint32_t i = 0; i < field->masks; i++)
        if (!(umask & field->mask[i]))
            return 0;
    return !(umask & field->without);
}

static uint32_t bits_of(const struct table_field *field) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < field->masks; i++)
        bits |= field->mask[i];
    return bits;
}

int fields_know(const struct table_field *fields, uint32_t count, const char *unit, uint32_t code) {
    for (uint32_t i = 0; i < count; i++)
        if (is_of(&fields[i], unit, code))
            return 1;
    return 0;
}

int fields_decode(const struct table_field *fields, uint32_t count, const char *unit, uint32_t code, uint32_t umask,
                  struct formula *out) {
    uint32_t selected = 0, bits = 0;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of(&fields[i], unit, code))
            continue;
        bits |= bits_of(&fields[i]);
        if (!selects(&fields[i], umask))
            continue;
        selected++;
        if (fields[i].unknown || formula_add(out, &fields[i].formula) != 0)
            return -1;
    }
    return selected && !(umask & ~bits) ? 0 : -1;
}
