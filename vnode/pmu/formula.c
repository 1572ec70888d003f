/* formula.c - what an event counts, as a sum of totals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip(const char *text) {
    return text + strspn(text, " \t");
}

static const char *parse_term(const char **text, int64_t sign, struct formula *out, char *error, size_t error_size) {
    char name[64];
    const char *at = skip(*text);
    int64_t factor = sign;
    if (isdigit((unsigned char)*at)) {
        char *end;
        factor *= strtol(at, &end, 10);
        at = skip(end);
        if (*at != '*') { /* a bare number adds nothing unless it multiplies a total */
            *text = at;
            if (factor == 0)
                return NULL;
            snprintf(error, error_size, "a constant other than 0 is no count");
            return error;
        }
        at = skip(at + 1);
    }
    size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (length == 0 || length >= sizeof name) {
        snprintf(error, error_size, "expected the name of a total at '%s'", at);
        return error;
    }
    memcpy(name, at, length);
    name[length] = '\0';
    *text = at + length;
    if (out->terms == FORMULA_TERMS) {
        snprintf(error, error_size, "more than %d terms", FORMULA_TERMS);
        return error;
    }
    if (total_find(name, &out->term[out->terms].total) != 0) {
        snprintf(error, error_size, "no total is called %s", name);
        return error;
    }
    if (out->term[out->terms].total.scope != out->term[0].total.scope) {
        snprintf(error, error_size, "%s belongs to another kind of place than the totals before it", name);
        return error;
    }
    out->term[out->terms++].factor = factor;
    return NULL;
}

const char *formula_parse(const char *text, struct formula *out, char *error, size_t error_size) {
    memset(out, 0, sizeof *out);
    int64_t sign = 1;
    for (;;) {
        const char *wrong = parse_term(&text, sign, out, error, error_size);
        if (wrong)
            return wrong;
        text = skip(text);
        if (*text == '\0')
            return NULL;
        if (*text != '+' && *text != '-') {
            snprintf(error, error_size, "expected + or - at '%s'", text);
            return error;
        }
        sign = *text++ == '-' ? -1 : 1;
    }
}

uint64_t formula_value(const struct formula *formula, const struct node_view *view, const struct place *place,
                       uint32_t states) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < formula->terms; i++) {
        const struct total_name *total = &formula->term[i].total;
        uint32_t offset = total_offset(total, place);
        uint64_t value = 0;
        if (!total->per_state)
            value = node_total(view, offset);
        for (uint32_t s = 0; total->per_state && s < SIM_LINE_STATES; s++)
            if (states >> s & 1)
                value += node_total(view, offset + 8u * s);
        sum += (uint64_t)formula->term[i].factor * value;
    }
    return sum;
}
