/* cmd_groups.c - `assay groups`: prints the groups that tools may rely on, or installs them for LIKWID.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/node/machine.h"
#include "validate/record/evidence.h"

enum { ARCH, FORMAT, VERDICT, RECORD, INSTALL };
enum { VERDICTS_TEXT_MAX = 200 };

struct request {
    const char *arch, *format, *install;
    char **records;
    size_t record_count;
    json_t *verdicts; /* array of texts, or NULL */
};

static json_t *split(const char *list, struct error *error) {
    char copy[VERDICTS_TEXT_MAX];
    json_t *words = json_array();
    if (snprintf(copy, sizeof copy, "%s", list) >= (int)sizeof copy) {
        error_set(error, "--verdict %.60s...: too long", list);
        json_decref(words);
        return NULL;
    }
    char *rest = NULL;
    for (char *word = strtok_r(copy, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest))
        json_array_append_new(words, json_string(word));
    if (json_array_size(words) > 0)
        return words;
    error_set(error, "--verdict: no verdict named; one or more of validated,correctable,qualitative");
    json_decref(words);
    return NULL;
}

static int read_request(struct request *request, const struct arguments *arguments, struct error *error) {
    static const char *const formats[] = {"likwid", "json",    "csv", "clustercockpit", "kerncraft", "papi",
                                          "perf",   "reframe", NULL};
    const char *const *value = arguments->value;
    *request = (struct request){.arch = value[ARCH],
                                .format = value[FORMAT],
                                .install = value[INSTALL],
                                .records = arguments->words,
                                .record_count = (size_t)arguments->count};
    if (arguments->count > 0 && value[RECORD] == NULL)
        return error_set(error, "%s: unexpected; records are named with --record FILE...", arguments->words[0]);
    if (arguments_choice(arguments, "format", formats, error) < 0)
        return -1;
    if (request->install != NULL && request->format != NULL && strcmp(request->format, "likwid") != 0)
        return error_set(error, "--install: writes LIKWID group files; leave out --format %s", request->format);
    if (value[VERDICT] != NULL)
        request->verdicts = split(value[VERDICT], error);
    return value[VERDICT] != NULL && request->verdicts == NULL ? -1 : 0;
}

static int place(char out[PATH_MAX], const char *folder, const json_t *file, struct error *error) {
    return paths_format(out, error, "%s/%s/%s.txt", folder, json_word(file, "arch"), json_word(file, "name"));
}

/* 1: a file written by this command and unchanged since; 0: any other file; -1: unreadable. */
static int is_own(struct script *script, const char *path, struct error *error) {
    char *text = text_read(path, error);
    if (text == NULL)
        return -1;
    json_t *argument = json_pack("{s:s}", "text", text); /* this command writes only UTF-8 */
    json_t *own = argument != NULL ? script_call(script, "read:installed_group", argument, error) : NULL;
    int answer = json_is_true(own);
    json_decref(own);
    free(text);
    return answer;
}

/* Refuses to replace a file that this command did not write, or that was changed since. */
static int check_free(struct script *script, const char *target, struct error *error) {
    if (access(target, F_OK) != 0 && errno == ENOENT)
        return 0;
    int own = is_own(script, target, error);
    if (own == 0)
        return error_set(error, "%s: not written by assay groups, or changed since; move it away or install elsewhere",
                         target);
    return own > 0 ? 0 : -1;
}

static int is_among(const json_t *files, const char *arch, const char *name) {
    size_t i;
    json_t *file;
    json_array_foreach(files, i, file) {
        if (strcmp(json_word(file, "arch"), arch) == 0 && strcmp(json_word(file, "name"), name) == 0)
            return 1;
    }
    return 0;
}

/* Removes files installed for `arch` that are not in `files`: tools may no longer rely on them. */
static int remove_stale(struct script *script, const char *folder, const char *arch, const json_t *files,
                        struct error *error) {
    char below[PATH_MAX], path[PATH_MAX];
    if (paths_join(below, folder, arch, error) != 0)
        return -1;
    char **names = text_names(below, ".txt", error);
    int status = names != NULL ? 0 : -1;
    for (size_t i = 0; status == 0 && names[i] != NULL; i++) {
        if (is_among(files, arch, names[i]))
            continue;
        status = paths_format(path, error, "%s/%s.txt", below, names[i]);
        if (status == 0 && is_own(script, path, error) == 1 && unlink(path) == 0)
            printf("%s: removed, no longer given\n", path);
    }
    text_free_names(names);
    return status;
}

/* All files are checked before the first is written. */
static int install(struct script *script, const char *folder, const json_t *files, struct error *error) {
    char target[PATH_MAX], below[PATH_MAX];
    size_t i;
    json_t *file;
    json_array_foreach(files, i, file) {
        if (place(target, folder, file, error) != 0 || check_free(script, target, error) != 0)
            return -1;
    }
    json_array_foreach(files, i, file) {
        if (paths_join(below, folder, json_word(file, "arch"), error) != 0 || paths_make_folder(below, error) != 0 ||
            place(target, folder, file, error) != 0 || text_replace(target, json_word(file, "text"), error) != 0)
            return -1;
        puts(target);
    }
    const char *done = NULL;
    json_array_foreach(files, i, file) {
        const char *arch = json_word(file, "arch");
        if ((done == NULL || strcmp(arch, done) != 0) && remove_stale(script, folder, arch, files, error) != 0)
            return -1;
        done = arch;
    }
    return 0;
}

static void print_files(const json_t *files) {
    size_t i;
    json_t *file;
    json_array_foreach(files, i, file) {
        printf("%s# %s/%s.txt\n%s", i > 0 ? "\n" : "", json_word(file, "arch"), json_word(file, "name"),
               json_word(file, "text"));
    }
}

/* The catalogue in another tool's format; what it cannot express is named on stderr. */
static int print_format(const struct paths *paths, struct script *script, const char *format, json_t *catalogue,
                        struct error *error) {
    const json_t *archs = json_object_get(catalogue, "architectures");
    const char *arch = json_word(json_array_get(archs, 0), "arch");
    if (json_array_size(archs) > 1)
        return error_set(error, "--format %s: is of one architecture; name it with --arch", format);
    json_t *events = json_arch(paths, arch, "pmu.events", error);
    json_t *made =
        events == NULL
            ? NULL
            : script_call(script, "export:formats",
                          json_pack("{s:O, s:o, s:o*, s:s}", "catalogue", catalogue, "events", events, "machine",
                                    machine_read(script, paths, arch, NULL, error), "format", format),
                          error);
    int is_printed = made != NULL && fputs(json_word(made, "text"), stdout) != EOF && fflush(stdout) == 0;
    size_t i;
    json_t *note;
    json_array_foreach(is_printed ? json_object_get(made, "notes") : NULL, i, note)
        fprintf(stderr, "assay groups: %s\n", json_string_value(note));
    json_decref(made);
    return made != NULL ? 0 : -1;
}

static int show(const struct paths *paths, struct script *script, const struct request *request, json_t *made,
                struct error *error) {
    json_t *catalogue = json_object_get(made, "catalogue"), *files = json_object_get(made, "files");
    if (json_array_size(files) == 0)
        return error_set(error, "no group has a metric of the verdicts asked for; see assay show RECORD --all");
    if (request->install != NULL)
        return install(script, request->install, files, error);
    if (request->format == NULL)
        return print_rendered(script, "report:catalogue", json_pack("{s:O}", "catalogue", catalogue), error);
    if (strcmp(request->format, "csv") == 0)
        return print_rendered(script, "report:catalogue_csv", json_pack("{s:O}", "catalogue", catalogue), error);
    if (strcmp(request->format, "likwid") == 0)
        print_files(files);
    else if (strcmp(request->format, "json") == 0)
        return print_value(catalogue, error);
    else
        return print_format(paths, script, request->format, catalogue, error);
    return 0;
}

static int make(const struct paths *paths, const struct request *request, struct error *error) {
    struct script *script = script_open(paths->data, error);
    if (script == NULL)
        return -1;
    json_t *records = evidence_records(paths, request->arch, request->records, request->record_count, error);
    json_t *groups = records != NULL ? evidence_groups(paths, records, error) : NULL, *made = NULL;
    if (groups != NULL)
        made =
            script_call(script, "export:groups",
                        json_pack("{s:O, s:O, s:s, s:O*, s:b}", "records", records, "groups", groups, "assay",
                                  ASSAY_VERSION, "verdicts", request->verdicts, "newest", request->record_count == 0),
                        error);
    int status = made != NULL ? show(paths, script, request, made, error) : -1;
    json_decref(made);
    json_decref(groups);
    json_decref(records);
    script_close(script);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct request request;
    int status = read_request(&request, arguments, error);
    if (status == 0)
        status = make(paths, &request, error);
    json_decref(request.verdicts);
    return status;
}

static const struct argument options[] = {
    [ARCH] = {"arch", "ARCH", "that architecture only"},
    [FORMAT] = {"format", "FORMAT",
                "likwid: group files; json: the catalogue; csv: a row per metric;\n"
                "of one architecture's validated metrics, with error bounds:\n"
                "clustercockpit: cc-metric-collector's configuration; papi: user events;\n"
                "kerncraft: counter metrics of a machine file; perf: metrics (pmu-events);\n"
                "reframe: a test"},
    [VERDICT] = {"verdict", "VERDICT,...", "what a metric may be, by default validated,correctable"},
    [RECORD] = {"record", "FILE...", "the evidence, by default the newest record of each node below results/"},
    [INSTALL] = {"install", "DIR", "write DIR/ARCH/NAME.txt; LIKWID reads $HOME/.likwid/groups"},
    {0},
};

const struct command command_groups = {
    .name = "groups",
    .words = "",
    .most = INT_MAX,
    .about = "the groups that a tool may rely on, with their error bounds",
    .options = options,
    .run = run,
};
