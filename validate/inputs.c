/* inputs.c - loads and checks what a campaign reads. SPDX-License-Identifier: GPL-3.0-or-later */
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels.h"
#include "text.h"

/* Names of the files FOLDER/NAME<suffix>, the folder below the data. */
static char **names_in(const struct paths *paths, const char *folder, const char *suffix, struct error *error) {
    char place[PATH_MAX];
    if (paths_join(place, paths->data, folder, error) != 0)
        return NULL;
    return text_names(place, suffix, error);
}

char **inputs_patterns(const struct paths *paths, struct error *error) {
    return names_in(paths, "patterns", ".lua", error);
}

char **inputs_archs(const struct paths *paths, struct error *error) {
    return names_in(paths, "groups", "", error);
}

/* module.function{ text = whole file, file = its path }. */
static json_t *parse_file(struct script *script, const char *module, const char *function, const char *file,
                          struct error *error) {
    char *text = text_read(file, error);
    if (text == NULL)
        return NULL;
    json_t *argument = json_pack("{s:s, s:s}", "text", text, "file", file);
    free(text);
    if (argument == NULL) {
        error_set(error, "%s:1: not UTF-8; save it as UTF-8", file);
        return NULL;
    }
    json_t *parsed = script_call(script, module, function, argument, error);
    json_decref(argument);
    return parsed;
}

static int load_pattern(struct inputs *inputs, struct script *script, const struct paths *paths, const char *name,
                        struct error *error) {
    char file[PATH_MAX];
    if (snprintf(file, sizeof file, "%s/patterns/%s.lua", paths->data, name) >= (int)sizeof file ||
        strchr(name, '/') != NULL || access(file, R_OK) != 0)
        return error_set(error, "%s: unknown pattern; `assay list patterns` shows them", name);
    json_t *pattern = parse_file(script, "schema", "pattern", file, error);
    return pattern != NULL ? json_array_append_new(inputs->patterns, pattern) : -1;
}

static int load_patterns(struct inputs *inputs, struct script *script, const struct paths *paths, char *const names[],
                         int count, struct error *error) {
    inputs->patterns = json_array();
    for (int i = 0; i < count; i++) {
        if (load_pattern(inputs, script, paths, names[i], error) != 0)
            return -1;
    }
    if (count > 0)
        return 0;
    char **all = inputs_patterns(paths, error);
    int status = all != NULL ? 0 : -1;
    for (char **name = all; status == 0 && *name != NULL; name++)
        status = load_pattern(inputs, script, paths, *name, error);
    text_free_names(all);
    return status;
}

static int load_machine(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                        struct error *error) {
    char file[PATH_MAX];
    if (snprintf(file, sizeof file, "%s/groups/%s/machine.lua", paths->data, arch) >= (int)sizeof file ||
        access(file, R_OK) != 0)
        return error_set(
            error,
            "%s: no machine file for this architecture (groups/%s/machine.lua); CONTRIBUTING.md says how to add one",
            arch, arch);
    inputs->machine = parse_file(script, "schema", "machine", file, error);
    return inputs->machine != NULL ? 0 : -1;
}

/* Every group that the machine's traffic table names. */
static int load_groups(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                       struct error *error) {
    size_t index;
    json_t *traffic;
    inputs->groups = json_object();
    json_array_foreach(json_object_get(inputs->machine, "traffic"), index, traffic) {
        const char *name = json_string_value(json_object_get(traffic, "group"));
        char file[PATH_MAX];
        if (json_object_get(inputs->groups, name) != NULL)
            continue;
        if (snprintf(file, sizeof file, "%s/groups/%s/%s.txt", paths->data, arch, name) >= (int)sizeof file ||
            access(file, R_OK) != 0)
            return error_set(
                error,
                "groups/%s/machine.lua names group %s, and groups/%s/%s.txt is not there; add it or remove the entry",
                arch, name, arch, name);
        json_t *group = parse_file(script, "group", "parse", file, error);
        if (group == NULL || json_object_set_new(inputs->groups, name, group) != 0)
            return -1;
    }
    return 0;
}

static int load_kernels(struct inputs *inputs, const struct paths *paths, struct error *error) {
    char cache[PATH_MAX];
    size_t p, c;
    json_t *pattern, *code;
    if (paths_cache(paths, cache, error) != 0)
        return -1;
    inputs->kernels = json_object();
    inputs->objects = json_object();
    json_array_foreach(inputs->patterns, p, pattern) {
        json_array_foreach(json_object_get(pattern, "codes"), c, code) {
            const char *name = json_string_value(json_object_get(code, "kernel"));
            if (name == NULL || json_object_get(inputs->kernels, name) != NULL)
                continue;
            if (kernels_prepare(paths, name, cache, inputs->kernels, inputs->objects, error) != 0)
                return -1;
        }
    }
    return 0;
}

/* A pattern whose codes are no kernels runs a program of its own name. */
static int check_programs(const struct inputs *inputs, const struct paths *paths, struct error *error) {
    size_t index;
    json_t *pattern;
    json_array_foreach(inputs->patterns, index, pattern) {
        char program[PATH_MAX];
        const char *name = json_string_value(json_object_get(pattern, "name"));
        if (json_object_get(pattern, "parameters") == NULL)
            continue;
        if (snprintf(program, sizeof program, "%s/patterns/%s", paths->tools, name) >= (int)sizeof program ||
            access(program, X_OK) != 0)
            return error_set(error, "%s/patterns/%s.lua:1: its program %s/patterns/%s is not there; run make",
                             paths->data, name, paths->tools, name);
    }
    return 0;
}

int inputs_load(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                char *const names[], int count, struct error *error) {
    *inputs = (struct inputs){0};
    if (load_patterns(inputs, script, paths, names, count, error) != 0 || check_programs(inputs, paths, error) != 0 ||
        load_machine(inputs, script, paths, arch, error) != 0 || load_groups(inputs, script, paths, arch, error) != 0)
        return -1;
    return load_kernels(inputs, paths, error);
}

int inputs_describe(struct inputs *inputs, struct script *script, const struct paths *paths, const char *arch,
                    struct error *error) {
    *inputs = (struct inputs){0};
    if (load_patterns(inputs, script, paths, NULL, 0, error) != 0 ||
        load_machine(inputs, script, paths, arch, error) != 0)
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
