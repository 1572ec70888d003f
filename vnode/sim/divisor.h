/* divisor.h - division of line numbers by a small number that is known at the start: a multiplication instead, for
 * powers of two as well, so that nothing branches.
 *
 * With inverse = 2^63 / n, rounded up, the quotient of x is x * inverse / 2^63, rounded down. It is exact if
 * x * n < 2^63, because the inverse is too large by less than 1 (Granlund and Montgomery, "Division by invariant
 * integers using multiplication", 1994).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_DIVISOR_H
#define ASSAY_SIM_DIVISOR_H

#include <stdint.h>

struct divisor {
    uint64_t inverse;
    uint64_t value;
};

/* `value` >= 1. */
static inline struct divisor divisor_of(uint64_t value) {
    return (struct divisor){(UINT64_MAX >> 1) / value + 1, value};
}

/* The quotient; returns the remainder in `rest`. */
static inline uint64_t divisor_divide(const struct divisor *divisor, uint64_t number, uint32_t *rest) {
    uint64_t quotient = (uint64_t)((unsigned __int128)(number << 1) * divisor->inverse >> 64);
    *rest = (uint32_t)(number - quotient * divisor->value);
    return quotient;
}

#endif
