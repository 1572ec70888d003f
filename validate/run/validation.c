/* validation.c - plans and measures. SPDX-License-Identifier: GPL-3.0-or-later */
#include "validation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "choose.h"
#include "selection.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"
#include "validate/host/system.h"
#include "validate/host/text.h"
#include "validate/record/record.h"

enum { REPS_ONCE = 1, REPS_NATIVE = 10 }; /* virtual nodes are deterministic */

/* Makes one plan per pattern and a list of all jobs; adds the plans' codes and levels to `known`. */
static int plan_patterns(struct validation *v, json_t *known, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O, s:O, s:O, s:{s:b, s:b}}", "patterns", v->inputs.patterns, "machine",
                                 v->inputs.machine, "node", v->node.description, "kernels", v->inputs.kernels, "groups",
                                 v->inputs.groups, "options", "quick", v->options.quick, "matrix", v->options.matrix);
    size_t index;
    json_t *plan;
    v->jobs = json_array();
    v->plans = script_call(v->script, "plan", argument, error);
    json_array_foreach(v->plans, index, plan) {
        selection_note(known, plan);
        selection_apply(plan, &v->options);
        json_array_extend(v->jobs, json_object_get(plan, "jobs"));
    }
    return v->plans != NULL ? 0 : -1;
}

static int make_plans(struct validation *v, struct error *error) {
    json_t *known = json_object();
    selection_note_levels(known, v->node.description);
    int status = plan_patterns(v, known, error) == 0 ? selection_check(known, &v->options, error) : -1;
    json_decref(known);
    if (status != 0)
        return -1;
    if (selection_is_asked(&v->options) && json_array_size(v->jobs) == 0)
        return error_set(error,
                         "nothing is left with --only, --level and --placement; assay list patterns names codes");
    return 0;
}

/* The campaign's identity: only a campaign with the same identity resumes its state. */
static json_t *identity(const struct validation *v) {
    json_t *patterns = json_array(), *pattern;
    size_t index;
    json_array_foreach(v->inputs.patterns, index, pattern)
        json_array_append(patterns, json_object_get(pattern, "name"));
    return json_pack("{s:s, s:s, s:b, s:s, s:s*, s:o, s:o, s:i, s:b, s:O}", "assay", ASSAY_VERSION, "node",
                     v->node.name, "virtual", v->node.is_virtual, "likwid", v->likwid.version, "interface",
                     v->likwid.interface, "faults", faults_lines(v->node.faults), "patterns", patterns, "reps", v->reps,
                     "quick", v->options.quick, "jobs", v->jobs);
}

int validation_open(struct validation *v, struct error *error) {
    if (likwid_find(&v->likwid, v->paths, error) != 0)
        return -1;
    v->likwid.interface = v->options.interface;
    int status = v->options.plan
                     ? node_choose_unmeasured(v->options.node, v->paths, &v->likwid, &v->node, error)
                     : node_choose(v->options.node, v->options.fallback, v->paths, &v->likwid, &v->node, error);
    if (status != 0)
        return -1;
    if (node_set_faults(&v->node, v->paths, &v->likwid, v->options.fault, v->options.noise_level, error) != 0)
        return -1;
    v->script = script_open(v->paths->data, error);
    return v->script != NULL ? 0 : -1;
}

int validation_ready(struct validation *v, struct error *error) {
    int usual = !node_is_noisy(&v->node) || v->options.health ? REPS_ONCE : REPS_NATIVE;
    v->reps = v->options.reps > 0 ? v->options.reps : usual;

    if (scratch_make("assay", &v->work, error->text, sizeof error->text) != 0)
        return -1;
    stop_catch(&v->stop);
    v->is_stoppable = 1;
    script_stop_when(v->script, stop_is_asked);
    return 0;
}

/* The patterns that --health runs: a NULL-terminated list, its names freed by the caller; NULL with the reason. */
static char **health_patterns(const struct validation *v, int *count, struct error *error) {
    struct inputs all;
    size_t index;
    json_t *pattern;
    *count = 0;
    int status = inputs_describe(&all, v->script, v->paths, v->node.arch, error);
    char **names = status == 0 ? calloc(json_array_size(all.patterns) + 1, sizeof *names) : NULL;
    json_array_foreach(names != NULL ? all.patterns : NULL, index, pattern) {
        if (json_is_true(json_object_get(pattern, "health")))
            names[(*count)++] = strdup(json_word(pattern, "name"));
    }
    inputs_free(&all);
    if (status == 0 && (names == NULL || *count == 0))
        error_set(error, "no pattern is one of --health's; name patterns");
    return names;
}

static int load_inputs(struct validation *v, struct error *error) {
    int count = v->options.pattern_count;
    char **own = v->options.health && count == 0 ? health_patterns(v, &count, error) : NULL;
    if (v->options.health && count == 0) {
        free(own);
        return -1;
    }
    int status =
        inputs_load(&v->inputs, v->script, v->paths, &v->node, own != NULL ? own : v->options.patterns, count, error);
    text_free_names(own);
    if (status == 0 && v->likwid.interface != NULL)
        status = inputs_count_by(&v->inputs, v->script, v->paths, &v->node, &v->likwid, error);
    return status;
}

int validation_prepare(struct validation *v, struct error *error) {
    if (validation_open(v, error) != 0 || load_inputs(v, error) != 0)
        return -1;
    return make_plans(v, error) == 0 ? validation_ready(v, error) : -1;
}

void validation_warn(const struct validation *v) {
    if (v->node.not_validated[0] != '\0')
        printf("This machine was NOT validated: %s. The results are those of a virtual %s.\n", v->node.not_validated,
               v->node.arch);
}

void validation_announce(const struct validation *v) {
    validation_warn(v);
    printf("%s node %s%s: %s\n", v->node.is_virtual ? "Virtual" : "Native", v->node.name,
           v->node.is_virtual ? " (no evidence about silicon)" : "", v->node.why);
    fflush(stdout);
}

json_t *validation_node(const struct validation *v) {
    const json_t *d = v->node.description;
    const json_t *caches = json_object_get(d, "caches");
    const json_t *last = json_array_get(caches, json_array_size(caches) - 1);
    /* the host's kernel and microcode do not affect a virtual node */
    json_t *kernel = v->node.is_virtual ? json_null() : system_kernel();
    json_t *microcode = v->node.is_virtual ? json_null() : system_microcode();
    json_t *node = json_pack("{s:s, s:s, s:s, s:O*, s:s, s:o, s:o, s:O, s:O, s:O, s:O, s:o}", "kind",
                             v->node.is_virtual ? "virtual" : "native", "name", v->node.name, "arch", v->node.arch,
                             "cpu", json_object_get(d, "cpu"), "likwid", v->likwid.version, "kernel", kernel,
                             "microcode", microcode, "sockets", json_object_get(d, "sockets"), "cores",
                             json_object_get(d, "cores"), "smt", json_object_get(d, "smt"), "llc_bytes",
                             json_object_get(last, "size_bytes"), "why", plain_name(v->node.why));
    if (node != NULL && v->node.not_validated[0] != '\0')
        json_object_set_new(node, "not_validated", plain_name(v->node.not_validated));
    if (node != NULL)
        json_object_update_missing(node, v->node.state);
    if (node != NULL && v->likwid.interface != NULL)
        json_object_set_new(node, "interface", json_string(v->likwid.interface));
    if (node != NULL && json_object_get(d, "noise") != NULL)
        json_object_set(node, "noise", json_object_get(d, "noise"));
    return node;
}

json_t *validation_heading(const struct validation *v, const char *kind) {
    return json_pack("{s:i, s:s, s:s, s:s, s:f, s:o, s:o}", "schema", RECORD_SCHEMA, "kind", kind, "assay",
                     ASSAY_VERSION, "started", v->started, "seconds", v->seconds, "node", validation_node(v), "faults",
                     faults_lines(v->node.faults));
}

int validation_write(const struct validation *v, const char *kind, json_t *findings, struct error *error) {
    json_t *written = validation_heading(v, kind);
    json_object_update(written, findings);
    int status = record_write(v->options.out, written, error);
    json_decref(written);
    json_decref(findings);
    return status;
}

int validation_interrupted(const struct validation *v, const char *out, struct error *error) {
    size_t runs = json_object_size(v->results);
    if (runs == 0)
        error_set(error, "interrupted before the first run ended; nothing is kept");
    else if (out == NULL)
        error_set(error, "interrupted; %zu runs are kept nowhere: --out FILE would keep them", runs);
    else
        error_set(error, "interrupted; %zu runs are kept, the same command resumes from %s.part", runs, out);
    return EXIT_INTERRUPTED;
}

/* Ids of runs that something disturbed; campaign.h's `again`. */
static json_t *find_disturbed(void *owner, json_t *results, struct error *error) {
    const struct validation *v = owner;
    return script_call(v->script, "companions:disturbed",
                       json_pack("{s:O, s:O, s:i, s:b}", "plans", v->plans, "results", results, "reps", v->reps,
                                 "virtual", v->node.is_virtual),
                       error);
}

/* The campaign of all jobs; `what` and `out` as in campaign.h. */
static struct campaign campaign_of(struct validation *v, const json_t *what, const char *out) {
    return (struct campaign){
        .context = {.paths = v->paths,
                    .likwid = &v->likwid,
                    .node = &v->node,
                    .objects = v->inputs.objects,
                    .work = v->work.folder,
                    .timeout = v->options.timeout,
                    .command = v->command,
                    .stale_files = v->stale_files.given != NULL ? &v->stale_files : NULL},
        .jobs = v->jobs,
        .what = what,
        .reps = v->reps,
        .again = v->plans != NULL && node_is_noisy(&v->node) ? find_disturbed : NULL,
        .meanwhile = v->meanwhile,
        .owner = v,
        .side_by_side = v->node.is_virtual && v->options.jobs > 0 ? v->options.jobs : node_side_by_side(&v->node),
        .out = out,
        .quiet = v->options.health,
    };
}

json_t *validation_commands(struct validation *v) {
    struct campaign campaign = campaign_of(v, NULL, NULL);
    return campaign_commands(&campaign);
}

int validation_measure(struct validation *v, const char *out, struct error *error) {
    struct timespec begin, end;
    json_t *what = identity(v);
    struct campaign campaign = campaign_of(v, what, out);
    int interrupted = 0;
    record_time(v->started);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    v->results = campaign_measure(&campaign, &interrupted, error);
    json_decref(what);
    if (v->results == NULL)
        return EXIT_USAGE;
    if (interrupted)
        return validation_interrupted(v, out, error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    v->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    return EXIT_DONE;
}

void validation_release(struct validation *v) {
    stale_files_release(&v->stale_files);
    scratch_remove(&v->work);
    json_decref(v->plans);
    json_decref(v->jobs);
    json_decref(v->results);
    json_decref(v->vendor);
    inputs_free(&v->inputs);
    script_close(v->script);
    node_release(&v->node);
    if (v->is_stoppable)
        stop_release(&v->stop);
}
