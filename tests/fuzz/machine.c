/* machine.c - machine files, read together with groups/counts.lua. Accepted files name an architecture, counters,
 * traffic, and levels if they state any.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lua_file.h"

const char fuzz_name[] = "machine";
const unsigned fuzz_inputs = 5000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *file = "groups/x/machine.lua";
    struct error error = {""};
    char *text = fuzz_text(data, size);
    json_t *argument =
        json_pack("{s:s, s:s, s:o*}", "text", text, "file", file, "shared", script_file("groups/counts.lua", &error));
    free(text);
    json_t *machine = call_lua("read:machine", argument, file);
    if (machine) {
        FUZZ_CHECK(json_is_string(json_object_get(machine, "arch")), "no architecture");
        FUZZ_CHECK(json_array_size(json_object_get(machine, "counters")) > 0, "no counters");
        FUZZ_CHECK(json_array_size(json_object_get(machine, "traffic")) > 0, "no traffic");
        json_t *levels = json_object_get(machine, "levels");
        FUZZ_CHECK(levels == NULL || json_array_size(levels) > 0, "no levels in a list of levels");
        json_decref(machine);
    }
    return 0;
}
