/* select.h - decodes event select registers, in each processor's layout.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_SELECT_H
#define ASSAY_PMU_SELECT_H

#include <stdint.h>

enum select_layout {
    SELECT_CORE_INTEL, /* IA32_PERFEVTSELx */
    SELECT_CORE_AMD,   /* PERF_CTLx: event bits [11:8] in bits [35:32] */
    SELECT_BOX_INTEL,  /* uncore of server processors */
    SELECT_BOX_L3,     /* ChL3PmcCfg of an AMD core complex */
    SELECT_BOX_FABRIC, /* DF_PERF_CTL: AMD's data fabric, event bits [11:8] and [13:12] above */
    SELECT_BOX_WIDE,   /* Ice Lake's server uncore: unit mask bits [31:8] in bits [55:32] */
    SELECT_BOX_FOUND,  /* later server uncore, which discovery tables describe: the same mask, no enable bit */
    SELECT_LAYOUTS
};

struct selection {
    int enabled;
    uint32_t code, umask, threshold;
    int edge, invert;
    const char *unmodelled; /* unmodelled feature that the select requests, NULL: none */
};

struct selection select_decode(enum select_layout layout, uint64_t value);

/* Reserved bits. `version`: of Intel's architectural performance monitoring, else 0. Intel processors raise a general
 * protection fault if they are written, AMD's ignore them. */
uint64_t select_reserved(enum select_layout layout, uint32_t version);

/* Effect of threshold and invert on an event that happens once per cycle: 1 counts every cycle, 0 none. Invert
 * without a threshold has no effect. */
int cycle_condition(uint32_t threshold, int invert);

#endif
