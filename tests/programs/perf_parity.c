/* perf_parity.c - counts events by LIKWID's registers and by perf_event at once: perf_parity COUNTERS <EVENTS, lines
 * "EVENT SELECT [COUNTER [PMU [OPTION=VALUE]]]". COUNTER is LIKWID's, with @ for the counter's index if any of COUNTERS
 * can count the event (default: PMC@); PMU is of a box, as in /sys/bus/event_source/devices (default: cpu); OPTION is
 * LIKWID's, STATE or OPCODE. Prints the lines whose counts of a piece of code differ, then their number. SELECT is the
 * perf event's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <likwid.h>
#include <linux/mempolicy.h>
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

/* For boxes: lines that memory serves, loaded, stored and written without allocation. */
static __attribute__((noinline)) void work_in_memory(int passes) {
    for (unsigned i = 0; i < (unsigned)passes; i++) {
        unsigned at = i * 2654435761U % WORDS;
        __builtin_ia32_clflush((const void *)&words[at]);
        words[at] += 1;
        __builtin_ia32_movnti64((long long *)&words[at / 2], (long long)i);
    }
}

/* Leaves L1 and L2 in the same state whatever was done before, so that starting and stopping counts the same. */
static void sweep(void) {
    for (size_t i = 0; i < WORDS; i += 8)
        words[i] = 1;
}

struct measured {
    char name[NAME], counter[NAME], pmu[NAME], option[NAME];
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
    if (event[0].pmu[0])
        work_in_memory((1 + which) * PASSES);
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

/* Reads numbers from a file of the PMU. */
#define READ_PMU(event, file, ...)                                                                                     \
    ({                                                                                                                 \
        char path[2 * NAME + sizeof "/sys/bus/event_source/devices/"];                                                 \
        sprintf(path, "/sys/bus/event_source/devices/%s/%s", (event)->pmu, file);                                      \
        FILE *opened = fopen(path, "r");                                                                               \
        promise(opened &&fscanf(opened, __VA_ARGS__) == 1, path);                                                      \
        if (opened)                                                                                                    \
            fclose(opened);                                                                                            \
    })

/* Of a core's event: this thread's; of a box's: that of CPU 0. */
static int open_event(const struct measured *event) {
    struct perf_event_attr attr = {.size = sizeof attr, .config = event->select, .disabled = 1};
    uint64_t filter = 0;
    unsigned bit = 0;
    if (!event->pmu[0]) {
        attr = counting(event->select);
        attr.type = PERF_TYPE_RAW;
        return open_own(attr, NO_GROUP);
    }
    READ_PMU(event, "type", "%u", &attr.type);
    if (sscanf(event->option, "STATE=%" SCNx64, &filter) == 1)
        READ_PMU(event, "format/filter_state", "config1:%u", &bit);
    else if (sscanf(event->option, "OPCODE=%" SCNx64, &filter) == 1)
        READ_PMU(event, "format/filter_opc", "config1:%u", &bit);
    attr.config1 = filter << bit;
    return open_as(&attr, -1, 0, NO_GROUP, 0);
}

static int all, happening, different;

/* Compares the counts of PASSES passes. */
static void compare(struct measured *event, int count) {
    char set[COUNTERS_MAX * 3 * NAME] = "";
    for (int i = 0; i < count; i++) {
        event[i].fd = open_event(&event[i]);
        sprintf(set + strlen(set), "%s%s:%s%s%s", i ? "," : "", event[i].name, event[i].counter,
                event[i].option[0] ? ":" : "", event[i].option);
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
    const unsigned long domains = 3;
    int counters = count > 1 ? atoi(argument[1]) : 0, used = 0, core = 0;
    syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, &domains, sizeof domains * 8); /* so that sockets are linked */
    topology_init();
    promise(perfmon_init(1, &core) == 0, "LIKWID has counters");
    while (fgets(line, sizeof line, stdin)) {
        struct measured one = {.counter = "PMC@"};
        if (sscanf(line, "%79s %" SCNx64 " %79s %79s %79s", one.name, &one.select, one.counter, one.pmu, one.option) <
            2)
            continue;
        char *index = strchr(one.counter, '@');
        if (!index) {
            compare(&one, 1);
            continue;
        }
        int mixes = used && (strcmp(one.pmu, event[0].pmu) != 0 || strcmp(one.option, event[0].option) != 0);
        if (used == counters || mixes) { /* a box has one filter */
            compare(event, used);
            used = 0;
        }
        *index = (char)('0' + used);
        event[used++] = one;
    }
    if (used)
        compare(event, used);
    printf("%d of %d events differ, %d happen\n", different, all, happening);
    return broken || different;
}
