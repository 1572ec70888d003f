/* promise.h - for programs that check promises of Linux: prints each broken promise and sets `broken` to 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_PROGRAMS_PROMISE_H
#define ASSAY_TESTS_PROGRAMS_PROMISE_H

#include <errno.h>
#include <stdio.h>

static int broken;

static void promise(int holds, const char *text) {
    if (holds)
        return;
    printf("broken: %s\n", text);
    broken = 1;
}

static inline int fails_with(long result, int error) {
    return result == -1 && errno == error;
}

#endif
