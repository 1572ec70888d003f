/* cmd_calibrate.c - `assay calibrate`: the cost of measuring, in each event. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdio.h>

#include "validate/command/commands.h"
#include "validate/host/process_setup.h"
#include "validate/run/validation.h"

/* Measures the empty regions of all jobs and prints their costs. */
static int calibrate(struct validation *v, struct error *error) {
    json_t *planned = v->jobs;
    v->jobs = validation_beside(v, planned, "empty", error);
    int status = v->jobs != NULL ? validation_measure(v, NULL, error) : EXIT_USAGE;
    if (status == EXIT_DONE) {
        json_t *argument = json_pack("{s:O, s:O, s:i}", "jobs", planned, "results", v->results, "reps", v->reps);
        json_t *table = script_call(v->script, "report.text.costs", "render", argument, error);
        if (table != NULL)
            fputs(json_string_value(json_object_get(table, "text")), stdout);
        else
            status = EXIT_USAGE;
        json_decref(argument);
        json_decref(table);
    }
    json_decref(planned);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct validation v = {.paths = paths, .work.lock = -1};
    struct error error;
    process_setup_forget_variables();
    if (options_read(&v.options, arguments, &error) != 0)
        return command_fail("calibrate", error.text);
    v.options.fallback = NODE_NO_FALLBACK;
    int status = EXIT_USAGE;
    if (validation_prepare(&v, &error) == 0) {
        validation_announce(&v);
        status = calibrate(&v, &error);
    }
    if (status != EXIT_DONE)
        command_fail("calibrate", error.text);
    validation_release(&v);
    return status;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .words = "[PATTERN...]",
    .most = INT_MAX,
    .about = "the cost of measuring in each event; takes the options of validate",
    .options = options_table,
    .run = run,
};
