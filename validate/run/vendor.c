/* vendor.c - asks LIKWID for its codes, and for the registers that it writes. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "vendor.h"

#include <string.h>

#include "event_list.h"
#include "validate/host/plain_json.h"

/* The events that groups use: pmu.events, or what inherit/used.lua made for an architecture at native stage. */
static json_t *events_text(const struct validation *v, struct error *error) {
    json_t *events = json_arch(v->paths, v->node.arch, "pmu.events", error);
    return json_is_null(events) ? json_arch(v->paths, v->node.arch, "pmu.used", error) : events;
}

/* Register writes of the events whose register LIKWID masks; null if there is no such event or LIKWID shows none. */
static json_t *registers_written(const struct validation *v, json_t *events, struct error *error) {
    json_t *asked = script_call(v->script, "read:vendor_registers", json_pack("{s:O}", "events", events), error);
    const char *set = json_word(asked, "text");
    const char *words[] = {"-V", "3", "-C", "0", "-g", set, "true", NULL};
    json_t *written = set != NULL ? event_list_output(v, words, error) : NULL;
    json_decref(asked);
    return written != NULL ? written : json_null();
}

json_t *vendor_check(const struct validation *v, json_t *listed, struct error *error) {
    json_t *codes = json_arch(v->paths, v->node.arch, "pmu.vendor", error), *events = events_text(v, error),
           *rows = NULL;
    if (json_is_null(codes) || json_is_null(events))
        rows = json_array();
    else if (codes != NULL && events != NULL)
        rows = script_call(v->script, "read:vendor",
                           json_pack("{s:O, s:O, s:O, s:o}", "codes", codes, "events", events, "text", listed,
                                     "written", registers_written(v, events, error)),
                           error);
    json_decref(events);
    json_decref(codes);
    return rows;
}
