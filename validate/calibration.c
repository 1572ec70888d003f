/* calibration.c - empty regions beside the measured ones. SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration.h"

#include <stdio.h>

#include "campaign.h"

/* The id of the empty job that belongs to a job. */
static void empty_id(char id[200], const json_t *job) {
    snprintf(id, 200, "%.190s.empty", json_string_value(json_object_get(job, "id")));
}

json_t *calibration_jobs(const json_t *jobs) {
    json_t *list = json_array();
    size_t index;
    json_t *job;
    json_array_foreach(jobs, index, job) {
        char id[200];
        empty_id(id, job);
        json_array_append_new(list,
                              json_pack("{s:s, s:O, s:O, s:[], s:s}", "id", id, "cpus", json_object_get(job, "cpus"),
                                        "runs", json_object_get(job, "runs"), "points", "empty", CALIBRATION_REGION));
    }
    return list;
}

json_t *calibration_costs(struct script *script, const json_t *job, const json_t *packed, const json_t *results,
                          int reps, struct error *error) {
    char id[200];
    json_t *measured = json_array();
    empty_id(id, job);
    json_t *empty_job = json_pack("{s:s}", "id", id);
    for (int rep = 1; rep <= reps; rep++) {
        campaign_run_id(id, empty_job, packed, rep);
        json_t *regions = json_object_get(json_object_get(results, id), "regions");
        if (json_is_object(regions))
            json_array_append(measured, regions);
    }
    json_decref(empty_job);
    json_t *argument = json_pack("{s:O, s:s, s:o}", "run", packed, "region", CALIBRATION_REGION, "results", measured);
    json_t *costs = script_call(script, "calibrate", "costs", argument, error);
    json_decref(argument);
    return costs;
}

json_t *calibration_subtract(struct script *script, const json_t *packed, json_t *regions, json_t *costs,
                             struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O}", "run", packed, "regions", regions, "costs", costs);
    json_t *less = script_call(script, "calibrate", "subtract", argument, error);
    json_decref(argument);
    return less;
}
