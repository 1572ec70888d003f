/* cmd_configuration.c - `assay configuration`: finds a node's caches and TLBs from counts only.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_survey.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/process_setup.h"
#include "validate/record/record.h"
#include "validate/run/options.h"

static const struct argument options[] = {
    OPTION_NODE, {"out", "FILE", "what was found, as JSON"}, OPTION_JOBS, OPTION_TIMEOUT, OPTION_FAULT, {0},
};

/* The next step after all rounds so far: { jobs } to measure, or { findings }. */
static json_t *ask(const struct event_survey *e, json_t *rounds, struct error *error) {
    const struct validation *v = &e->d.v;
    json_t *argument =
        json_pack("{s:O, s:O, s:O, s:O, s:O, s:O}", "machine", v->inputs.machine, "node", v->node.description, "groups",
                  v->inputs.groups, "list", e->d.list, "said", e->d.said, "rounds", rounds);
    return script_call(v->script, "configuration", argument, error);
}

/* Measures the jobs and adds them with their results to the rounds. EXIT_DONE, or another exit status. */
static int measure_round(struct event_survey *e, json_t *jobs, json_t *rounds, double *seconds, struct error *error) {
    struct validation *v = &e->d.v;
    json_decref(v->jobs);
    json_decref(v->results);
    v->jobs = json_incref(jobs);
    v->results = NULL;
    int status = validation_measure(v, NULL, error);
    if (status != EXIT_DONE)
        return status;
    *seconds += v->seconds;
    json_array_append_new(rounds, json_pack("{s:O, s:O, s:i}", "jobs", jobs, "results", v->results, "reps", v->reps));
    return EXIT_DONE;
}

/* Measures the misses of memory walks in rounds until all properties are known. EXIT_DONE and `*findings`, a new
 * reference to the result of lua/events/configuration/compare.lua; or another exit status with the reason. */
static int measure_all(struct event_survey *e, json_t **findings, struct error *error) {
    json_t *rounds = json_array(), *answer;
    double seconds = 0;
    int status = EXIT_DONE;
    *findings = NULL;
    while (status == EXIT_DONE && *findings == NULL) {
        answer = ask(e, rounds, error);
        *findings = json_incref(json_object_get(answer, "findings"));
        if (answer == NULL)
            status = EXIT_USAGE;
        else if (*findings == NULL)
            status = measure_round(e, json_object_get(answer, "jobs"), rounds, &seconds, error);
        json_decref(answer);
    }
    json_decref(rounds);
    e->d.v.seconds = seconds;
    return status;
}

static int tell(const struct event_survey *e, json_t *findings, struct error *error) {
    return validation_write(&e->d.v, "configuration", json_pack("{s:O}", "parts", findings), error) == 0 &&
                   print_rendered(e->d.v.script, "report:configuration", json_pack("{s:O}", "parts", findings),
                                  error) == 0
               ? EXIT_DONE
               : EXIT_USAGE;
}

/* Whether a property differs from hwloc's or was not found. */
static int is_drift(const json_t *findings) {
    size_t index;
    json_t *one;
    json_array_foreach(findings, index, one) {
        const char *by = json_word(one, "by");
        if (by != NULL && by[0] == 'h' &&
            (json_object_get(one, "reason") != NULL || json_array_size(json_object_get(one, "differs")) > 0))
            return 1;
    }
    return 0;
}

static int discover_caches(struct event_survey *e, struct error *error) {
    json_t *findings = NULL;
    validation_announce(&e->d.v);
    int status = measure_all(e, &findings, error);
    if (status == EXIT_DONE)
        status = tell(e, findings, error);
    if (status == EXIT_DONE && is_drift(findings))
        status = EXIT_DRIFT;
    json_decref(findings);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct event_survey e = {.d.v = {.paths = paths, .work.lock = -1}};
    process_setup_forget_variables();
    int status = options_read(&e.d.v.options, arguments, error);
    if (status == 0 && (record_check_target(e.d.v.options.out, error) != 0 || documented_open(&e.d, error) != 0))
        status = -1;
    if (status == 0)
        status = discover_caches(&e, error);
    event_survey_release(&e);
    return status;
}

const struct command command_configuration = {
    .name = "configuration",
    .words = "",
    .about = "caches and TLBs of a node, found from counts alone, next to what is said of them",
    .options = options,
    .run = run,
};
