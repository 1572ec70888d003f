/* sources.c - reads what `assay lint` compares. SPDX-License-Identifier: GPL-3.0-or-later */
#include "sources.h"

#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/run/listed.h"

#define TABLES "perfmon_*_events.txt"
#define TABLES_IN_TREE "src/includes/" TABLES

/* A file's text; bytes that are not UTF-8, which old comments have, become '?'. */
static json_t *read_text(const char *file, struct error *error) {
    char *text = text_read(file, error);
    json_t *read = text != NULL ? json_string(text) : NULL;
    if (text != NULL && read == NULL) {
        plain_text(text, 1);
        read = json_string(text);
    }
    if (text != NULL && read == NULL)
        error_set(error, "no memory for %s", file);
    free(text);
    return read;
}

static int append(json_t *list, const char *key, const char *name, const char *file, struct error *error) {
    json_t *text = read_text(file, error);
    if (text == NULL)
        return -1;
    return json_array_append_new(list, json_pack("{s:s, s:o}", key, name, "text", text)) == 0
               ? 0
               : error_set(error, "%.200s: the name is not UTF-8; rename it", name);
}

static json_t *find_file(const json_t *files, const char *file) {
    size_t i;
    json_t *one;
    json_array_foreach(files, i, one) {
        if (strcmp(json_word(one, "file"), file) == 0)
            return one;
    }
    return NULL;
}

/* What rules do with a file: group files and other tools' files are told apart by their content. */
static const char *kind_of(const char *file, int is_shown) {
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    int is_group = is_shown || fnmatch("*.txt", name, 0) == 0;
    return fnmatch(TABLES, name, 0) == 0 ? "table" : is_group ? "group" : "names";
}

static int add_file(json_t *files, const char *file, int is_shown, struct error *error) {
    json_t *known = find_file(files, file);
    if (known == NULL && append(files, "file", file, file, error) != 0)
        return -1;
    if (known != NULL && !is_shown)
        return 0;
    if (known != NULL)
        json_object_set_new(known, "kind", json_string(kind_of(file, is_shown)));
    if (known != NULL)
        return json_object_set_new(known, "shown", json_true());
    known = json_array_get(files, json_array_size(files) - 1);
    json_object_set_new(known, "kind", json_string(kind_of(file, is_shown)));
    return json_object_set_new(known, "shown", json_boolean(is_shown));
}

/* A pipe in a folder, unlike a named one, would be waited for. */
static int is_regular(const char *file) {
    struct stat found;
    return stat(file, &found) == 0 && S_ISREG(found.st_mode);
}

/* Adds the files below `folder` that match the pattern, none if there is none. */
static int add_match(json_t *files, const char *folder, const char *pattern, int is_shown, struct error *error) {
    char file[PATH_MAX];
    struct error none;
    char **names = text_match(folder, pattern, &none);
    int status = 0;
    for (char **name = names; name != NULL && *name != NULL && status == 0; name++) {
        status = paths_join(file, folder, *name, error);
        if (status == 0 && is_regular(file))
            status = add_file(files, file, is_shown, error);
    }
    text_free_names(names);
    return status;
}

/* Adds all files below `folder` that match one of the patterns. */
static int add_matches(json_t *files, const char *folder, const char *const *patterns, int is_shown,
                       struct error *error) {
    int status = 0;
    for (const char *const *pattern = patterns; *pattern != NULL && status == 0; pattern++)
        status = add_match(files, folder, *pattern, is_shown, error);
    return status;
}

/* Lists that a file's names are compared with: Linux has events next to the metrics, Intel in a folder `events`; PAPI's
 * header. */
static const char *const names_of_others[] = {"*.json", "../events/*.json", "../../events/*.json", "papiStdEventDefs.h",
                                              NULL};

static int add_folder(json_t *files, const char *folder, struct error *error) {
    static const char *const patterns[] = {"*.txt", "*/*.txt", "*.json", "*.csv", NULL};
    size_t before = json_array_size(files);
    if (add_matches(files, folder, patterns, 1, error) != 0)
        return -1;
    if (json_array_size(files) == before)
        return error_set(error, "%s: no *.txt in it or one folder below, no *.json or *.csv in it", folder);
    return add_matches(files, folder, names_of_others, 0, error);
}

/* Groups are compared with the others of their folder. */
static int add_companions(json_t *files, const char *file, struct error *error) {
    static const char *const groups[] = {"*.txt", NULL};
    char folder[PATH_MAX];
    if (paths_format(folder, error, "%s", file) != 0)
        return -1;
    const char *where = dirname(folder), *end = strrchr(file, '.');
    int is_other = end != NULL && (strcmp(end, ".json") == 0 || strcmp(end, ".csv") == 0);
    return add_matches(files, where, is_other ? names_of_others : groups, 0, error);
}

int sources_folder(char folder[PATH_MAX], const char *word, struct error *error) {
    if (paths_format(folder, error, "%s", word) != 0)
        return -1;
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--)
        folder[end - 1] = '\0';
    return 0;
}

static int add_word(json_t *files, const struct paths *paths, const char *word, struct error *error) {
    char folder[PATH_MAX];
    if (paths_is_folder(word))
        return sources_folder(folder, word, error) != 0 ? -1 : add_folder(files, folder, error);
    if (access(word, F_OK) == 0) {
        return add_file(files, word, 1, error) != 0 || add_companions(files, word, error) != 0 ? -1 : 0;
    }
    if (word[0] != '\0' && strchr(word, '/') == NULL && paths_join(folder, paths->groups, word, error) == 0 &&
        paths_is_folder(folder))
        return add_folder(files, folder, error);
    return error_set(error, "%.200s: no file, no folder, and no architecture of assay list archs", word);
}

json_t *sources_files(const struct paths *paths, char *const words[], int count, const char *tree,
                      struct error *error) {
    char folder[PATH_MAX];
    json_t *files = json_array();
    int status = 0;
    for (int i = 0; i < count && status == 0; i++)
        status = add_word(files, paths, words[i], error);
    if (count == 0 && tree == NULL)
        status = add_match(files, paths->groups, "*/*.txt", 1, error);
    if (count == 0 && tree != NULL)
        status = paths_join(folder, tree, "groups", error) != 0 || add_match(files, folder, "*/*.txt", 1, error) != 0 ||
                         paths_join(folder, tree, "src/includes", error) != 0 ||
                         add_match(files, folder, TABLES, 1, error) != 0
                     ? -1
                     : 0;
    if (status == 0)
        return files;
    json_decref(files);
    return NULL;
}

/* { file, text } of the files that lua/lint/source_tree.lua reads. */
static json_t *read_tree(const char *tree, struct error *error) {
    static const char *const patterns[] = {"src/topology.c", "src/perfmon.c", "src/includes/topology.h",
                                           "src/includes/perfmon_*.h", TABLES_IN_TREE};
    json_t *files = json_array();
    char file[PATH_MAX];
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        char **names = text_match(tree, patterns[i], error);
        int status = names != NULL
                         ? 0
                         : error_set(error, "%.200s: no tree of LIKWID's sources: it has no %s", tree, patterns[i]);
        for (char **name = names; name != NULL && *name != NULL && status == 0; name++) {
            status = paths_join(file, tree, *name, error);
            if (status == 0)
                status = append(files, "file", file, file, error);
        }
        text_free_names(names);
        if (status == 0)
            continue;
        json_decref(files);
        return NULL;
    }
    return files;
}

/* LIKWID's list of an architecture, from `lists` or added to it; NULL if it has none, or no event. */
static json_t *ask(struct validation *v, const char *arch, json_t *lists) {
    struct error none;
    json_t *text = json_object_get(lists, arch);
    if (json_is_string(text))
        return json_incref(text);
    text = listed_ask(v, arch, &none);
    if (text != NULL && strstr(json_string_value(text), "\nThis architecture has 0 events") != NULL) {
        json_decref(text);
        text = NULL;
    }
    if (text != NULL)
        json_object_set(lists, arch, text);
    return text;
}

/* The name of a group's folder, "" without one. */
static void arch_of(char arch[NAME_MAX + 1], const char *file) {
    const char *end = strrchr(file, '/'), *start = end;
    while (start != NULL && start > file && start[-1] != '/')
        start--;
    snprintf(arch, NAME_MAX + 1, "%.*s", end != NULL ? (int)(end - start) : 0, end != NULL ? start : "");
}

static int is_ours(const struct paths *paths, const char *arch) {
    char folder[PATH_MAX];
    struct error none;
    return arch[0] != '\0' && paths_join(folder, paths->groups, arch, &none) == 0 && paths_is_folder(folder);
}

/* { arch, text } with the output of likwid-perfctr -e for each architecture of the files, on its virtual node. */
static json_t *list_events(const struct paths *paths, const json_t *files, json_t *unlisted) {
    struct validation v = {.paths = paths, .work.lock = -1, .node.lock = -1, .options.timeout = OPTIONS_TIMEOUT};
    struct error none;
    char kept_in[PATH_MAX];
    int is_ready = listed_prepare(&v, &none) == 0;
    json_t *kept = is_ready ? listed_kept(&v, kept_in) : NULL, *lists = json_object_get(kept, "lists");
    size_t known = json_object_size(lists);
    json_t *listed = json_array(), *asked = json_object(), *file;
    char arch[NAME_MAX + 1];
    size_t i;
    json_array_foreach(files, i, file) {
        arch_of(arch, json_word(file, "file"));
        if (fnmatch("*.txt", json_word(file, "file"), 0) != 0 || strcmp(json_word(file, "kind"), "group") != 0 ||
            json_object_get(asked, arch) != NULL)
            continue;
        json_t *text = is_ready && is_ours(paths, arch) ? ask(&v, arch, lists) : NULL;
        json_object_set_new(asked, arch, json_true());
        if (text != NULL) {
            json_array_append_new(listed, json_pack("{s:s, s:o}", "arch", arch, "text", text));
            continue;
        }
        plain_text(arch, 0);
        json_array_append_new(unlisted, json_string(arch));
    }
    if (json_object_size(lists) > known)
        listed_keep(kept, kept_in);
    json_decref(kept);
    json_decref(asked);
    validation_release(&v);
    return listed;
}

/* { arch, text } with pmu.vendor of all architectures. */
static json_t *read_vendor(const struct paths *paths, struct error *error) {
    json_t *vendor = json_array();
    char file[PATH_MAX], arch[NAME_MAX + 1];
    char **names = text_match(paths->groups, "*/pmu.vendor", error);
    int status = names != NULL ? 0 : -1;
    for (char **name = names; name != NULL && *name != NULL && status == 0; name++) {
        arch_of(arch, *name);
        status = paths_join(file, paths->groups, *name, error);
        if (status == 0)
            status = append(vendor, "arch", arch, file, error);
    }
    text_free_names(names);
    if (status == 0)
        return vendor;
    json_decref(vendor);
    return NULL;
}

/* { arch, list } with the lists of a clone of github intel/perfmon for the architectures of `source`; an empty array
 * without `folder`. */
static json_t *read_perfmon(struct script *script, const char *folder, json_t *source, struct error *error) {
    char file[PATH_MAX];
    json_t *lists = json_array(), *chosen = NULL, *one;
    size_t i;
    if (folder == NULL)
        return lists;
    json_t *map = paths_join(file, folder, "mapfile.csv", error) == 0 ? read_text(file, error) : NULL;
    if (map != NULL)
        chosen = script_call(script, "lint:perfmon", json_pack("{s:o, s:O}", "mapfile", map, "source", source), error);
    int status = chosen != NULL ? 0 : -1;
    json_array_foreach(chosen, i, one) {
        json_error_t at;
        json_t *list = NULL;
        status = paths_join(file, folder, json_word(one, "path"), error);
        if (status == 0 && (list = json_load_file(file, 0, &at)) == NULL)
            status = error_set(error, "%s:%d: %.200s", file, at.line, at.text);
        if (status != 0)
            break;
        json_array_append_new(lists, json_pack("{s:O, s:o}", "arch", json_object_get(one, "arch"), "list", list));
    }
    json_decref(chosen);
    if (status == 0)
        return lists;
    json_decref(lists);
    return NULL;
}

json_t *sources_input(const struct paths *paths, struct script *script, const json_t *files, const char *tree,
                      const char *perfmon, json_t *unlisted, struct error *error) {
    json_t *source = tree != NULL ? read_tree(tree, error) : json_array();
    json_t *listed = source == NULL ? NULL : tree == NULL ? list_events(paths, files, unlisted) : json_array();
    json_t *vendor = listed != NULL ? read_vendor(paths, error) : NULL;
    json_t *lists = vendor != NULL ? read_perfmon(script, perfmon, source, error) : NULL, *input = NULL;
    if (lists != NULL)
        input = json_pack("{s:O, s:O, s:O, s:O, s:O, s:s*}", "files", files, "source", source, "listed", listed,
                          "vendor", vendor, "perfmon", lists, "tree", tree);
    json_decref(lists);
    json_decref(vendor);
    json_decref(listed);
    json_decref(source);
    return input;
}
