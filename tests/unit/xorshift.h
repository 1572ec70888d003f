/* xorshift.h - reproducible random numbers for tests: xorshift64 (Marsaglia 2003), with full period.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_XORSHIFT_H
#define ASSAY_TESTS_XORSHIFT_H

#include <stdint.h>

/* The next number; *x is the state, never 0. The top bit is a fair coin. */
static inline uint64_t next_random(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

#endif
