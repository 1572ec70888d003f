/* laws.c - loads and checks laws between counters. SPDX-License-Identifier: GPL-3.0-or-later */
#include "laws.h"

#include "data_file.h"

json_t *laws_prepare(const struct program_run *m, const char *file, struct error *error) {
    json_t *files = data_files(m, NULL, "pmu.laws", file, error);
    if (files == NULL)
        return NULL;
    json_t *argument = json_pack("{s:o, s:O, s:O}", "files", files, "list", m->list, "node", m->v.node.description);
    return script_call(m->v.script, "wants:laws", argument, error);
}

json_t *laws_check(const struct program_run *m, const json_t *prepared, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O, s:O, s:i, s:O, s:O}", "laws", json_object_get(prepared, "laws"), "plan",
                                 m->plan, "results", m->v.results, "reps", m->v.reps, "machine", m->v.inputs.machine,
                                 "node", m->v.node.description);
    return script_call(m->v.script, "program_judge:laws", argument, error);
}
