/* analysis.c - metric hierarchies of a program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis.h"

#include <stdio.h>

#include "data_file.h"

/* The vocabulary, what the architecture says to it, and the user's. */
static int add_files(const struct analysis *a, json_t *files, struct error *error) {
    char own[64];
    const struct validation *v = &a->m.v;
    snprintf(own, sizeof own, "groups/%s/pmu.hierarchy", v->node.arch);
    if (data_file_add_own(files, v->paths, "hierarchies/generic.txt", 0, error) != 0 ||
        data_file_add_own(files, v->paths, own, 1, error) != 0)
        return -1;
    return a->hierarchy != NULL ? data_file_add(files, a->hierarchy, a->hierarchy, error) : 0;
}

static json_t *read_trees(const struct analysis *a, struct error *error) {
    json_t *files = json_array();
    json_t *trees = NULL;
    if (add_files(a, files, error) == 0) {
        json_t *argument = json_pack("{s:O, s:O, s:s, s:s*}", "files", files, "list", a->m.list, "arch",
                                     a->m.v.node.arch, "trees", a->only);
        trees = script_call(a->m.v.script, "wants:hierarchy", argument, error);
    }
    json_decref(files);
    return trees;
}

int analysis_prepare(struct analysis *a, struct error *error) {
    if ((a->trees = read_trees(a, error)) == NULL)
        return -1;
    a->m.metrics = json_object_get(a->trees, "metrics");
    return program_run_plan(&a->m, json_object_get(a->trees, "wants"), error);
}

json_t *analysis_record(const struct analysis *a) {
    json_t *record = program_run_heading(&a->m, "analysis");
    json_object_set_new(record, "operation", json_null());
    json_object_set(record, "hierarchy", json_object_get(a->trees, "hierarchy"));
    json_object_update(record, a->m.counted);
    return record;
}

void analysis_release(struct analysis *a) {
    json_decref(a->trees);
    program_run_release(&a->m);
}
