/* select.h - decodes event select registers, in each processor's layout.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_SELECT_H
#define ASSAY_PMU_SELECT_H

#include <stdint.h>

enum select_layout {
    SELECT_CORE_INTEL,   /* IA32_PERFEVTSELx */
    SELECT_CORE_AMD,     /* PERF_CTLx: event bits [11:8] in bits [35:32] */
    SELECT_BOX_INTEL,    /* uncore of server processors */
    SELECT_BOX_L3,       /* ChL3PmcCfg of an AMD core complex */
    SELECT_BOX_FABRIC,   /* DF_PERF_CTL: AMD's data fabric, event bits [11:8] and [13:12] above */
    SELECT_BOX_FABRIC12, /* the same from Zen 4 on: event bits [14:8] in bits [38:32], unit mask bits [11:8] in [27:24]
                          */
    SELECT_BOX_UMC,   /* UMC_PERF_CTL: AMD's memory channels; the unit mask selects reads (1), writes (2) or both (0) */
    SELECT_BOX_WIDE,  /* Ice Lake's server uncore: unit mask bits [31:8] in bits [55:32] */
    SELECT_BOX_FOUND, /* later server uncore, which discovery tables describe: the same mask, no enable bit */
    SELECT_LAYOUTS
};

/* The lowest `bits` bits, 1 to 64. */
static inline uint64_t low_bits(uint32_t bits) {
    return ~UINT64_C(0) >> (64 - bits);
}

struct selection {
    int enabled;
    uint32_t code, umask, threshold;
    int edge, invert;
    const char *unmodelled; /* unmodelled feature that the select requests, NULL: none */
};

struct selection select_decode(enum select_layout layout, uint64_t value);

/* The select without threshold, edge detection and inversion. */
uint64_t select_unconditional(enum select_layout layout, uint64_t value);

/* Reserved bits. `version`: of Intel's architectural performance monitoring, else 0. Intel processors raise a general
 * protection fault if they are written, AMD's ignore them. */
uint64_t select_reserved(enum select_layout layout, uint32_t version);

/* Effect of threshold and invert on an event that happens once per cycle: 1 counts every cycle, 0 none. Invert
 * without a threshold has no effect. */
int cycle_condition(uint32_t threshold, int invert);

#endif
