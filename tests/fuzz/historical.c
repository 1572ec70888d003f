/* historical.c - tables of published figures. Accepted tables yield records with a metric for each sample or several.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lua_file.h"

const char fuzz_name[] = "historical";
const unsigned fuzz_inputs = 600;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *records = read_by_lua("read:historical", "table.tsv", data, size), *record;
    size_t index;
    json_array_foreach(records, index, record) {
        size_t metrics = json_array_size(json_object_get(record, "metrics"));
        size_t samples = json_array_size(json_object_get(record, "samples"));
        FUZZ_CHECK(metrics > 0 && metrics <= samples, "%zu metrics of %zu samples", metrics, samples);
    }
    json_decref(records);
    return 0;
}
