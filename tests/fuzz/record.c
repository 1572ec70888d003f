/* record.c - records of all kinds. Accepted records are written back and read the same; their table is text, or a
 * refusal of one line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "validate/host/script.h"

const char fuzz_name[] = "record";
const unsigned fuzz_inputs = 3000;

static char folder[] = "/tmp/assay-fuzz-XXXXXX", path[64];

static void remove_folder(void) {
    rmdir(folder);
}

/* Makes the path for records, in a folder of this process. */
static void make_path(void) {
    FUZZ_CHECK(mkdtemp(folder), "no folder");
    snprintf(path, sizeof path, "%s/x.json", folder);
    atexit(remove_folder);
}

/* Writes the record and returns the record read back. */
static json_t *write_and_read(const json_t *record) {
    struct error error;
    FUZZ_CHECK(record_write(path, record, &error) == 0, "%s", error.text);
    json_t *again = record_read_any(path, &error);
    FUZZ_CHECK(again, "written, but not read again: %s", error.text);
    json_t *part = record_part(path, "node"), *node = json_object_get(again, "node");
    FUZZ_CHECK(!json_is_object(node) || json_equal(part, node), "its node reads otherwise alone");
    json_decref(part);
    return again;
}

/* Numbers are rounded only by the first write. */
static void check_round_trip(const json_t *record) {
    if (path[0] == '\0')
        make_path();
    json_t *once = write_and_read(record), *twice = write_and_read(once);
    FUZZ_CHECK(json_equal(once, twice), "reads otherwise than it was written");
    FUZZ_CHECK(json_object_size(once) == json_object_size(record), "keys are lost");
    json_decref(once);
    json_decref(twice);
    unlink(path);
}

static void check_table(json_t *record) {
    static struct script *script;
    struct error error = {""};
    if (!script)
        script = script_open(".", &error);
    FUZZ_CHECK(script, "%s", error.text);
    const char *kind = json_string_value(json_object_get(record, "kind"));
    if (kind && strcmp(kind, "fleet") == 0) /* no table before it is judged */
        return;
    json_t *argument =
        json_pack("{s:O, s:i, s:b, s:b, s:b}", "record", record, "width", 100, "all", 1, "threads", 0, "colour", 0);
    json_t *table = script_call(script, kind ? "report:record" : "report:metrics", argument, &error);
    if (table)
        FUZZ_CHECK(json_is_string(json_object_get(table, "text")), "the table is no text");
    else
        fuzz_check_names(error.text, "");
    json_decref(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error error;
    const char *file = fuzz_file(data, size);
    json_t *record = record_read_any(file, &error);
    if (record) {
        check_round_trip(record);
        check_table(record);
        json_decref(record);
        fuzz_accept();
    } else {
        fuzz_check_names(error.text, file);
    }
    return 0;
}
