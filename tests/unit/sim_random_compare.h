/* sim_random_compare.h - all totals of two simulations: whether they differ, and in which total.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_RANDOM_COMPARE_H
#define ASSAY_TESTS_SIM_RANDOM_COMPARE_H

#include <stdio.h>
#include <string.h>

#include "vnode/pmu/totals.h"
#include "vnode/sim/config.h"

struct difference {
    char total[120]; /* its name; empty: none differs */
    uint64_t first, second;
};

/* The word at which two places differ; the places do. */
static inline size_t differing_word(const void *first, const void *second, struct difference *difference) {
    const uint64_t *a = (const uint64_t *)first, *b = (const uint64_t *)second;
    size_t word = 0;
    while (a[word] == b[word])
        word++;
    difference->first = a[word];
    difference->second = b[word];
    return word;
}

static inline int core_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t core,
                               struct difference *difference) {
    static const char *const requests[] = {"DATA_READ", "RFO", "CODE_READ", "WRITEBACK", "STREAMING_STORE"};
    static const char *const suppliers[] = {"L3", "LOCAL_DRAM", "REMOTE_DRAM", "REMOTE_CACHE", "NONE"};
    static const char *const snoops[] = {"NONE", "MISS", "HIT", "HITM"};
    if (memcmp(&a->core[core], &b->core[core], sizeof a->core[core]) == 0)
        return 0;
    size_t word = differing_word(&a->core[core], &b->core[core], difference);
    if (word < CORE_COUNTS) {
        snprintf(difference->total, sizeof difference->total, "core %u: %s", core, core_count_name((int)word));
    } else {
        word -= CORE_COUNTS;
        snprintf(difference->total, sizeof difference->total, "core %u: offcore %s from %s, snoop %s", core,
                 requests[word / SIM_SNOOPS / SIM_SUPPLIERS], suppliers[word / SIM_SNOOPS % SIM_SUPPLIERS],
                 snoops[word % SIM_SNOOPS]);
    }
    return 1;
}

static inline int slice_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t domain, uint32_t slice,
                                struct difference *difference) {
    static const char *const lookups[] = {"DATA_READ", "RFO", "CODE_READ", "WRITE", "REMOTE_SNOOP"};
    static const char *const states[] = {"I", "S", "E", "F", "M", "O"};
    const struct sim_slice_counts *x = &a->domain[domain].slice[slice], *y = &b->domain[domain].slice[slice];
    if (memcmp(x, y, sizeof *x) == 0)
        return 0;
    size_t word = differing_word(x, y, difference), all = SIM_LOOKUPS * SIM_LINE_STATES;
    char *to = difference->total;
    int length = snprintf(to, sizeof difference->total, "domain %u slice %u: ", domain, slice);
    size_t left = sizeof difference->total - (size_t)length;
    if (word < all)
        snprintf(to + length, left, "lookup %s finds %s", lookups[word / SIM_LINE_STATES],
                 states[word % SIM_LINE_STATES]);
    else if (word < all + SIM_LINE_STATES)
        snprintf(to + length, left, "victims %s", states[word - all]);
    else
        snprintf(to + length, left, "victims in, %s", word == all + SIM_LINE_STATES ? "clean" : "modified");
    return 1;
}

static inline int memory_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t numa,
                                 struct difference *difference) {
    static const char *const agent[] = {"reads",
                                        "reads_bypass",
                                        "writes",
                                        "writes_partial",
                                        "requests_local_read",
                                        "requests_remote_read",
                                        "requests_local_write",
                                        "requests_remote_write"};
    enum { OF_AGENT = sizeof(struct sim_agent_counts) / sizeof(uint64_t) };
    _Static_assert(OF_AGENT == sizeof agent / sizeof *agent, "a home agent's totals");
    if (memcmp(&a->memory[numa], &b->memory[numa], sizeof a->memory[numa]) == 0)
        return 0;
    size_t word = differing_word(&a->memory[numa], &b->memory[numa], difference);
    if (word < 2 * SIM_CHANNELS_MAX)
        snprintf(difference->total, sizeof difference->total, "memory %u channel %zu: CAS %s", numa,
                 word % SIM_CHANNELS_MAX, word < SIM_CHANNELS_MAX ? "reads" : "writes");
    else
        snprintf(difference->total, sizeof difference->total, "memory %u agent %zu: %s", numa,
                 (word - 2 * SIM_CHANNELS_MAX) / OF_AGENT, agent[(word - 2 * SIM_CHANNELS_MAX) % OF_AGENT]);
    return 1;
}

static inline int socket_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t socket,
                                 struct difference *difference) {
    if (memcmp(&a->socket[socket], &b->socket[socket], sizeof a->socket[socket]) == 0)
        return 0;
    size_t word = differing_word(&a->socket[socket], &b->socket[socket], difference);
    if (word < SIM_LINKS_MAX)
        snprintf(difference->total, sizeof difference->total, "socket %u link %zu: lines out", socket, word);
    else
        snprintf(difference->total, sizeof difference->total, "socket %u: uncore cycles", socket);
    return 1;
}

/* The first total in which they differ, of those that a node of this configuration has. */
static inline struct difference compare_counts(const struct sim_config *config, const struct sim_counts *a,
                                               const struct sim_counts *b) {
    struct difference difference = {"", 0, 0};
    for (uint32_t core = 0; core < sim_cores(config); core++)
        if (core_differs(a, b, core, &difference))
            return difference;
    for (uint32_t domain = 0; domain < sim_domains(config); domain++)
        for (uint32_t slice = 0; slice < config->slices; slice++)
            if (slice_differs(a, b, domain, slice, &difference))
                return difference;
    for (uint32_t numa = 0; numa < sim_numas(config); numa++)
        if (memory_differs(a, b, numa, &difference))
            return difference;
    for (uint32_t socket = 0; socket < config->sockets; socket++)
        if (socket_differs(a, b, socket, &difference))
            return difference;
    return difference;
}

#endif
