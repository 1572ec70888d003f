/* sim_random_inclusive.c - inclusive last levels against the reference, on random traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_random.h"
#include "test.h"

TEST(one_socket) {
    struct sim_config config = random_config(1, 3);
    random_trace(&config);
}

TEST(two_sockets) {
    struct sim_config config = random_config(2, 2);
    random_trace(&config);
}

TEST(two_threads_per_core) {
    struct sim_config config = random_config(2, 2);
    config.threads_per_core = 2;
    random_trace(&config);
}

TEST(four_sockets_of_one_core) {
    struct sim_config config = random_config(4, 1);
    config.slices = 2;
    config.channels = 3;
    config.agents = 1;
    config.links = 3;
    random_trace(&config);
}

/* With one socket that has memory, and with two. */
TEST(a_socket_without_memory) {
    for (uint32_t sockets = 2; sockets <= 3; sockets++) {
        struct sim_config config = random_config(sockets, 2);
        config.last_lacks = config.channels;
        random_trace(&config);
    }
}

/* Two last levels per socket, the second with one core, and two NUMA domains. */
TEST(domains_in_a_socket) {
    struct sim_config config = random_config(2, 3);
    config.domains_per_socket = 2;
    config.numa_per_socket = 2;
    config.slices = 5;
    config.dtlb_large.entries = 0; /* large pages share the small pages' entries */
    config.channels = 4;
    config.last_lacks = 1;
    config.evasion = 2;
    config.agents = 2;
    random_trace(&config);
}

/* One NUMA domain with two memories. */
TEST(high_bandwidth_memory) {
    struct sim_config config = random_config(1, 2);
    config.hbm_channels = 5;
    random_trace(&config);
}

TEST(moesi_two_sockets) {
    struct sim_config config = random_config(2, 4);
    config.domains_per_socket = 2;
    config.protocol = SIM_MOESI;
    config.slices = 3;
    config.channels = 2;
    config.agents = 0;
    config.links = 2;
    random_trace(&config);
}

/* Lines and caches twice as large: the same number of lines. */
TEST(long_lines) {
    struct sim_config config = random_config(2, 2);
    struct sim_cache_config *caches[] = {&config.l1i, &config.l1d, &config.l2, &config.l3};
    config.line *= 2;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        caches[i]->size *= 2;
    random_trace(&config);
}
