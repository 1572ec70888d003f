/* counting.c - runs that count without LIKWID. SPDX-License-Identifier: GPL-3.0-or-later */
#include "counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/host/plain_json.h"
#include "words.h"

#define COUNTERS_FILE "counters"

const char counting_events[] = "LIKWID_EVENTS=" COUNTERS_FILE;

char *counting_preload(const char *library) {
    char *text = NULL;
    if (asprintf(&text, "LD_PRELOAD=%s%s%s", library != NULL ? library : "", library != NULL ? ":" : "",
                 RUN_TOOLS "/validate/marker.so") < 0)
        abort();
    return text;
}

/* Adds the CPU that counts for a socket or domain: the first of the job's, as in lua/plan/units.lua. */
static void add_first(json_t *list, const json_t *cpus, const json_t *unit) {
    size_t index;
    json_t *cpu;
    json_array_foreach(cpus, index, cpu) {
        if (json_contains(unit, cpu)) {
            json_array_append(list, cpu);
            return;
        }
    }
}

/* The CPUs that count an event of that scope, "0,18"; "*": each its own; "": none. Freed by the caller. */
static char *counting_cpus(const struct run *run, const struct run_context *context, const char *scope) {
    if (strcmp(scope, "core") == 0)
        return strdup("*");
    const char *key = strcmp(scope, "domain") == 0 ? "cpus_by_domain" : "cpus_by_socket";
    json_t *list = json_array(), *unit;
    size_t index;
    json_array_foreach(json_object_get(context->node->description, key), index, unit)
        add_first(list, json_object_get(run->job, "cpus"), unit);
    return words_list_released(list);
}

static int write_event(FILE *file, const struct run *run, const struct run_context *context, const json_t *event) {
    const char *options = json_word(event, "options");
    char *cpus = counting_cpus(run, context, json_word(event, "scope"));
    int length = fprintf(file, "%s%s%s %s %s %s\n", json_word(event, "counter"), *options != '\0' ? ":" : "", options,
                         json_word(event, "event"), json_word(event, "selector"), *cpus != '\0' ? cpus : "-");
    free(cpus);
    return length;
}

int counting_stage(const struct run *run, const struct run_context *context, struct error *error) {
    char name[PATH_MAX];
    size_t index;
    json_t *event;
    if (paths_join(name, run->folder, COUNTERS_FILE, error) != 0)
        return -1;
    FILE *file = fopen(name, "we");
    int failed = file == NULL;
    json_array_foreach(json_object_get(run->packed, "events"), index, event) failed =
        failed || write_event(file, run, context, event) < 0;
    if (file != NULL && fclose(file) != 0)
        failed = 1;
    return failed ? error_set(error, "%s: cannot write; free space in TMPDIR", name) : 0;
}

json_t *counting_not_counted(const char *messages) {
    static const char word[] = "not counted: ";
    json_t *found = json_object();
    for (const char *line = strstr(messages, word); line != NULL; line = strstr(line, word)) {
        line += sizeof word - 1;
        size_t name = strcspn(line, " \n"), all = strcspn(line, "\n");
        char *counter = strndup(line, name);
        json_object_set_new(found, counter, json_stringn(line + name + 1, all > name ? all - name - 1 : 0));
        free(counter);
    }
    return found;
}
