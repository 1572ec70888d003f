/* helper.h - process numbers that LIKWID's libraries are told in a simulated process: HELPER_FIRST and the real one,
 * which Linux keeps below 2^22. SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_HELPER_H
#define ASSAY_SHIM_HELPER_H

#include <string.h>
#include <sys/types.h>

enum { HELPER_FIRST = 10000000, HELPER_DIGITS = 8 };

/* Whether code of LIKWID's libraries at that address runs in a simulated process: what it forks are helpers. */
int starts_helper(void *caller);

static inline pid_t helper_process(pid_t told) {
    return told >= HELPER_FIRST ? told - HELPER_FIRST : told;
}

/* The same as text, of which nothing is converted: behind the 1 of HELPER_FIRST and zeros. A program that starts a
 * daemon by itself knows the real number, which has fewer digits. */
static inline const char *helper_digits(const char *told) {
    const char *digits = told;
    if (strlen(told) < HELPER_DIGITS)
        return told;
    for (digits++; *digits == '0'; digits++)
        ;
    return digits;
}

#endif
