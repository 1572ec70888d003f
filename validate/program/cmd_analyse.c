/* cmd_analyse.c - `assay analyse`: metric hierarchies of any program. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "analysis.h"
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

/* Says whether the counts obey the laws that these runs allow to check. */
static int print_laws(const struct program_run *m, struct error *error) {
    json_t *prepared = laws_prepare(m, NULL, error);
    json_t *found = prepared != NULL ? laws_check(m, prepared, error) : NULL;
    json_decref(prepared);
    return found != NULL ? print_rendered(m->v.script, "report:law_lines", found, error) : -1;
}

static int tell(struct program_run *m, const struct arguments *arguments, struct error *error) {
    json_t *record = analysis_record((const struct analysis *)m);
    int status = record_write(m->v.options.out, record, error);
    json_t *argument =
        json_pack("{s:o, s:i, s:b, s:s*}", "record", record, "width", TERMINAL_WIDTH, "threads",
                  arguments_value(arguments, "threads") != NULL, "region", arguments_value(arguments, "region"));
    if (status == 0)
        status = print_rendered(m->v.script, "report:analysis", json_incref(argument), error);
    json_decref(argument);
    return status == 0 && print_laws(m, error) == 0 ? EXIT_DONE : EXIT_USAGE;
}

static int prepare(struct program_run *m, const struct arguments *arguments, struct error *error) {
    struct analysis *a = (struct analysis *)m;
    a->hierarchy = arguments_value(arguments, "hierarchy");
    a->only = arguments_value(arguments, "tree");
    return analysis_prepare(a, error);
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct analysis a = {.m.v = {.paths = paths, .work.lock = -1}};
    int status = measuring_run(&a.m, arguments, prepare, tell);
    analysis_release(&a);
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
