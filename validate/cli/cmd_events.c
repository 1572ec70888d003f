/* cmd_events.c - `assay events`: what single events count. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "commands.h"
#include "validate/host/surroundings.h"
#include "validate/run/campaign.h"
#include "validate/run/examination.h"

static int print_table(const struct examination *e, json_t *findings, struct error *error) {
    json_t *rows = e->v.options.pattern_count > 0 ? json_object_get(e->plan, "rows") : NULL;
    json_t *argument = json_pack("{s:O, s:O*}", "findings", findings, "rows", rows);
    json_t *table = script_call(e->v.script, "report.text.events", "render", argument, error);
    json_decref(argument);
    if (table == NULL)
        return -1;
    fputs(json_string_value(json_object_get(table, "text")), stdout);
    json_decref(table);
    return 0;
}

static size_t count_failures(const json_t *results) {
    const char *id;
    json_t *result;
    size_t failed = 0;
    json_object_foreach((json_t *)results, id, result) failed += json_is_string(json_object_get(result, "why"));
    return failed;
}

/* Measures, judges, prints. */
static int examine(struct examination *e, struct error *error) {
    validation_announce(&e->v);
    int status = examination_measure(e, error);
    if (status != EXIT_DONE)
        return status;
    json_t *findings = examination_find(e, error);
    status = findings != NULL && print_table(e, findings, error) == 0 ? EXIT_DONE : EXIT_USAGE;
    json_decref(findings);
    size_t failed = count_failures(e->v.results);
    if (status == EXIT_DONE && failed > 0) {
        fprintf(stderr, "assay events: %zu runs failed\n", failed);
        return EXIT_DRIFT;
    }
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct examination e = {.v = {.paths = paths, .work.lock = -1}};
    struct error error;
    surroundings_forget_variables();
    if (options_read(&e.v.options, arguments, &error) != 0)
        return command_fail("events", error.text);
    int status = examination_prepare(&e, &error) == 0 ? examine(&e, &error) : EXIT_USAGE;
    if (status != EXIT_DONE && status != EXIT_DRIFT)
        command_fail("events", error.text);
    examination_release(&e);
    return status;
}

const struct command command_events = {
    .name = "events",
    .words = "[EVENT...]",
    .most = INT_MAX,
    .about = "what single events count, found with probes whose counts are known",
    .options = options_table,
    .run = run,
};
