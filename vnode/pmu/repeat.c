/* repeat.c - expands lines with ranges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "repeat.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* "{B:0-15}". */
struct range {
    char name;
    const char *start, *end; /* in the line; `end` is after the range */
    unsigned first, last;
};

/* The first range of the line. 1, 0: none, -1: invalid braces. */
static int find_range(const char *line, struct range *out) {
    int length = 0;
    out->start = strchr(line, '{');
    if (!out->start)
        return 0;
    if (sscanf(out->start, "{%c:%3u-%3u}%n", &out->name, &out->first, &out->last, &length) != 3 || length == 0)
        return -1;
    out->end = out->start + length;
    return isupper((unsigned char)out->name) && out->first <= out->last ? 1 : -1;
}

/* Writes the line with `number` in place of the range and its repetitions. -1: too long. */
static int fill_in(const char *line, const struct range *range, unsigned number, char out[REPEAT_BYTES]) {
    const char again[] = {'{', range->name, '}', '\0'};
    size_t used = 0;
    while (*line && used + 4 < REPEAT_BYTES) {
        int is_again = strncmp(line, again, sizeof again - 1) == 0;
        if (line == range->start || is_again) {
            used += (size_t)sprintf(out + used, "%u", number);
            line = is_again ? line + sizeof again - 1 : range->end;
        } else {
            out[used++] = *line++;
        }
    }
    out[used] = '\0';
    return *line ? -1 : 0;
}

/* Returns 1 when `use` stops with nonzero; sets `wrong`, NULL or what is wrong. */
static int expand(const char *line, int (*use)(void *context, char *line), void *context, const char **wrong) {
    char filled[REPEAT_BYTES];
    struct range range;
    int found = find_range(line, &range);
    if (found < 0 || strlen(line) >= sizeof filled) {
        *wrong = found < 0 ? "braces hold a capital letter and a range, as {B:0-15}" : "a line is too long";
        return 1;
    }
    if (found == 0) {
        strcpy(filled, line);
        return use(context, filled);
    }
    for (unsigned number = range.first; number <= range.last; number++) {
        if (fill_in(line, &range, number, filled) != 0) {
            *wrong = "a line is too long";
            return 1;
        }
        if (expand(filled, use, context, wrong))
            return 1;
    }
    return 0;
}

const char *repeat_line(const char *line, int (*use)(void *context, char *line), void *context) {
    const char *wrong = NULL;
    expand(line, use, context, &wrong);
    return wrong;
}
