/* sim_random_compare.h - compares all totals of two simulations and names the first that differs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_RANDOM_COMPARE_H
#define ASSAY_TESTS_SIM_RANDOM_COMPARE_H

#include <stdio.h>
#include <string.h>

#include "vnode/pmu/totals.h"
#include "vnode/sim/config.h"

struct difference {
    char total[120]; /* name of the total; empty: no difference */
    uint64_t first, second;
};

/* The index of the first differing word; both areas must differ. */
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

/* Consecutive parts of a struct of totals: the name and number of words of each. */
struct totals_part {
    const char *name;
    size_t words;
};

static inline void name_word(const struct totals_part *part, size_t word, char *out, size_t size) {
    while (word >= part->words)
        word -= part++->words;
    snprintf(out, size, "%s, number %zu", part->name, word);
}

#define PART(type, member)                                                                                             \
    { #member, sizeof(((struct type *)NULL)->member) / (sizeof(uint64_t)) }

static inline int slice_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t domain, uint32_t slice,
                                struct difference *difference) {
    static const struct totals_part parts[] = {
        PART(sim_slice_counts, requests),          PART(sim_slice_counts, streams_over_modified),
        PART(sim_slice_counts, clean_given_up),    PART(sim_slice_counts, lookups),
        PART(sim_slice_counts, lookups_directory), PART(sim_slice_counts, victims),
        PART(sim_slice_counts, victims_in_clean),  PART(sim_slice_counts, victims_in_modified)};
    const struct sim_slice_counts *x = &a->domain[domain].slice[slice], *y = &b->domain[domain].slice[slice];
    if (memcmp(x, y, sizeof *x) == 0)
        return 0;
    size_t word = differing_word(x, y, difference);
    int length = snprintf(difference->total, sizeof difference->total, "domain %u slice %u: ", domain, slice);
    name_word(parts, word, difference->total + length, sizeof difference->total - (size_t)length);
    return 1;
}

static inline int hbm_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t numa,
                              struct difference *difference) {
    if (memcmp(&a->hbm[numa], &b->hbm[numa], sizeof a->hbm[numa]) == 0)
        return 0;
    size_t word = differing_word(&a->hbm[numa], &b->hbm[numa], difference);
    snprintf(difference->total, sizeof difference->total, "high-bandwidth memory %u: number %zu", numa, word);
    return 1;
}

static inline int memory_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t numa,
                                 struct difference *difference) {
    static const struct totals_part parts[] = {PART(sim_memory_counts, cas_read),   PART(sim_memory_counts, cas_write),
                                               PART(sim_memory_counts, cas_remote), PART(sim_memory_counts, cas_second),
                                               PART(sim_memory_counts, activates),  PART(sim_memory_counts, precharges),
                                               PART(sim_memory_counts, banks),      PART(sim_memory_counts, agent)};
    if (memcmp(&a->memory[numa], &b->memory[numa], sizeof a->memory[numa]) == 0)
        return 0;
    size_t word = differing_word(&a->memory[numa], &b->memory[numa], difference);
    int length = snprintf(difference->total, sizeof difference->total, "memory %u: ", numa);
    name_word(parts, word, difference->total + length, sizeof difference->total - (size_t)length);
    return 1;
}

static inline int socket_differs(const struct sim_counts *a, const struct sim_counts *b, uint32_t socket,
                                 struct difference *difference) {
    static const struct totals_part parts[] = {
        PART(sim_socket_counts, link_data_lines_out), PART(sim_socket_counts, link_data_lines_in),
        PART(sim_socket_counts, link_snoops_out),     PART(sim_socket_counts, link_snoops_in),
        PART(sim_socket_counts, link_reads_out),      PART(sim_socket_counts, link_reads_in),
        PART(sim_socket_counts, uncore_cycles)};
    if (memcmp(&a->socket[socket], &b->socket[socket], sizeof a->socket[socket]) == 0)
        return 0;
    size_t word = differing_word(&a->socket[socket], &b->socket[socket], difference);
    int length = snprintf(difference->total, sizeof difference->total, "socket %u: ", socket);
    name_word(parts, word, difference->total + length, sizeof difference->total - (size_t)length);
    return 1;
}

/* The first differing total of those that a node with this configuration has. */
static inline struct difference compare_counts(const struct sim_config *config, const struct sim_counts *a,
                                               const struct sim_counts *b) {
    struct difference difference = {"", 0, 0};
    for (uint32_t core = 0; core < sim_cpus(config); core++)
        if (core_differs(a, b, core, &difference))
            return difference;
    for (uint32_t domain = 0; domain < sim_domains(config); domain++)
        for (uint32_t slice = 0; slice < config->slices; slice++)
            if (slice_differs(a, b, domain, slice, &difference))
                return difference;
    for (uint32_t numa = 0; numa < sim_numas(config); numa++)
        if (memory_differs(a, b, numa, &difference) || hbm_differs(a, b, numa, &difference))
            return difference;
    for (uint32_t socket = 0; socket < config->sockets; socket++)
        if (socket_differs(a, b, socket, &difference))
            return difference;
    return difference;
}

#endif
