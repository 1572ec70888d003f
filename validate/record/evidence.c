/* evidence.c - loads records and group files for the catalogue. SPDX-License-Identifier: GPL-3.0-or-later */
#include "evidence.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "record.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"

static const char *arch_of(const json_t *entry) {
    const json_t *node = json_object_get(json_object_get(entry, "record"), "node");
    return json_word(node, "arch");
}

int evidence_is_historical(const json_t *entry) {
    const char *kind = json_word(json_object_get(json_object_get(entry, "record"), "node"), "kind");
    return kind != NULL && strcmp(kind, "historical") == 0;
}

static json_t *read_entry(const char *file, const char *shown, struct error *error) {
    json_t *record = record_read(file, error);
    return record != NULL ? json_pack("{s:o, s:o}", "file", plain_name(shown), "record", record) : NULL;
}

int evidence_add(json_t *records, const char *file, const char *shown, struct error *error) {
    return json_array_append_new(records, read_entry(file, shown, error));
}

/* Whether two record files are in the same node's folder. */
static int is_same_node(const char *one, const char *other) {
    size_t length = (size_t)(strrchr(one, '/') - one) + 1;
    return other != NULL && strncmp(one, other, length) == 0;
}

/* What counted instead of LIKWID; NULL: LIKWID counted. */
static const char *interface_of(const json_t *entry) {
    return json_word(json_object_get(json_object_get(entry, "record"), "node"), "interface");
}

static void leave_out_historical(json_t *records) {
    for (size_t i = json_array_size(records); i-- > 0;)
        if (evidence_is_historical(json_array_get(records, i)))
            json_array_remove(records, i);
}

int evidence_history(json_t *records, const struct paths *paths, const char *arch, struct error *error) {
    char folder[PATH_MAX], file[PATH_MAX], shown[PATH_MAX];
    struct error none;
    if (paths_join(folder, paths->data, "results", error) != 0)
        return -1;
    char **names = text_match(folder, "*/*/" RECORD_FILES, &none);
    const char *found = NULL; /* LIKWID's last record of a node */
    size_t length = arch != NULL ? strlen(arch) : 0, first = json_array_size(records), i = 0;
    int status = 0;
    while (names != NULL && names[i] != NULL)
        i++;
    while (status == 0 && i-- > 0) {
        int is_wanted = arch == NULL || (strncmp(names[i], arch, length) == 0 && names[i][length] == '/');
        if (!is_wanted || is_same_node(names[i], found))
            continue;
        json_t *entry = NULL;
        if (paths_join(file, folder, names[i], error) == 0 && paths_join(shown, "results", names[i], error) == 0)
            entry = read_entry(file, shown, error);
        if (entry == NULL)
            status = -1;
        else if (interface_of(entry) == NULL)
            found = json_array_insert(records, first, entry) == 0 ? names[i] : NULL;
        json_decref(entry);
    }
    text_free_names(names);
    return status;
}

static int check_records(const json_t *records, const char *arch, struct error *error) {
    size_t i;
    json_t *entry;
    json_array_foreach(records, i, entry) {
        if (evidence_is_historical(entry))
            return error_set(error,
                             "%s: historical: figures of others are no evidence for groups; assay show prints them",
                             json_word(entry, "file"));
        if (interface_of(entry) != NULL)
            return error_set(error,
                             "%s: counted by %s, which is no evidence about LIKWID's groups; name another record",
                             json_word(entry, "file"), interface_of(entry));
        if (arch != NULL && strcmp(arch_of(entry), arch) != 0)
            return error_set(error, "%s: a record of %s, not of %s; name another record or --arch %s",
                             json_word(entry, "file"), arch_of(entry), arch, arch_of(entry));
    }
    return 0;
}

json_t *evidence_records(const struct paths *paths, const char *arch, char *const files[], size_t count,
                         struct error *error) {
    json_t *records = json_array();
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++)
        status = evidence_add(records, files[i], files[i], error);
    if (status == 0 && count == 0) {
        status = evidence_history(records, paths, arch, error);
        leave_out_historical(records);
    }
    if (status == 0)
        status = check_records(records, arch, error);
    if (status == 0 && json_array_size(records) == 0)
        status = error_set(error, "%s/results%s%s: no records there; name one with --record FILE", paths->data,
                           arch != NULL ? "/" : "", arch != NULL ? arch : "");
    if (status == 0)
        return records;
    json_decref(records);
    return NULL;
}

/* Appends { arch, file, text } for each group file of an architecture. */
static int add_groups(json_t *groups, const struct paths *paths, const char *arch, struct error *error) {
    char folder[PATH_MAX];
    if (strchr(arch, '/') != NULL || arch[0] == '.')
        return error_set(error, "%.100s: no name of an architecture; see assay list archs", arch);
    if (paths_join(folder, paths->groups, arch, error) != 0)
        return -1;
    if (!paths_is_folder(folder))
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
