/* cmd_laws.c - `assay laws`: laws between counters, on any program. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>

#include "laws.h"
#include "measuring.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

enum { LAWS = MEASURING_COUNT, ALL, PLAN };

static const struct argument options[] = {
    MEASURING_OPTIONS,
    [LAWS] = {"laws", "FILE", "laws of your own, in addition to or in place of Assay's: see LAWS in assay(1)"},
    [ALL] = {"all", NULL, "every law, with the least change that would have broken it"},
    [PLAN] = {"plan", NULL, "print which events would be counted in which run, and measure nothing"},
    {0},
};

/* What was found with what it was found on: "kind": "laws". A new reference. */
static json_t *make_record(const struct program_run *m, const json_t *prepared, json_t *found) {
    static const char *const keys[] = {"system", "regions", "runs", "messages", "failures"};
    json_t *record = program_run_heading(m, "laws");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_object_set(record, keys[i], json_object_get(m->counted, keys[i]));
    json_object_set(record, "left_out", json_object_get(prepared, "left_out"));
    json_object_update(record, found);
    return record;
}

/* Writes and prints what was found. */
static int tell(const struct program_run *m, const json_t *prepared, int all, struct error *error) {
    const char *out = m->v.options.out;
    json_t *found = laws_check(m, prepared, error);
    if (found == NULL)
        return EXIT_USAGE;
    json_t *record = make_record(m, prepared, found);
    int status = out == NULL || record_write(out, record, error) == 0 ? EXIT_DONE : EXIT_USAGE;
    int has_failed = json_array_size(json_object_get(record, "failures")) > 0;
    json_decref(found);
    if (status == EXIT_DONE &&
        print_rendered(m->v.script, "report:laws",
                       json_pack("{s:O, s:i, s:b}", "record", record, "width", TERMINAL_WIDTH, "all", all), error) != 0)
        status = EXIT_USAGE;
    json_decref(record);
    if (status == EXIT_DONE && out != NULL) {
        program_run_forget(m);
        print_file("record:", out);
    }
    return status == EXIT_DONE && has_failed ? EXIT_DRIFT : status;
}

static int work(struct program_run *m, const json_t *prepared, const struct arguments *arguments, struct error *error) {
    if (arguments->value[PLAN] != NULL)
        return print_rendered(m->v.script, "report:sets", json_pack("{s:O, s:[]}", "plan", m->plan, "metrics"),
                              error) == 0
                   ? EXIT_DONE
                   : EXIT_USAGE;
    validation_announce(&m->v);
    int status = program_run_measure(m, error);
    return status == EXIT_DONE ? tell(m, prepared, arguments->value[ALL] != NULL, error) : status;
}

/* The laws of the node, of which there must be some. */
static json_t *prepare(struct program_run *m, const char *file, struct error *error) {
    json_t *prepared = program_run_open(m, error) == 0 ? laws_prepare(m, file, error) : NULL;
    json_t *wants = json_object_get(prepared, "wants");
    int status =
        prepared == NULL ? -1
        : json_array_size(wants) == 0
            ? error_set(error, "no law for %s: there is none in groups/%s/pmu.laws; give your own with --laws FILE",
                        m->v.node.arch, m->v.node.arch)
            : program_run_plan(m, wants, error);
    if (status == 0)
        return prepared;
    json_decref(prepared);
    return NULL;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct program_run m = {.v = {.paths = paths, .work.lock = -1}};
    struct error error;
    int lock = -1, status = EXIT_USAGE;
    const char *out = arguments->value[MEASURING_OUT];
    json_t *prepared = NULL;
    if (measuring_read(&m, arguments, &error) == 0 && (out == NULL || record_check_target(out, &error) == 0) &&
        (prepared = prepare(&m, arguments->value[LAWS], &error)) != NULL &&
        (out == NULL || (lock = record_lock(out, &error)) >= 0))
        status = work(&m, prepared, arguments, &error);
    if (status != EXIT_DONE && status != EXIT_DRIFT)
        command_fail("laws", error.text);
    if (out != NULL)
        record_unlock(out, lock);
    json_decref(prepared);
    program_run_release(&m);
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
