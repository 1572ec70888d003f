/* generic.c - the events that Linux' perf_event has on all processors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "generic.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

static const char *const hardware[PERF_COUNT_HW_MAX] = {
    [PERF_COUNT_HW_CPU_CYCLES] = "cpu-cycles",
    [PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
    [PERF_COUNT_HW_CACHE_REFERENCES] = "cache-references",
    [PERF_COUNT_HW_CACHE_MISSES] = "cache-misses",
    [PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branch-instructions",
    [PERF_COUNT_HW_BRANCH_MISSES] = "branch-misses",
    [PERF_COUNT_HW_BUS_CYCLES] = "bus-cycles",
    [PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = "stalled-cycles-frontend",
    [PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = "stalled-cycles-backend",
    [PERF_COUNT_HW_REF_CPU_CYCLES] = "ref-cycles",
};

static const char *const caches[PERF_COUNT_HW_CACHE_MAX] = {
    [PERF_COUNT_HW_CACHE_L1D] = "L1-dcache", [PERF_COUNT_HW_CACHE_L1I] = "L1-icache",
    [PERF_COUNT_HW_CACHE_LL] = "LLC",        [PERF_COUNT_HW_CACHE_DTLB] = "dTLB",
    [PERF_COUNT_HW_CACHE_ITLB] = "iTLB",     [PERF_COUNT_HW_CACHE_BPU] = "branch",
    [PERF_COUNT_HW_CACHE_NODE] = "node",
};

static const char *const uses[PERF_COUNT_HW_CACHE_OP_MAX][PERF_COUNT_HW_CACHE_RESULT_MAX] = {
    [PERF_COUNT_HW_CACHE_OP_READ] = {"-loads", "-load-misses"},
    [PERF_COUNT_HW_CACHE_OP_WRITE] = {"-stores", "-store-misses"},
    [PERF_COUNT_HW_CACHE_OP_PREFETCH] = {"-prefetches", "-prefetch-misses"},
};

static int find_cache(const char *name, uint64_t *config) {
    for (uint64_t cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++) {
        size_t length = strlen(caches[cache]);
        for (uint64_t op = 0; strncmp(name, caches[cache], length) == 0 && op < PERF_COUNT_HW_CACHE_OP_MAX; op++)
            for (uint64_t result = 0; result < PERF_COUNT_HW_CACHE_RESULT_MAX; result++)
                if (strcmp(name + length, uses[op][result]) == 0) {
                    *config = cache | op << 8 | result << 16;
                    return 0;
                }
    }
    return -1;
}

int generic_find(const char *name, uint32_t *type, uint64_t *config) {
    *type = PERF_TYPE_HARDWARE;
    for (*config = 0; *config < PERF_COUNT_HW_MAX; ++*config)
        if (strcmp(name, hardware[*config]) == 0)
            return 0;
    *type = PERF_TYPE_HW_CACHE;
    return find_cache(name, config);
}
