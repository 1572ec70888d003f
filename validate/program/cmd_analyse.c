/* cmd_analyse.c - `assay analyse`: metric hierarchies of any program. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "data_file.h"
#include "laws.h"
#include "measuring.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

static const struct argument options[] = {
    MEASURING_OPTIONS,
    {"hierarchy", "FILE", "metrics of your own, in addition to or in place of Assay's: see HIERARCHIES in assay(1)"},
    {"tree", "NAME,...", "only these metrics and what is below them, in fewer runs"},
    {"threads", NULL, "a column for each thread"},
    {"region", "NAME", "of this region only"},
    {0},
};

struct analysis {
    struct program_run m;
    json_t *trees; /* from input/hierarchy.lua: metrics, wants, hierarchy */
};

/* Makes the analysis record of the measurement (docs/analysis.schema.json), a new reference. */
static json_t *make_record(const struct analysis *a) {
    json_t *record = program_run_heading(&a->m, "analysis");
    json_object_set_new(record, "operation", json_null());
    json_object_set(record, "hierarchy", json_object_get(a->trees, "hierarchy"));
    json_object_update(record, a->m.counted);
    return record;
}

/* Prints whether the counts obey the laws that these runs can check. */
static int print_laws(const struct program_run *m, struct error *error) {
    json_t *prepared = laws_prepare(m, NULL, error);
    json_t *found = prepared != NULL ? laws_check(m, prepared, error) : NULL;
    json_decref(prepared);
    return found != NULL ? print_rendered(m->v.script, "report:law_lines", found, error) : -1;
}

static int tell(struct program_run *m, const struct arguments *arguments, struct error *error) {
    json_t *record = make_record((const struct analysis *)m);
    int status = record_write(m->v.options.out, record, error);
    json_t *argument =
        json_pack("{s:o, s:i, s:b, s:s*}", "record", record, "width", TERMINAL_WIDTH, "threads",
                  arguments_value(arguments, "threads") != NULL, "region", arguments_value(arguments, "region"));
    if (status == 0)
        status = print_rendered(m->v.script, "report:analysis", json_incref(argument), error);
    json_decref(argument);
    return status == 0 && print_laws(m, error) == 0 ? EXIT_DONE : EXIT_USAGE;
}

/* Loads the common, the architecture's and the user's metric vocabulary. */
static int prepare(struct program_run *m, const struct arguments *arguments, struct error *error) {
    struct analysis *a = (struct analysis *)m;
    json_t *files =
        data_files(m, "hierarchies/generic.txt", "pmu.hierarchy", arguments_value(arguments, "hierarchy"), error);
    if (files == NULL)
        return -1;
    json_t *argument = json_pack("{s:o, s:O, s:s, s:s*}", "files", files, "list", m->list, "arch", m->v.node.arch,
                                 "trees", arguments_value(arguments, "tree"));
    if ((a->trees = script_call(m->v.script, "wants:hierarchy", argument, error)) == NULL)
        return -1;
    m->metrics = json_object_get(a->trees, "metrics");
    return program_run_plan(m, json_object_get(a->trees, "wants"), error);
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct analysis a = {.m.v = {.paths = paths, .work.lock = -1}};
    int status = measuring_run(&a.m, arguments, prepare, tell, error);
    json_decref(a.trees);
    program_run_release(&a.m);
    return status;
}

const struct command command_analyse = {
    .name = "analyse",
    .words = "[--] PROGRAM [ARGUMENT...]",
    .least = 1,
    .most = INT_MAX,
    .is_prefix = 1,
    .missing = "no program",
    .about = "where a program's accesses, branches and cycles go: metric hierarchies from as few runs as needed",
    .options = options,
    .run = run,
};
