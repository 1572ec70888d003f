/* sim_random_filter.c - victim last levels with a snoop filter against the reference, on random traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_random.h"
#include "test.h"

/* The filter has fewer entries than the cores hold lines, so it evicts. */
static struct sim_config filter_config(uint32_t sockets, uint32_t cores_per_socket, uint32_t entries, uint32_t ways) {
    struct sim_config config = random_config(sockets, cores_per_socket);
    config.inclusion = SIM_VICTIM;
    config.directory = SIM_SNOOP_FILTER;
    config.filter = (struct sim_filter_config){entries, ways};
    return config;
}

TEST(one_core) {
    struct sim_config config = filter_config(1, 1, 16, 4);
    config.l1d = (struct sim_cache_config){2 * 3 * LINE, 3, 0};
    random_trace(&config);
}

TEST(one_socket) {
    struct sim_config config = filter_config(1, 4, 20, 5);
    config.slices = 3;
    config.evasion = 1;
    random_trace(&config);
}

/* More slices than cores; NUMA domains with other borders than the last levels. */
TEST(two_sockets) {
    struct sim_config config = filter_config(2, 3, 16, 4);
    config.slices = 5;
    config.numa_per_socket = 2;
    config.channels = 3;
    config.agents = 1;
    config.links = 3;
    random_trace(&config);
}

/* A second memory beside each NUMA domain's, to which pages move. */
TEST(high_bandwidth_memory) {
    struct sim_config config = filter_config(2, 2, 16, 4);
    config.numa_per_socket = 2;
    config.channels = 2;
    config.hbm_channels = 3;
    config.agents = 2;
    random_trace(&config);
}

TEST(moesi_domains_in_a_socket) {
    struct sim_config config = filter_config(1, 4, 12, 6);
    config.protocol = SIM_MOESI;
    config.domains_per_socket = 2;
    config.slices = 2;
    config.agents = 0;
    random_trace(&config);
}
