/* cmd_laws.c - `assay laws`: laws between counters, on any program. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "laws.h"
#include "measuring.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

static const struct argument options[] = {
    MEASURING_OPTIONS,
    {"laws", "FILE", "laws of your own, in addition to or in place of Assay's: see LAWS in assay(1)"},
    {"all", NULL, "every law, with the least change that would have broken it"},
    {0},
};

struct laws_run {
    struct program_run m;
    json_t *prepared; /* from laws_prepare() */
};

/* Makes the record "kind": "laws" from the findings and the measurement. A new reference. */
static json_t *make_record(const struct program_run *m, const json_t *prepared, json_t *found) {
    static const char *const keys[] = {"system", "regions", "runs", "messages", "failures"};
    json_t *record = program_run_heading(m, "laws");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_object_set(record, keys[i], json_object_get(m->counted, keys[i]));
    json_object_set(record, "left_out", json_object_get(prepared, "left_out"));
    json_object_update(record, found);
    return record;
}

static int tell(struct program_run *m, const struct arguments *arguments, struct error *error) {
    const json_t *prepared = ((const struct laws_run *)m)->prepared;
    json_t *found = laws_check(m, prepared, error);
    if (found == NULL)
        return EXIT_USAGE;
    json_t *record = make_record(m, prepared, found);
    json_decref(found);
    int status = record_write(m->v.options.out, record, error);
    json_t *argument = json_pack("{s:o, s:i, s:b}", "record", record, "width", TERMINAL_WIDTH, "all",
                                 arguments_value(arguments, "all") != NULL);
    if (status == 0)
        status = print_rendered(m->v.script, "report:laws", json_incref(argument), error);
    json_decref(argument);
    return status == 0 ? EXIT_DONE : EXIT_USAGE;
}

/* Loads the node's laws; none is an error. */
static int prepare(struct program_run *m, const struct arguments *arguments, struct error *error) {
    json_t *prepared = laws_prepare(m, arguments_value(arguments, "laws"), error);
    json_t *wants = json_object_get(prepared, "wants");
    ((struct laws_run *)m)->prepared = prepared;
    if (prepared == NULL)
        return -1;
    return json_array_size(wants) > 0
               ? program_run_plan(m, wants, error)
               : error_set(error, "no law for %s: there is none in groups/%s/pmu.laws; give your own with --laws FILE",
                           m->v.node.arch, m->v.node.arch);
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct laws_run laws = {.m.v = {.paths = paths, .work.lock = -1}};
    int status = measuring_run(&laws.m, arguments, prepare, tell, error);
    json_decref(laws.prepared);
    program_run_release(&laws.m);
    return status;
}

const struct command command_laws = {
    .name = "laws",
    .words = "[--] PROGRAM [ARGUMENT...]",
    .least = 1,
    .most = INT_MAX,
    .is_prefix = 1,
    .missing = "no program",
    .about = "whether a program's counts obey the laws between counters, and which events are to blame if not",
    .options = options,
    .run = run,
};
