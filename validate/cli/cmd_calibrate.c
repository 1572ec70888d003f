/* cmd_calibrate.c - `assay calibrate`: the counts that measuring adds to each event.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>

#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/process_setup.h"
#include "validate/run/dry_run.h"

/* Measures the empty regions of all jobs and prints their counts. */
static int calibrate(struct validation *v, struct error *error) {
    json_t *planned = v->jobs;
    v->jobs = script_call(v->script, "companions:empty", json_pack("{s:O}", "jobs", planned), error);
    if (v->options.plan && v->jobs != NULL) {
        json_decref(planned);
        return dry_run_print(v, error) == 0 ? EXIT_DONE : EXIT_USAGE;
    }
    validation_announce(v);
    int status = v->jobs != NULL ? validation_measure(v, NULL, error) : EXIT_USAGE;
    if (status == EXIT_DONE &&
        print_rendered(v->script, "report:costs",
                       json_pack("{s:O, s:O, s:i}", "jobs", planned, "results", v->results, "reps", v->reps),
                       error) != 0)
        status = EXIT_USAGE;
    json_decref(planned);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct validation v = {.paths = paths, .work.lock = -1};
    process_setup_forget_variables();
    if (options_read(&v.options, arguments, error) != 0)
        return -1;
    int status = validation_prepare(&v, error) == 0 ? calibrate(&v, error) : -1;
    validation_release(&v);
    return status;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .words = "[PATTERN...]",
    .most = INT_MAX,
    .about = "counts added by measuring, per event; takes the options of validate",
    .options = options_table,
    .run = run,
};
