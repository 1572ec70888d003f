/* cmd_validate.c - `assay validate`: plan, run, judge, record, report. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "assess.h"
#include "campaign.h"
#include "commands.h"
#include "narrow.h"
#include "options.h"
#include "record.h"
#include "version.h"

enum { REPS_VIRTUAL = 1, REPS_NATIVE = 10 }; /* a deterministic node needs one */

/* All that one validation holds, so that one function releases it. */
struct validation {
    const struct paths *paths;
    struct options options;
    struct faults faults;
    struct likwid likwid;
    struct node node;
    struct script *script;
    struct inputs inputs;
    json_t *plans, *jobs, *what, *results, *record;
    char out[PATH_MAX];  /* the record */
    char work[PATH_MAX]; /* scratch */
    int lock;
    int reps;
};

/* One plan per pattern, and all their jobs in one list. */
static int make_plans(struct validation *v, struct error *error) {
    size_t index;
    json_t *pattern;
    v->plans = json_array();
    v->jobs = json_array();
    json_array_foreach(v->inputs.patterns, index, pattern) {
        json_t *argument = json_pack("{s:O, s:O, s:O, s:O, s:O, s:{s:b}}", "pattern", pattern, "machine",
                                     v->inputs.machine, "node", v->node.description, "kernels", v->inputs.kernels,
                                     "groups", v->inputs.groups, "options", "quick", v->options.quick);
        json_t *plan = script_call(v->script, "plan", "make", argument, error);
        json_decref(argument);
        if (plan == NULL)
            return -1;
        narrow_plan(plan, &v->options);
        json_array_extend(v->jobs, json_object_get(plan, "jobs"));
        json_array_append_new(v->plans, plan);
    }
    if (narrow_is_asked(&v->options) && json_array_size(v->jobs) == 0)
        return error_set(
            error, "nothing is left with --only, --level and --placement; the patterns' files name what there is");
    return 0;
}

/* What makes two campaigns the same: a state is resumed only by its equal. */
static json_t *identity(const struct validation *v) {
    json_t *patterns = json_array(), *pattern;
    size_t index;
    json_array_foreach(v->inputs.patterns, index, pattern)
        json_array_append(patterns, json_object_get(pattern, "name"));
    return json_pack("{s:s, s:s, s:b, s:s, s:o, s:o, s:i, s:b, s:O}", "assay", ASSAY_VERSION, "node", v->node.name,
                     "virtual", v->node.is_virtual, "likwid", v->likwid.version, "faults", faults_lines(v->node.faults),
                     "patterns", patterns, "reps", v->reps, "quick", v->options.quick, "jobs", v->jobs);
}

static int prepare(struct validation *v, struct error *error) {
    if (likwid_find(&v->likwid, error) != 0)
        return -1;
    if (v->options.fault != NULL && faults_load(&v->faults, v->options.fault, error) != 0)
        return -1;
    if (node_choose(v->options.node, v->paths, &v->likwid, &v->node, error) != 0)
        return -1;
    if (node_set_faults(&v->node, v->paths, &v->likwid, v->options.fault != NULL ? &v->faults : NULL, error) != 0)
        return -1;
    v->script = script_open(v->paths->data, error);
    if (v->script == NULL)
        return -1;
    if (inputs_load(&v->inputs, v->script, v->paths, v->node.arch, v->options.patterns, v->options.pattern_count,
                    error) != 0)
        return -1;
    if (make_plans(v, error) != 0)
        return -1;
    v->reps = v->options.reps > 0 ? v->options.reps : v->node.is_virtual ? REPS_VIRTUAL : REPS_NATIVE;
    v->what = identity(v);

    const char *scratch = getenv("TMPDIR");
    snprintf(v->work, sizeof v->work, "%s/assay-XXXXXX", scratch != NULL ? scratch : "/tmp");
    if (mkdtemp(v->work) == NULL) {
        int failed = error_set(error, "%s: cannot make a scratch folder there; set TMPDIR", v->work);
        v->work[0] = '\0';
        return failed;
    }
    return 0;
}

/* The record's file: --out, or one in the scratch folder that only the table is made of. */
static int open_record(struct validation *v, struct error *error) {
    if (v->options.out == NULL)
        return paths_join(v->out, v->work, "record.json", error);
    if (snprintf(v->out, sizeof v->out, "%s", v->options.out) >= (int)sizeof v->out)
        return error_set(error, "--out: path too long");
    v->lock = record_lock(v->out, error);
    return v->lock >= 0 ? 0 : -1;
}

/* 0 and the record, or the exit status. */
static int measure(struct validation *v, size_t *failed, struct error *error) {
    char started[21];
    struct timespec begin, end;
    record_time(started);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    struct campaign campaign = {
        .context = {.paths = v->paths,
                    .likwid = &v->likwid,
                    .node = &v->node,
                    .objects = v->inputs.objects,
                    .work = v->work,
                    .timeout = v->options.timeout},
        .jobs = v->jobs,
        .what = v->what,
        .reps = v->reps,
        .side_by_side = v->node.is_virtual && v->options.jobs > 0 ? v->options.jobs : node_side_by_side(&v->node),
        .out = v->options.out,
    };
    int interrupted = 0;
    v->results = campaign_measure(&campaign, &interrupted, error);
    if (v->results == NULL)
        return EXIT_USAGE;
    if (interrupted) {
        error_set(error, "interrupted; %zu runs are kept%s%s", json_object_size(v->results),
                  v->options.out != NULL ? ", the same command resumes from " : " nowhere: --out FILE would keep them",
                  v->options.out != NULL ? v->options.out : "");
        return EXIT_INTERRUPTED;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    struct assessment assessment = {.script = v->script,
                                    .node = &v->node,
                                    .likwid = &v->likwid,
                                    .inputs = &v->inputs,
                                    .plans = v->plans,
                                    .results = v->results,
                                    .reps = v->reps,
                                    .started = started,
                                    .seconds = (double)(end.tv_sec - begin.tv_sec) +
                                               1e-9 * (double)(end.tv_nsec - begin.tv_nsec)};
    v->record = assess_record(&assessment, failed, error);
    if (v->record == NULL || record_write(v->out, v->record, error) != 0)
        return EXIT_USAGE;
    campaign_forget(&campaign);
    return EXIT_DONE;
}

static int validate(struct validation *v) {
    struct error error;
    size_t failed = 0;
    if (prepare(v, &error) != 0 || open_record(v, &error) != 0)
        return command_fail("validate", error.text);
    printf("%s node %s%s: %s\n", v->node.is_virtual ? "Virtual" : "Native", v->node.name,
           v->node.is_virtual ? " (no evidence about silicon)" : "", v->node.why);
    fflush(stdout);
    int status = measure(v, &failed, &error);
    if (status != EXIT_DONE) {
        command_fail("validate", error.text);
        return status;
    }
    status = command_print_table(v->paths, v->out, v->options.all);
    if (v->options.out != NULL)
        printf("record: %s\n", v->out);
    if (failed > 0) {
        fprintf(stderr, "assay validate: %zu runs failed; see \"failures\" in the record%s\n", failed,
                v->options.out == NULL ? " (--out FILE)" : "");
        return EXIT_DRIFT;
    }
    return status;
}

static void release(struct validation *v) {
    char file[PATH_MAX];
    struct error ignored;
    if (v->options.out != NULL)
        record_unlock(v->out, v->lock);
    if (v->work[0] != '\0') {
        if (paths_join(file, v->work, "record.json", &ignored) == 0)
            unlink(file);
        rmdir(v->work);
    }
    json_decref(v->plans);
    json_decref(v->jobs);
    json_decref(v->what);
    json_decref(v->results);
    json_decref(v->record);
    inputs_free(&v->inputs);
    script_close(v->script);
    node_release(&v->node);
    faults_free(&v->faults);
}

int command_validate(const struct paths *paths, int argc, char **argv) {
    struct validation v = {.paths = paths, .lock = -1};
    struct error error;
    if (options_parse(&v.options, argc, argv, &error) != 0)
        return command_fail("validate", error.text);
    int status = validate(&v);
    release(&v);
    return status;
}
