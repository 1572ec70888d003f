/* cmd_show.c - `assay show RECORD`: prints the table of a record or of a bundle's record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "validate/command/commands.h"
#include "validate/fleet/fleet_report.h"
#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/tar.h"
#include "validate/host/terminal.h"
#include "validate/host/text.h"
#include "validate/record/record.h"

enum { ALL, ORACLES, WHY, THREADS, REGION, COMMANDS };

static const struct argument options[] = {
    [ALL] = {"all", NULL, "every metric, not only counts and total volumes"},
    [ORACLES] = {"oracles", NULL, "the counts side by side: reported, predicted, counted in the code, simulated"},
    [WHY] = {"why", "METRIC", "why its expected interval is as wide as it is: the terms, as the model names them"},
    [THREADS] = {"threads", NULL, "of an analysis: a column for each thread"},
    [REGION] = {"region", "NAME", "of an analysis: this region only"},
    [COMMANDS] = {"commands", NULL, "the command of each run, once for all of its repetitions, instead of the table"},
    {0},
};

static const char *kind_of(const json_t *record) {
    return json_word(record, "kind");
}

/* The door (script.h) that prints the record with these options. */
static const char *door_of(const json_t *record, const char *const *value) {
    return kind_of(record) != NULL   ? "report:record"
           : value[WHY] != NULL      ? "report:why"
           : value[ORACLES] != NULL  ? "report:oracles"
           : value[COMMANDS] != NULL ? "report:commands"
                                     : "report:metrics";
}

static int print_table(const struct paths *paths, json_t *record, const char *const *value, struct error *error) {
    json_t *argument = json_pack("{s:O, s:i, s:b, s:b, s:b, s:o*, s:o*}", "record", record, "width", TERMINAL_WIDTH,
                                 "all", value[ALL] != NULL, "threads", value[THREADS] != NULL, "colour",
                                 terminal_wants_colour(), "metric", value[WHY] != NULL ? plain_name(value[WHY]) : NULL,
                                 "region", value[REGION] != NULL ? plain_name(value[REGION]) : NULL);
    json_t *table = script_call_once(paths->data, door_of(record, value), argument, error);
    if (table == NULL)
        return -1;
    fputs(json_word(table, "text"), stdout);
    json_decref(table);
    return 0;
}

/* Refuses options that do not apply to this kind of record. */
static int check_options(const json_t *record, const char *const *value, struct error *error) {
    static const int of_campaigns[] = {WHY, ORACLES, COMMANDS};
    const char *kind = kind_of(record);
    for (size_t i = 0; kind != NULL && i < sizeof of_campaigns / sizeof *of_campaigns; i++) {
        if (value[of_campaigns[i]] != NULL)
            return error_set(error, "--%s: for records of assay validate, this one's kind is %s",
                             options[of_campaigns[i]].name, kind);
    }
    return 0;
}

/* Prints a record, or one of its metrics, and releases it; NULL: it could not be read. `value`: the options' values. */
static int print_record(const struct paths *paths, json_t *record, const char *const *value, struct error *error) {
    int status = record == NULL ? -1 : check_options(record, value, error);
    if (status == 0 && kind_of(record) != NULL && strcmp(kind_of(record), "fleet") == 0)
        status = fleet_show(paths, record, value[ALL] != NULL, NULL, error);
    else if (status == 0)
        status = print_table(paths, record, value, error);
    json_decref(record);
    return status;
}

/* Prints a text of a bundle and an empty line. */
static int print_part(const char *bundle, size_t size, const char *file, const char *name, struct error *error) {
    size_t length;
    const char *part = tar_find(bundle, size, name, &length);
    char *text = part != NULL ? strndup(part, length) : NULL;
    if (text == NULL)
        return error_set(error, "%s: an archive without %s: no bundle of assay bundle", file, name);
    plain_text(text, 1);
    puts(text);
    free(text);
    return 0;
}

static int print_bundle(const struct paths *paths, const char *file, const char *const *value, struct error *error) {
    static const char *const texts[] = {"about.txt", "doctor.txt"};
    size_t size, length;
    char *bundle = text_read_bytes(file, &size, error);
    int status = bundle == NULL                ? -1
                 : !tar_is_whole(bundle, size) ? error_set(error, "%s: cut off; copy it again", file)
                                               : 0;
    for (size_t i = 0; status == 0 && i < sizeof texts / sizeof *texts; i++)
        status = print_part(bundle, size, file, texts[i], error);
    const char *record = status == 0 ? tar_find(bundle, size, "record.json", &length) : NULL;
    if (record != NULL)
        status = print_record(paths, record_read_bytes(record, length, "record.json", error), value, error);
    free(bundle);
    return status;
}

/* Pipes are no archives: their bytes can be read only once. */
static int is_archive(const char *file) {
    char begin[TAR_BLOCK];
    struct stat status;
    FILE *stream = stat(file, &status) == 0 && S_ISREG(status.st_mode) ? fopen(file, "r") : NULL;
    size_t size = stream != NULL ? fread(begin, 1, sizeof begin, stream) : 0;
    if (stream != NULL)
        fclose(stream);
    return tar_is(begin, size);
}

int command_print_table(const struct paths *paths, const char *record_file, int all, struct error *error) {
    const char *value[ARGUMENTS_MAX] = {[ALL] = all ? "" : NULL};
    return print_record(paths, record_read_any(record_file, error), value, error);
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    const char *file = arguments->words[0], *const *value = arguments->value;
    return is_archive(file) ? print_bundle(paths, file, value, error)
                            : print_record(paths, record_read_any(file, error), value, error);
}

const struct command command_show = {
    .name = "show",
    .words = "RECORD",
    .least = 1,
    .most = 1,
    .missing = "no record named",
    .about = "the table of a record again, of any kind that a command writes; a bundle",
    .options = options,
    .run = run,
};
