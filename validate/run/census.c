/* census.c - measures the boxes of each socket. SPDX-License-Identifier: GPL-3.0-or-later */
#include "census.h"

#include "inputs.h"
#include "single.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/likwid/complaint.h"

static const char kernel[] = "load", region[] = "census";
enum { SWEEPS = 2 };

static void add_first_cores(json_t *cores, const json_t *parts) {
    size_t part;
    json_t *cpus;
    json_array_foreach(parts, part, cpus) {
        if (!json_contains(cores, json_array_get(cpus, 0)))
            json_array_append(cores, json_array_get(cpus, 0));
    }
}

/* The first core of each socket and of each NUMA domain: data of a domain are in its own boxes. A new reference. */
static json_t *first_cores(const json_t *description) {
    json_t *cores = json_array();
    add_first_cores(cores, json_object_get(description, "cpus_by_socket"));
    add_first_cores(cores, json_object_get(description, "cpus_by_numa"));
    return cores;
}

/* Each core's { "cpu", "counts", "absent" } (validate/likwid/csv.h). A new reference; NULL with the reason. */
static json_t *measure(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                       const json_t *plan, json_t *cores, struct error *error) {
    json_t *job = json_pack("{s:s, s:O, s:[{s:s, s:s, s:O, s:i}]}", "id", region, "cpus", cores, "points", "region",
                            region, "kernel", kernel, "elements", json_object_get(plan, "elements"), "passes", SWEEPS);
    json_t *packed = json_pack("{s:s, s:O}", "name", "ASSAY_CENSUS", "text", json_object_get(plan, "text"));
    json_t *kernels = json_object(), *sockets = NULL, *thread;
    json_t *result = single_measure(node, paths, likwid, kernel, job, packed, kernels, error);
    const char *why = json_word(result, "why");
    size_t index;
    if (why != NULL)
        error_set(error, "the boxes could not be counted on: %.300s", why);
    else if (result != NULL)
        sockets = json_array();
    json_array_foreach(sockets ? json_object_get(json_object_get(result, "regions"), region) : NULL, index, thread)
        json_array_append(sockets, thread);
    json_decref(result);
    json_decref(kernels);
    json_decref(packed);
    json_decref(job);
    return sockets;
}

/* Measures all cores at once. LIKWID gives up if it has found a box on one socket that another one lacks: then measures
 * each of them alone, and `separate` of the node is LIKWID's message. */
static json_t *measure_all(struct node *node, const struct paths *paths, const struct likwid *likwid,
                           const json_t *plan, struct error *error) {
    json_t *cores = first_cores(node->description), *cpu;
    json_t *sockets = measure(node, paths, likwid, plan, cores, error);
    size_t index, count = json_array_size(cores);
    if (sockets == NULL && count > 1 && complaint_is_absent_box(error->text)) {
        struct error why;
        sockets = json_array();
        json_array_foreach(cores, index, cpu) {
            json_t *alone = json_pack("[O]", cpu), *found = measure(node, paths, likwid, plan, alone, &why);
            json_array_extend(sockets, found);
            json_decref(found);
            json_decref(alone);
        }
        if (json_array_size(sockets) == count) {
            json_object_set_new(node->description, "separate", json_string(error->text));
        } else {
            json_decref(sockets);
            sockets = NULL;
        }
    }
    json_decref(cores);
    return sockets;
}

/* The plan if `sockets` is NULL, else the boxes found in the counts of `sockets`. */
static json_t *ask(const struct node *node, struct script *script, const struct inputs *inputs, json_t *sockets,
                   struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O, s:O*}", "machine", inputs->machine, "groups", inputs->groups, "node",
                                 node->description, "sockets", sockets);
    return script_call(script, "census", argument, error);
}

static int judge(struct node *node, struct script *script, const struct inputs *inputs, json_t *sockets,
                 struct error *error) {
    json_t *found = ask(node, script, inputs, sockets, error);
    if (found != NULL) {
        json_object_set(node->description, "boxes", json_object_get(found, "boxes"));
        json_object_set(node->description, "lacking", json_object_get(found, "lacking"));
        json_object_set(node->description, "absent", json_object_get(found, "absent"));
        json_object_set(node->description, "ghosts", json_object_get(found, "ghosts"));
    }
    json_decref(found);
    return found != NULL ? 0 : -1;
}

int census_take(struct node *node, const struct paths *paths, const struct likwid *likwid, struct error *error) {
    struct inputs inputs = {0};
    int status = -1;
    struct script *script = script_open(paths->data, error);
    json_t *plan = NULL, *sockets = NULL;
    if (script != NULL && inputs_describe(&inputs, script, paths, node->arch, error) == 0)
        plan = ask(node, script, &inputs, NULL, error);
    if (plan != NULL && json_object_get(plan, "text") == NULL)
        status = 0; /* no boxes */
    else if (plan != NULL && (sockets = measure_all(node, paths, likwid, plan, error)) != NULL)
        status = judge(node, script, &inputs, sockets, error);
    json_decref(plan);
    json_decref(sockets);
    inputs_free(&inputs);
    script_close(script);
    return status;
}
