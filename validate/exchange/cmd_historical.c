/* cmd_historical.c - `assay historical TABLE`: published figures as records of kind historical, a file per node.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/record/record.h"

enum { OUT };
enum { DAY = 10 }; /* length of the date that begins `started` */

/* Stores OUT/ARCH/NODE/DATE.json and makes its folder. */
static int place(char file[PATH_MAX], const char *out, const json_t *record, struct error *error) {
    const json_t *node = json_object_get(record, "node");
    if (paths_format(file, error, "%s/%s/%s", out, json_word(node, "arch"), json_word(node, "name")) != 0 ||
        paths_make_folder(file, error) != 0)
        return -1;
    return paths_format(file, error, "%s/%s/%s/%.*s.json", out, json_word(node, "arch"), json_word(node, "name"), DAY,
                        json_word(record, "started"));
}

static int write_record(const char *out, json_t *record, struct error *error) {
    char file[PATH_MAX];
    json_object_set_new(record, "assay", json_string(ASSAY_VERSION));
    record_complete(json_object_get(record, "metrics"), json_object_get(record, "samples"));
    if (place(file, out, record, error) != 0 || record_write(file, record, error) != 0)
        return -1;
    puts(file);
    return 0;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *out = arguments->value[OUT];
    if (out == NULL)
        return error_set(error, "no folder named; usage: assay historical TABLE --out DIR");
    json_t *table = script_file(arguments->words[0], error), *record;
    json_t *records = table != NULL ? script_call_once(paths->data, "read:historical", table, error) : NULL;
    int status = records != NULL ? 0 : -1;
    size_t index;
    json_array_foreach(records, index, record) status = status == 0 ? write_record(out, record, error) : status;
    json_decref(records);
    return status;
}

static const struct argument options[] = {[OUT] = {"out", "DIR", "the records: DIR/ARCH/NODE/DATE.json"}, {0}};

const struct command command_historical = {
    .name = "historical",
    .words = "TABLE",
    .least = 1,
    .most = 1,
    .missing = "no table named",
    .about = "figures that others published, judged: records of kind historical",
    .options = options,
    .run = run,
};
