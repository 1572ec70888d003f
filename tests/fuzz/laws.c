/* laws.c - laws between counters. Accepted files yield one line: laws in all, laws valid on silicon.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lua_file.h"

#include <stdio.h>

const char fuzz_name[] = "laws";
const unsigned fuzz_inputs = 1000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *told = read_by_lua("read:laws", "groups/x/pmu.laws", data, size);
    if (told) {
        int all = -1, both = -1;
        const char *about = json_string_value(json_object_get(told, "about"));
        FUZZ_CHECK(about && sscanf(about, "%d laws between counters, %d", &all, &both) == 2, "no line about laws");
        FUZZ_CHECK(both >= 0 && both <= all, "%d of %d laws hold on silicon", both, all);
        json_decref(told);
    }
    return 0;
}
