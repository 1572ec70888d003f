/* sim_random_shadow.c - victim last levels with shadow tags against the reference, on random traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_random.h"
#include "test.h"

static struct sim_config shadow_config(uint32_t sockets, uint32_t cores_per_socket, uint32_t domains_per_socket) {
    struct sim_config config = random_config(sockets, cores_per_socket);
    config.inclusion = SIM_VICTIM;
    config.directory = SIM_SHADOW_TAGS;
    config.protocol = SIM_MOESI;
    config.domains_per_socket = domains_per_socket;
    config.slices = 2;
    config.agents = 0;
    return config;
}

TEST(one_domain) {
    struct sim_config config = shadow_config(1, 4, 1);
    random_trace(&config);
}

TEST(domains_in_a_socket) {
    struct sim_config config = shadow_config(1, 5, 2);
    config.slices = 3;
    config.channels = 2;
    random_trace(&config);
}

TEST(two_sockets) {
    struct sim_config config = shadow_config(2, 4, 2);
    config.numa_per_socket = 4;
    config.links = 4;
    random_trace(&config);
}

TEST(mesif_two_sockets) {
    struct sim_config config = shadow_config(2, 3, 1);
    config.protocol = SIM_MESIF;
    config.channels = 12;
    config.agents = 2;
    config.links = 2;
    random_trace(&config);
}
