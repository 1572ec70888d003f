/* hierarchy.c - metric hierarchies; every undefined name is an event. Accepted files are a forest of metrics: parents
 * come before their children, and computed and measured metrics have no children.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "lua_file.h"

const char fuzz_name[] = "hierarchy";
const unsigned fuzz_inputs = 4000;

static const char file_name[] = "groups/x/pmu.hierarchy";

/* Makes a list of LIKWID events from all words of the text. */
static json_t *list_words(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    json_t *list = json_array();
    while (*(text += strcspn(text, letters)) != '\0') {
        size_t length = strspn(text, letters);
        json_array_append_new(list, json_pack("{s:s%, s:s}", "event", text, length, "counters", "PMC"));
        text += length;
    }
    return list;
}

static void check_metrics(const json_t *metrics) {
    size_t index;
    json_t *metric;
    json_array_foreach(metrics, index, metric) {
        const json_t *parent = json_object_get(metric, "parent");
        const char *kind =
            json_string_value(json_object_get(json_array_get(metrics, (size_t)json_integer_value(parent)), "kind"));
        FUZZ_CHECK(!parent || json_integer_value(parent) < (json_int_t)index, "metric %zu stands before its parent",
                   index);
        FUZZ_CHECK(!parent || strcmp(kind, "composed") == 0, "metric %zu is a child of one that is %s", index, kind);
        FUZZ_CHECK(json_string_value(json_object_get(metric, "text")), "metric %zu has no definition", index);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    json_t *argument = json_pack("{s:[{s:s, s:s}], s:o, s:s}", "files", "text", text, "file", file_name, "list",
                                 list_words(text), "arch", "x");
    free(text);
    json_t *trees = call_lua("wants:hierarchy", argument, file_name);
    if (trees) {
        check_metrics(json_object_get(trees, "metrics"));
        json_decref(trees);
    }
    return 0;
}
