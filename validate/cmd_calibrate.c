/* cmd_calibrate.c - `assay calibrate`: the cost of measuring, in each event. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "calibration.h"
#include "commands.h"
#include "surroundings.h"
#include "validation.h"

static void print_costs(const char *job, const json_t *costs) {
    size_t index;
    json_t *cost;
    json_array_foreach(costs, index, cost) {
        const json_t *value = json_object_get(cost, "cost");
        const char *event = json_string_value(json_object_get(cost, "event"));
        const char *counter = json_string_value(json_object_get(cost, "counter"));
        if (json_is_object(value))
            printf("%-36s %-9s %9.0f %9.0f %9.0f   %s\n", event, counter,
                   json_number_value(json_object_get(value, "min")),
                   json_number_value(json_object_get(value, "median")),
                   json_number_value(json_object_get(value, "max")), job);
        else
            printf("%-36s %-9s %9s %9s %9s   %s\n", event, counter, "-", "-", "-", job);
    }
}

/* Measures the empty regions of all jobs and prints their costs. */
static int calibrate(struct validation *v, struct error *error) {
    json_t *planned = v->jobs;
    v->jobs = calibration_jobs(planned);
    int status = validation_measure(v, NULL, error);
    if (status == EXIT_DONE)
        printf("%-36s %-9s %9s %9s %9s   %s\n", "event", "counter", "min", "median", "max", "beside");
    size_t j, r;
    json_t *job, *packed;
    json_array_foreach(planned, j, job) {
        json_array_foreach(json_object_get(job, "runs"), r, packed) {
            json_t *costs =
                status == EXIT_DONE ? calibration_costs(v->script, job, packed, v->results, v->reps, error) : NULL;
            if (costs != NULL)
                print_costs(json_string_value(json_object_get(job, "id")), costs);
            else if (status == EXIT_DONE)
                status = EXIT_USAGE;
            json_decref(costs);
        }
    }
    json_decref(planned);
    return status;
}

int command_calibrate(const struct paths *paths, int argc, char **argv) {
    struct validation v = {.paths = paths, .work.lock = -1};
    struct error error;
    surroundings_forget_variables();
    if (options_parse(&v.options, argc, argv, &error) != 0)
        return command_fail("calibrate", error.text);
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
