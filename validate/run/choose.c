/* choose.c - chooses the node to measure. SPDX-License-Identifier: GPL-3.0-or-later */
#include "choose.h"

#include <stdio.h>
#include <string.h>

#include "census.h"
#include "probe.h"
#include "validate/host/plain_json.h"
#include "validate/node/doctor.h"
#include "validate/node/processor.h"

static void add_why(struct node *node, const char *text) {
    size_t used = strlen(node->why);
    snprintf(node->why + used, sizeof node->why - used, "; %s", text);
}

/* Appends to the node's reason the box census' texts, which the description has in the array `key`. */
static void add_boxes(struct node *node, const char *key) {
    size_t index;
    json_t *text;
    json_array_foreach(json_object_get(node->description, key), index, text) add_why(node, json_string_value(text));
}

/* The box census, whose texts become part of the node's reason. LIKWID counts in it: another interface has none. */
static void count_boxes(struct node *node, const struct paths *paths, const struct likwid *likwid) {
    struct error why;
    if (likwid->interface != NULL)
        return;
    if (census_take(node, paths, likwid, &why) != 0)
        add_why(node, why.text);
    add_boxes(node, "absent");
    add_boxes(node, "ghosts");
}

/* Takes this machine. -1 if it cannot be measured; the error names the obstacle and its remedy. */
static int take_counting(enum node_fallback fallback, const struct paths *paths, const struct likwid *likwid,
                         struct node *node, struct error *error) {
    char finding[300];
    struct error why;
    if ((fallback == NODE_UNJUDGED ? node_take_unjudged : node_take_native)(paths, likwid, node, error) != 0)
        return -1;
    if (probe_node(node, paths, likwid, finding, &why) != 0) {
        node_release(node);
        return error_set(error, "probe: %.800s", why.text);
    }
    snprintf(node->why, sizeof node->why, "%.300s through %s", finding,
             likwid->interface != NULL ? likwid->interface : json_word(node->state, "access"));
    count_boxes(node, paths, likwid);
    return 0;
}

const char *node_virtual_name(const char *wish) {
    static const char word[] = "virtual";
    const char *end = wish + sizeof word - 1;
    if (strncmp(wish, word, sizeof word - 1) != 0 || (*end != ':' && *end != '\0'))
        return NULL;
    return *end == ':' ? end + 1 : end;
}

static int take_simulated(const char *name, const struct paths *paths, const struct likwid *likwid, struct node *node,
                          const char *why, struct error *error) {
    if (node_take_virtual(name, paths, likwid, node, error) != 0)
        return -1;
    snprintf(node->why, sizeof node->why, "%.500s", why);
    return 0;
}

/* Takes the default virtual node instead of this machine; sets not_validated if the machine has counters. */
static int take_stand_in(const char *obstacle, const struct paths *paths, const struct likwid *likwid,
                         struct node *node, struct error *error) {
    if (take_simulated("", paths, likwid, node, obstacle, error) != 0)
        return -1;
    if (processor_counters() > 0)
        snprintf(node->not_validated, sizeof node->not_validated, "%.500s", obstacle);
    return 0;
}

/* Takes this machine, or a stand-in if the command may have one. */
static int take_any(enum node_fallback fallback, const struct paths *paths, const struct likwid *likwid,
                    struct node *node, struct error *error) {
    struct error obstacle;
    if (take_counting(fallback, paths, likwid, node, &obstacle) == 0)
        return 0;
    if (fallback != NODE_MAY_SIMULATE)
        return error_set(error, "this machine cannot be measured: %.800s; --node virtual: a simulated node instead",
                         obstacle.text);
    return take_stand_in(obstacle.text, paths, likwid, node, error);
}

int node_choose(const char *wish, enum node_fallback fallback, const struct paths *paths, const struct likwid *likwid,
                struct node *node, struct error *error) {
    struct error reason;
    const char *name = node_virtual_name(wish);
    int status;
    if (strcmp(wish, "auto") == 0)
        return take_any(fallback, paths, likwid, node, error);
    if (strcmp(wish, "native") == 0)
        status = take_counting(fallback, paths, likwid, node, &reason);
    else if (name != NULL)
        status = take_simulated(name, paths, likwid, node, "as requested", &reason);
    else
        status = error_set(&reason, "unknown; auto, native, virtual or virtual:NAME");
    if (status == 0 && json_is_true(json_object_get(node->description, "sockets_differ")))
        count_boxes(node, paths, likwid);
    return status == 0 ? 0 : error_set(error, "--node %.200s: %.800s", wish, reason.text);
}

/* Describes this machine without using its counters, or takes a stand-in if they cannot be used and it may be one. */
static int take_uncounted(int may_simulate, const struct paths *paths, const struct likwid *likwid, struct node *node,
                          struct error *error) {
    struct error obstacle;
    int is_ready = doctor_check(paths, likwid->interface, 1, NULL, &obstacle) == 0;
    if (!is_ready && may_simulate)
        return take_stand_in(obstacle.text, paths, likwid, node, error);
    if (node_describe_native(NULL, likwid, node, error) != 0)
        return -1;
    if (is_ready)
        snprintf(node->why, sizeof node->why, "its counters are not tried (access mode %s)", likwid->mode);
    else
        snprintf(node->why, sizeof node->why, "it cannot be measured now: %.480s", obstacle.text);
    return 0;
}

/* Describes a machine of that architecture by its topology. */
static int take_described(const char *arch, const struct likwid *likwid, struct node *node, struct error *error) {
    if (node_describe_native(arch, likwid, node, error) != 0)
        return -1;
    snprintf(node->why, sizeof node->why, "described by hwloc's topology");
    return 0;
}

int node_choose_unmeasured(const char *wish, const struct paths *paths, const struct likwid *likwid, struct node *node,
                           struct error *error) {
    static const char described[] = "native:";
    struct error reason;
    const char *name = node_virtual_name(wish);
    int status, is_any = strcmp(wish, "auto") == 0;
    if (is_any || strcmp(wish, "native") == 0)
        status = take_uncounted(is_any, paths, likwid, node, &reason);
    else if (strncmp(wish, described, strlen(described)) == 0)
        status = take_described(wish + strlen(described), likwid, node, &reason);
    else if (name != NULL)
        status = take_simulated(name, paths, likwid, node, "as requested", &reason);
    else
        status = error_set(&reason, "unknown; auto, native, native:ARCH, virtual or virtual:NAME");
    return status == 0 ? 0 : error_set(error, "--node %.200s: %.800s", wish, reason.text);
}
