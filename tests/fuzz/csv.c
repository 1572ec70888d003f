/* csv.c - likwid-perfctr's CSV. Accepted files yield, for each hardware thread of each region and each counter, the
 * event's name, and either a number or the word for its absence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/likwid/csv.h"

#include <stdlib.h>

#include "fuzz.h"

const char fuzz_name[] = "csv";
const unsigned fuzz_inputs = 15000;

static void check_thread(const json_t *thread) {
    json_t *counts = json_object_get(thread, "counts"), *absent = json_object_get(thread, "absent");
    json_t *events = json_object_get(thread, "events"), *value;
    const char *counter;
    FUZZ_CHECK(json_is_integer(json_object_get(thread, "cpu")), "a thread without a number");
    FUZZ_CHECK(json_integer_value(json_object_get(thread, "cpu")) >= 0, "a negative hardware thread");
    json_object_foreach(counts, counter, value) {
        FUZZ_CHECK(json_real_value(value) >= 0 && json_real_value(value) < 0x1p48, "%s is no count", counter);
        FUZZ_CHECK(!json_object_get(absent, counter), "%s is there and absent", counter);
    }
    FUZZ_CHECK(json_object_size(counts) + json_object_size(absent) == json_object_size(events),
               "%zu counts, %zu absent, %zu events", json_object_size(counts), json_object_size(absent),
               json_object_size(events));
    json_object_foreach(events, counter, value) FUZZ_CHECK(
        json_object_get(counts, counter) || json_object_get(absent, counter), "%s: no value, no word", counter);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error error;
    char *text = fuzz_text(data, size), *written;
    json_t *regions = csv_read(text, "x.csv", &error), *threads;
    const char *region;
    if (regions) {
        json_t *string = json_string(text); /* other text than UTF-8 would be lost, even whole regions */
        FUZZ_CHECK(string, "accepted, but no UTF-8");
        json_decref(string);
        json_object_foreach(regions, region, threads) {
            size_t index;
            json_t *thread;
            json_array_foreach(threads, index, thread) check_thread(thread);
        }
        written = json_dumps(regions, 0);
        FUZZ_CHECK(written, "what was read is no JSON");
        free(written);
        json_decref(regions);
        fuzz_accept();
    } else {
        fuzz_check_names(error.text, "x.csv:");
    }
    free(text);
    return 0;
}
