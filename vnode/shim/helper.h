/* helper.h - process ids that LIKWID's libraries see in a simulated process: HELPER_FIRST + the real one, which Linux
 * keeps below 2^22.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_HELPER_H
#define ASSAY_SHIM_HELPER_H

#include <string.h>
#include <sys/types.h>

enum { HELPER_FIRST = 10000000, HELPER_DIGITS = 8 };

/* Whether `caller` is code of LIKWID's libraries in a simulated process: its forked children are helpers. */
int starts_helper(void *caller);

static inline pid_t helper_process(pid_t told) {
    return told >= HELPER_FIRST ? told - HELPER_FIRST : told;
}

/* The same for the number's text, without conversion: skips the 1 of HELPER_FIRST and its zeros. A program that
 * starts a daemon itself has the real number, which has fewer digits. */
static inline const char *helper_digits(const char *told) {
    const char *digits = told;
    if (strlen(told) < HELPER_DIGITS)
        return told;
    for (digits++; *digits == '0'; digits++)
        ;
    return digits;
}

#endif
