/* perf_list.c - asks perf for its events and metrics. SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf_list.h"

#include <string.h>

#include "validate/host/process.h"

enum { PATIENCE = 300 /* seconds */ };

/* The list has no codes of events without a description, "EVENT OR cpu/EVENT/"; perf stat -v says them before it
 * counts, "EVENT -> cpu/CODE/". */
static char script[] =
    "list=$(perf list --details) && printf '%s\\n' \"$list\" && { "
    "events=$(printf '%s\\n' \"$list\" | sed -n 's,^  \\([^ ]*\\) OR cpu/.*/ .*,\\1,p' | paste -s -d ,); "
    "perf stat -v -e \"$events\" true 2>&1 | grep ' -> ' || true; }";

char *perf_list_ask(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                    struct error *error) {
    char *words[] = {"/bin/sh", "-c", script, NULL}, *text = NULL;
    struct process process = {.out = -1, .err = -1, .is_simulated = node->is_virtual};
    struct run_slot *slot = run_slot_take(node, paths, likwid, "/", 1, error);
    char *const *command = slot != NULL ? run_slot_command(slot, "", words, error) : NULL;
    if (command != NULL && process_start(&process, command, run_slot_environment(slot), "/", PATIENCE, error) == 0) {
        process_wait(&process);
        if (process.status == 0 && process.output != NULL && process.output_length > 0)
            text = strdup(process.output);
        else
            error_set(error, "perf list --details: exit status %d; is perf installed (Debian: linux-perf)?",
                      process.status);
    }
    process_free(&process);
    if (slot != NULL)
        run_slot_leave(slot);
    return text;
}
