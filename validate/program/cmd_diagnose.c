/* cmd_diagnose.c - `assay diagnose`: which performance patterns a program shows. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_file.h"
#include "measuring.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/terminal.h"
#include "validate/record/evidence.h"
#include "validate/record/record.h"

static const struct argument options[] = {
    MEASURING_OPTIONS,
    {"record", "FILE", "verdicts for this node; by default the newest record in results/"},
    {"share", "PERCENT", "smallest part of the run time that a pattern must explain; 5 by default"},
    {"format", "FORMAT", "text (default) or json; a page: assay report RECORD --html FILE"},
    {0},
};

static const double default_share = 0.05;

struct diagnosis {
    struct program_run m;
    json_t *evidence; /* { file, record }: the validation whose verdicts count */
    json_t *prepared; /* from program/plan/diagnosis.lua */
    double limit;     /* share of the run time from which a pattern is present */
    int is_json;      /* print the record, not its text */
};

static int read_options(struct diagnosis *d, const struct arguments *arguments, struct error *error) {
    static const char *const formats[] = {"text", "json", NULL};
    const char *share = arguments_value(arguments, "share");
    char *end = NULL;
    d->limit = share != NULL ? strtod(share, &end) / 100 : default_share;
    if (share != NULL && (end == share || *end != '\0' || !(d->limit > 0 && d->limit <= 1)))
        return error_set(error, "--share %.60s: not a number above 0 and up to 100", share);
    d->is_json = arguments_choice(arguments, "format", formats, error);
    return d->is_json < 0 ? -1 : 0;
}

/* Whether a record can tell what this node's metrics are worth: one of the same kind, without injected faults. */
static int is_fit(const struct program_run *m, const json_t *entry) {
    const json_t *record = json_object_get(entry, "record"), *node = json_object_get(record, "node");
    const char *kind = json_word(node, "kind"), *name = json_word(node, "name");
    return json_array_size(json_object_get(record, "faults")) == 0 && kind != NULL && name != NULL &&
           strcmp(kind, m->v.node.is_virtual ? "virtual" : "native") == 0 &&
           (m->v.node.is_virtual || strcmp(name, m->v.node.name) == 0);
}

/* Finds the record with verdicts for the node: the named one, else the newest fitting one in results/. */
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
        if (is_fit(m, entry)) {
            json_decref(d->evidence);
            d->evidence = json_incref(entry);
        }
    }
    json_decref(records);
    if (d->evidence != NULL)
        return 0;
    return file != NULL
               ? error_set(error, "%s: is no evidence for %s: of another kind of node or with injected faults", file,
                           m->v.node.name)
               : error_set(error,
                           "no verdicts for %s: what its metrics are worth is not known; run first: assay validate "
                           "--node %s --out FILE, then: assay diagnose --record FILE",
                           m->v.node.name, m->v.node.is_virtual ? m->v.options.node : "native");
}

/* Chooses the patterns that can be recognised here, and plans the events that they need. */
static int prepare(struct program_run *m, const struct arguments *arguments, struct error *error) {
    struct diagnosis *d = (struct diagnosis *)m;
    struct inputs described = {0};
    json_t *files = NULL;
    if (read_options(d, arguments, error) == 0 && find_evidence(d, arguments_value(arguments, "record"), error) == 0 &&
        inputs_describe(&described, m->v.script, m->v.paths, m->v.node.arch, error) == 0)
        files = data_files(m, NULL, "pmu.costs", NULL, error);
    if (files != NULL) {
        json_t *argument =
            json_pack("{s:o, s:O, s:O, s:O, s:O, s:O, s:s*, s:i, s:i}", "files", files, "patterns", described.patterns,
                      "groups", described.groups, "machine", m->v.inputs.machine, "node", m->v.node.description,
                      "record", json_object_get(d->evidence, "record"), "cores", m->cores, "processes",
                      m->ranks > 0 ? m->ranks : 1, "threads", program_run_threads());
        d->prepared = script_call(m->v.script, "wants:diagnosis", argument, error);
    }
    inputs_free(&described);
    return d->prepared != NULL ? program_run_plan(m, json_object_get(d->prepared, "wants"), error) : -1;
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

static json_t *judge(const struct diagnosis *d, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O, s:O, s:f}", "candidates", json_object_get(d->prepared, "candidates"),
                                 "line_cycles", json_object_get(d->prepared, "line_cycles"), "counted", d->m.counted,
                                 "node", d->m.v.node.description, "limit", d->limit);
    return script_call(d->m.v.script, "program_judge:diagnosis", argument, error);
}

static int print_record(const struct diagnosis *d, json_t *record, struct error *error) {
    if (d->is_json) {
        plain_record(record);
        return print_value(record, error);
    }
    json_t *argument = json_pack("{s:O, s:i}", "record", record, "width", TERMINAL_WIDTH);
    return print_rendered(d->m.v.script, "report:diagnosis", argument, error);
}

static int tell(struct program_run *m, const struct arguments *arguments, struct error *error) {
    const struct diagnosis *d = (const struct diagnosis *)m;
    (void)arguments;
    json_t *found = judge(d, error);
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

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct diagnosis d = {.m.v = {.paths = paths, .work.lock = -1}};
    int status = measuring_run(&d.m, arguments, prepare, tell);
    json_decref(d.evidence);
    json_decref(d.prepared);
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
