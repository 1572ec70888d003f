/* pattern.c - pattern files. Accepted files name codes, and either levels or quantities.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lua_file.h"

const char fuzz_name[] = "pattern";
const unsigned fuzz_inputs = 5000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *pattern = read_by_lua("read:pattern", "patterns/x.lua", data, size);
    if (pattern) {
        FUZZ_CHECK(json_is_string(json_object_get(pattern, "name")), "no name");
        FUZZ_CHECK(json_array_size(json_object_get(pattern, "codes")) > 0, "no codes");
        FUZZ_CHECK(!json_object_get(pattern, "levels") != !json_object_get(pattern, "quantities"), "no model, or two");
        json_decref(pattern);
    }
    return 0;
}
