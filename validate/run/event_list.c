/* event_list.c - asks likwid-perfctr for its events. SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_list.h"

#include <stdlib.h>
#include <string.h>

#include "validate/host/text.h"

/* What `likwid-perfctr -e` prints on the node, to be freed; NULL and the reason. */
static char *list_text(const struct validation *v, struct error *error) {
    char *text = NULL;
    char *words[] = {strdup(v->likwid.perfctr), "-e", NULL};
    struct process process = {.out = -1, .err = -1}, *const all[] = {&process};
    struct seat *seat = words[0] != NULL ? seat_take(&v->node, v->paths, &v->likwid, v->work.folder, error) : NULL;
    if (seat != NULL &&
        process_start(&process, words, seat_environment(seat), v->work.folder, v->options.timeout, error) == 0) {
        while (process_wait_any(all, 1, 1000) == 0) {
        }
        text = process.status == 0 && process.output != NULL ? strdup(process.output) : NULL;
        if (text == NULL)
            error_set(error, "likwid-perfctr -e: exit status %d; assay doctor says what stands in the way",
                      process.status);
    }
    process_free(&process);
    if (seat != NULL)
        seat_leave(seat);
    free(words[0]);
    return text;
}

/* The table of events of a virtual node, to be freed; NULL of a native one. */
static char *table_text(const struct validation *v) {
    char file[PATH_MAX];
    struct error ignored;
    if (!v->node.is_virtual || paths_arch(file, v->paths, v->node.arch, "pmu.events", &ignored) != 0)
        return NULL;
    return text_read(file, &ignored);
}

json_t *event_list_read(const struct validation *v, struct error *error) {
    char *text = list_text(v, error);
    if (text == NULL)
        return NULL;
    char *modelled = table_text(v);
    json_t *argument = json_pack("{s:s, s:s*}", "text", text, "modelled", modelled);
    free(modelled);
    json_t *list = script_call(v->script, "input.event_list", "read", argument, error);
    json_decref(argument);
    free(text);
    return list;
}
