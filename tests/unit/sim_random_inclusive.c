/* sim_random_inclusive.c - inclusive last levels against the reference, on random traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_random.h"

static void one_socket(void **state) {
    (void)state;
    struct sim_config config = random_config(1, 3);
    random_trace(&config);
}

static void two_sockets(void **state) {
    (void)state;
    struct sim_config config = random_config(2, 2);
    random_trace(&config);
}

static void two_threads_per_core(void **state) {
    (void)state;
    struct sim_config config = random_config(2, 2);
    config.threads_per_core = 2;
    random_trace(&config);
}

static void four_sockets_of_one_core(void **state) {
    (void)state;
    struct sim_config config = random_config(4, 1);
    config.slices = 2;
    config.channels = 3;
    config.agents = 1;
    config.links = 3;
    random_trace(&config);
}

/* Two last levels per socket, the second with one core, and two NUMA domains. */
static void domains_in_a_socket(void **state) {
    (void)state;
    struct sim_config config = random_config(2, 3);
    config.domains_per_socket = 2;
    config.numa_per_socket = 2;
    config.slices = 5;
    config.dtlb_large.entries = 0; /* large pages share the small pages' entries */
    config.channels = 4;
    config.agents = 2;
    random_trace(&config);
}

static void moesi_two_sockets(void **state) {
    (void)state;
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
static void long_lines(void **state) {
    (void)state;
    struct sim_config config = random_config(2, 2);
    struct sim_cache_config *caches[] = {&config.l1i, &config.l1d, &config.l2, &config.l3};
    config.line *= 2;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        caches[i]->size *= 2;
    random_trace(&config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_socket),           cmocka_unit_test(two_sockets),
        cmocka_unit_test(two_threads_per_core), cmocka_unit_test(four_sockets_of_one_core),
        cmocka_unit_test(domains_in_a_socket),  cmocka_unit_test(moesi_two_sockets),
        cmocka_unit_test(long_lines),
    };
    return cmocka_run_group_tests_name("random traces, inclusive", tests, NULL, NULL);
}
