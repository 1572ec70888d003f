/* cmd_why.c - `assay why ARCH [GROUP [METRIC]]`: all that is known of groups. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/command/pages.h"
#include "validate/command/print.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/likwid/likwid.h"
#include "validate/lint/sources.h"
#include "validate/record/evidence.h"
#include "validate/run/inputs.h"

enum { RECORD, FORMAT };

/* Names of the architectures with groups. */
static json_t *list_archs(const struct paths *paths, struct error *error) {
    static const char suffix[] = "/machine.lua";
    char **files = text_match(paths->groups, "*/machine.lua", error);
    json_t *names = files != NULL ? json_array() : NULL;
    for (char **file = files; names != NULL && *file != NULL; file++)
        json_array_append_new(names, json_stringn(*file, strlen(*file) - strlen(suffix)));
    text_free_names(files);
    return names;
}

/* Sets `key` to the text of a file of the architecture, of the first that is there. */
static int add_text(json_t *argument, const char *key, const struct paths *paths, const char *arch,
                    const char *const names[], struct error *error) {
    json_t *text = json_null();
    for (size_t i = 0; json_is_null(text) && names[i] != NULL; i++)
        text = json_arch(paths, arch, names[i], error);
    return json_is_null(text) ? 0 : json_object_set_new(argument, key, text);
}

/* The newest records of the architecture in results/; `file`: that one instead of those that were measured. */
static int add_records(json_t *records, const struct paths *paths, const char *arch, char *file, struct error *error) {
    int status = evidence_history(records, paths, arch, error);
    for (size_t i = json_array_size(records); file != NULL && i-- > 0;) {
        if (!evidence_is_historical(json_array_get(records, i)))
            json_array_remove(records, i);
    }
    json_t *named = status == 0 && file != NULL ? evidence_records(paths, arch, &file, 1, error) : NULL;
    if (status == 0 && file != NULL)
        status = named != NULL ? json_array_extend(records, named) : -1;
    json_decref(named);
    return status;
}

/* Stores the folder of LIKWID's own groups of an architecture, "" without LIKWID; 0 if there is none. */
static int has_likwid_groups(const struct paths *paths, const char *arch, char folder[PATH_MAX]) {
    struct likwid likwid;
    struct error none;
    folder[0] = '\0';
    if (likwid_find(&likwid, paths, &none) != 0)
        return 0;
    const char *prefix = dirname(dirname(likwid.perfctr)); /* of PREFIX/bin/likwid-perfctr */
    return paths_format(folder, &none, "%s/share/likwid/perfgroups/%s", prefix, arch) == 0 && paths_is_folder(folder);
}

/* Sets `files` to our groups, `likwid` to LIKWID's own ones, `findings` to the linter's in both. */
static int add_findings(json_t *argument, struct script *script, const struct paths *paths, const char *arch,
                        struct error *error) {
    char ours[PATH_MAX], theirs[PATH_MAX];
    char *const words[] = {ours, theirs};
    if (paths_join(ours, paths->groups, arch, error) != 0)
        return -1;
    json_t *files = sources_files(paths, words, has_likwid_groups(paths, arch, theirs) ? 2 : 1, NULL, error);
    json_t *own = json_array(), *likwid = json_array(), *unlisted = json_array(), *file;
    json_t *input = files != NULL ? sources_input(paths, script, files, NULL, NULL, unlisted, error) : NULL;
    json_t *findings = input != NULL ? script_call(script, "lint:findings", input, error) : NULL;
    size_t i;
    json_array_foreach(files, i, file) {
        int is_theirs = theirs[0] != '\0' && strncmp(json_word(file, "file"), theirs, strlen(theirs)) == 0;
        json_object_set_new(file, "arch", json_string(arch));
        json_array_append(is_theirs ? likwid : own, file);
    }
    json_object_set_new(argument, "files", own);
    json_object_set_new(argument, "likwid", likwid);
    json_object_set_new(argument, "findings", findings);
    json_object_set_new(argument, "unlisted", json_boolean(json_array_size(unlisted) > 0));
    json_decref(unlisted);
    json_decref(files);
    return findings != NULL ? 0 : -1;
}

/* Adds what describes the architecture, its faults and its records. */
static int add_arch(json_t *argument, struct script *script, const struct paths *paths, const char *arch, char *record,
                    struct error *error) {
    static const char *const codes[] = {"pmu.vendor", NULL}, *const events[] = {"pmu.events", "pmu.used", NULL};
    struct inputs inputs;
    char fixes[PATH_MAX];
    json_t *records = json_array();
    json_object_set_new(argument, "records", records);
    int status = inputs_describe(&inputs, script, paths, arch, error);
    if (status == 0) {
        json_object_set(argument, "machine", inputs.machine);
        json_object_set(argument, "groups", inputs.groups);
        json_object_set(argument, "patterns", inputs.patterns);
        status = paths_data(fixes, paths, "results/published/likwid-fixes", error);
    }
    inputs_free(&inputs);
    if (status == 0)
        status = json_object_set_new(argument, "fixes", json_file(fixes, error));
    return status == 0 && add_text(argument, "codes", paths, arch, codes, error) == 0 &&
                   add_text(argument, "events", paths, arch, events, error) == 0 &&
                   add_findings(argument, script, paths, arch, error) == 0
               ? add_records(records, paths, arch, record, error)
               : -1;
}

/* The door's argument, or NULL with the reason. */
static json_t *describe(const struct paths *paths, const struct arguments *arguments, struct script *script,
                        struct error *error) {
    char *const *words = arguments->words;
    json_t *archs = list_archs(paths, error);
    if (archs == NULL)
        return NULL;
    json_t *arch = plain_name(words[0]);
    json_t *argument = json_pack("{s:o, s:o, s:s}", "arch", arch, "archs", archs, "assay", ASSAY_VERSION);
    if (arguments->count > 1)
        json_object_set_new(argument, "group", plain_name(words[1]));
    if (arguments->count > 2)
        json_object_set_new(argument, "metric", plain_name(words[2]));
    if (!json_contains(archs, arch) ||
        add_arch(argument, script, paths, words[0], (char *)arguments->value[RECORD], error) == 0)
        return argument;
    json_decref(argument);
    return NULL;
}

/* { passports, text }, or NULL with the reason. */
static json_t *make(const struct paths *paths, const struct arguments *arguments, struct script *script, int is_page,
                    struct error *error) {
    static const struct look look = {"passport", NULL, NULL};
    json_t *argument = describe(paths, arguments, script, error);
    json_t *whole = argument == NULL ? NULL
                    : is_page        ? pages_argument(paths, &look, argument, error)
                                     : json_incref(argument);
    json_decref(argument);
    return whole != NULL ? script_call(script, look.door, whole, error) : NULL;
}

/* Prints a group's passport, or { passports } of an architecture. */
static int print_passports(const json_t *made, int is_group, struct error *error) {
    const json_t *passports = json_object_get(made, "passports");
    json_t *whole = is_group ? json_incref(json_array_get(passports, 0))
                             : json_pack("{s:i, s:O}", "schema", 1, "passports", passports);
    int status = print_value(whole, error);
    json_decref(whole);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    static const char *const formats[] = {"text", "json", "html", NULL};
    int format = arguments_choice(arguments, "format", formats, error);
    if (format < 0)
        return -1;
    struct script *script = script_open(paths->data, error);
    json_t *made = script != NULL ? make(paths, arguments, script, strcmp(formats[format], "html") == 0, error) : NULL;
    script_close(script);
    if (made == NULL)
        return -1;
    int status = 0;
    if (strcmp(formats[format], "json") == 0)
        status = print_passports(made, arguments->count > 1, error);
    else
        fputs(json_word(made, "text"), stdout);
    json_decref(made);
    return status;
}

static const struct argument options[] = {
    [RECORD] = {"record", "FILE", "verdicts of this record, not of results/"},
    [FORMAT] = {"format", "text|json|html", "the page as text, JSON or HTML (text)"},
    {0}};

const struct command command_why = {
    .name = "why",
    .words = "ARCH [GROUP [METRIC]]",
    .least = 1,
    .most = 3,
    .missing = "no architecture named",
    .about = "all that is known of groups: events, verdicts, what would have been noticed, faults",
    .options = options,
    .run = run,
};
