/* perf_open.h - for programs that check perf_event_open(2): events of a thread's own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_PROGRAMS_PERF_OPEN_H
#define ASSAY_TESTS_PROGRAMS_PERF_OPEN_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "promise.h"

enum { ANY_CPU = -1, NO_GROUP = -1 };

static int open_as(struct perf_event_attr *attr, int pid, int cpu, int group, unsigned long flags) {
    return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

static struct perf_event_attr counting(uint64_t hardware) {
    return (struct perf_event_attr){.size = sizeof(struct perf_event_attr),
                                    .type = PERF_TYPE_HARDWARE,
                                    .config = hardware,
                                    .disabled = 1,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
}

static inline struct perf_event_attr branches(void) {
    return counting(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
}

static inline int open_own(struct perf_event_attr attr, int group) {
    return open_as(&attr, 0, ANY_CPU, group, 0);
}

static inline uint64_t value(int fd) {
    uint64_t words[3] = {0};
    promise(read(fd, words, sizeof words) >= (ssize_t)sizeof words[0], "an event can be read");
    return words[0];
}

#endif
