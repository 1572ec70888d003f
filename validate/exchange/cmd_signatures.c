/* cmd_signatures.c - `assay signatures RECORD...`: the metrics that indicate a pattern, for people and other tools.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/text.h"
#include "validate/record/evidence.h"
#include "validate/record/record.h"
#include "validate/run/inputs.h"

enum { FORMAT, INSTALL };

static const char *format_of(const struct arguments *arguments, struct error *error) {
    static const char *const formats[] = {"json", "clustercockpit", "perf", NULL};
    const char *format = arguments->value[FORMAT];
    if (format == NULL && arguments->value[INSTALL] == NULL)
        return "table";
    if (format == NULL)
        error_set(error, "--install: name what to write with --format json, clustercockpit or perf");
    return format != NULL && arguments_choice(arguments, "format", formats, error) >= 0 ? format : NULL;
}

/* A file of the architecture; empty if it has none, as at native stage. */
static json_t *read_file(const struct paths *paths, const char *arch, const char *name, struct error *error) {
    json_t *text = json_arch(paths, arch, name, error);
    return json_is_null(text) ? json_string("") : text;
}

static int install_file(const char *folder, const json_t *file, struct error *error) {
    char target[PATH_MAX];
    const char *name = json_word(file, "name");
    char *text = json_dumps(json_object_get(file, "value"), RECORD_FORMAT);
    int status = text != NULL ? paths_join(target, folder, name, error) : error_set(error, "no memory for %s", name);
    if (status == 0)
        status = text_replace(target, text, error);
    if (status == 0)
        puts(target);
    free(text);
    return status;
}

/* Prints one file unchanged, several as an array of their contents. */
static int print_files(const json_t *files, struct error *error) {
    json_t *all = json_array(), *file;
    size_t i;
    json_array_foreach(files, i, file) json_array_append(all, json_object_get(file, "value"));
    const json_t *shown = json_array_size(all) == 1 ? json_array_get(all, 0) : all;
    int status = print_value(shown, error);
    json_decref(all);
    return status;
}

static int show(const json_t *made, const char *folder, struct error *error) {
    const json_t *table = json_object_get(made, "table"), *files = json_object_get(made, "files");
    size_t i;
    json_t *entry;
    int status = 0;
    if (table != NULL) {
        fputs(json_string_value(table), stdout);
        return 0;
    }
    json_array_foreach(json_object_get(made, "notes"), i, entry)
        fprintf(stderr, "assay signatures: %s\n", json_string_value(entry));
    if (folder == NULL)
        return print_files(files, error);
    if (paths_make_folder(folder, error) != 0)
        return -1;
    json_array_foreach(files, i, entry) status = status == 0 ? install_file(folder, entry, error) : status;
    return status;
}

/* Adds what describes the records' architecture. 0 or -1. */
static int describe(json_t *argument, struct script *script, const struct paths *paths, struct error *error) {
    struct inputs inputs = {0};
    const char *arch = json_word(json_array_get(json_object_get(argument, "groups"), 0), "arch");
    int status = inputs_describe(&inputs, script, paths, arch, error);
    if (status == 0) {
        json_object_set(argument, "patterns", inputs.patterns);
        json_object_set(argument, "machine", inputs.machine);
        json_object_set_new(argument, "limit", json_real(INPUTS_SHARE));
        json_object_set_new(argument, "events", read_file(paths, arch, "pmu.events", error));
        json_object_set_new(argument, "costs", read_file(paths, arch, "pmu.costs", error));
    }
    inputs_free(&inputs);
    return status == 0 && json_object_get(argument, "events") != NULL && json_object_get(argument, "costs") != NULL
               ? 0
               : -1;
}

static int make(const struct paths *paths, const struct arguments *arguments, const char *format, struct error *error) {
    struct script *script = script_open(paths->data, error);
    json_t *records =
               script != NULL ? evidence_records(paths, NULL, arguments->words, (size_t)arguments->count, error) : NULL,
           *groups = records != NULL ? evidence_groups(paths, records, error) : NULL, *argument = NULL, *made = NULL;
    if (groups != NULL)
        argument = json_pack("{s:O, s:O, s:s}", "records", records, "groups", groups, "format", format);
    if (argument != NULL && describe(argument, script, paths, error) == 0)
        made = script_call(script, "export:signatures", json_incref(argument), error);
    int status = made != NULL ? show(made, arguments->value[INSTALL], error) : -1;
    json_decref(made);
    json_decref(argument);
    json_decref(groups);
    json_decref(records);
    script_close(script);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *format = format_of(arguments, error);
    return format != NULL ? make(paths, arguments, format, error) : -1;
}

static const struct argument options[] = {
    [FORMAT] = {"format", "FORMAT",
                "json; clustercockpit: rules of job classification;\nperf: metrics with thresholds (pmu-events)"},
    [INSTALL] = {"install", "DIR", "write the format's files there"},
    {0},
};

const struct command command_signatures = {
    .name = "signatures",
    .words = "RECORD...",
    .least = 1,
    .most = INT_MAX,
    .missing = "no record named",
    .about = "what says that a pattern is there, of validated metrics, for other tools too",
    .options = options,
    .run = run,
};
