/* cmd_compact.c - `assay compact RECORD --out FILE`: removes a record's samples.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/host/script.h"
#include "validate/record/record.h"

enum { OUT, LEAST };

/* Adds to each metric the extremes of its samples. A record without samples is unchanged. */
static int keep_extremes(const struct paths *paths, json_t *record, struct error *error) {
    if (json_array_size(json_object_get(record, "samples")) == 0)
        return 0;
    json_t *extremes = script_call_once(paths->data, "compact", json_pack("{s:O}", "record", record), error), *metric;
    size_t index;
    json_array_foreach(json_object_get(record, "metrics"), index, metric) {
        json_t *kept = json_array_get(extremes, index);
        if (json_array_size(json_object_get(kept, "rows")) > 0)
            json_object_set(metric, "extremes", kept);
    }
    json_decref(extremes);
    return extremes != NULL ? 0 : -1;
}

/* Reduces the metrics to the keys used to compare nodes. */
static void drop(json_t *record) {
    static const char *const parts[] = {"threshold", "resolution", "oracles",  "extremes", "measured", "correction",
                                        "reason",    "direction",  "boundary", "expected", "fit",      "kind"};
    static const char *const required[] = {"reason", "expected", "fit"}; /* required by the schema; null if absent */
    size_t index;
    json_t *metric;
    json_array_foreach(json_object_get(record, "metrics"), index, metric) {
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            json_object_del(metric, parts[i]);
        for (size_t i = 0; i < sizeof required / sizeof *required; i++)
            json_object_set_new(metric, required[i], json_null());
    }
    json_object_del(record, "unjudged");
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *out = arguments->value[OUT];
    if (out == NULL)
        return error_set(error, "no file named; usage: assay compact RECORD --out FILE");
    json_t *record = record_check_target(out, error) == 0 ? record_read(arguments->words[0], error) : NULL;
    int status = record != NULL ? 0 : -1;
    if (status == 0 && arguments->value[LEAST] != NULL)
        drop(record);
    else if (status == 0)
        status = keep_extremes(paths, record, error);
    if (status == 0)
        status = record_write_compact(out, record, error);
    json_decref(record);
    return status;
}

static const struct argument options[] = {
    [OUT] = {"out", "FILE", "the smaller record"},
    [LEAST] = {"least", NULL, "of a metric only what nodes are compared by"},
    {0},
};

const struct command command_compact = {
    .name = "compact",
    .words = "RECORD",
    .least = 1,
    .most = 1,
    .missing = "no record named",
    .about = "the record without its samples, to be kept: a line per metric",
    .options = options,
    .run = run,
};
