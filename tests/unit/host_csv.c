/* host_csv.c - reading likwid-perfctr's CSV: values, words for absence, damage. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include "test.h"

#include "validate/likwid/csv.h"

/* Two threads, one region, a value of each kind; padded with commas like LIKWID's output. */
static const char two_threads[] = "STRUCT,Info,3,\n"
                                  "CPU name:,X,,\n"
                                  "CPU clock:,2.300320019 GHz,,\n"
                                  "TABLE,Region triad.L2.p1,Group 1 Raw,RUN,4\n"
                                  "Region Info,HWThread 0,HWThread 1,\n"
                                  "RDTSC Runtime [s],0.001500,0.002500,\n"
                                  "call count,1,2,\n"
                                  "Event,Counter,HWThread 0,HWThread 1\n"
                                  "L1D_REPLACEMENT,PMC0,1000,2000\n"
                                  "L2_TRANS_L1D_WB,PMC1,-,nan\n"
                                  "CAS_COUNT_RD,MBOX0C0,1.8e+19,0\n"
                                  "TABLE,Region triad.L2.p1,Group 1 Raw STAT,RUN,4\n"
                                  "Event,Counter,Sum,Min,Max,Avg\n"
                                  "L1D_REPLACEMENT STAT,PMC0,3000,1000,2000,1500\n"
                                  "TABLE,Region triad.L2.p1,Group 1 Metric,RUN,1\n"
                                  "Metric,HWThread 0,HWThread 1,\n"
                                  "Runtime (RDTSC) [s],7,7,\n"
                                  "M1,0.0001,7.680000e-07,\n"
                                  "M2,0,-,\n";

static void read(const char *text, json_t **regions, struct error *error) {
    error->text[0] = '\0';
    *regions = csv_read(text, "x.csv", error);
}

static json_t *thread(json_t *regions, const char *region, size_t index) {
    return json_array_get(json_object_get(regions, region), index);
}

TEST(reads_values_and_words) {
    json_t *regions;
    struct error error;
    read(two_threads, &regions, &error);
    assert_non_null(regions);
    assert_int_equal(json_array_size(json_object_get(regions, "triad.L2.p1")), 2);
    json_t *second = thread(regions, "triad.L2.p1", 1);
    assert_int_equal(json_integer_value(json_object_get(second, "cpu")), 1);
    assert_int_equal(json_integer_value(json_object_get(second, "calls")), 2);
    assert_true(json_real_value(json_object_get(second, "seconds")) == 0.0025);
    assert_true(json_real_value(json_object_get(json_object_get(second, "counts"), "PMC0")) == 2000);
    assert_true(json_real_value(json_object_get(json_object_get(second, "counts"), "MBOX0C0")) == 0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(second, "events"), "PMC0")),
                        "L1D_REPLACEMENT");
    json_decref(regions);
}

/* LIKWID's metrics are kept as printed, which shows their rounding; they are not counts. */
TEST(reads_metrics_as_printed) {
    static const struct {
        size_t thread;
        const char *name, *text;
    } expected[] = {{0, "M1", "0.0001"}, {1, "M1", "7.680000e-07"}, {0, "M2", "0"}, {1, "M2", "-"}};
    json_t *regions;
    struct error error;
    read(two_threads, &regions, &error);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        json_t *t = thread(regions, "triad.L2.p1", expected[i].thread);
        assert_string_equal(json_string_value(json_object_get(json_object_get(t, "metrics"), expected[i].name)),
                            expected[i].text);
        assert_null(json_object_get(json_object_get(t, "counts"), expected[i].name));
        assert_true(json_real_value(json_object_get(t, "clock_hz")) == 2.300320019e9);
    }
    json_decref(regions);
}

TEST(absent_is_a_word_never_a_number) {
    static const struct {
        size_t thread;
        const char *counter, *word;
    } expected[] = {{0, "PMC1", "dash"}, {1, "PMC1", "nan"}, {0, "MBOX0C0", "wrapped"}};
    json_t *regions;
    struct error error;
    read(two_threads, &regions, &error);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        json_t *t = thread(regions, "triad.L2.p1", expected[i].thread);
        assert_null(json_object_get(json_object_get(t, "counts"), expected[i].counter));
        assert_string_equal(json_string_value(json_object_get(json_object_get(t, "absent"), expected[i].counter)),
                            expected[i].word);
    }
    json_decref(regions);
}

TEST(region_of_wrapper_mode_is_empty) {
    json_t *regions;
    struct error error;
    read("TABLE,Group 1 Raw,L2,1,\nEvent,Counter,HWThread 3,\nA,PMC0,5,\n", &regions, &error);
    assert_non_null(regions);
    assert_int_equal(json_integer_value(json_object_get(thread(regions, "", 0), "cpu")), 3);
    json_decref(regions);
}

TEST(damage_names_file_and_line) {
    static const struct {
        const char *text, *complaint;
    } damaged[] = {
        {"", "x.csv: no table"},
        {"hello,world\n", "x.csv: no table"},
        {"TABLE,Group 1 Raw,L2,1,\nEvent,Counter,HWThread 0,HWThread 1\nA,PMC0,5\n", "x.csv:3: no value"},
        {"TABLE,Group 1 Raw,L2,1,\nEvent,Counter,Core 0,\n", "x.csv:2: \"Core 0\""},
        {"TABLE,Group 1 Raw,L2,1,\nRegion Info,HWThread 0,\nEvent,Counter,HWThread 0,HWThread 1\n",
         "x.csv:3: 2 hardware threads"},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        json_t *regions;
        struct error error;
        read(damaged[i].text, &regions, &error);
        assert_null(regions);
        assert_ptr_equal(strstr(error.text, damaged[i].complaint), error.text);
    }
}
