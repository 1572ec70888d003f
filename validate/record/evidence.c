/* evidence.c - gathers records and group files for the catalogue. SPDX-License-Identifier: GPL-3.0-or-later */
#include "evidence.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "record.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"

static const char *arch_of(const json_t *entry) {
    const json_t *node = json_object_get(json_object_get(entry, "record"), "node");
    return json_string_value(json_object_get(node, "arch"));
}

/* Reads `file` and appends it under the name `shown`. */
static int add_record(json_t *records, const char *file, const char *shown, struct error *error) {
    json_t *record = record_read(file, error);
    if (record == NULL)
        return -1;
    json_t *entry = json_pack("{s:o, s:o}", "file", plain_name(shown), "record", record);
    if (entry == NULL || json_array_append(records, entry) != 0) {
        json_decref(entry);
        return error_set(error, "no memory for %s", file);
    }
    int named = arch_of(entry) != NULL;
    json_decref(entry);
    if (!named)
        return error_set(error, "%s:1: node.arch is missing; a record is made by assay validate --out FILE", file);
    return 0;
}

static int is_folder(const char *path) {
    struct stat kind;
    return stat(path, &kind) == 0 && S_ISDIR(kind.st_mode);
}

/* The last record by name of the folder; names are dates. `shown` is the folder as it is named to people. */
static int add_last(json_t *records, const char *folder, const char *shown, struct error *error) {
    char **names = text_names(folder, ".json", error);
    if (names == NULL)
        return -1;
    char **last = names;
    while (*last != NULL && last[1] != NULL)
        last++;
    int status = 0;
    if (*last != NULL) {
        char file[PATH_MAX], label[PATH_MAX];
        status = paths_format(file, error, "%s/%s.json", folder, *last) != 0 ||
                         paths_format(label, error, "%s/%s.json", shown, *last) != 0
                     ? -1
                     : add_record(records, file, label, error);
    }
    text_free_names(names);
    return status;
}

/* Every node's folder of one architecture. */
static int add_arch(json_t *records, const struct paths *paths, const char *arch, struct error *error) {
    char below[PATH_MAX], folder[PATH_MAX];
    if (paths_format(below, error, "results/%s", arch) != 0 || paths_join(folder, paths->data, below, error) != 0)
        return -1;
    char **nodes = is_folder(folder) ? text_names(folder, "", error) : NULL;
    int status = 0;
    for (char **node = nodes; status == 0 && node != NULL && *node != NULL; node++) {
        char node_folder[PATH_MAX], shown[PATH_MAX];
        if (paths_join(node_folder, folder, *node, error) != 0 || paths_join(shown, below, *node, error) != 0)
            status = -1;
        else if (is_folder(node_folder))
            status = add_last(records, node_folder, shown, error);
    }
    text_free_names(nodes);
    return status;
}

static int add_history(json_t *records, const struct paths *paths, const char *arch, struct error *error) {
    char folder[PATH_MAX];
    if (arch != NULL)
        return add_arch(records, paths, arch, error);
    if (paths_join(folder, paths->data, "results", error) != 0)
        return -1;
    char **archs = is_folder(folder) ? text_names(folder, "", error) : NULL;
    int status = 0;
    for (char **name = archs; status == 0 && name != NULL && *name != NULL; name++)
        status = add_arch(records, paths, *name, error);
    text_free_names(archs);
    return status;
}

static int check_arch(const json_t *records, const char *arch, struct error *error) {
    size_t i;
    json_t *entry;
    json_array_foreach(records, i, entry) {
        if (arch != NULL && strcmp(arch_of(entry), arch) != 0)
            return error_set(error, "%s: a record of %s, not of %s; name another record or --arch %s",
                             json_string_value(json_object_get(entry, "file")), arch_of(entry), arch, arch_of(entry));
    }
    return 0;
}

json_t *evidence_records(const struct paths *paths, const char *arch, char *const files[], size_t count,
                         struct error *error) {
    json_t *records = json_array();
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++)
        status = add_record(records, files[i], files[i], error);
    if (status == 0 && count == 0)
        status = add_history(records, paths, arch, error);
    if (status == 0)
        status = check_arch(records, arch, error);
    if (status == 0 && json_array_size(records) == 0)
        status = error_set(error, "%s/results%s%s: no records there; name one with --record FILE", paths->data,
                           arch != NULL ? "/" : "", arch != NULL ? arch : "");
    if (status == 0)
        return records;
    json_decref(records);
    return NULL;
}

static int add_groups(json_t *groups, const struct paths *paths, const char *arch, struct error *error) {
    char folder[PATH_MAX];
    if (strchr(arch, '/') != NULL || arch[0] == '.')
        return error_set(error, "%.100s: no name of an architecture; see assay list archs", arch);
    if (paths_format(folder, error, "%s/groups/%s", paths->data, arch) != 0)
        return -1;
    if (!is_folder(folder))
        return error_set(error, "%s: no groups for the architecture of the records; see assay list archs", folder);
    char **names = text_names(folder, ".txt", error);
    if (names == NULL)
        return -1;
    int status = 0;
    for (char **name = names; status == 0 && *name != NULL; name++) {
        char file[PATH_MAX];
        json_t *entry = paths_format(file, error, "%s/%s.txt", folder, *name) == 0 ? script_file(file, error) : NULL;
        if (entry != NULL)
            json_object_set_new(entry, "arch", json_string(arch));
        status = entry != NULL ? json_array_append_new(groups, entry) : -1;
    }
    text_free_names(names);
    return status;
}

json_t *evidence_groups(const struct paths *paths, const json_t *records, struct error *error) {
    json_t *groups = json_array(), *seen = json_object(), *entry;
    size_t i;
    int status = 0;
    json_array_foreach(records, i, entry) {
        const char *arch = arch_of(entry);
        if (status != 0 || json_object_get(seen, arch) != NULL)
            continue;
        json_object_set_new(seen, arch, json_true());
        status = add_groups(groups, paths, arch, error);
    }
    json_decref(seen);
    if (status == 0)
        return groups;
    json_decref(groups);
    return NULL;
}
