/* listed.c - opens nodes on which LIKWID lists an architecture's events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "listed.h"

#include <stdio.h>
#include <unistd.h>

#include "event_list.h"

int listed_open_node(struct validation *v, const char *node, struct error *error) {
    v->options.node = node;
    return validation_open(v, error) == 0 && validation_ready(v, error) == 0 ? 0 : -1;
}

/* The file of the node on which LIKWID lists the events of an architecture at native stage, but counts those of another
 * one. 1 if the architecture has none, -1 with the reason. */
static int find_file(const struct paths *paths, const char *arch, char file[PATH_MAX], struct error *error) {
    if (paths_arch(file, paths, arch, "listed.lua", error) != 0)
        return -1;
    return access(file, F_OK) == 0 ? 0 : 1;
}

static int open_listed(struct validation *v, const char *arch, char name[LISTED_NAME_MOST], struct error *error) {
    char file[PATH_MAX];
    int status = find_file(v->paths, arch, file, error);
    if (status != 0)
        return status;
    snprintf(name, LISTED_NAME_MOST, "virtual:%s", file);
    status = listed_open_node(v, name, error);
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

int listed_prepare(struct validation *v, struct error *error) {
    return likwid_find(&v->likwid, v->paths, error) == 0 && node_check_mode(&v->likwid, error) == 0 &&
                   scratch_make("assay", &v->work, error->text, sizeof error->text) == 0
               ? 0
               : -1;
}

json_t *listed_ask(struct validation *v, const char *arch, struct error *error) {
    static const char *const shapes[] = {"%s-2x2", "%s"};
    char file[PATH_MAX];
    json_t *text = NULL;
    v->node = (struct node){.lock = -1, .is_virtual = 1};
    int status = find_file(v->paths, arch, file, error);
    if (status < 0)
        return NULL;
    if (status == 0 && paths_format(v->node.description_name, error, "%s", file) == 0)
        return event_list_ask(v, error);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] && text == NULL; i++) {
        snprintf(v->node.description_name, sizeof v->node.description_name, shapes[i], arch);
        text = event_list_ask(v, error);
    }
    return text;
}
