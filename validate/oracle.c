/* oracle.c - truth of the virtual node. SPDX-License-Identifier: GPL-3.0-or-later */
#include "oracle.h"

#include <stdio.h>

#include "campaign.h"

static json_t *twin(const json_t *job) {
    char id[200];
    snprintf(id, sizeof id, "%.190s.clean", json_string_value(json_object_get(job, "id")));
    json_t *copy = json_copy((json_t *)job);
    json_object_set_new(copy, "id", json_string(id));
    json_object_set_new(copy, "clean", json_true());
    json_object_set_new(copy, "reps", json_integer(1));
    return copy;
}

json_t *oracle_jobs(const json_t *jobs) {
    json_t *list = json_array();
    size_t index;
    json_t *job;
    json_array_foreach(jobs, index, job) json_array_append_new(list, twin(job));
    return list;
}

void oracle_run_id(char id[200], const json_t *job, const json_t *packed, int rep, const json_t *results) {
    json_t *clean = twin(job);
    campaign_run_id(id, clean, packed, 1);
    json_decref(clean);
    if (json_object_get(results, id) == NULL)
        campaign_run_id(id, job, packed, rep);
}

void oracle_add(json_t *samples, const json_t *clean) {
    size_t index;
    json_t *sample;
    json_array_foreach(samples, index, sample) {
        json_t *value = json_object_get(json_array_get(clean, index), "measured");
        if (json_is_number(value))
            json_object_set(sample, "simulated", value);
    }
}
