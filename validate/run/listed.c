/* listed.c - opens nodes on which LIKWID lists an architecture's events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "listed.h"

#include <stdio.h>
#include <unistd.h>

int listed_open_node(struct validation *v, const char *node, struct error *error) {
    v->options.node = node;
    return validation_open(v, error) == 0 && validation_ready(v, error) == 0 ? 0 : -1;
}

/* At native stage: the node on which LIKWID lists the architecture's events, but counts those of another one. 1 if the
 * architecture has none. */
static int open_listed(struct validation *v, const char *arch, char name[LISTED_NAME_MOST], struct error *error) {
    char file[PATH_MAX];
    if (paths_arch(file, v->paths, arch, "listed.lua", error) != 0)
        return -1;
    if (access(file, F_OK) != 0)
        return 1;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s", file);
    int status = listed_open_node(v, name, error);
    snprintf(v->node.arch, sizeof v->node.arch, "%s", arch);
    return status;
}

int listed_open(struct validation *v, const char *arch, char name[LISTED_NAME_MOST], struct error *error) {
    const struct validation fresh = *v;
    int status = open_listed(v, arch, name, error);
    if (status <= 0)
        return status;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s-2x2", arch);
    if (listed_open_node(v, name, error) == 0)
        return 0;
    validation_release(v);
    *v = fresh;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s", arch);
    return listed_open_node(v, name, error);
}
