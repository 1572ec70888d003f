/* choose.c - which node is measured. SPDX-License-Identifier: GPL-3.0-or-later */
#include "choose.h"

#include <stdio.h>
#include <string.h>

#include "probe.h"

/* -1 if this machine cannot be measured; the error names the obstacle and its remedy. */
static int take_counting(const struct paths *paths, const struct likwid *likwid, struct node *node,
                         struct error *error) {
    char finding[300];
    struct error why;
    if (node_take_native(paths, likwid, node, error) != 0)
        return -1;
    if (probe_node(node, paths, likwid, finding, &why) != 0) {
        node_release(node);
        return error_set(error, "probe: %.600s; remedy: assay doctor lists what may stand in the way", why.text);
    }
    snprintf(node->why, sizeof node->why, "%.300s", finding);
    return 0;
}

const char *node_virtual_name(const char *wish) {
    static const char word[] = "virtual";
    const char *end = wish + sizeof word - 1;
    if (strncmp(wish, word, sizeof word - 1) != 0 || (*end != ':' && *end != '\0'))
        return NULL;
    return *end == ':' ? end + 1 : end;
}

int node_choose(const char *wish, const struct paths *paths, const struct likwid *likwid, struct node *node,
                struct error *error) {
    const char *reason = "as asked";
    struct error obstacle;
    if (strcmp(wish, "native") == 0 || strcmp(wish, "auto") == 0) {
        if (take_counting(paths, likwid, node, &obstacle) == 0)
            return 0;
        if (strcmp(wish, "native") == 0)
            return error_set(error, "--node native: %.900s", obstacle.text);
        reason = obstacle.text;
        wish = "virtual";
    }
    const char *name = node_virtual_name(wish);
    if (name == NULL)
        return error_set(error, "--node %s: unknown; auto, native, virtual or virtual:NAME", wish);
    if (node_take_virtual(name, paths, likwid, node, error) != 0) {
        obstacle = *error;
        return error_set(error, "--node %.200s: %.800s", wish, obstacle.text);
    }
    snprintf(node->why, sizeof node->why, "%.500s", reason);
    return 0;
}
