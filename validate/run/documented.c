/* documented.c - loads documented knowledge about events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "documented.h"

#include <stdio.h>
#include <unistd.h>

#include "event_list.h"

json_t *documented_words(const struct documented *d, const char *door, const char *name, struct error *error) {
    char file[PATH_MAX];
    json_t *argument = paths_data(file, d->v.paths, name, error) == 0 ? script_file(file, error) : NULL;
    if (argument == NULL)
        return NULL;
    json_object_set(argument, "concepts", d->concepts); /* does nothing for NULL */
    return script_call(d->v.script, door, argument, error);
}

/* The file is optional: an architecture may have no documented events. */
static json_t *read_said(const struct documented *d, struct error *error) {
    char name[64], file[PATH_MAX];
    snprintf(name, sizeof name, "groups/%s/pmu.concepts", d->v.node.arch);
    if (paths_data(file, d->v.paths, name, error) != 0)
        return NULL;
    return access(file, F_OK) == 0 ? documented_words(d, "read:documented", name, error) : json_object();
}

/* Loads the probes. An architecture without a machine file gets a description from LIKWID's output. */
static int load_probes(struct validation *v, json_t *listed, struct error *error) {
    char file[PATH_MAX];
    json_t *machine = NULL;
    if (paths_arch(file, v->paths, v->node.arch, "machine.lua", error) != 0)
        return -1;
    if (access(file, F_OK) != 0 && (machine = event_list_machine(v, listed, error)) == NULL)
        return -1;
    return inputs_load_probes(&v->inputs, v->script, v->paths, &v->node, machine, error);
}

int documented_open(struct documented *d, struct error *error) {
    struct validation *v = &d->v;
    if (validation_open(v, error) != 0 || validation_ready(v, error) != 0)
        return -1;
    json_t *listed = event_list_ask(v, error);
    int failed = listed == NULL || load_probes(v, listed, error) != 0 ||
                 (d->concepts = documented_words(d, "read:concepts", "probes/concepts.txt", error)) == NULL ||
                 (d->said = read_said(d, error)) == NULL || (d->list = event_list_read(v, listed, error)) == NULL;
    json_decref(listed);
    return failed ? -1 : 0;
}

void documented_release(struct documented *d) {
    json_decref(d->concepts);
    json_decref(d->said);
    json_decref(d->list);
    validation_release(&d->v);
}
