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

enum { HIERARCHY = MEASURING_COUNT, TREE, PLAN, THREADS, REGION };

static const struct argument options[] = {
    MEASURING_OPTIONS,
    [HIERARCHY] = {"hierarchy", "FILE",
                   "metrics of your own, in addition to or in place of Assay's: see HIERARCHIES in assay(1)"},
    [TREE] = {"tree", "NAME,...", "only these metrics and what is below them, in fewer runs"},
    [PLAN] = {"plan", NULL, "print which events would be counted in which run, and measure nothing"},
    [THREADS] = {"threads", NULL, "a column for each thread"},
    [REGION] = {"region", "NAME", "of this region only"},
    {0},
};

static int print_plan(const struct analysis *a, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O}", "plan", a->m.plan, "metrics", json_object_get(a->trees, "metrics"));
    return print_rendered(a->m.v.script, "report:sets", argument, error) == 0 ? EXIT_DONE : EXIT_USAGE;
}

/* Says whether the counts obey the laws that these runs allow to check. */
static int print_laws(const struct program_run *m, struct error *error) {
    json_t *prepared = laws_prepare(m, NULL, error);
    json_t *found = prepared != NULL ? laws_check(m, prepared, error) : NULL;
    json_decref(prepared);
    return found != NULL ? print_rendered(m->v.script, "report:law_lines", found, error) : -1;
}

/* Writes and prints what was measured. */
static int tell(struct analysis *a, const struct arguments *arguments, struct error *error) {
    const char *out = a->m.v.options.out;
    json_t *record = analysis_record(a);
    if (out != NULL && record_write(out, record, error) != 0) {
        json_decref(record);
        return EXIT_USAGE;
    }
    json_t *argument = json_pack("{s:O, s:i, s:b, s:s*}", "record", record, "width", TERMINAL_WIDTH, "threads",
                                 arguments->value[THREADS] != NULL, "region", arguments->value[REGION]);
    int status = print_rendered(a->m.v.script, "report:analysis", argument, error) == 0 && print_laws(&a->m, error) == 0
                     ? EXIT_DONE
                     : EXIT_USAGE;
    if (status == EXIT_DONE && json_array_size(json_object_get(record, "failures")) > 0)
        status = EXIT_DRIFT;
    json_decref(record);
    if (status != EXIT_USAGE && out != NULL) {
        program_run_forget(&a->m);
        print_file("record:", out);
    }
    return status;
}

static int work(struct analysis *a, const struct arguments *arguments, struct error *error) {
    if (arguments->value[PLAN] != NULL)
        return print_plan(a, error);
    validation_announce(&a->m.v);
    int status = program_run_measure(&a->m, error);
    return status == EXIT_DONE ? tell(a, arguments, error) : status;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct analysis a = {.m.v = {.paths = paths, .work.lock = -1},
                         .hierarchy = arguments->value[HIERARCHY],
                         .only = arguments->value[TREE]};
    struct error error;
    int lock = -1, status = EXIT_USAGE;
    const char *out = arguments->value[MEASURING_OUT];
    if (measuring_read(&a.m, arguments, &error) == 0 && (out == NULL || record_check_target(out, &error) == 0) &&
        analysis_prepare(&a, &error) == 0 && (out == NULL || (lock = record_lock(out, &error)) >= 0))
        status = work(&a, arguments, &error);
    if (status != EXIT_DONE && status != EXIT_DRIFT)
        command_fail("analyse", error.text);
    if (out != NULL)
        record_unlock(out, lock);
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
