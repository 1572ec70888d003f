/* documented.c - what is known of a node's events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "documented.h"

#include <stdio.h>
#include <unistd.h>

#include "event_list.h"
#include "validate/host/plain_json.h"

json_t *documented_words(const struct documented *d, const char *folder, const char *name, const char *function,
                         struct error *error) {
    char file[PATH_MAX];
    if (snprintf(file, sizeof file, "%s/%s/%s", d->v.paths->data, folder, name) >= (int)sizeof file) {
        error_set(error, "%s: path too long", d->v.paths->data);
        return NULL;
    }
    json_t *argument = script_file(file, error);
    if (argument == NULL)
        return NULL;
    json_object_set(argument, "concepts", d->concepts); /* NULL sets nothing */
    json_t *words = script_call(d->v.script, "input.concepts", function, argument, error);
    json_decref(argument);
    return words;
}

/* Nobody has to write down what an architecture's events are said to count. */
static json_t *read_said(const struct documented *d, struct error *error) {
    char folder[PATH_MAX], file[PATH_MAX];
    if (snprintf(folder, sizeof folder, "groups/%s", d->v.node.arch) >= (int)sizeof folder ||
        snprintf(file, sizeof file, "%s/%s/pmu.concepts", d->v.paths->data, folder) >= (int)sizeof file) {
        error_set(error, "%s: path too long", d->v.paths->data);
        return NULL;
    }
    return access(file, F_OK) == 0 ? documented_words(d, folder, "pmu.concepts", "events", error) : json_object();
}

int documented_open(struct documented *d, struct error *error) {
    struct validation *v = &d->v;
    return validation_open(v, error) != 0 ||
                   inputs_load_probes(&v->inputs, v->script, v->paths, &v->node, error) != 0 ||
                   (d->concepts = documented_words(d, "probes", "concepts.txt", "read", error)) == NULL ||
                   (d->said = read_said(d, error)) == NULL
               ? -1
               : 0;
}

int documented_list(struct documented *d, struct error *error) {
    return validation_ready(&d->v, error) != 0 || (d->list = event_list_read(&d->v, error)) == NULL ? -1 : 0;
}

void documented_release(struct documented *d) {
    json_decref(d->concepts);
    json_decref(d->said);
    json_decref(d->list);
    validation_release(&d->v);
}
