/* results.c - replaces LIKWID's results (likwid.h) of refused events, which the node does not count (events.h), by NaN:
 * likwid-perfctr shows '-' for it. LIKWID itself returns 0, or NaN if access to the counter was refused; its metrics
 * treat both as 0. If an injected fault refuses a counter, its results are not replaced, as on hardware.
 *
 * A metric that uses a refused event becomes NaN, too. LIKWID does not show its formulas, but they call the functions
 * of this file for the counts. So each metric is evaluated with two sets of test values that differ in the refused
 * events: it uses one of them if its value differs.
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

/* What the functions return: LIKWID's counts, or test values; those of refused events are 0 (WITHOUT) or not (WITH). */
static enum { COUNTED, WITHOUT, WITH } counts;
static int was_refused; /* since it was cleared, the count of a refused event was requested */

static void *of_likwid(void *caller, const char *name) {
    return dlsym(dlopen(likwid_library_at(caller), RTLD_LAZY | RTLD_NOLOAD), name);
}

/* LIKWID's own function of that name, from the liblikwid that called its replacement. */
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
