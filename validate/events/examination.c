/* examination.c - what single events count. SPDX-License-Identifier: GPL-3.0-or-later */
#include "examination.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "own_groups.h"
#include "validate/host/plain_json.h"
#include "validate/record/record.h"
#include "validate/run/event_list.h"

/* What input/concepts.lua's `function` reads from DATA/FOLDER/NAME. */
static json_t *read_words(const struct examination *e, const char *folder, const char *name, const char *function,
                          struct error *error) {
    char file[PATH_MAX];
    if (snprintf(file, sizeof file, "%s/%s/%s", e->v.paths->data, folder, name) >= (int)sizeof file) {
        error_set(error, "%s: path too long", e->v.paths->data);
        return NULL;
    }
    json_t *argument = script_file(file, error);
    if (argument == NULL)
        return NULL;
    json_object_set(argument, "concepts", e->concepts); /* NULL sets nothing */
    json_t *words = script_call(e->v.script, "input.concepts", function, argument, error);
    json_decref(argument);
    return words;
}

/* Nobody has to write down what an architecture's events are said to count. */
static json_t *read_said(const struct examination *e, struct error *error) {
    char folder[PATH_MAX], file[PATH_MAX];
    if (snprintf(folder, sizeof folder, "groups/%s", e->v.node.arch) >= (int)sizeof folder ||
        snprintf(file, sizeof file, "%s/%s/pmu.concepts", e->v.paths->data, folder) >= (int)sizeof file) {
        error_set(error, "%s: path too long", e->v.paths->data);
        return NULL;
    }
    return access(file, F_OK) == 0 ? read_words(e, folder, "pmu.concepts", "events", error) : json_object();
}

/* Plans the jobs: a look at one probe, or all of them, without the events that are known to be absent (NULL: none), or,
 * of `chosen` events (NULL: none), one row again and again. */
static int plan(struct examination *e, int look, json_t *absent, json_t *chosen, struct error *error) {
    struct validation *v = &e->v;
    json_t *names = json_words(v->options.patterns, (size_t)v->options.pattern_count, error);
    if (names == NULL)
        return -1;
    json_t *argument =
        json_pack("{s:O, s:O, s:O, s:O, s:O, s:O, s:o, s:O, s:b, s:b, s:b, s:O*, s:O*, s:b, s:O*, s:O*, s:O*}",
                  "probes", v->inputs.patterns, "machine", v->inputs.machine, "node", v->node.description, "kernels",
                  v->inputs.kernels, "groups", v->inputs.groups, "concepts", e->concepts, "events", names, "list",
                  e->list, "all", v->options.all, "look", look, "curves", v->options.curves, "absent", absent, "chosen",
                  chosen, "alone", !v->options.noise, "checked", e->checked, "names", e->names, "said", e->said);
    json_t *made = script_call(v->script, "events.plan.events", "make", argument, error);
    json_decref(argument);
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

static int read_checked(struct examination *e, struct error *error) {
    if (e->v.options.check == NULL)
        return 0;
    e->names = read_words(e, "probes", "quantities.txt", "quantities", error);
    e->checked = e->names != NULL ? own_groups_read(e->v.script, e->v.options.check, error) : NULL;
    return e->checked != NULL ? 0 : -1;
}

int examination_open(struct examination *e, struct error *error) {
    struct validation *v = &e->v;
    return validation_open(v, error) != 0 ||
                   inputs_load_probes(&v->inputs, v->script, v->paths, &v->node, error) != 0 ||
                   (e->concepts = read_words(e, "probes", "concepts.txt", "read", error)) == NULL ||
                   (e->said = read_said(e, error)) == NULL || read_checked(e, error) != 0 ||
                   validation_ready(v, error) != 0 || (e->list = event_list_read(v, error)) == NULL
               ? -1
               : 0;
}

int examination_prepare(struct examination *e, struct error *error) {
    return examination_open(e, error) != 0 ? -1 : plan(e, e->v.options.all && !e->v.options.noise, NULL, NULL, error);
}

/* What is known beside the results, and of findings (NULL: none), for a module of lua/judge/events. */
static json_t *call_judge(const struct examination *e, const char *module, const char *function, json_t *findings,
                          struct error *error) {
    const struct validation *v = &e->v;
    json_t *argument = json_pack("{s:O, s:O*, s:i, s:O, s:O, s:O, s:O, s:O, s:b, s:O*}", "plan", e->plan, "results",
                                 v->results, "reps", v->reps, "concepts", e->concepts, "said", e->said, "groups",
                                 v->inputs.groups, "machine", v->inputs.machine, "node", v->node.description, "named",
                                 v->options.pattern_count > 0, "findings", findings);
    json_t *found = script_call(e->v.script, module, function, argument, error);
    json_decref(argument);
    return found;
}

/* Where the state of another part is kept, beside that of the examination itself, which goes on from it; NULL: nowhere.
 */
static const char *part_file(const struct examination *e, const char *part, char file[PATH_MAX]) {
    const char *out = e->v.options.out;
    return out != NULL && snprintf(file, PATH_MAX, "%s.%s", out, part) < PATH_MAX ? file : NULL;
}

static int look(struct examination *e, struct error *error) {
    char file[PATH_MAX];
    int status = validation_measure(&e->v, part_file(e, "look", file), error);
    if (status != EXIT_DONE)
        return status;
    json_t *absent = call_judge(e, "events.judge.events", "absent", NULL, error);
    status = absent != NULL && plan(e, 0, absent, NULL, error) == 0 ? EXIT_DONE : EXIT_USAGE;
    json_decref(absent);
    return status;
}

/* Plans the repetitions of all events, or of the findings that are unsteady. Their number, -1 and the reason. */
static int choose(struct examination *e, json_t *findings, struct error *error) {
    json_t *chosen = call_judge(e, "events.judge.noise", "choose", findings, error);
    int count = chosen == NULL ? -1 : (int)json_array_size(chosen);
    if (count > 0 && plan(e, 0, NULL, chosen, error) != 0)
        count = -1;
    json_decref(chosen);
    return count;
}

static int repeat(struct examination *e, struct error *error) {
    int count = choose(e, NULL, error);
    if (count == 0)
        error_set(error,
                  "--noise: of none of these events it is known what a probe makes of it; groups/%s/pmu.concepts "
                  "says what events count",
                  e->v.node.arch);
    return count > 0 ? validation_measure(&e->v, e->v.options.out, error) : EXIT_USAGE;
}

int examination_measure(struct examination *e, struct error *error) {
    if (e->v.options.noise)
        return repeat(e, error);
    int status = e->v.options.all ? look(e, error) : EXIT_DONE;
    return status == EXIT_DONE ? validation_measure(&e->v, e->v.options.out, error) : status;
}

json_t *examination_find(const struct examination *e, struct error *error) {
    return call_judge(e, "events.judge.events", "examine", NULL, error);
}

json_t *examination_noise(const struct examination *e, struct error *error) {
    return call_judge(e, "events.judge.noise", "find", NULL, error);
}

int examination_look_closer(struct examination *e, json_t *found, struct error *error) {
    char file[PATH_MAX];
    int count = choose(e, json_object_get(found, "events"), error);
    if (count <= 0)
        return count == 0 ? EXIT_DONE : EXIT_USAGE;
    int status = validation_measure(&e->v, part_file(e, "closer", file), error);
    json_t *noise = status == EXIT_DONE ? examination_noise(e, error) : NULL;
    if (noise == NULL)
        return status == EXIT_DONE ? EXIT_USAGE : status;
    json_object_set_new(found, "closer", noise);
    return EXIT_DONE;
}

json_t *examination_curves(const struct examination *e, struct error *error) {
    return call_judge(e, "events.judge.curves", "find", NULL, error);
}

json_t *examination_discover(const struct examination *e, struct error *error) {
    const struct validation *v = &e->v;
    json_t *argument = json_pack("{s:O, s:O, s:i, s:O, s:O, s:O, s:O, s:O, s:O, s:O*, s:O*}", "plan", e->plan,
                                 "results", v->results, "reps", v->reps, "concepts", e->concepts, "said", e->said,
                                 "machine", v->inputs.machine, "node", v->node.description, "groups", v->inputs.groups,
                                 "list", e->list, "checked", e->checked, "names", e->names);
    json_t *found = script_call(v->script, "events.discovery.discovery", "find", argument, error);
    json_decref(argument);
    return found;
}

int examination_write(const struct examination *e, const json_t *found, struct error *error) {
    json_t *titles = json_array(), *row, *written = validation_heading(&e->v, "events");
    size_t index;
    json_array_foreach(json_object_get(e->plan, "rows"), index, row)
        json_array_append(titles, json_object_get(row, "title"));
    json_object_set_new(written, "probes", titles);
    json_object_update(written, (json_t *)found);
    int status = record_write(e->v.options.out, written, error);
    json_decref(written);
    return status;
}

int examination_write_curves(const struct examination *e, json_t *curves, struct error *error) {
    json_t *written = validation_heading(&e->v, "curves");
    json_object_set(written, "curves", curves);
    int status = record_write(e->v.options.out, written, error);
    json_decref(written);
    return status;
}

int examination_write_noise(const struct examination *e, json_t *noise, struct error *error) {
    json_t *written = validation_heading(&e->v, "noise");
    json_object_set(written, "events", noise);
    int status = record_write(e->v.options.out, written, error);
    json_decref(written);
    return status;
}

int examination_write_discovery(const struct examination *e, const json_t *found, struct error *error) {
    json_t *written = validation_heading(&e->v, "discovery");
    json_object_update(written, (json_t *)found);
    int status = record_write(e->v.options.out, written, error);
    json_decref(written);
    return status;
}

void examination_forget(const struct examination *e) {
    char file[PATH_MAX];
    campaign_forget(e->v.options.out);
    campaign_forget(part_file(e, "look", file));
    campaign_forget(part_file(e, "closer", file));
}

void examination_release(struct examination *e) {
    json_decref(e->concepts);
    json_decref(e->said);
    json_decref(e->list);
    json_decref(e->checked);
    json_decref(e->names);
    json_decref(e->plan);
    validation_release(&e->v);
}
