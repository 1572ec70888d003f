/* sim_config.c - unit tests of refused configurations and their messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"
#include "test.h"

TEST(good_nodes) {
    for (uint32_t sockets = 1; sockets <= SIM_SOCKETS_MAX; sockets++)
        for (uint32_t cores = 1; sockets * cores <= SIM_CORES_MAX && cores <= 32; cores++) {
            struct sim_config config = node_config(sockets, cores);
            assert_null(sim_config_error(&config));
        }
}

/* Each wrong value is refused with a message that begins with its name. */
TEST(wrong_values) {
#define REFUSED(field, value, word)                                                                                    \
    do {                                                                                                               \
        struct sim_config config = node_config(1, 2);                                                                  \
        config.field = (value);                                                                                        \
        const char *error = sim_config_error(&config);                                                                 \
        assert_non_null(error);                                                                                        \
        assert_memory_equal(error, word ":", sizeof word);                                                             \
    } while (0)
    REFUSED(sockets, 0, "sockets");
    REFUSED(sockets, 5, "sockets");
    REFUSED(cores_per_socket, 0, "cores_per_socket");
    REFUSED(cores_per_socket, 65, "cores_per_socket");
    REFUSED(cores_per_socket, 33, "domains_per_socket");
    REFUSED(domains_per_socket, 0, "domains_per_socket");
    REFUSED(domains_per_socket, 3, "domains_per_socket");
    REFUSED(numa_per_socket, 0, "numa_per_socket");
    REFUSED(slices, 0, "slices");
    REFUSED(slices, SIM_SLICES_MAX + 1, "slices");
    REFUSED(links, 0, "links");
    REFUSED(links, SIM_LINKS_MAX + 1, "links");
    REFUSED(inclusion, 2, "inclusion");
    REFUSED(inclusion, SIM_VICTIM, "directory");
    REFUSED(protocol, 2, "protocol");
    REFUSED(directory, SIM_SNOOP_FILTER, "directory");
    REFUSED(directory, SIM_SHADOW_TAGS, "directory");
    REFUSED(line, 96, "line");
    REFUSED(line, 32, "line");
    REFUSED(line, 256, "line");
    REFUSED(page, 6000, "page");
    REFUSED(page, 2048, "page");
    REFUSED(l1d.ways, 0, "l1d");
    REFUSED(l1d.size, 33 << 10, "l1d");
    REFUSED(l1i.size, 0, "l1i");
    REFUSED(l1d.size, 4 << 20, "l1d");
    REFUSED(l1i.size, 4 << 20, "l1i");
    REFUSED(l2.size, 192 << 10, "l2");
    REFUSED(l3.size, 2 << 20, "l3");
    REFUSED(l3.ways, 40, "l3");
    REFUSED(l3.size, 64 * 20 * 256, "l3");
    REFUSED(l3.size, UINT64_C(64) * 20 << 22, "l3");
    REFUSED(channels, 0, "channels");
    REFUSED(channels, 13, "channels");
    REFUSED(last_lacks, 9, "last_channels");
    REFUSED(last_lacks, 8, "last_channels"); /* the only socket */
    REFUSED(hbm_channels, 33, "hbm_channels");
    REFUSED(agents, 3, "agents");
    REFUSED(agents, SIM_AGENTS_MAX + 1, "agents");
    REFUSED(ranks, 3, "ranks");
    REFUSED(ranks, 16, "ranks");
    REFUSED(banks, 0, "banks");
    REFUSED(banks, 32, "banks");
    REFUSED(dram_row, 32, "dram_row");
    REFUSED(dram_row, 192, "dram_row");
    REFUSED(channels, 7, "agents");
    REFUSED(dtlb.ways, 0, "dtlb");
    REFUSED(dtlb.entries, 63, "dtlb");
    REFUSED(itlb.entries, 96, "itlb");
    REFUSED(itlb.entries, 4 << 13, "itlb");
    REFUSED(dtlb.entries, 4 << 13, "dtlb");
    REFUSED(dtlb_large.entries, 4 << 13, "dtlb_large");
    REFUSED(stlb.ways, 7, "stlb");
    REFUSED(large_page, PAGE, "large_page");
    REFUSED(large_page, 3 * PAGE, "large_page");
    REFUSED(dtlb_large.ways, 3, "dtlb_large");
    REFUSED(instructions_per_cycle_x4, 0, "instructions_per_cycle_x4");
    REFUSED(clock_hz, 0, "clock_hz");
    REFUSED(uncore_hz, 0, "uncore_hz");
    REFUSED(uncore_hz, UINT64_C(1) << 32, "uncore_hz");
#undef REFUSED
    struct sim_config config = node_config(1, 2);
    config.frames_seed = 1;
    config.slices = 1;
    config.l3.size = UINT64_C(64) * 20 * 512;
    assert_non_null(strstr(sim_config_error(&config), "pages: "));
    config.large_page = 0;
    assert_null(sim_config_error(&config));
    config = node_config(4, 17);
    assert_non_null(sim_config_error(&config));
}

TEST(last_socket_without_memory) {
    struct sim_config config = node_config(2, 1);
    config.last_lacks = config.channels;
    assert_null(sim_config_error(&config));
    config.hbm_channels = 32;
    assert_string_equal(sim_config_error(&config),
                        "last_channels: a socket with high-bandwidth memory needs other memory, too");
    config.last_lacks--;
    assert_null(sim_config_error(&config));
}

/* Five cores in four domains would be 2 + 2 + 1 + 0. */
TEST(domains_without_core) {
    struct sim_config config = node_config(1, 5);
    config.domains_per_socket = 4;
    assert_non_null(strstr(sim_config_error(&config), "domains_per_socket: "));
    config.domains_per_socket = 3;
    assert_null(sim_config_error(&config));
}

TEST(snoop_filters) {
    struct sim_config config = node_config(1, 2);
    config.inclusion = SIM_VICTIM;
    config.directory = SIM_SNOOP_FILTER;
    const struct sim_filter_config good[] = {{12, 12}, {12 * 2048, 12}},
                                   bad[] = {{0, 0}, {0, 4}, {13, 12}, {36, 12}, {12 << 22, 12}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        config.filter = good[i];
        assert_null(sim_config_error(&config));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        config.filter = bad[i];
        assert_memory_equal(sim_config_error(&config), "filter:", 7);
    }
}
