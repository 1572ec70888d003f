/* assess.c - builds the record. SPDX-License-Identifier: GPL-3.0-or-later */
#include "assess.h"

#include <string.h>

#include "event_list.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"
#include "validate/record/record.h"
#include "vendor.h"

/* vendor_check() of LIKWID's list; NULL: the record does not compare with the vendor. */
static json_t *ask_vendor(const struct validation *v) {
    struct error unknown;
    json_t *listed = v->options.health || v->likwid.interface != NULL ? NULL : event_list_ask(v, &unknown);
    json_t *vendor = listed != NULL ? vendor_check(v, listed, &unknown) : NULL;
    json_decref(listed);
    return vendor;
}

void assess_ask(void *validation) {
    struct validation *v = validation;
    if (v->vendor == NULL)
        v->vendor = ask_vendor(v);
}

/* { samples, metrics, counts, blame, findings, unjudged } for all results, from lua/judge/assess.lua. */
static json_t *assess(const struct validation *v, struct error *error) {
    json_t *vendor = v->vendor != NULL ? json_incref(v->vendor) : ask_vendor(v);
    json_t *argument =
        json_pack("{s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:i, s:b, s:b, s:b, s:o*}", "machine", v->inputs.machine, "node",
                  v->node.description, "kernels", v->inputs.kernels, "groups", v->inputs.groups, "patterns",
                  v->inputs.patterns, "plans", v->plans, "results", v->results, "reps", v->reps, "calibrate",
                  v->options.calibrate, "matrix", v->options.matrix, "virtual", v->node.is_virtual, "vendor", vendor);
    return script_call(v->script, "assess", argument, error);
}

static json_t *failures(const json_t *results) {
    json_t *list = json_array();
    const char *id;
    json_t *result;
    json_object_foreach((json_t *)results, id, result) {
        const char *why = json_word(result, "why");
        if (why == NULL)
            continue;
        json_array_append_new(list,
                              json_pack("{s:s, s:O, s:O, s:O, s:s}", "run", id, "command",
                                        json_object_get(result, "command"), "status", json_object_get(result, "status"),
                                        "stderr_tail", json_object_get(result, "messages"), "why", why));
    }
    return list;
}

/* The command of a run that succeeded in its first repetition; NULL: the others have the same one, failures() the rest.
 */
static json_t *command_once(const char *id, const json_t *result) {
    const char *slash = strrchr(id, '/');
    int is_kept = slash != NULL && strcmp(slash, "/1") == 0 && json_word(result, "why") == NULL;
    return is_kept ? json_object_get(result, "command") : NULL;
}

/* Duration of each run and its time inside regions: shows where the campaign's time was spent. */
static json_t *durations(const json_t *results) {
    json_t *list = json_array();
    const char *id;
    json_t *result;
    json_object_foreach((json_t *)results, id, result) {
        json_t *busy = json_object_get(result, "cpu_seconds_in_regions");
        json_array_append_new(list, json_pack("{s:s, s:O, s:O*, s:O, s:O*, s:O*}", "run", id, "seconds",
                                              json_object_get(result, "seconds"), "cpu_seconds",
                                              json_object_get(result, "cpu_seconds"), "cpu_seconds_in_regions",
                                              busy != NULL ? busy : json_null(), "again",
                                              json_object_get(result, "again"), "command", command_once(id, result)));
    }
    return list;
}

static json_t *node_with_boxes(const struct validation *v, json_t *boxes) {
    json_t *node = validation_node(v);
    if (node != NULL && boxes != NULL)
        json_object_set(node, "boxes", boxes);
    json_t *lacking = json_object_get(v->node.description, "lacking");
    if (node != NULL && lacking != NULL)
        json_object_set(node, "lacking", lacking);
    return node;
}

json_t *assess_record(const struct validation *v, size_t *failed, struct error *error) {
    json_t *found = assess(v, error);
    if (found == NULL)
        return NULL;
    json_t *metrics = json_object_get(found, "metrics"), *samples = json_object_get(found, "samples");
    record_complete(metrics, samples);
    json_t *matrix = json_object_get(found, "matrix");
    json_t *failure_list = failures(v->results);
    *failed = json_array_size(failure_list);
    json_t *record =
        json_pack("{s:i, s:s, s:s, s:f, s:o, s:o, s:O, s:O, s:O, s:O, s:O, s:O, s:o, s:o}", "schema", RECORD_SCHEMA,
                  "assay", ASSAY_VERSION, "started", v->started, "seconds", v->seconds, "node",
                  node_with_boxes(v, json_object_get(found, "boxes")), "faults", faults_lines(v->node.faults), "blame",
                  json_object_get(found, "blame"), "findings", json_object_get(found, "findings"), "metrics", metrics,
                  "samples", samples, "counts", json_object_get(found, "counts"), "unjudged",
                  json_object_get(found, "unjudged"), "failures", failure_list, "runs", durations(v->results));
    if (record != NULL && matrix != NULL)
        json_object_set(record, "matrix", matrix);
    json_decref(found);
    if (record == NULL)
        error_set(error, "no memory for the record");
    return record;
}
