/* laws.c - laws between counters. SPDX-License-Identifier: GPL-3.0-or-later */
#include "laws.h"

#include <stdio.h>

#include "data_file.h"

static int add_files(const struct program_run *m, json_t *files, const char *own, struct error *error) {
    char name[64];
    snprintf(name, sizeof name, "groups/%s/pmu.laws", m->v.node.arch);
    if (data_file_add_own(files, m->v.paths, name, 1, error) != 0)
        return -1;
    return own != NULL ? data_file_add(files, own, own, error) : 0;
}

json_t *laws_prepare(const struct program_run *m, const char *file, struct error *error) {
    json_t *files = json_array(), *prepared = NULL;
    if (add_files(m, files, file, error) == 0) {
        json_t *argument = json_pack("{s:O, s:O, s:O}", "files", files, "list", m->list, "node", m->v.node.description);
        prepared = script_call(m->v.script, "wants:laws", argument, error);
    }
    json_decref(files);
    return prepared;
}

json_t *laws_check(const struct program_run *m, const json_t *prepared, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O, s:i, s:O, s:O}", "laws", json_object_get(prepared, "laws"), "plan",
                                 m->plan, "results", m->v.results, "reps", m->v.reps, "machine", m->v.inputs.machine,
                                 "node", m->v.node.description);
    return script_call(m->v.script, "program_laws", argument, error);
}
