/* helper.h - process numbers that LIKWID's libraries are told in a simulated process: HELPER_FIRST and the real one,
 * which Linux keeps below 2^22. SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_HELPER_H
#define ASSAY_SHIM_HELPER_H

#include <sys/types.h>

enum { HELPER_FIRST = 10000000 };

/* Whether code of LIKWID's libraries at that address runs in a simulated process: what it forks are helpers. */
int starts_helper(void *caller);

static inline pid_t helper_process(pid_t told) {
    return told >= HELPER_FIRST ? told - HELPER_FIRST : told;
}

/* The same as text, of which nothing is converted: behind the 1 of HELPER_FIRST and zeros. */
static inline const char *helper_digits(const char *told) {
    const char *digits = told;
    for (digits++; *digits == '0'; digits++)
        ;
    return digits;
}

#endif
