/* helper.h - process ids of helpers: children that LIKWID's libraries fork in a simulated process (helpers.c). These
 * libraries see HELPER_FIRST + the real id, which Linux keeps below 2^22: a number that always has eight digits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_HELPER_H
#define ASSAY_SHIM_HELPER_H

#include <string.h>
#include <sys/types.h>

enum { HELPER_FIRST = 10000000, HELPER_DIGITS = 8 };

/* The id of a child that would try rdpmc; it is never started. */
enum { TRIES_RDPMC = HELPER_FIRST };

/* Whether `caller` is code of LIKWID's libraries in a simulated process: its forked children are helpers. */
int starts_helper(void *caller);

/* `caller` asks access() whether it may execute a file. */
void helper_asked(void *caller);

/* The real id of a helper; other ids stay unchanged. */
static inline pid_t helper_process(pid_t told) {
    return told >= HELPER_FIRST ? told - HELPER_FIRST : told;
}

/* The same for an id's text, without conversion: skips the 1 of HELPER_FIRST and the zeros after it. A real id has
 * fewer digits and stays unchanged; a program has one if it starts the access daemon itself. */
static inline const char *helper_digits(const char *told) {
    const char *digits = told;
    if (strlen(told) < HELPER_DIGITS)
        return told;
    for (digits++; *digits == '0'; digits++)
        ;
    return digits;
}

#endif
