/* perf_parity.c - counts events by LIKWID's registers and by perf_event at once: perf_parity COUNTERS <EVENTS, lines
 * "EVENT SELECT [COUNTER]". Prints the lines whose counts of a piece of code differ, then their number. `select` is the
 * perf event's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <likwid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf_open.h"

enum { PASSES = 300, COUNTERS_MAX = 8, WORDS = 1 << 17, NAME = 80 };
static volatile double words[WORDS];

static __attribute__((noinline)) double halve(double x) {
    return x / 2;
}

/* A bit of everything: loads, stores, misses, calls, branches, arithmetic, divisions, locked and split accesses. */
static void work(int passes) {
    for (unsigned i = 0; i < (unsigned)passes; i++) {
        unsigned at = i * 2654435761U % (WORDS - 1);
        words[at] = halve(words[at] + 1) + (at % 3 ? words[at / 2] : 1);
        __atomic_add_fetch((unsigned *)&words[at], 1, __ATOMIC_SEQ_CST);
        volatile uint64_t *split = (volatile uint64_t *)((uintptr_t)&words[at] / 64 * 64 + 60);
        *split = *split + 1;
    }
}

/* Leaves L1 and L2 in the same state whatever was done before, so that starting and stopping counts the same. */
static void sweep(void) {
    for (size_t i = 0; i < WORDS; i += 8)
        words[i] = 1;
}

struct measured {
    char name[NAME], counter[NAME];
    uint64_t select, by_perf[2];
    double by_likwid[2];
    int fd;
};

static void measure(struct measured *event, int count, int group, int which) {
    sweep();
    promise(perfmon_startCounters() == 0, "LIKWID starts");
    for (int i = 0; i < count; i++)
        ioctl(event[i].fd, PERF_EVENT_IOC_ENABLE, 0);
    work((1 + which) * PASSES);
    sweep();
    for (int i = 0; i < count; i++)
        ioctl(event[i].fd, PERF_EVENT_IOC_DISABLE, 0);
    promise(perfmon_stopCounters() == 0, "LIKWID stops");
    for (int i = 0; i < count; i++) {
        event[i].by_likwid[which] = perfmon_getLastResult(group, i, 0);
        event[i].by_perf[which] = value(event[i].fd);
        ioctl(event[i].fd, PERF_EVENT_IOC_RESET, 0);
    }
}

static int all, happening, different;

/* Compares the counts of PASSES passes. */
static void compare(struct measured *event, int count) {
    char set[COUNTERS_MAX * 2 * NAME] = "";
    for (int i = 0; i < count; i++) {
        struct perf_event_attr attr = counting(event[i].select);
        attr.type = PERF_TYPE_RAW;
        event[i].fd = open_own(attr, NO_GROUP);
        sprintf(set + strlen(set), "%s%s:%s", i ? "," : "", event[i].name, event[i].counter);
    }
    int group = perfmon_addEventSet(set);
    promise(group >= 0 && perfmon_setupCounters(group) == 0, set);
    for (int i = 0; i < 4; i++) /* in the first two, predictors learn */
        measure(event, count, group, i % 2);
    for (int i = 0; i < count; i++) {
        long long perf = (long long)(event[i].by_perf[1] - event[i].by_perf[0]);
        long long likwid = (long long)(event[i].by_likwid[1] - event[i].by_likwid[0]);
        if (perf != likwid || event[i].fd < 0)
            printf("%s 0x%" PRIx64 ": perf %lld, LIKWID %lld\n", event[i].name, event[i].select, perf, likwid);
        different += perf != likwid || event[i].fd < 0;
        happening += perf > 0;
        all++;
        close(event[i].fd);
    }
}

int main(int count, char **argument) {
    struct measured event[COUNTERS_MAX];
    char line[256];
    int counters = count > 1 ? atoi(argument[1]) : 0, used = 0, core = 0;
    topology_init();
    promise(perfmon_init(1, &core) == 0, "LIKWID has counters");
    while (fgets(line, sizeof line, stdin)) {
        char counter[NAME] = "";
        if (sscanf(line, "%79s %" SCNx64 " %79s", event[used].name, &event[used].select, counter) < 2)
            continue;
        sprintf(event[used].counter, "PMC%d", used);
        if (*counter) { /* one counter alone has it */
            struct measured alone = event[used];
            strcpy(alone.counter, counter);
            compare(&alone, 1);
        } else if (++used == counters) {
            compare(event, used);
            used = 0;
        }
    }
    if (used)
        compare(event, used);
    printf("%d of %d events differ, %d happen\n", different, all, happening);
    return broken || different;
}
