/* cache_discovery.c - what a node's caches and TLBs are. SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache_discovery.h"

/* { jobs | findings } that follow from all rounds so far. */
static json_t *ask(const struct event_survey *e, json_t *rounds, struct error *error) {
    const struct validation *v = &e->d.v;
    json_t *argument =
        json_pack("{s:O, s:O, s:O, s:O, s:O, s:O}", "machine", v->inputs.machine, "node", v->node.description, "groups",
                  v->inputs.groups, "list", e->d.list, "said", e->d.said, "rounds", rounds);
    return script_call(v->script, "configuration", argument, error);
}

/* Measures the jobs and adds them with their results to the rounds. EXIT_DONE, or the exit status. */
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

int cache_discovery_measure(struct event_survey *e, json_t **findings, struct error *error) {
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
