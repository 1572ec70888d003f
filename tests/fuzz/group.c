/* group.c - LIKWID's group files, their formulas among them. Accepted files have a title, events and metrics, and
 * each metric has a formula.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lua_file.h"

const char fuzz_name[] = "group";
const unsigned fuzz_inputs = 10000;

static void check_texts(const json_t *entries, const char *key) {
    size_t index;
    json_t *entry;
    FUZZ_CHECK(json_array_size(entries) > 0, "no entry with %s", key);
    json_array_foreach(entries, index, entry) {
        const char *text = json_string_value(json_object_get(entry, key));
        FUZZ_CHECK(text && text[0], "entry %zu has no %s", index, key);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *group = read_by_lua("read:group", "groups/x/X.txt", data, size);
    if (group) {
        check_texts(json_object_get(group, "events"), "counter");
        check_texts(json_object_get(group, "events"), "event");
        check_texts(json_object_get(group, "metrics"), "name");
        check_texts(json_object_get(group, "metrics"), "formula");
        FUZZ_CHECK(json_string_value(json_object_get(group, "short")), "no title");
        json_decref(group);
    }
    return 0;
}
