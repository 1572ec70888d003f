/* virtual.c - samples a program on a virtual node. SPDX-License-Identifier: GPL-3.0-or-later */
#include "virtual.h"

#include <errno.h>
#include <string.h>

#include "samples.h"
#include "validate/host/plain_json.h"
#include "vnode/launch/faults.h"
#include "vnode/launch/sampling.h"

/* Reads the plan's events and periods, ascending. -1: more than the engine supports. */
static int read_plan(const struct sampling *sampling, struct vnode_sampling *out, struct error *error) {
    const json_t *events = json_object_get(sampling->plan, "events"), *entry;
    const json_t *periods = json_object_get(sampling->plan, "periods");
    size_t index;
    if (json_array_size(events) > SAMPLING_EVENTS || json_array_size(periods) > SAMPLING_PERIODS)
        return error_set(error, "%zu events and %zu periods: a virtual node samples %d and %d at once; give fewer",
                         json_array_size(events), json_array_size(periods), SAMPLING_EVENTS, SAMPLING_PERIODS);
    *out = (struct vnode_sampling){.skid = (uint32_t)sampling->skid};
    json_array_foreach((json_t *)events, index, entry) out->event[out->events++] = json_word(entry, "event");
    json_array_foreach((json_t *)periods, index, entry) out->period[out->periods++] =
        (uint64_t)json_integer_value(entry);
    return 0;
}

/* Returns the program's exit status, or -1 with the reason. */
static int run_program(struct vnode *vnode, char *const program[], double timeout, struct error *error) {
    char *const *command = vnode_command(vnode, program);
    if (command == NULL)
        return error_set(error, "%s: %s; is it in PATH?", program[0], strerror(errno));
    struct process process = {.out = -1, .err = -1};
    int status = process_start(&process, command, vnode_environment(vnode), NULL, timeout, error);
    if (status == 0)
        process_wait_or_stop(&process);
    if (status == 0 && process.timed_out)
        status = error_set(error, "%s: takes longer than %.0f s; give it more with --timeout", program[0], timeout);
    else if (status == 0)
        status = process.status;
    process_free(&process);
    return status;
}

/* Expands counts of the sampled events to all events, with null for the others. */
static json_t *spread(json_t *counts, const struct vnode_sampling *what) {
    json_t *all = json_array();
    size_t next = 0;
    for (uint32_t i = 0; i < what->events; i++) {
        if (what->obstacle[i][0] != '\0')
            json_array_append_new(all, json_null());
        else
            json_array_append(all, json_array_get(counts, next++));
    }
    return all;
}

/* Adds the totals, obstacles and so on to the samples. */
static int complete(json_t *run, const struct vnode *vnode, const struct vnode_sampling *what, struct error *error) {
    json_t *totals = json_array(), *obstacles = json_array(), *entry;
    size_t index;
    json_object_set_new(run, "totals", totals);
    json_object_set_new(run, "obstacles", obstacles);
    json_array_foreach(json_object_get(run, "functions"), index, entry)
        json_object_set_new(entry, "counts", spread(json_object_get(entry, "counts"), what));
    for (uint32_t i = 0; i < what->events; i++) {
        uint64_t count = 0;
        int has = what->obstacle[i][0] == '\0';
        if (has && vnode_happened(vnode, what->event[i], &count, error->text, sizeof error->text) != 0)
            return -1;
        json_array_append_new(totals, has ? json_integer((json_int_t)count) : json_null());
        json_array_append_new(obstacles, has ? json_null() : json_string(what->obstacle[i]));
    }
    return 0;
}

static json_t *sample_on(struct vnode *vnode, const struct sampling *sampling, char *const program[],
                         struct vnode_sampling *what, struct error *error) {
    uint32_t events = 0;
    if (vnode_sample(vnode, what, error->text, sizeof error->text) != 0)
        return NULL;
    for (uint32_t i = 0; i < what->events; i++)
        events += what->obstacle[i][0] == '\0';
    int status = run_program(vnode, program, sampling->d.v.options.timeout, error);
    json_t *run = status >= 0 ? samples_read(vnode_dir(vnode), events, what->periods, error) : NULL;
    if (run == NULL)
        return NULL;
    json_object_set_new(run, "status", json_integer(status));
    if (complete(run, vnode, what, error) == 0)
        return run;
    json_decref(run);
    return NULL;
}

json_t *virtual_sample(const struct sampling *sampling, char *const program[], const char *run, struct error *error) {
    const struct validation *v = &sampling->d.v;
    struct vnode_sampling what;
    json_t *found = NULL;
    if (read_plan(sampling, &what, error) != 0)
        return NULL;
    struct vnode *vnode = node_create_virtual(v->node.description_name, v->paths, v->likwid.version, 1, error);
    if (vnode != NULL &&
        (v->node.faults == NULL || vnode_set_faults(vnode, v->node.faults, run, error->text, sizeof error->text) == 0))
        found = sample_on(vnode, sampling, program, &what, error);
    vnode_destroy(vnode);
    return found;
}
