/* select.c - decodes event select registers.
 *
 * Bits: Intel SDM vol. 3B, "Architectural Performance Monitoring"; "Intel Xeon Processor E5 v3 Uncore Performance
 * Monitoring"; AMD, Processor Programming Reference for family 17h and 19h, "Performance Monitor Counters".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "select.h"

#include <stddef.h>

/* Common to all layouts that have the feature. */
enum {
    SELECT_USER = 1 << 16,
    SELECT_KERNEL = 1 << 17,
    SELECT_EDGE = 1 << 18,
    SELECT_ENABLE = 1 << 22,
    SELECT_INVERT = 1 << 23,
};
#define BITS(value, low, count) ((uint32_t)((value) >> (low) & ((UINT64_C(1) << (count)) - 1)))

static const char *mode_error(uint64_t value) {
    return !(value & SELECT_USER) || (value & SELECT_KERNEL) ? "kernel mode is not simulated" : NULL;
}

static const char *core_intel_error(uint64_t value) {
    const char *mode = mode_error(value);
    return mode ? mode : BITS(value, 32, 2) ? "transactions are not simulated" : NULL;
}

/* Bits 40 and 41: count only guests, only the host. */
static const char *core_amd_error(uint64_t value) {
    const char *mode = mode_error(value);
    return mode ? mode : BITS(value, 40, 2) == 1 ? "guests are not simulated" : NULL;
}

/* Bit 19: count only the core in the box's filter. */
static const char *box_wide_error(uint64_t value) {
    return value & 1 << 19 ? "filtering by core is not modelled" : NULL;
}

/* Upper half: masks and matches of packets. */
static const char *box_intel_error(uint64_t value) {
    const char *by_core = box_wide_error(value);
    return by_core ? by_core : value >> 32 ? "filtering by opcode is not modelled" : NULL;
}

/* Family 17h selects threads [63:56] and slices [51:48], one bit each. Family 19h selects threads of a core [57:56],
 * one core [44:42] or all (47), one slice [50:48] or all (46). Cores have one thread here. */
static const char *box_l3_error(uint64_t value) {
    int all_cores = value >> 47 & 1 ? value >> 56 & 1 : BITS(value, 56, 8) == 0xff;
    int all_slices = (value >> 46 & 1) || BITS(value, 48, 4) == 0xf;
    if (!all_cores)
        return "filtering by core is not modelled";
    return all_slices ? NULL : "filtering by slice is not modelled";
}

/* AMD's boxes have neither threshold nor inversion. */
static int has_conditions(enum select_layout layout) {
    return layout < SELECT_BOX_L3 || layout > SELECT_BOX_UMC;
}

struct selection select_decode(enum select_layout layout, uint64_t value) {
    struct selection s = {.enabled = (value & SELECT_ENABLE) != 0, .code = value & 0xff, .umask = BITS(value, 8, 8)};
    if (has_conditions(layout)) {
        s.threshold = BITS(value, 24, 8);
        s.edge = (value & SELECT_EDGE) != 0;
        s.invert = (value & SELECT_INVERT) != 0;
    }
    switch (layout) {
    case SELECT_CORE_AMD:
        s.code |= BITS(value, 32, 4) << 8;
        s.unmodelled = core_amd_error(value);
        break;
    case SELECT_BOX_INTEL:
        s.code |= BITS(value, 21, 1) << 8;
        s.unmodelled = box_intel_error(value);
        break;
    case SELECT_BOX_FOUND:
        s.enabled = s.code != 0; /* no event has the code 0 */
        s.umask |= BITS(value, 32, 24) << 8;
        break;
    case SELECT_BOX_WIDE:
        s.umask |= BITS(value, 32, 24) << 8;
        s.unmodelled = box_wide_error(value);
        break;
    case SELECT_BOX_L3:
        s.unmodelled = box_l3_error(value);
        break;
    case SELECT_BOX_FABRIC:
        s.code |= BITS(value, 32, 4) << 8 | BITS(value, 59, 2) << 12;
        break;
    case SELECT_BOX_FABRIC12:
        s.code |= BITS(value, 32, 7) << 8;
        s.umask |= BITS(value, 24, 4) << 8;
        break;
    case SELECT_BOX_UMC:
        s.enabled = value >> 31 & 1;
        s.umask &= 3;
        break;
    default:
        s.unmodelled = core_intel_error(value);
        break;
    }
    return s;
}

uint64_t select_unconditional(enum select_layout layout, uint64_t value) {
    uint64_t conditions = UINT64_C(0xff) << 24 | SELECT_EDGE | SELECT_INVERT;
    return has_conditions(layout) ? value & ~conditions : value;
}

uint64_t select_reserved(enum select_layout layout, uint32_t version) {
    enum { ANY_THREAD = 1 << 21 };
    switch (layout) {
    case SELECT_CORE_INTEL: /* version 5 replaces counting of all threads of a core by adaptive records */
        return version >= 5 ? ~UINT64_C(0) << 35 | ANY_THREAD : ~UINT64_C(0) << 34;
    case SELECT_CORE_AMD:
        return ~UINT64_C(0) << 42 | UINT64_C(0xf) << 36 | 1 << 21 | 1 << 19;
    default: /* uncore reserved bits are ignored: they read as written */
        return 0;
    }
}

int cycle_condition(uint32_t threshold, int invert) {
    return threshold <= 1 ? !(threshold && invert) : invert;
}
