/* device_checks.h - the access daemon's answers to LIKWID's question whether a device exists.
 *
 * LIKWID asks for the device of each counter, some 3000 times at a program's start, about some ten devices. The daemon
 * answers once about each; later answers are taken from here: in simulated processes by the engine (engine/checks.c),
 * in native ones by the preloaded library (shim/native_checks.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_DEVICE_CHECKS_H
#define ASSAY_PMU_DEVICE_CHECKS_H

#include "vnode/pmu/protocol.h"

enum { DEVICE_CHECKS_MAX = 256 };

struct device_checks { /* all zeros: nothing is known */
    struct protocol_record known[DEVICE_CHECKS_MAX];
    uint32_t count;
};

/* What the daemon answered to the same question; NULL: it was not asked. */
static inline const struct protocol_record *device_checks_find(const struct device_checks *checks,
                                                               const struct protocol_record *asked) {
    uint32_t count = __atomic_load_n(&checks->count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (checks->known[i].device == asked->device && checks->known[i].cpu == asked->cpu)
            return &checks->known[i];
    return (void *)0;
}

/* After an answer of the daemon to such a question. Of two threads at a time, one may be in vain. */
static inline void device_checks_learn(struct device_checks *checks, const struct protocol_record *answered) {
    uint32_t count = __atomic_load_n(&checks->count, __ATOMIC_ACQUIRE);
    if (count == DEVICE_CHECKS_MAX || device_checks_find(checks, answered))
        return;
    checks->known[count] = *answered;
    __atomic_store_n(&checks->count, count + 1, __ATOMIC_RELEASE);
}

#endif
