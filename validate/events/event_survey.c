/* event_survey.c - measures single events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_survey.h"

#include <limits.h>
#include <stdio.h>

#include "own_groups.h"
#include "validate/command/commands.h"
#include "validate/host/plain_json.h"
#include "validate/record/record.h"

/* Plans the jobs: only one probe (`look`), or all probes without the `absent` events (NULL: none), or repetitions of
 * one row for each of the `chosen` events (NULL: none). */
static int plan(struct event_survey *e, int look, json_t *absent, json_t *chosen, struct error *error) {
    struct validation *v = &e->d.v;
    json_t *names = json_words(v->options.patterns, (size_t)v->options.pattern_count, error);
    if (names == NULL)
        return -1;
    json_t *argument = json_pack(
        "{s:O, s:O, s:O, s:O, s:O, s:O, s:o, s:O, s:b, s:b, s:b, s:O*, s:O*, s:b, s:O*, s:O*, s:O*}", "probes",
        v->inputs.patterns, "machine", v->inputs.machine, "node", v->node.description, "kernels", v->inputs.kernels,
        "groups", v->inputs.groups, "concepts", e->d.concepts, "events", names, "list", e->d.list, "all",
        v->options.all, "look", look, "curves", v->options.curves, "absent", absent, "chosen", chosen, "alone",
        !v->options.noise, "checked", e->checked, "names", e->names, "said", e->d.said);
    json_t *made = script_call(v->script, "event_plan", argument, error);
    if (made == NULL)
        return -1;
    json_decref(e->plan);
    json_decref(v->jobs);
    json_decref(v->results);
    e->plan = made;
    v->jobs = json_incref(json_object_get(made, "jobs"));
    v->results = NULL;
    return 0;
}

static int read_checked(struct event_survey *e, struct error *error) {
    if (e->d.v.options.check == NULL)
        return 0;
    e->names = documented_words(&e->d, "read:quantities", "probes/quantities.txt", error);
    e->checked = e->names != NULL ? own_groups_read(e->d.v.script, e->d.v.options.check, error) : NULL;
    if (e->checked == NULL)
        return -1;
    command_also("lint", e->d.v.paths, e->d.v.options.check); /* what needs no measurement */
    return 0;
}

int event_survey_prepare(struct event_survey *e, struct error *error) {
    return documented_open(&e->d, error) != 0 || read_checked(e, error) != 0
               ? -1
               : plan(e, e->d.v.options.all && !e->d.v.options.noise, NULL, NULL, error);
}

json_t *event_survey_judge(const struct event_survey *e, const char *door, json_t *findings, struct error *error) {
    const struct validation *v = &e->d.v;
    json_t *argument =
        json_pack("{s:O, s:O*, s:i, s:O, s:O, s:O, s:O, s:O, s:O, s:b, s:O*, s:O*, s:O*}", "plan", e->plan, "results",
                  v->results, "reps", v->reps, "concepts", e->d.concepts, "said", e->d.said, "groups", v->inputs.groups,
                  "machine", v->inputs.machine, "node", v->node.description, "list", e->d.list, "named",
                  v->options.pattern_count > 0, "findings", findings, "checked", e->checked, "names", e->names);
    return script_call(v->script, door, argument, error);
}

/* The file for the state of a further part, next to the event survey's own state; NULL: no state is kept. */
static const char *part_file(const struct event_survey *e, const char *part, char file[PATH_MAX]) {
    const char *out = e->d.v.options.out;
    return out != NULL && snprintf(file, PATH_MAX, "%s.%s", out, part) < PATH_MAX ? file : NULL;
}

static int look(struct event_survey *e, struct error *error) {
    char file[PATH_MAX];
    int status = validation_measure(&e->d.v, part_file(e, "look", file), error);
    if (status != EXIT_DONE)
        return status;
    json_t *absent = event_survey_judge(e, "event_judge:absent", NULL, error);
    status = absent != NULL && plan(e, 0, absent, NULL, error) == 0 ? EXIT_DONE : EXIT_USAGE;
    json_decref(absent);
    return status;
}

/* Plans the repetitions of all events, or of the unsteady findings. Returns their number, or -1 with the reason. */
static int choose(struct event_survey *e, json_t *findings, struct error *error) {
    json_t *chosen = event_survey_judge(e, "event_judge:unsteady", findings, error);
    int count = chosen == NULL ? -1 : (int)json_array_size(chosen);
    if (count > 0 && plan(e, 0, NULL, chosen, error) != 0)
        count = -1;
    json_decref(chosen);
    return count;
}

static int repeat(struct event_survey *e, struct error *error) {
    int count = choose(e, NULL, error);
    if (count == 0)
        error_set(error,
                  "--noise: it is not known of any of these events how often a probe causes it; groups/%s/pmu.concepts "
                  "says what events count",
                  e->d.v.node.arch);
    return count > 0 ? validation_measure(&e->d.v, e->d.v.options.out, error) : EXIT_USAGE;
}

int event_survey_measure(struct event_survey *e, struct error *error) {
    if (e->d.v.options.noise)
        return repeat(e, error);
    int status = e->d.v.options.all ? look(e, error) : EXIT_DONE;
    return status == EXIT_DONE ? validation_measure(&e->d.v, e->d.v.options.out, error) : status;
}

int event_survey_repeat(struct event_survey *e, json_t *found, struct error *error) {
    char file[PATH_MAX];
    int count = choose(e, json_object_get(found, "events"), error);
    if (count <= 0)
        return count == 0 ? EXIT_DONE : EXIT_USAGE;
    int status = validation_measure(&e->d.v, part_file(e, "closer", file), error);
    json_t *noise = status == EXIT_DONE ? event_survey_judge(e, "event_judge:noise", NULL, error) : NULL;
    if (noise == NULL)
        return status == EXIT_DONE ? EXIT_USAGE : status;
    json_object_set_new(found, "closer", noise);
    return EXIT_DONE;
}

int event_survey_write(const struct event_survey *e, json_t *found, struct error *error) {
    json_t *titles = json_array(), *row, *keys = json_pack("{s:o}", "probes", titles);
    size_t index;
    json_array_foreach(json_object_get(e->plan, "rows"), index, row)
        json_array_append(titles, json_object_get(row, "title"));
    json_object_update(keys, found);
    return validation_write(&e->d.v, "events", keys, error);
}

void event_survey_forget(const struct event_survey *e) {
    char file[PATH_MAX];
    campaign_forget(e->d.v.options.out);
    campaign_forget(part_file(e, "look", file));
    campaign_forget(part_file(e, "closer", file));
}

void event_survey_release(struct event_survey *e) {
    json_decref(e->checked);
    json_decref(e->names);
    json_decref(e->plan);
    documented_release(&e->d);
}
