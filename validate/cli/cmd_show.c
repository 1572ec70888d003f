/* cmd_show.c - `assay show RECORD`: the table again. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

enum { ALL, ORACLES, WHY, THREADS, REGION };

static int is_kind(const json_t *record, const char *wanted) {
    const char *kind = json_string_value(json_object_get(record, "kind"));
    return kind != NULL && strcmp(kind, wanted) == 0;
}

/* The module of lua/report/text that shows it, for what is asked. */
static const char *module_of(const json_t *record, const char *const *value) {
    if (is_kind(record, "analysis"))
        return "report.text.analysis";
    return value[WHY] != NULL       ? "report.text.why"
           : value[ORACLES] != NULL ? "report.text.oracles"
                                    : "report.text.report";
}

/* The record, or NULL and the reason why it is not shown. */
static json_t *read_shown(const char *record_file, struct error *error) {
    json_t *record = record_read_any(record_file, error);
    if (record == NULL || !is_kind(record, "curves"))
        return record;
    error_set(error, "%s: curves, which assay report %s --html FILE draws", record_file, record_file);
    json_decref(record);
    return NULL;
}

/* Prints a record, or one of its metrics. `value`: of the options. */
static int print_record(const struct paths *paths, const char *record_file, const char *const *value) {
    struct error error;
    json_t *record = read_shown(record_file, &error);
    if (record == NULL)
        return command_fail("show", error.text);
    struct script *script = script_open(paths->data, &error);
    json_t *argument = json_pack("{s:O, s:i, s:b, s:b, s:b, s:o*, s:o*}", "record", record, "width", TERMINAL_WIDTH,
                                 "all", value[ALL] != NULL, "threads", value[THREADS] != NULL, "colour",
                                 terminal_wants_colour(), "metric", value[WHY] != NULL ? plain_name(value[WHY]) : NULL,
                                 "region", value[REGION] != NULL ? plain_name(value[REGION]) : NULL);
    json_t *table = script != NULL ? script_call(script, module_of(record, value), "render", argument, &error) : NULL;
    json_decref(argument);
    json_decref(record);
    script_close(script);
    if (table == NULL)
        return command_fail("show", error.text);
    fputs(json_string_value(json_object_get(table, "text")), stdout);
    json_decref(table);
    return EXIT_DONE;
}

int command_print_table(const struct paths *paths, const char *record_file, int all) {
    const char *value[ARGUMENTS_MAX] = {[ALL] = all ? "" : NULL};
    return print_record(paths, record_file, value);
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    return print_record(paths, arguments->words[0], arguments->value);
}

static const struct argument options[] = {
    [ALL] = {"all", NULL, "every metric, not only counts and total volumes"},
    [ORACLES] = {"oracles", NULL, "the counts side by side: reported, predicted, counted in the code, simulated"},
    [WHY] = {"why", "METRIC", "why its expected interval is as wide as it is: the terms, as the model names them"},
    [THREADS] = {"threads", NULL, "of an analysis: a column for each thread"},
    [REGION] = {"region", "NAME", "of an analysis: this region only"},
    {0},
};

const struct command command_show = {
    .name = "show",
    .words = "RECORD",
    .least = 1,
    .most = 1,
    .missing = "no record named",
    .about = "the table of a record again, the trees of an analysis",
    .options = options,
    .run = run,
};
