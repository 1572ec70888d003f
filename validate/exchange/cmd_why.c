/* cmd_why.c - `assay why ARCH GROUP [METRIC]`: all that is known of a group. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/command/version.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
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

static int is_listed(const json_t *names, const char *wanted) {
    size_t index;
    json_t *name;
    json_array_foreach(names, index, name) {
        if (strcmp(json_string_value(name), wanted) == 0)
            return 1;
    }
    return 0;
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

/* Adds what describes the architecture and its records. */
static int add_arch(json_t *argument, struct script *script, const struct paths *paths, const char *arch, char *record,
                    struct error *error) {
    static const char *const codes[] = {"pmu.vendor", NULL}, *const events[] = {"pmu.events", "pmu.used", NULL};
    struct inputs inputs;
    json_t *records = json_array(), *files = json_array();
    json_object_set_new(argument, "records", records);
    json_object_set_new(argument, "files", files);
    int status = inputs_describe(&inputs, script, paths, arch, error);
    if (status == 0) {
        json_object_set(argument, "machine", inputs.machine);
        json_object_set(argument, "groups", inputs.groups);
        json_object_set(argument, "patterns", inputs.patterns);
    }
    inputs_free(&inputs);
    return status == 0 && add_text(argument, "codes", paths, arch, codes, error) == 0 &&
                   add_text(argument, "events", paths, arch, events, error) == 0 &&
                   evidence_add_groups(files, paths, arch, error) == 0
               ? add_records(records, paths, arch, record, error)
               : -1;
}

/* { passport, text }, or NULL with the reason. */
static json_t *make(const struct paths *paths, const struct arguments *arguments, struct script *script,
                    struct error *error) {
    char *const *words = arguments->words;
    const char *metric = arguments->count > 2 ? words[2] : NULL;
    json_t *archs = list_archs(paths, error);
    json_t *argument = archs != NULL ? json_pack("{s:o, s:O, s:o, s:o*, s:s}", "arch", plain_name(words[0]), "archs",
                                                 archs, "group", plain_name(words[1]), "metric",
                                                 metric != NULL ? plain_name(metric) : NULL, "assay", ASSAY_VERSION)
                                     : NULL;
    int status = argument != NULL ? 0 : -1;
    if (status == 0 && is_listed(archs, words[0]))
        status = add_arch(argument, script, paths, words[0], (char *)arguments->value[RECORD], error);
    json_decref(archs);
    if (status == 0)
        return script_call(script, "passport", argument, error);
    json_decref(argument);
    return NULL;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct error error;
    static const char *const formats[] = {"text", "json", NULL};
    int is_json = arguments_choice(arguments, "format", formats, &error);
    if (is_json < 0)
        return command_fail("why", error.text);
    struct script *script = script_open(paths->data, &error);
    json_t *made = script != NULL ? make(paths, arguments, script, &error) : NULL;
    script_close(script);
    if (made == NULL)
        return command_fail("why", error.text);
    int status = 0;
    if (is_json)
        status = print_value(json_object_get(made, "passport"), &error);
    else
        fputs(json_word(made, "text"), stdout);
    json_decref(made);
    return status == 0 ? EXIT_DONE : command_fail("why", error.text);
}

static const struct argument options[] = {[RECORD] = {"record", "FILE", "verdicts of this record, not of results/"},
                                          [FORMAT] = {"format", "text|json", "the page as text or JSON (text)"},
                                          {0}};

const struct command command_why = {
    .name = "why",
    .words = "ARCH GROUP [METRIC]",
    .least = 2,
    .most = 3,
    .missing = "no architecture and group named",
    .about = "all that is known of a group: events, verdicts, what would have been noticed",
    .options = options,
    .run = run,
};
