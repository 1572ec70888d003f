/* formula_text.c - reads formulas.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"

static const char *skip(const char *text) {
    return text + strspn(text, " \t");
}

/* Parses "[3]" or "[*]" after a total's name, if present. */
static const char *parse_part(const char **text, int32_t *part, char *error, size_t error_size) {
    enum { PARTS_MAX = 4096 };
    const char *at = *text;
    *part = FORMULA_OWN;
    if (*at != '[')
        return NULL;
    char *end = (char *)at + 2;
    long number = FORMULA_ALL;
    if (at[1] != '*')
        number = isdigit((unsigned char)at[1]) ? strtol(at + 1, &end, 10) : -1;
    if ((number < 0 && number != FORMULA_ALL) || number > PARTS_MAX || *end != ']') {
        snprintf(error, error_size, "expected a number or * in brackets at '%s'", at);
        return error;
    }
    *part = (int32_t)number;
    *text = end + 1;
    return NULL;
}

static const char *parse_total(const char **text, int64_t factor, struct formula *out, char *error, size_t error_size) {
    char name[64];
    const char *at = *text;
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
    out->term[out->terms].factor = factor;
    return parse_part(text, &out->term[out->terms++].part, error, error_size);
}

static const char *parse_term(const char **text, int64_t sign, struct formula *out, char *error, size_t error_size) {
    const char *at = skip(*text);
    int64_t factor = sign;
    if (isdigit((unsigned char)*at)) {
        char *end;
        factor *= strtol(at, &end, 10);
        at = skip(end);
        if (*at != '*') { /* a number that is not a factor must be 0 */
            *text = at;
            if (factor == 0)
                return NULL;
            snprintf(error, error_size, "a constant other than 0 is no count");
            return error;
        }
        at = skip(at + 1);
    }
    *text = at;
    return parse_total(text, factor, out, error, error_size);
}

/* NULL, or the error that totals without an index belong to different kinds of places. */
static const char *check_scopes(const struct formula *formula, char *error, size_t error_size) {
    const struct total_name *own = NULL;
    for (uint32_t i = 0; i < formula->terms; i++) {
        if (formula->term[i].part != FORMULA_OWN)
            continue;
        if (own && own->scope != formula->term[i].total.scope) {
            snprintf(error, error_size, "totals of a %s and of a %s in one sum", scope_name((int)own->scope),
                     scope_name((int)formula->term[i].total.scope));
            return error;
        }
        own = &formula->term[i].total;
    }
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
            return check_scopes(out, error, error_size);
        if (*text != '+' && *text != '-') {
            snprintf(error, error_size, "expected + or - at '%s'", text);
            return error;
        }
        sign = *text++ == '-' ? -1 : 1;
    }
}
