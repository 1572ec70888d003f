/* sim_policies.h - small nodes of every policy and shape, with caches of a few lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_TESTS_SIM_POLICIES_H
#define ASSAY_TESTS_SIM_POLICIES_H

#include "sim_checks.h"

struct policy {
    enum sim_inclusion inclusion;
    enum sim_directory directory;
    uint32_t filter_entries; /* per slice, in 4 ways */
};

/* The first filter has an entry for each line; the second has fewer entries than the cores hold lines. The lines of
 * policy_line() use 8 entries of either. */
static const struct policy policies[] = {
    {SIM_INCLUSIVE, SIM_DIRECTORY_INCLUSIVE, 0},
    {SIM_VICTIM, SIM_SHADOW_TAGS, 0},
    {SIM_VICTIM, SIM_SNOOP_FILTER, 4 * 8192},
    {SIM_VICTIM, SIM_SNOOP_FILTER, 4 * 2},
};

struct shape {
    uint32_t sockets, cores, domains, numas, slices, channels, agents, links;
};

static const struct shape shapes[] = {
    {1, 1, 1, 1, 1, 2, 2, 1}, /* a single core */
    {1, 3, 1, 1, 3, 3, 1, 1}, /* cores of one domain */
    {1, 5, 2, 1, 2, 2, 0, 1}, /* two domains (3 + 2 cores) in a socket; no home agents */
    {2, 2, 1, 1, 4, 8, 2, 2}, /* two sockets with two links each */
    {2, 4, 2, 2, 1, 6, 2, 4}, /* all of these */
};

enum { POLICIES = sizeof policies / sizeof *policies, SHAPES = sizeof shapes / sizeof *shapes };

/* 2 lines of L1, 8 of L2, and last-level sets of 2 ways. */
static inline struct sim_config policy_config(const struct policy *policy, const struct shape *shape,
                                              enum sim_protocol protocol) {
    struct sim_config config = node_config(shape->sockets, shape->cores);
    config.domains_per_socket = shape->domains;
    config.numa_per_socket = shape->numas;
    config.slices = shape->slices;
    config.channels = shape->channels;
    config.agents = shape->agents;
    config.links = shape->links;
    config.l1d = (struct sim_cache_config){2 * 2 * LINE, 2, 0};
    config.l1i = (struct sim_cache_config){2 * LINE, 2, 0};
    config.l2 = (struct sim_cache_config){4 * 2 * LINE, 2, L2_LATENCY};
    config.l3 = (struct sim_cache_config){512 * 2 * LINE, 2, L3_LATENCY};
    config.inclusion = policy->inclusion;
    config.directory = policy->directory;
    config.protocol = protocol;
    config.filter = (struct sim_filter_config){policy->filter_entries, policy->filter_entries ? 4 : 0};
    return config;
}

/* Line `i` of the lines that fill all caches: `depth` lines in each of 2 sets of each slice. */
static inline uint64_t policy_line(const struct sim_config *config, uint32_t i) {
    uint64_t slice = i % config->slices, set = i / config->slices % 2, depth = i / config->slices / 2;
    return (UINT64_C(1) << 20) * config->slices + slice + config->slices * (set + 512 * depth);
}

#endif
