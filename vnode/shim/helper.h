/* helper.h - process ids of helpers: children that LIKWID's libraries fork in a simulated process (helpers.c). These
 * libraries see the ids of vnode/process_ids.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SHIM_HELPER_H
#define ASSAY_SHIM_HELPER_H

#include <string.h>
#include <sys/types.h>

#include "vnode/process_ids.h"

/* The id of a child that would try rdpmc; it is never started. */
enum { TRIES_RDPMC = TOLD_FIRST };

/* Whether `caller` is code of LIKWID's libraries in a simulated process: its forked children are helpers. */
int starts_helper(void *caller);

/* `caller` asks access() whether it may execute a file. */
void helper_asked(void *caller);

/* The real id of a helper; other ids stay unchanged. */
static inline pid_t helper_process(pid_t told) {
    return told >= TOLD_FIRST ? told - TOLD_FIRST : told;
}

/* The same for an id's text, without conversion: skips the 1 of TOLD_FIRST and the zeros after it. A real id has
 * fewer digits and stays unchanged; a program has one if it starts the access daemon itself. */
static inline const char *helper_digits(const char *told) {
    const char *digits = told;
    if (strlen(told) < TOLD_DIGITS)
        return told;
    for (digits++; *digits == '0'; digits++)
        ;
    return digits;
}

#endif
