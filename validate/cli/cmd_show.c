/* cmd_show.c - `assay show RECORD`: prints a record's table. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/fleet/fleet_report.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

enum { ALL, ORACLES, WHY, THREADS, REGION };

static const char *kind_of(const json_t *record) {
    return json_word(record, "kind");
}

/* The door (script.h) that prints the record with these options. */
static const char *door_of(const json_t *record, const char *const *value) {
    return kind_of(record) != NULL  ? "report:record"
           : value[WHY] != NULL     ? "report:why"
           : value[ORACLES] != NULL ? "report:oracles"
                                    : "report:metrics";
}

static int print_table(const struct paths *paths, json_t *record, const char *const *value, struct error *error) {
    json_t *argument = json_pack("{s:O, s:i, s:b, s:b, s:b, s:o*, s:o*}", "record", record, "width", TERMINAL_WIDTH,
                                 "all", value[ALL] != NULL, "threads", value[THREADS] != NULL, "colour",
                                 terminal_wants_colour(), "metric", value[WHY] != NULL ? plain_name(value[WHY]) : NULL,
                                 "region", value[REGION] != NULL ? plain_name(value[REGION]) : NULL);
    json_t *table = script_call_once(paths->data, door_of(record, value), argument, error);
    if (table == NULL)
        return -1;
    fputs(json_word(table, "text"), stdout);
    json_decref(table);
    return 0;
}

/* Refuses options that do not apply to this kind of record. */
static int check_options(const json_t *record, const char *const *value, struct error *error) {
    const char *kind = kind_of(record);
    if (kind != NULL && (value[WHY] != NULL || value[ORACLES] != NULL))
        return error_set(error, "--%s: for records of assay validate, this one's kind is %s",
                         value[WHY] != NULL ? "why" : "oracles", kind);
    return 0;
}

/* Prints a record, or one of its metrics. `value`: the options' values. */
static int print_record(const struct paths *paths, const char *record_file, const char *const *value) {
    struct error error;
    json_t *record = record_read_any(record_file, &error);
    int status = record == NULL ? -1 : check_options(record, value, &error);
    if (status == 0 && kind_of(record) != NULL && strcmp(kind_of(record), "fleet") == 0)
        status = fleet_show(paths, record, value[ALL] != NULL, NULL, &error);
    else if (status == 0)
        status = print_table(paths, record, value, &error);
    json_decref(record);
    return status == 0 ? EXIT_DONE : command_fail("show", error.text);
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
    .about = "the table of a record again, of any kind that a command writes",
    .options = options,
    .run = run,
};
