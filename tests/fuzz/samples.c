/* samples.c - sample files that an engine leaves. Accepted files become JSON with all counts of each function, none of
 * them negative, and its name if it has one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/sampling/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"

const char fuzz_name[] = "samples";
const unsigned fuzz_inputs = 5000;

enum { EVENTS = 2, PERIODS = 2 };

static char folder[] = "/tmp/assay-fuzz-XXXXXX", link_name[64];

static void remove_folder(void) {
    unlink(link_name);
    rmdir(folder);
}

/* Makes a folder that contains only a link to the input. */
static void make_folder(const char *file) {
    if (link_name[0] == '\0') {
        FUZZ_CHECK(mkdtemp(folder) != NULL, "no folder");
        snprintf(link_name, sizeof link_name, "%s/samples.1.0", folder);
        atexit(remove_folder);
    }
    unlink(link_name);
    FUZZ_CHECK(symlink(file, link_name) == 0, "no link");
}

static void check_function(const json_t *one) {
    const json_t *name = json_object_get(one, "function"), *counts = json_object_get(one, "counts");
    FUZZ_CHECK(name == NULL || json_is_string(name), "a name that is none");
    FUZZ_CHECK(json_is_string(json_object_get(one, "object")), "a function of no file");
    FUZZ_CHECK(json_array_size(counts) == EVENTS, "%zu events", json_array_size(counts));
    for (size_t i = 0; i < EVENTS; i++)
        FUZZ_CHECK(json_array_size(json_array_get(counts, i)) == PERIODS + 1, "counts are missing");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error error;
    make_folder(fuzz_file(data, size));
    json_t *found = samples_read(folder, EVENTS, PERIODS, &error), *one;
    if (found) {
        size_t index;
        json_array_foreach(json_object_get(found, "functions"), index, one) check_function(one);
        char *written = json_dumps(found, 0);
        FUZZ_CHECK(written, "what was read is no JSON");
        free(written);
        json_decref(found);
        fuzz_accept();
    } else {
        fuzz_check_refusal(error.text, link_name);
    }
    return 0;
}
