/* counter.c - one 48-bit counter of a performance monitoring unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "counter.h"

#include <string.h>

int counter_update(struct counter *counter, uint64_t now) {
    if (!counter->running)
        return 0;
    uint64_t sum = counter->value + (now - counter->start);
    counter->value = sum & COUNTER_MASK;
    counter->start = now;
    return sum > COUNTER_MASK;
}

void counter_run(struct counter *counter, int running, uint64_t now) {
    counter->running = (uint32_t)running;
    counter->start = now;
}

int cycle_condition(uint32_t threshold, int invert) {
    return threshold <= 1 ? !(threshold && invert) : invert;
}

int is_denied(const char *denied, const char *counter) {
    size_t length = strlen(counter);
    while (denied && *denied) {
        size_t item = strcspn(denied, ",");
        if (item == length && memcmp(denied, counter, length) == 0)
            return 1;
        denied += item;
        denied += strspn(denied, ",");
    }
    return 0;
}

void report_not_counted(const struct pmu *pmu, const char *counter, uint64_t select, const char *reason) {
    if (pmu->not_counted)
        pmu->not_counted(pmu->context, counter, select, reason);
}
