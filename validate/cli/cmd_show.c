/* cmd_show.c - `assay show RECORD`: the table again. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "commands.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

/* Prints what the Lua function module.render makes of a record, or of one of its metrics. */
static int print_record(const struct paths *paths, const char *record_file, const char *module, int all,
                        const char *metric) {
    struct error error;
    json_t *record = record_read(record_file, &error);
    if (record == NULL)
        return command_fail("show", error.text);
    struct script *script = script_open(paths->data, &error);
    json_t *argument =
        json_pack("{s:o, s:i, s:b, s:b, s:o*}", "record", record, "width", TERMINAL_WIDTH, "all", all, "colour",
                  terminal_wants_colour(), "metric", metric != NULL ? plain_name(metric) : NULL);
    json_t *table = script != NULL ? script_call(script, module, "render", argument, &error) : NULL;
    json_decref(argument);
    script_close(script);
    if (table == NULL)
        return command_fail("show", error.text);
    fputs(json_string_value(json_object_get(table, "text")), stdout);
    json_decref(table);
    return EXIT_DONE;
}

int command_print_table(const struct paths *paths, const char *record_file, int all) {
    return print_record(paths, record_file, "report.text.report", all, NULL);
}

enum { ALL, ORACLES, WHY };

static int run(const struct paths *paths, const struct arguments *arguments) {
    const char *module = arguments->value[ORACLES] != NULL ? "report.text.oracles" : "report.text.report";
    const char *metric = arguments->value[WHY];
    return print_record(paths, arguments->words[0], metric != NULL ? "report.text.why" : module,
                        arguments->value[ALL] != NULL, metric);
}

static const struct argument options[] = {
    [ALL] = {"all", NULL, "every metric, not only counts and total volumes"},
    [ORACLES] = {"oracles", NULL, "the counts side by side: reported, predicted, counted in the code, simulated"},
    [WHY] = {"why", "METRIC", "why its expected interval is as wide as it is: the terms, as the model names them"},
    {0},
};

const struct command command_show = {
    .name = "show",
    .words = "RECORD",
    .least = 1,
    .most = 1,
    .missing = "no record named",
    .about = "the table of a record again",
    .options = options,
    .run = run,
};
