/* native.c - samples a program on this machine. SPDX-License-Identifier: GPL-3.0-or-later */
#include "native.h"

#include <stdio.h>
#include <string.h>

#include "perf.h"
#include "validate/host/plain_json.h"

/* The result under construction. */
struct made {
    const json_t *plan;
    json_t *run, *functions; /* functions: { "FUNCTION\nOBJECT": entry } */
    json_int_t lost;
};

static json_t *entry_of(struct made *made, const json_t *found) {
    const char *function = json_word(found, "function");
    const char *object = json_word(found, "object");
    size_t events = json_array_size(json_object_get(made->plan, "events"));
    size_t periods = json_array_size(json_object_get(made->plan, "periods"));
    char key[PATH_MAX + 512];
    snprintf(key, sizeof key, "%s\n%s", function != NULL ? function : "", object);
    json_t *entry = json_object_get(made->functions, key), *counts;
    if (entry != NULL)
        return entry;
    entry = json_pack("{s:s*, s:s, s:o}", "function", function, "object", object, "counts", counts = json_array());
    for (size_t event = 0; event < events; event++) {
        json_t *of_event = json_pack("[n]");
        for (size_t i = 0; i < periods; i++)
            json_array_append_new(of_event, json_integer(0));
        json_array_append_new(counts, of_event);
    }
    json_object_set_new(made->functions, key, entry);
    json_array_append(json_object_get(made->run, "functions"), entry);
    return entry;
}

static void add(struct made *made, size_t event, size_t period, const json_t *found) {
    json_t *one;
    size_t index;
    json_array_foreach(json_object_get(found, "functions"), index, one) {
        json_t *counts = json_array_get(json_object_get(entry_of(made, one), "counts"), event);
        json_array_set(counts, period + 1, json_object_get(one, "samples"));
    }
    made->lost += json_integer_value(json_object_get(found, "lost"));
}

/* Counts, then samples one event. Returns NULL, or why it failed. */
static const char *measure(struct made *made, const struct perf_run *run, size_t event, struct error *error) {
    const json_t *one = json_array_get(json_object_get(made->plan, "events"), event), *period;
    const char *name = json_word(one, "perf");
    uint64_t count = 0;
    size_t index;
    if (name == NULL)
        error_set(error, "perf has no name for it that this architecture's table knows");
    else if (perf_count(run, name, &count, error) == 0) {
        json_array_foreach(json_object_get(made->plan, "periods"), index, period) {
            json_t *found = perf_sample(run, name, (uint64_t)json_integer_value(period), error);
            if (found == NULL)
                return error->text;
            add(made, event, index, found);
            json_decref(found);
        }
        json_array_append_new(json_object_get(made->run, "totals"), json_integer((json_int_t)count));
        return NULL;
    }
    return error->text;
}

json_t *native_sample(const struct sampling *sampling, char *const program[], struct error *error) {
    const struct validation *v = &sampling->d.v;
    const struct perf_run run = {.program = program, .work = v->work.folder, .timeout = v->options.timeout};
    struct made made = {.plan = sampling->plan,
                        .run = json_pack("{s:[], s:[], s:[], s:i, s:i, s:i}", "functions", "totals", "obstacles",
                                         "units", 1, "unfinished", 0, "status", 0),
                        .functions = json_object()};
    size_t events = json_array_size(json_object_get(sampling->plan, "events")), sampled = 0;
    for (size_t event = 0; event < events && !stop_is_asked(); event++) {
        const char *obstacle = measure(&made, &run, event, error);
        sampled += obstacle == NULL;
        if (obstacle != NULL)
            json_array_append_new(json_object_get(made.run, "totals"), json_null());
        json_array_append_new(json_object_get(made.run, "obstacles"),
                              obstacle != NULL ? json_string(obstacle) : json_null());
    }
    json_object_set_new(made.run, "lost", json_integer(made.lost));
    json_decref(made.functions);
    if (sampled > 0)
        return made.run;
    json_decref(made.run); /* the last event's obstacle is the reason */
    return NULL;
}
