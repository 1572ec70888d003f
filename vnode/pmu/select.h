/* select.h - what the bits of an event select register say, in each of the layouts that processors have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_SELECT_H
#define ASSAY_PMU_SELECT_H

#include <stdint.h>

enum select_layout {
    SELECT_CORE_INTEL, /* IA32_PERFEVTSELx */
    SELECT_CORE_AMD,   /* PERF_CTLx: event bits [11:8] in bits [35:32] */
    SELECT_BOX_INTEL,  /* uncore of server processors */
    SELECT_BOX_L3,     /* ChL3PmcCfg: of an AMD core complex */
    SELECT_BOX_FABRIC, /* DF_PERF_CTL: AMD's data fabric, event bits [11:8] and [13:12] above */
    SELECT_LAYOUTS
};

struct selection {
    int enabled;
    uint32_t code, umask, threshold;
    int edge, invert;
    const char *unmodelled; /* what it also asks for and the node has not, NULL: nothing */
};

struct selection select_decode(enum select_layout layout, uint64_t value);

/* Bits that cannot be set. `version` of Intel's architectural performance monitoring, else 0. Intel's processors refuse
 * to write them (a general protection fault), AMD's ignore them. */
uint64_t select_reserved(enum select_layout layout, uint32_t version);

/* What threshold and invert make of an event that happens once a cycle: 1 counts every cycle, 0 none. An invert
 * without a threshold has no effect. */
int cycle_condition(uint32_t threshold, int invert);

#endif
