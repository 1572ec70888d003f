/* event_list.c - gets the list of likwid-perfctr's events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_list.h"

#include <stdlib.h>
#include <string.h>

#include "validate/host/plain_json.h"

enum { WORDS_MOST = 8 }; /* and the program's name and the end */

json_t *event_list_output(const struct validation *v, const char *const words[], struct error *error) {
    char *command[WORDS_MOST + 2] = {strdup(v->likwid.perfctr)};
    json_t *text = NULL;
    struct process process = {.out = -1, .err = -1};
    struct run_slot *slot =
        command[0] != NULL ? run_slot_take(&v->node, v->paths, &v->likwid, v->work.folder, 0, error) : NULL;
    for (size_t i = 0; i < WORDS_MOST && words[i] != NULL; i++)
        command[i + 1] = (char *)words[i];
    if (slot != NULL &&
        process_start(&process, command, run_slot_environment(slot), v->work.folder, v->options.timeout, error) == 0) {
        process_wait(&process);
        if (process.status == 0 && process.output != NULL)
            text = json_text(process.output, "likwid-perfctr", error);
        else
            error_set(error, "likwid-perfctr %s: exit status %d; assay doctor says what stands in the way", words[0],
                      process.status);
    }
    process_free(&process);
    if (slot != NULL)
        run_slot_leave(slot);
    free(command[0]);
    return text;
}

json_t *event_list_ask(const struct validation *v, struct error *error) {
    static const char *const words[] = {"-e", NULL};
    return event_list_output(v, words, error);
}

/* The event table of a virtual node, null for a native one or without a table; NULL and the reason. */
static json_t *table_text(const struct validation *v, struct error *error) {
    return v->node.is_virtual ? json_arch(v->paths, v->node.arch, "pmu.events", error) : json_null();
}

json_t *event_list_machine(const struct validation *v, json_t *listed, struct error *error) {
    return script_call(v->script, "read:listed_machine", json_pack("{s:O, s:s}", "text", listed, "arch", v->node.arch),
                       error);
}

json_t *event_list_read(const struct validation *v, json_t *listed, struct error *error) {
    json_t *modelled = table_text(v, error);
    return modelled != NULL ? script_call(v->script, "read:event_list",
                                          json_pack("{s:O, s:o}", "text", listed, "modelled", modelled), error)
                            : NULL;
}
