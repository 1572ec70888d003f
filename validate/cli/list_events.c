/* list_events.c - `assay list events`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "list_events.h"

#include <limits.h>

#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/node/machine.h"
#include "validate/run/event_list.h"
#include "validate/run/listed.h"
#include "validate/run/vendor.h"

/* Events of LIKWID's list that may count quantities which the architecture's machine file lists as not countable. */
static json_t *find_absences(const struct validation *v, json_t *listed, struct error *error) {
    char file[PATH_MAX];
    json_t *machine = machine_read(v->script, v->paths, v->node.arch, v->likwid.version, error), *list = NULL,
           *patterns = NULL, *found = NULL;
    if (machine != NULL && (list = event_list_read(v, listed, error)) != NULL &&
        paths_join(file, v->paths->groups, "absences.txt", error) == 0 && (patterns = json_file(file, error)) != NULL)
        found =
            script_call(v->script, "read:absences",
                        json_pack("{s:O, s:O, s:O}", "machine", machine, "patterns", patterns, "list", list), error);
    json_decref(patterns);
    json_decref(list);
    json_decref(machine);
    return found;
}

static int print_rows(const struct validation *v, struct error *error) {
    json_t *listed = event_list_ask(v, error), *absences = listed != NULL ? find_absences(v, listed, error) : NULL;
    json_t *rows = absences != NULL ? vendor_check(v, listed, error) : NULL;
    int status = rows != NULL ? print_rendered(v->script, "report:vendor",
                                               json_pack("{s:O, s:O}", "rows", rows, "absences", absences), error)
                              : -1;
    json_decref(rows);
    json_decref(absences);
    json_decref(listed);
    return status;
}

int list_events(const struct paths *paths, const char *arch, const char *node, struct error *error) {
    struct validation v = {.paths = paths,
                           .work.lock = -1,
                           .options = {.fallback = NODE_MAY_SIMULATE, .timeout = OPTIONS_TIMEOUT, .reps = 1}};
    char name[LISTED_NAME_MOST];
    int status = arch != NULL ? listed_open(&v, arch, name, error) : listed_open_node(&v, node, error);
    if (status == 0)
        status = print_rows(&v, error);
    validation_release(&v);
    return status;
}
