/* inputs.c - loads and checks a campaign's inputs. SPDX-License-Identifier: GPL-3.0-or-later */
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels.h"
#include "perf_list.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/node/machine.h"

/* Kinds of pattern files: their folder and the door (script.h) that reads a file. */
static const struct room {
    const char *folder, *door;
} patterns = {"patterns", "read:pattern"}, probes = {"probes", "read:probe"};

static int find_file(const struct paths *paths, const struct room *room, const char *name, char file[PATH_MAX],
                     struct error *error) {
    if (paths_format(file, error, "%s/%s/%s.lua", paths->data, room->folder, name) != 0 || strchr(name, '/') != NULL ||
        access(file, R_OK) != 0)
        return error_set(error, "%s: unknown pattern; `assay list patterns` shows them", name);
    return 0;
}

int inputs_pattern_file(const struct paths *paths, const char *name, char file[PATH_MAX], struct error *error) {
    return find_file(paths, &patterns, name, file, error);
}

static int load_pattern(struct inputs *inputs, struct script *script, const struct paths *paths,
                        const struct room *room, const char *name, struct error *error) {
    char file[PATH_MAX];
    if (find_file(paths, room, name, file, error) != 0)
        return -1;
    json_t *pattern = script_read(script, room->door, file, error);
    return pattern != NULL ? json_array_append_new(inputs->patterns, pattern) : -1;
}

static int load_patterns(struct inputs *inputs, struct script *script, const struct paths *paths,
                         const struct room *room, char *const names[], int count, struct error *error) {
    inputs->patterns = json_array();
    for (int i = 0; i < count; i++) {
        if (load_pattern(inputs, script, paths, room, names[i], error) != 0)
            return -1;
    }
    if (count > 0)
        return 0;
    char folder[PATH_MAX];
    char **all = paths_join(folder, paths->data, room->folder, error) == 0 ? text_names(folder, ".lua", error) : NULL;
    int status = all != NULL ? 0 : -1;
    for (char **name = all; status == 0 && *name != NULL; name++)
        status = load_pattern(inputs, script, paths, room, *name, error);
    text_free_names(all);
    return status;
}

/* The program that runs the codes of a pattern without kernels; default: the pattern's name. */
static const char *program_of(const json_t *pattern) {
    const char *program = json_word(pattern, "program");
    return program != NULL ? program : json_word(pattern, "name");
}

/* Loads every group named in the machine file's traffic table. */
static int load_groups(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                       struct error *error) {
    size_t index;
    json_t *traffic;
    inputs->groups = json_object();
    json_array_foreach(json_object_get(inputs->machine, "traffic"), index, traffic) {
        const char *name = json_word(traffic, "group");
        char file[PATH_MAX];
        if (json_object_get(inputs->groups, name) != NULL)
            continue;
        if (paths_format(file, error, "%s/%s/%s.txt", paths->groups, arch, name) != 0 || access(file, R_OK) != 0)
            return error_set(
                error,
                "groups/%s/machine.lua names group %s, and groups/%s/%s.txt is not there; add it or remove the entry",
                arch, name, arch, name);
        json_t *group = script_read(script, "read:group", file, error);
        if (group == NULL || json_object_set_new(inputs->groups, name, group) != 0)
            return -1;
    }
    return 0;
}

/* Checks that every metric of every group is either judged or listed as unjudged. */
static int check_coverage(const struct inputs *inputs, struct script *script, struct error *error) {
    json_t *argument = json_pack("{s:O, s:O}", "machine", inputs->machine, "groups", inputs->groups);
    json_t *checked = script_call(script, "coverage", argument, error);
    json_decref(checked);
    return checked != NULL ? 0 : -1;
}

/* Whether to predict the cycles of a code's passes: requested by the code, and the node's cores have pipelines. */
static int is_predicted(const struct node *node, const json_t *code) {
    int has_pipeline = !node->is_virtual || json_is_true(json_object_get(node->description, "has_pipeline"));
    return has_pipeline && json_is_true(json_object_get(code, "in_core"));
}

static int load_kernels(struct inputs *inputs, const struct paths *paths, const struct node *node,
                        struct error *error) {
    char cache[PATH_MAX];
    size_t p, c, f;
    json_t *pattern, *code, *called;
    const struct analyzed_for processor = {
        .mca = json_word(inputs->machine, "mca"),
        .osaca = json_word(inputs->machine, "osaca"),
    };
    if (paths_cache(paths, cache, error) != 0)
        return -1;
    inputs->kernels = json_object();
    inputs->objects = json_object();
    json_array_foreach(inputs->patterns, p, pattern) {
        json_array_foreach(json_object_get(pattern, "codes"), c, code) {
            const char *name = json_word(code, "kernel");
            const char *function = json_word(code, "runs");
            const char *program = program_of(pattern);
            if (function != NULL &&
                kernels_count_function(paths, program, function, is_predicted(node, code) ? &processor : NULL,
                                       inputs->kernels, error) != 0)
                return -1;
            json_array_foreach(json_object_get(code, "calls"), f, called) {
                if (kernels_count_function(paths, program, json_string_value(called), NULL, inputs->kernels, error) !=
                    0)
                    return -1;
            }
            if (name == NULL || json_object_get(inputs->kernels, name) != NULL)
                continue;
            if (kernels_prepare(paths, node, name, cache, inputs->kernels, inputs->objects, error) != 0)
                return -1;
        }
    }
    return 0;
}

static int check_programs(const struct inputs *inputs, const struct paths *paths, struct error *error) {
    size_t index;
    json_t *pattern;
    json_array_foreach(inputs->patterns, index, pattern) {
        char program[PATH_MAX];
        const char *name = json_word(pattern, "name");
        if (json_object_get(pattern, "parameters") == NULL)
            continue;
        if (paths_format(program, error, "%s/patterns/%s", paths->tools, program_of(pattern)) != 0 ||
            access(program, X_OK) != 0)
            return error_set(error, "%s/patterns/%s.lua:1: its program %s/patterns/%s is not there; run make",
                             paths->data, name, paths->tools, program_of(pattern));
    }
    return 0;
}

static int load(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                const struct room *room, char *const names[], int count, struct error *error) {
    if (load_patterns(inputs, script, paths, room, names, count, error) != 0 ||
        check_programs(inputs, paths, error) != 0 ||
        (inputs->machine == NULL &&
         (inputs->machine = machine_read(script, paths, node->arch, node->likwid, error)) == NULL) ||
        load_groups(inputs, script, paths, node->arch, error) != 0 || check_coverage(inputs, script, error) != 0)
        return -1;
    return load_kernels(inputs, paths, node, error);
}

int inputs_load(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                char *const names[], int count, struct error *error) {
    *inputs = (struct inputs){0};
    return load(inputs, script, paths, node, &patterns, names, count, error);
}

static const struct interface {
    const char *name, *door, *file; /* of groups/ */
    int lists;                      /* it counts what perf lists on the node */
} interfaces[] = {{"perf", "read:perf_groups", NULL, 0},
                  {"perf-metrics", "read:perf_metrics_groups", "perf.metrics", 1},
                  {"papi", "read:papi_groups", "papi.presets", 0}};

/* options.c has refused other names. */
static const struct interface *find_interface(const char *name) {
    const struct interface *found = interfaces;
    while (strcmp(found->name, name) != 0)
        found++;
    return found;
}

int inputs_count_by(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                    const struct likwid *likwid, struct error *error) {
    const struct interface *interface = find_interface(likwid->interface);
    char file[PATH_MAX], *text = strdup(""), *listed = strdup("");
    if (interface->file != NULL) {
        free(text);
        text = paths_join(file, paths->groups, interface->file, error) == 0 ? text_read(file, error) : NULL;
    }
    if (interface->lists) {
        free(listed);
        listed = perf_list_ask(node, paths, likwid, error);
    }
    json_t *events = text != NULL && listed != NULL ? json_arch(paths, node->arch, "pmu.events", error) : NULL;
    json_t *counted = events != NULL
                          ? script_call(script, interface->door,
                                        json_pack("{s:O, s:O, s:O, s:s, s:s, s:O}", "machine", inputs->machine,
                                                  "groups", inputs->groups, "events", events, "text", text, "listed",
                                                  listed, "smt", json_object_get(node->description, "smt")),
                                        error)
                          : NULL;
    json_decref(events);
    free(text);
    free(listed);
    if (counted == NULL)
        return -1;
    json_decref(inputs->machine);
    json_decref(inputs->groups);
    inputs->machine = json_incref(json_object_get(counted, "machine"));
    inputs->groups = json_incref(json_object_get(counted, "groups"));
    json_decref(counted);
    return 0;
}

int inputs_load_probes(struct inputs *inputs, struct script *script, const struct paths *paths, const struct node *node,
                       json_t *machine, struct error *error) {
    *inputs = (struct inputs){.machine = machine};
    return load(inputs, script, paths, node, &probes, NULL, 0, error);
}

int inputs_describe(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                    struct error *error) {
    *inputs = (struct inputs){0};
    if (load_patterns(inputs, script, paths, &patterns, NULL, 0, error) != 0 ||
        (inputs->machine = machine_read(script, paths, arch, NULL, error)) == NULL)
        return -1;
    return load_groups(inputs, script, paths, arch, error);
}

void inputs_free(struct inputs *inputs) {
    json_decref(inputs->patterns);
    json_decref(inputs->machine);
    json_decref(inputs->groups);
    json_decref(inputs->kernels);
    json_decref(inputs->objects);
}
