/* cmd_list.c - `assay list`: lists patterns, groups, nodes and so on. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list_events.h"
#include "list_patterns.h"
#include "validate/command/commands.h"
#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/kernel/ptt.h"
#include "validate/node/machine.h"
#include "validate/record/record.h"
#include "validate/run/inputs.h"
#include "vnode/launch/node_desc_read.h"

enum { NAMES, LONG, NODE, FORMAT };

enum { ABOUT_MAX = 256 };

struct item {
    char name[256], about[ABOUT_MAX];
};

/* A kind of files, FOLDER/NAME SUFFIX. A file is read by `read` or a door (script.h), and the line about it is `key` of
 * the result; else by `describe`, which may change the name or return 1: nothing to list; else by `print`, which prints
 * everything about it. */
struct kind {
    const char *name, *folder, *pattern, *suffix;
    json_t *(*read)(struct script *script, const struct paths *paths, const char *name, struct error *error);
    const char *door, *key;
    int (*describe)(const char *folder, const char *file, struct item *item, struct error *error);
    int (*print)(const struct paths *paths, struct script *script, const char *name, struct error *error);
};

static int describe_kernel(const char *folder, const char *file, struct item *item, struct error *error) {
    struct ptt ptt;
    (void)folder;
    if (ptt_read(&ptt, file, error) != 0)
        return -1;
    snprintf(item->about, ABOUT_MAX, "%s", ptt.description);
    ptt_free(&ptt);
    return 0;
}

/* Describes an architecture's default node and the syntax for others; 1 if it has none. */
static int describe_node(const char *folder, const char *file, struct item *item, struct error *error) {
    struct node_shapes shapes;
    (void)file;
    int status = node_desc_shapes(item->name, folder, &shapes, error->text, sizeof error->text);
    if (status != 0)
        return status;
    snprintf(item->name, sizeof item->name, "%s", shapes.name);
    snprintf(item->about, ABOUT_MAX, "%s", shapes.text);
    return 0;
}

/* Whether results/ has a record of a native node of the architecture. */
static int has_silicon(const struct paths *paths, const char *arch) {
    char folder[PATH_MAX], file[PATH_MAX];
    struct error none;
    char **names = paths_format(folder, &none, "%s/results/%s", paths->data, arch) == 0
                       ? text_match(folder, "*/" RECORD_FILES, &none)
                       : NULL;
    int found = 0;
    for (char **name = names; name != NULL && *name != NULL && !found; name++) {
        json_t *node = paths_join(file, folder, *name, &none) == 0 ? record_part(file, "node") : NULL;
        const char *kind = json_word(node, "kind");
        found = kind != NULL && strcmp(kind, "native") == 0;
        json_decref(node);
    }
    text_free_names(names);
    return found;
}

/* An architecture's title behind its stage. */
static json_t *read_arch(struct script *script, const struct paths *paths, const char *name, struct error *error) {
    json_t *machine = machine_read(script, paths, name, NULL, error);
    const char *stage = json_object_get(machine, "processor") == NULL ? "native" : "virtual";
    if (machine == NULL)
        return NULL;
    const char *since = json_word(machine, "since");
    json_t *line = json_pack("{s:o}", "line",
                             json_sprintf("%-7s  %s%s%s%s", has_silicon(paths, name) ? "silicon" : stage,
                                          json_word(machine, "title"), since ? "; LIKWID " : "", since ? since : "",
                                          since ? " or later" : ""));
    json_decref(machine);
    return line;
}

/* Prints an architecture's unjudged metrics with the reasons. */
static int print_unjudged(const struct paths *paths, struct script *script, const char *arch, struct error *error) {
    struct inputs inputs;
    int status = inputs_describe(&inputs, script, paths, arch, error);
    json_t *found = NULL;
    if (status == 0)
        found = script_call(script, "coverage",
                            json_pack("{s:O, s:O}", "machine", inputs.machine, "groups", inputs.groups), error);
    size_t index;
    json_t *one;
    json_array_foreach(found, index, one) {
        if (json_object_get(one, "with") == NULL)
            printf("%s %s, %s: %s\n", arch, json_word(one, "group"), json_word(one, "metric"),
                   json_word(one, "reason"));
    }
    status = found != NULL ? 0 : -1;
    json_decref(found);
    inputs_free(&inputs);
    return status;
}

static const struct kind kinds[] = {
    {"patterns", "patterns", "*.lua", ".lua", .door = "read:pattern", .key = "title"},
    {"kernels", "kernels", "*/*.ptt", ".ptt", .describe = describe_kernel},
    {"groups", "groups", "*/*.txt", ".txt", .door = "read:group", .key = "short"},
    {"archs", "groups", "*/machine.lua", "/machine.lua", .read = read_arch, .key = "line"},
    {"nodes", "groups", "*/machine.lua", "/machine.lua", .describe = describe_node},
    {"laws", "groups", "*/pmu.laws", "/pmu.laws", .door = "read:laws", .key = "about"},
    {"unjudged", "groups", "*/machine.lua", "/machine.lua", .print = print_unjudged},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int describe_file(const struct kind *kind, const struct paths *paths, struct script *script, const char *file,
                         struct item *item, struct error *error) {
    json_t *read = kind->read != NULL ? kind->read(script, paths, item->name, error)
                                      : script_read(script, kind->door, file, error);
    const char *text = json_word(read, kind->key);
    snprintf(item->about, ABOUT_MAX, "%s", text != NULL ? text : "");
    json_decref(read);
    return read != NULL ? 0 : -1;
}

/* Makes the line about a file; for an unreadable file the reason. 1 if the file is not to be listed. */
static int describe(const struct kind *kind, const struct paths *paths, struct script *script, const char *folder,
                    const char *name, struct item *item) {
    char file[PATH_MAX];
    struct error error;
    snprintf(item->name, sizeof item->name, "%.*s", (int)(strlen(name) - strlen(kind->suffix)), name);
    int status = paths_join(file, folder, name, &error);
    if (status == 0)
        status = kind->describe != NULL ? kind->describe(folder, file, item, &error)
                                        : describe_file(kind, paths, script, file, item, &error);
    if (status < 0)
        snprintf(item->about, ABOUT_MAX, "cannot be read: %.230s", error.text);
    plain_text(item->about, 0);
    return status > 0;
}

static void print_each(const struct kind *kind, const struct paths *paths, struct script *script, char **files) {
    for (char **file = files; *file != NULL; file++) {
        char name[256];
        struct error error;
        snprintf(name, sizeof name, "%.*s", (int)(strlen(*file) - strlen(kind->suffix)), *file);
        if (kind->print(paths, script, name, &error) == 0)
            continue;
        plain_text(error.text, 0);
        printf("%s: cannot be read: %s\n", name, error.text);
    }
}

static int print(const struct kind *kind, const struct paths *paths, struct script *script, int names_only,
                 struct error *error) {
    char folder[PATH_MAX];
    if (paths_data(folder, paths, kind->folder, error) != 0)
        return -1;
    char **files = text_match(folder, kind->pattern, error);
    if (files == NULL)
        return -1;
    size_t count = 0, widest = 0;
    while (files[count] != NULL)
        count++;
    if (kind->print != NULL) {
        print_each(kind, paths, script, files);
        text_free_names(files);
        return 0;
    }
    struct item *items = calloc(count, sizeof *items);
    size_t listed = 0;
    for (size_t i = 0; items != NULL && i < count; i++) {
        struct item *item = &items[listed];
        if (describe(kind, paths, script, folder, files[i], item) != 0)
            continue;
        listed++;
        widest = strlen(item->name) > widest ? strlen(item->name) : widest;
    }
    for (size_t i = 0; items != NULL && i < listed; i++) {
        if (names_only)
            puts(items[i].name);
        else
            printf("%-*s  %s\n", (int)widest, items[i].name, items[i].about);
    }
    text_free_names(files);
    int status = items != NULL ? 0 : error_set(error, "no memory to list %s", kind->name);
    free(items);
    return status;
}

/* Prints the named kind, or all kinds. The long form of patterns includes what a node supports. */
static int print_kinds(const struct paths *paths, const struct arguments *arguments, struct script *script,
                       struct error *error) {
    const char *wanted = arguments->words[0], *const *value = arguments->value;
    int names_only = value[NAMES] != NULL, status = wanted != NULL ? 1 : 0;
    int patterns_only = wanted != NULL && strcmp(wanted, "patterns") == 0;
    int is_long = value[LONG] != NULL || value[NODE] != NULL || value[FORMAT] != NULL;
    if (wanted != NULL && strcmp(wanted, "events") == 0 && !names_only && value[LONG] == NULL && value[FORMAT] == NULL)
        return list_events(paths, arguments->words[1], value[NODE] != NULL ? value[NODE] : "auto", error);
    if (wanted != NULL && arguments->words[1] != NULL)
        return error_set(error, "%.200s: unexpected; only assay list events takes an architecture",
                         arguments->words[1]);
    if (is_long && (!patterns_only || names_only))
        return error_set(error,
                         "--long, --node and --format are for assay list patterns, --node for events, without --names");
    if (is_long)
        return list_patterns(paths, script, value[NODE] != NULL ? value[NODE] : "auto",
                             value[FORMAT] != NULL ? value[FORMAT] : "text", error);
    for (size_t i = 0; i < KINDS && status >= 0; i++) {
        if (wanted != NULL && strcmp(wanted, kinds[i].name) != 0)
            continue;
        if (wanted == NULL)
            printf("%s%s:\n", i > 0 ? "\n" : "", kinds[i].name);
        status = print(&kinds[i], paths, script, names_only, error);
    }
    return status <= 0
               ? status
               : error_set(error,
                           "%.200s: unknown; one of patterns, kernels, groups, archs, nodes, laws, unjudged, events",
                           wanted);
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct script *script = script_open(paths->data, error);
    int status = script != NULL ? print_kinds(paths, arguments, script, error) : -1;
    script_close(script);
    return status;
}

static const struct argument options[] = {[NAMES] = {"names", NULL, "names only, for scripts"},
                                          [LONG] = {"long", NULL, "of patterns: codes, quantities, groups, placements"},
                                          [NODE] = {"node", "NODE", "the long form, or events, of that node (auto)"},
                                          [FORMAT] = {"format", "text|json", "the long form as text or JSON (text)"},
                                          {0}};

const struct command command_list = {
    .name = "list",
    .words = "[patterns|kernels|groups|archs|nodes|laws|unjudged|events [ARCH]]",
    .most = 2,
    .about = "what there is, with a line about each",
    .options = options,
    .run = run,
};
