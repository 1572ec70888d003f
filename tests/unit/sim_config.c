/* sim_config.c - unit tests of which configurations are refused, and with which words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_node.h"

static void good_nodes(void **state) {
    (void)state;
    for (uint32_t sockets = 1; sockets <= SIM_SOCKETS_MAX; sockets++)
        for (uint32_t cores = 1; sockets * cores <= SIM_CORES_MAX && cores <= SIM_SLICES_MAX; cores++) {
            struct sim_config config = node_config(sockets, cores);
            assert_null(sim_config_error(&config));
        }
}

/* Each wrong value is refused by a line that begins with its name. */
static void wrong_values(void **state) {
    (void)state;
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
    REFUSED(cores_per_socket, 19, "cores_per_socket");
    REFUSED(line, 128, "line");
    REFUSED(page, 6000, "page");
    REFUSED(page, 2048, "page");
    REFUSED(l1d.ways, 0, "l1d");
    REFUSED(l1d.size, 33 << 10, "l1d");
    REFUSED(l1i.size, 0, "l1i");
    REFUSED(l2.size, 192 << 10, "l2");
    REFUSED(l3.size, 2 << 20, "l3");
    REFUSED(l3.ways, 40, "l3");
    REFUSED(l3.size, 64 * 20 * 256, "l3");
    REFUSED(channels, 0, "channels");
    REFUSED(channels, 9, "channels");
    REFUSED(agents, 0, "agents");
    REFUSED(agents, 3, "agents");
    REFUSED(channels, 7, "agents");
    REFUSED(dtlb.ways, 0, "dtlb");
    REFUSED(dtlb.entries, 63, "dtlb");
    REFUSED(itlb.entries, 96, "itlb");
    REFUSED(stlb.ways, 7, "stlb");
    REFUSED(instructions_per_cycle_x4, 0, "instructions_per_cycle_x4");
    REFUSED(clock_hz, 0, "clock_hz");
    REFUSED(uncore_hz, 0, "uncore_hz");
    REFUSED(uncore_hz, UINT64_C(1) << 32, "uncore_hz");
#undef REFUSED
    struct sim_config config = node_config(2, 17);
    assert_non_null(sim_config_error(&config));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_nodes),
        cmocka_unit_test(wrong_values),
    };
    return cmocka_run_group_tests_name("sim config", tests, NULL, NULL);
}
