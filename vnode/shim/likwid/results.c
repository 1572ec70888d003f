/* results.c - replaces LIKWID's results (likwid.h) of uncounted events by NaN, which likwid-perfctr shows as '-'.
 * LIKWID returns 0, or NaN if access to the counter was refused; its metrics treat both as 0. Results of counters
 * that a fault refuses are not replaced: hardware that refuses counters shows the same.
 *
 * A metric that uses such an event is NaN too. LIKWID does not give its formulas, but evaluates them with counts from
 * this file: a metric uses these events if it changes with their test values.
 *
 * Part of the library that replaces functions of LIKWID, see timer.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <math.h>

#include "vnode/shim/events.h"
#include "vnode/shim/shim.h"

typedef double result(int group_or_region, int index, int thread);
int perfmon_getGroupOfRegion(int region); /* of liblikwid, called but not replaced */

/* Returned counts: LIKWID's, or test values with refused events 0 (WITHOUT) or not (WITH). */
static enum { COUNTED, WITHOUT, WITH } counts;
static int was_refused; /* one of the requested events */

static void *of_likwid(void *caller, const char *name) {
    return dlsym(dlopen(likwid_library_at(caller), RTLD_LAZY | RTLD_NOLOAD), name);
}

/* The function of liblikwid, the caller, that is replaced here. */
#define REPLACED(name)                                                                                                 \
    ({                                                                                                                 \
        static __typeof__(&name) replaced_##name;                                                                      \
        if (!replaced_##name)                                                                                          \
            replaced_##name = (__typeof__(&name))of_likwid(__builtin_return_address(0), #name);                        \
        replaced_##name;                                                                                               \
    })

static double count(double counted, int is_refused, int event) {
    was_refused |= is_refused;
    if (counts == COUNTED)
        return is_refused ? NAN : counted;
    return is_refused && counts == WITHOUT ? 0 : 1 + 1.0 / (event + 2); /* all differ */
}

static double metric(result *replaced, int group_or_region, int index, int thread) {
    was_refused = 0;
    double value = replaced(group_or_region, index, thread);
    if (!was_refused)
        return value;
    counts = WITHOUT;
    double without = replaced(group_or_region, index, thread);
    counts = WITH;
    double with = replaced(group_or_region, index, thread);
    counts = COUNTED;
    return with == without ? value : NAN;
}

double perfmon_getResult(int group, int event, int thread) {
    return count(REPLACED(perfmon_getResult)(group, event, thread), events_are_refused(group, event), event);
}

double perfmon_getLastResult(int group, int event, int thread) {
    return count(REPLACED(perfmon_getLastResult)(group, event, thread), events_are_refused(group, event), event);
}

double perfmon_getResultOfRegionThread(int region, int event, int thread) {
    double counted = REPLACED(perfmon_getResultOfRegionThread)(region, event, thread);
    return count(counted, events_are_refused(REPLACED(perfmon_getGroupOfRegion)(region), event), event);
}

double perfmon_getMetric(int group, int index, int thread) {
    return metric(REPLACED(perfmon_getMetric), group, index, thread);
}

double perfmon_getLastMetric(int group, int index, int thread) {
    return metric(REPLACED(perfmon_getLastMetric), group, index, thread);
}

double perfmon_getMetricOfRegionThread(int region, int index, int thread) {
    return metric(REPLACED(perfmon_getMetricOfRegionThread), region, index, thread);
}
