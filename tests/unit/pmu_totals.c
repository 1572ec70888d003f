/* pmu_totals.c - names of totals: those of cores, of requests that left L2, of slices.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "vnode/pmu/totals.h"

TEST(every_core_total_has_its_name) {
    for (int i = 0; i < CORE_COUNTS; i++) {
        struct total_name total;
        assert_non_null(core_count_name(i));
        assert_int_equal(total_find(core_count_name(i), &total), 0);
        assert_int_equal(total.scope, SCOPE_CORE);
        assert_int_equal(total_offset(&total, &(struct place){.core = 2}),
                         offsetof(struct sim_counts, core[2].total) + 8 * (size_t)i);
    }
}

/* A request with a supplier selects all snoop results, which are adjacent totals. */
TEST(offcore_requests_are_rows_of_snoop_results) {
    for (int request = 0; request < SIM_REQUESTS; request++) {
        for (int supplier = 0; supplier < SIM_SUPPLIERS; supplier++) {
            char name[64];
            struct total_name total;
            snprintf(name, sizeof name, "OFFCORE_%s_%s", request_names[request], supplier_names[supplier]);
            assert_int_equal(total_find(name, &total), 0);
            assert_int_equal(total.sets, 1);
            assert_int_equal(total.totals, SIM_SNOOPS);
            assert_int_equal(total_offset(&total, &(struct place){.core = 3}),
                             offsetof(struct sim_counts, core[3].offcore) +
                                 8 * (size_t)((request * SIM_SUPPLIERS + supplier) * SIM_SNOOPS));
        }
    }
}

TEST(offcore_requests_of_all_suppliers) {
    struct total_name all, first;
    assert_int_equal(total_find("OFFCORE_PREFETCH_RFO", &all), 0);
    assert_int_equal(total_find("OFFCORE_PREFETCH_RFO_L3", &first), 0);
    assert_int_equal(all.offset, first.offset);
    assert_int_equal(all.totals, SIM_SUPPLIERS * SIM_SNOOPS);
}

TEST(misses_of_slices_are_lookups_in_no_state) {
    struct total_name all, misses;
    assert_int_equal(total_find("LOOKUP_RFO", &all), 0);
    assert_int_equal(total_find("LOOKUP_RFO_MISS", &misses), 0);
    assert_true(all.choice == CHOICE_STATES && misses.choice == CHOICE_NONE);
    assert_int_equal(misses.scope, SCOPE_SLICE);
    assert_int_equal(misses.offset, all.offset + 8 * LINE_I);
}

TEST(unknown_names_are_not_found) {
    static const char *const names[] = {"", "OFFCORE", "OFFCORE_RFO_", "OFFCORE_RFO_DISK", "OFFCORE_L3", "CORE_"};
    struct total_name total;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(total_find(names[i], &total), -1);
}

/* Only loads that meet stores must be requested; all other totals are always counted. */
TEST(costly_totals_are_counted_on_request) {
    static struct node_file node;
    struct total_name total;
    for (int i = 0; i < CORE_COUNTS; i++) {
        assert_int_equal(total_find(core_count_name(i), &total), 0);
        node.follows = 0;
        node_ask(&node, &total);
        assert_int_equal(node.follows, i == CORE_LOADS_NOT_FORWARDED || i == CORE_LOADS_ALIASED);
    }
    node.follows = 0;
    assert_int_equal(total_find("LOOKUP_RFO", &total), 0);
    for (total.offset = 0; total.offset < sizeof(struct sim_slice_counts); total.offset += 8)
        node_ask(&node, &total); /* a total with the same offset elsewhere */
    assert_int_equal(node.follows, 0);
}
