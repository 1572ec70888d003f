/* assess.c - builds the record. SPDX-License-Identifier: GPL-3.0-or-later */
#include "assess.h"

#include "calibration.h"
#include "campaign.h"
#include "oracle.h"
#include "record.h"
#include "system.h"
#include "version.h"

/* Counters that the node did not count have no value, whatever LIKWID printed for them. */
static void remove_not_counted(json_t *regions, const json_t *not_counted) {
    const char *name, *counter;
    json_t *threads, *thread, *reason;
    size_t index;
    json_object_foreach(regions, name, threads) {
        json_array_foreach(threads, index, thread) {
            json_object_foreach((json_t *)not_counted, counter, reason) {
                json_object_del(json_object_get(thread, "counts"), counter);
                json_object_set_new(json_object_get(thread, "absent"), counter, json_string("not modelled"));
            }
        }
    }
}

/* The counts of one run, without those that are no counts and, if asked for, without the cost of measuring. A new
 * reference; NULL if a model fails. */
static json_t *clean_regions(const struct assessment *a, const json_t *job, const json_t *packed, const json_t *result,
                             struct error *error) {
    json_t *regions = json_deep_copy(json_object_get(result, "regions"));
    remove_not_counted(regions, json_object_get(result, "not_counted"));
    if (!a->calibrate)
        return regions;
    json_t *costs = calibration_costs(a->script, job, packed, a->results, a->reps, error);
    json_t *less = costs != NULL ? calibration_subtract(a->script, packed, regions, costs, error) : NULL;
    json_decref(costs);
    json_decref(regions);
    return less;
}

/* The samples of the run with that id, or the samples that it should have given with the reason why there are none. */
static json_t *run_samples(const struct assessment *a, const char *id, const json_t *job, const json_t *packed, int rep,
                           struct error *error) {
    const json_t *result = json_object_get(a->results, id);
    const char *why = json_string_value(json_object_get(result, "why"));
    int has_counts = json_is_object(json_object_get(result, "regions"));
    json_t *argument =
        json_pack("{s:O, s:O, s:O, s:O, s:O, s:O, s:i}", "machine", a->inputs->machine, "node", a->node->description,
                  "kernels", a->inputs->kernels, "groups", a->inputs->groups, "job", job, "run", packed, "rep", rep);
    json_t *samples = NULL;
    if (has_counts) {
        json_t *regions = clean_regions(a, job, packed, result, error);
        if (regions != NULL && json_object_set_new(argument, "regions", regions) == 0)
            samples = script_call(a->script, "samples", "read", argument, error);
    } else {
        json_object_set_new(argument, "why", json_string(why != NULL ? why : "not run"));
        samples = script_call(a->script, "samples", "failed", argument, error);
    }
    json_decref(argument);
    return samples;
}

/* The same with the virtual node's truth beside each value. */
static json_t *run_samples_with_truth(const struct assessment *a, const json_t *job, const json_t *packed, int rep,
                                      struct error *error) {
    char id[200], truth_id[200];
    campaign_run_id(id, job, packed, rep);
    json_t *samples = run_samples(a, id, job, packed, rep, error);
    if (samples == NULL || !a->node->is_virtual)
        return samples;
    oracle_run_id(truth_id, job, packed, rep, a->results);
    json_t *truth = run_samples(a, truth_id, job, packed, rep, error);
    if (truth != NULL)
        oracle_add(samples, truth);
    json_decref(truth);
    return samples;
}

static json_t *pattern_samples(const struct assessment *a, const json_t *plan, struct error *error) {
    json_t *all = json_array();
    size_t j, r;
    json_t *job, *packed;
    json_array_foreach(json_object_get(plan, "jobs"), j, job) {
        json_array_foreach(json_object_get(job, "runs"), r, packed) {
            for (int rep = 1; rep <= a->reps; rep++) {
                json_t *samples = run_samples_with_truth(a, job, packed, rep, error);
                if (samples == NULL) {
                    json_decref(all);
                    return NULL;
                }
                json_array_extend(all, samples);
                json_decref(samples);
            }
        }
    }
    return all;
}

/* Keys of a contract are always there; what does not exist is null. */
static void complete(json_t *objects, const char *const keys[], size_t count) {
    size_t index;
    json_t *object;
    json_array_foreach(objects, index, object) {
        for (size_t k = 0; k < count; k++) {
            if (json_object_get(object, keys[k]) == NULL)
                json_object_set_new(object, keys[k], json_null());
        }
        json_t *errata = json_object_get(object, "errata");
        if (json_is_object(errata) && json_object_size(errata) == 0)
            json_object_set_new(object, "errata", json_array());
    }
}

static int judge_pattern(const struct assessment *a, size_t index, json_t *metrics, json_t *samples,
                         struct error *error) {
    const json_t *plan = json_array_get(a->plans, index);
    json_t *mine = pattern_samples(a, plan, error);
    if (mine == NULL)
        return -1;
    json_t *argument = json_pack("{s:O, s:O, s:O, s:O, s:O}", "pattern", json_array_get(a->inputs->patterns, index),
                                 "machine", a->inputs->machine, "groups", a->inputs->groups, "samples", mine, "skipped",
                                 json_object_get(plan, "skipped"));
    json_t *judged = script_call(a->script, "judge", "metrics", argument, error);
    json_decref(argument);
    if (judged != NULL) {
        json_array_extend(metrics, judged);
        json_array_extend(samples, mine);
    }
    json_decref(mine);
    json_decref(judged);
    return judged != NULL ? 0 : -1;
}

static json_t *failures(const json_t *results) {
    json_t *list = json_array();
    const char *id;
    json_t *result;
    json_object_foreach((json_t *)results, id, result) {
        const char *why = json_string_value(json_object_get(result, "why"));
        if (why == NULL)
            continue;
        json_array_append_new(list,
                              json_pack("{s:s, s:O, s:O, s:O, s:s}", "run", id, "command",
                                        json_object_get(result, "command"), "status", json_object_get(result, "status"),
                                        "stderr_tail", json_object_get(result, "messages"), "why", why));
    }
    return list;
}

/* How long each run took, and how much of that inside its regions: what the campaign's time was spent on. */
static json_t *durations(const json_t *results) {
    json_t *list = json_array();
    const char *id;
    json_t *result;
    json_object_foreach((json_t *)results, id, result) {
        json_t *busy = json_object_get(result, "cpu_seconds_in_regions");
        json_array_append_new(list, json_pack("{s:s, s:O, s:O*, s:O}", "run", id, "seconds",
                                              json_object_get(result, "seconds"), "cpu_seconds",
                                              json_object_get(result, "cpu_seconds"), "cpu_seconds_in_regions",
                                              busy != NULL ? busy : json_null()));
    }
    return list;
}

static json_t *node_object(const struct assessment *a) {
    const json_t *d = a->node->description;
    const json_t *caches = json_object_get(d, "caches");
    const json_t *last = json_array_get(caches, json_array_size(caches) - 1);
    json_int_t sockets = json_integer_value(json_object_get(d, "sockets"));
    /* the host's kernel and microcode have no say in what a virtual node counts */
    json_t *kernel = a->node->is_virtual ? json_null() : system_kernel();
    json_t *microcode = a->node->is_virtual ? json_null() : system_microcode();
    return json_pack("{s:s, s:s, s:s, s:O*, s:s, s:o, s:o, s:I, s:I, s:O, s:O, s:s}", "kind",
                     a->node->is_virtual ? "virtual" : "native", "name", a->node->name, "arch", a->node->arch, "cpu",
                     json_object_get(d, "cpu"), "likwid", a->likwid->version, "kernel", kernel, "microcode", microcode,
                     "sockets", sockets, "cores", sockets * json_integer_value(json_object_get(d, "cores_per_socket")),
                     "smt", json_object_get(d, "smt"), "llc_bytes", json_object_get(last, "size_bytes"), "why",
                     a->node->why);
}

json_t *assess_record(const struct assessment *a, size_t *failed, struct error *error) {
    static const char *const metric_keys[] = {"pattern", "code",          "level",     "placement", "group",
                                              "metric",  "unit",          "n",         "expected",  "error_pct",
                                              "fit",     "tolerance_pct", "class",     "verdict",   "reason",
                                              "errata",  "correction",    "threshold", "oracles"};
    static const char *const sample_keys[] = {"code",  "point",  "rep",      "thread",
                                              "group", "metric", "measured", "expected"};
    json_t *metrics = json_array(), *samples = json_array();
    for (size_t i = 0; i < json_array_size(a->plans); i++) {
        if (judge_pattern(a, i, metrics, samples, error) != 0) {
            json_decref(metrics);
            json_decref(samples);
            return NULL;
        }
    }
    complete(metrics, metric_keys, sizeof metric_keys / sizeof metric_keys[0]);
    complete(samples, sample_keys, sizeof sample_keys / sizeof sample_keys[0]);
    json_t *failure_list = failures(a->results);
    *failed = json_array_size(failure_list);
    json_t *record = json_pack("{s:i, s:s, s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", RECORD_SCHEMA, "assay",
                               ASSAY_VERSION, "started", a->started, "seconds", a->seconds, "node", node_object(a),
                               "faults", faults_lines(a->node->faults), "metrics", metrics, "samples", samples,
                               "failures", failure_list, "runs", durations(a->results));
    if (record == NULL)
        error_set(error, "no memory for the record");
    return record;
}
