/* cmd_diagnose.c - `assay diagnose`: which performance patterns a program shows. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_file.h"
#include "measuring.h"
#include "validate/command/commands.h"
#include "validate/command/pages.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/terminal.h"
#include "validate/record/evidence.h"
#include "validate/record/record.h"

static const struct argument options[] = {
    MEASURING_OPTIONS,
    {"record", "FILE", "verdicts for this node; by default the largest record in results/"},
    {"share", "PERCENT", "smallest part of the run time that a pattern must explain; 5 by default"},
    {"scale", "N,...", "runs on so many cores, with so many threads of OpenMP; findings are those of most cores"},
    {"format", "FORMAT", "text (default), json or html"},
    {0},
};

enum { TEXT, JSON, HTML };

struct diagnosis {
    struct program_run m;
    json_t *evidence; /* { file, record }: the validation whose verdicts count */
    json_t *steps;    /* [ { prepared: from program/plan/diagnosis.lua, plan, cores: of --scale, 0 without it } .. ] */
    double limit;     /* share of the run time from which a pattern is present */
    int format;       /* TEXT, JSON or HTML */
};

static int read_options(struct diagnosis *d, const struct arguments *arguments, struct error *error) {
    static const char *const formats[] = {"text", "json", "html", NULL};
    const char *share = arguments_value(arguments, "share");
    char *end = NULL;
    d->limit = share != NULL ? strtod(share, &end) / 100 : INPUTS_SHARE;
    if (share != NULL && (end == share || *end != '\0' || !(d->limit > 0 && d->limit <= 1)))
        return error_set(error, "--share %.60s: not a number above 0 and up to 100", share);
    if (arguments_value(arguments, "scale") != NULL && d->m.ranks > 0)
        return error_set(error, "--scale: not with --ranks; it varies the threads of one process");
    d->format = arguments_choice(arguments, "format", formats, error);
    d->m.is_data = d->format != TEXT;
    return d->format < 0 ? -1 : 0;
}

/* Whether a record can tell what this node's metrics are worth: one of the same kind, without injected faults. */
static int is_fit(const struct program_run *m, const json_t *entry) {
    const json_t *record = json_object_get(entry, "record"), *node = json_object_get(record, "node");
    const char *kind = json_word(node, "kind"), *name = json_word(node, "name");
    return json_array_size(json_object_get(record, "faults")) == 0 && kind != NULL && name != NULL &&
           strcmp(kind, m->v.node.is_virtual ? "virtual" : "native") == 0 &&
           (m->v.node.is_virtual || strcmp(name, m->v.node.name) == 0);
}

static size_t metrics_of(const json_t *entry) {
    return json_array_size(json_object_get(json_object_get(entry, "record"), "metrics"));
}

/* Finds the record with verdicts for the node: the named one, else the fitting one in results/ with most metrics. */
static int find_evidence(struct diagnosis *d, const char *file, struct error *error) {
    const struct program_run *m = &d->m;
    char *files[] = {(char *)file, NULL};
    struct error none;
    json_t *records =
               evidence_records(m->v.paths, m->v.node.arch, files, file != NULL ? 1 : 0, file != NULL ? error : &none),
           *entry;
    size_t i;
    if (records == NULL && file != NULL)
        return -1;
    json_array_foreach(records, i, entry) {
        if (is_fit(m, entry) && metrics_of(entry) >= metrics_of(d->evidence)) {
            json_decref(d->evidence);
            d->evidence = json_incref(entry);
        }
    }
    json_decref(records);
    if (d->evidence != NULL)
        return 0;
    return file != NULL
               ? error_set(error, "%s: is no evidence for %s: of another kind of node, or with injected faults", file,
                           m->v.node.name)
               : error_set(error,
                           "no verdicts for %s: what its metrics are worth is not known; run first: assay validate "
                           "--node %s --out FILE, then: assay diagnose --record FILE",
                           m->v.node.name, m->v.node.is_virtual ? m->v.options.node : "native");
}

/* Reads the next number of cores of --scale, which must be larger than the one before; `*at` becomes NULL at the end.
 */
static int read_cores(int *cores, const char **at, const char *scale, int before, struct error *error) {
    enum { MOST = 4096 };
    char *end;
    long number = strtol(*at, &end, 10);
    if (end == *at || (*end != ',' && *end != '\0') || number <= before || number > MOST)
        return error_set(error, "--scale %.60s: not a list of growing numbers of cores, such as 1,2,4", scale);
    *cores = (int)number;
    *at = *end == ',' ? end + 1 : NULL;
    return 0;
}

/* Plans the events of the patterns that can be recognised on the program run's number of cores: a new step. */
static int add_step(struct diagnosis *d, const json_t *files, const struct inputs *described, struct error *error) {
    struct program_run *m = &d->m;
    json_t *argument =
        json_pack("{s:O, s:O, s:O, s:O, s:O, s:O, s:s*, s:i, s:i, s:b}", "files", files, "patterns",
                  described->patterns, "groups", described->groups, "machine", m->v.inputs.machine, "node",
                  m->v.node.description, "record", json_object_get(d->evidence, "record"), "cores", m->cores,
                  "processes", m->ranks > 0 ? m->ranks : 1, "threads", program_run_threads(m), "scaled", m->scale > 0);
    json_t *prepared = script_call(m->v.script, "wants:diagnosis", argument, error);
    int status = prepared != NULL ? program_run_plan(m, json_object_get(prepared, "wants"), error) : -1;
    if (status == 0)
        json_array_append_new(d->steps,
                              json_pack("{s:O, s:O, s:i}", "prepared", prepared, "plan", m->plan, "cores", m->scale));
    json_decref(prepared);
    return status;
}

/* Adds a step for each number of --scale, or one without it. All their jobs are one campaign. */
static int add_steps(struct diagnosis *d, const json_t *files, const struct inputs *described, const char *scale,
                     struct error *error) {
    json_t *jobs = json_array();
    int status = 0, before = 0;
    for (const char *at = scale; status == 0 && (at != NULL || json_array_size(d->steps) == 0);) {
        if (at != NULL && (status = read_cores(&d->m.scale, &at, scale, before, error)) != 0)
            break;
        before = d->m.scale;
        status = add_step(d, files, described, error);
        json_array_extend(jobs, d->m.v.jobs);
    }
    json_decref(d->m.v.jobs);
    d->m.v.jobs = jobs;
    return status;
}

static int prepare(struct program_run *m, const struct arguments *arguments, struct error *error) {
    struct diagnosis *d = (struct diagnosis *)m;
    struct inputs described = {0};
    json_t *files = NULL;
    d->steps = json_array();
    if (read_options(d, arguments, error) == 0 && find_evidence(d, arguments_value(arguments, "record"), error) == 0 &&
        inputs_describe(&described, m->v.script, m->v.paths, m->v.node.arch, error) == 0)
        files = data_files(m, NULL, "pmu.costs", NULL, error);
    int status = files != NULL ? add_steps(d, files, &described, arguments_value(arguments, "scale"), error) : -1;
    json_decref(files);
    inputs_free(&described);
    return status;
}

/* Makes the record "kind": "diagnosis" (docs/findings.schema.json) from the findings, a new reference. */
static json_t *make_record(const struct diagnosis *d, json_t *found) {
    json_t *record = program_run_heading(&d->m, "diagnosis");
    json_object_set_new(record, "limit", json_real(d->limit));
    json_object_set(record, "evidence", json_object_get(d->evidence, "file"));
    json_object_update(record, d->m.counted);
    json_object_update(record, found);
    return record;
}

/* The findings and rates of a step with these counts. */
static json_t *judge(const struct diagnosis *d, const json_t *step, const json_t *counted, struct error *error) {
    json_t *argument =
        json_pack("{s:O, s:O, s:f}", "counted", counted, "node", d->m.v.node.description, "limit", d->limit);
    static const char *const keys[] = {"candidates", "line_cycles", "rates"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(argument, keys[i], json_object_get(json_object_get(step, "prepared"), keys[i]));
    return script_call(d->m.v.script, "program_judge:diagnosis", argument, error);
}

/* What a step of --scale with fewer cores has found: { cores, regions, findings, rates }. Its failures become those of
 * the program run. */
static json_t *make_step(const struct diagnosis *d, const json_t *step, struct error *error) {
    json_t *counted = program_run_counts(&d->m, json_object_get(step, "plan"), error);
    json_t *found = counted != NULL ? judge(d, step, counted, error) : NULL;
    if (found != NULL) {
        json_object_set(found, "cores", json_object_get(step, "cores"));
        json_object_set(found, "regions", json_object_get(counted, "regions"));
        json_array_extend(json_object_get(d->m.counted, "failures"), json_object_get(counted, "failures"));
    }
    json_decref(counted);
    return found;
}

/* The findings of the step with most cores and, as "scale", of the others. */
static json_t *judge_all(const struct diagnosis *d, struct error *error) {
    size_t last = json_array_size(d->steps) - 1, i;
    json_t *found = judge(d, json_array_get(d->steps, last), d->m.counted, error), *scale = json_array();
    for (i = 0; found != NULL && i < last; i++) {
        json_t *step = make_step(d, json_array_get(d->steps, i), error);
        if (step == NULL) {
            json_decref(found);
            found = NULL;
        } else
            json_array_append_new(scale, step);
    }
    if (found != NULL && d->m.scale > 0)
        json_object_set(found, "scale", scale);
    json_decref(scale);
    return found;
}

static int print_page(const struct diagnosis *d, json_t *record, struct error *error) {
    static const struct look look = {"report:diagnosis_page", NULL, NULL};
    const char *file = d->m.v.options.out;
    json_t *about = json_pack("{s:O, s:o}", "record", record, "file", plain_name(file != NULL ? file : "?"));
    json_t *argument = pages_argument(d->m.v.paths, &look, about, error);
    json_decref(about);
    return argument != NULL ? print_rendered(d->m.v.script, look.door, argument, error) : -1;
}

static int print_record(const struct diagnosis *d, json_t *record, struct error *error) {
    if (d->format == JSON) {
        plain_record(record);
        return print_value(record, error);
    }
    if (d->format == HTML)
        return print_page(d, record, error);
    json_t *argument = json_pack("{s:O, s:i}", "record", record, "width", TERMINAL_WIDTH);
    return print_rendered(d->m.v.script, "report:diagnosis", argument, error);
}

static int tell(struct program_run *m, const struct arguments *arguments, struct error *error) {
    const struct diagnosis *d = (const struct diagnosis *)m;
    (void)arguments;
    json_t *found = judge_all(d, error);
    if (found == NULL)
        return EXIT_USAGE;
    json_t *record = make_record(d, found);
    int status = record_write(m->v.options.out, record, error);
    if (status == 0)
        status = print_record(d, record, error);
    json_decref(found);
    json_decref(record);
    return status == 0 ? EXIT_DONE : EXIT_USAGE;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct diagnosis d = {.m.v = {.paths = paths, .work.lock = -1}};
    int status = measuring_run(&d.m, arguments, prepare, tell, error);
    json_decref(d.evidence);
    json_decref(d.steps);
    program_run_release(&d.m);
    return status;
}

const struct command command_diagnose = {
    .name = "diagnose",
    .words = "[--] PROGRAM [ARGUMENT...]",
    .least = 1,
    .most = INT_MAX,
    .is_prefix = 1,
    .missing = "no program",
    .about = "which performance patterns a program shows, by the share of its run time that each can explain",
    .options = options,
    .run = run,
};
