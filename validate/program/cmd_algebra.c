/* cmd_algebra.c - `assay merge`, `mean`, `subtract` and `compare`: combines several analysis records.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/command/pages.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/terminal.h"
#include "validate/record/record.h"

enum { OUT, THREADS, REGION };
enum { HTML }; /* an option of compare */

/* Reads the files named on the command line: { "records", "files" }; NULL with the reason. */
static json_t *read_records(const struct arguments *arguments, struct error *error) {
    json_t *records = json_array(), *files = json_array();
    for (char **word = arguments->words; *word != NULL; word++) {
        json_t *record = record_read_any(*word, error);
        const char *kind = json_word(record, "kind");
        if (record != NULL && (kind == NULL || strcmp(kind, "analysis") != 0)) {
            error_set(error, "%s: no analysis%s%s; assay analyse --out FILE writes one", *word,
                      kind != NULL ? ": its kind is " : "", kind != NULL ? kind : "");
            json_decref(record);
            record = NULL;
        }
        if (record == NULL) {
            json_decref(records);
            json_decref(files);
            return NULL;
        }
        json_array_append_new(records, record);
        json_array_append_new(files, plain_name(*word));
    }
    return json_pack("{s:o, s:o}", "records", records, "files", files);
}

/* The first record with the values that the operation computes from all records; NULL with the reason. */
static json_t *combine(struct script *script, json_t *read, const char *name, struct error *error) {
    json_object_set_new(read, "name", json_string(name));
    json_t *made = script_call(script, "algebra", json_incref(read), error);
    if (made == NULL)
        return NULL;
    json_t *record = json_copy(json_array_get(json_object_get(read, "records"), 0));
    json_object_update(record, made);
    json_decref(made);
    return record;
}

static int tell(const struct paths *paths, struct script *script, json_t *read, const struct arguments *arguments,
                struct error *error) {
    (void)paths;
    const char *const *value = arguments->value;
    json_t *record = combine(script, read, arguments->command->name, error);
    if (record == NULL || record_write(value[OUT], record, error) != 0) {
        json_decref(record);
        return -1;
    }
    json_t *argument =
        json_pack("{s:o, s:i, s:b, s:o*}", "record", record, "width", TERMINAL_WIDTH, "threads", value[THREADS] != NULL,
                  "region", value[REGION] != NULL ? plain_name(value[REGION]) : NULL);
    return print_rendered(script, "report:analysis", argument, error);
}

/* Reads the records and calls `use`, which does the command's work. */
static int with_records(const struct paths *paths, const struct arguments *arguments,
                        int (*use)(const struct paths *, struct script *, json_t *read, const struct arguments *,
                                   struct error *),
                        struct error *error) {
    json_t *read = read_records(arguments, error);
    struct script *script = read != NULL ? script_open(paths->data, error) : NULL;
    int status = script != NULL ? use(paths, script, read, arguments, error) : -1;
    script_close(script);
    json_decref(read);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    return record_check_target(arguments->value[OUT], error) == 0 ? with_records(paths, arguments, tell, error) : -1;
}

static int show_both(const struct paths *paths, struct script *script, json_t *read, const struct arguments *arguments,
                     struct error *error) {
    static const struct look look = {"report:compare_page", "program/report/analysis.css", "program/report/compare.js"};
    if (arguments->value[HTML] != NULL)
        return pages_write(paths, script, &look, read, arguments->value[HTML], error);
    return print_rendered(script, "report:compare", json_incref(read), error);
}

static int run_compare(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    return with_records(paths, arguments, show_both, error);
}

static const struct argument options[] = {
    [OUT] = {"out", "FILE", "the new record"},
    [THREADS] = {"threads", NULL, "a column for each thread"},
    [REGION] = {"region", "NAME", "of this region only"},
    {0},
};

static const struct argument compare_options[] = {
    [HTML] = {"html", "FILE", "a page instead of the table"},
    {0},
};

const struct command command_merge = {
    .name = "merge",
    .words = "RECORD RECORD...",
    .least = 2,
    .most = INT_MAX,
    .missing = "two analyses at least are merged",
    .about = "analyses of a program as one: what one lacks another may have; common counts are averaged",
    .options = options,
    .run = run,
};

const struct command command_mean = {
    .name = "mean",
    .words = "RECORD RECORD...",
    .least = 2,
    .most = INT_MAX,
    .missing = "a mean is of two analyses at least",
    .about = "the mean of analyses, each counting as much as the others, with its spread",
    .options = options,
    .run = run,
};

const struct command command_subtract = {
    .name = "subtract",
    .words = "RECORD RECORD",
    .least = 2,
    .most = 2,
    .missing = "two analyses are subtracted",
    .about = "what the first analysis has more than the second",
    .options = options,
    .run = run,
};

const struct command command_compare = {
    .name = "compare",
    .words = "RECORD RECORD...",
    .least = 2,
    .most = INT_MAX,
    .missing = "two analyses at least are compared",
    .about = "analyses side by side, of different machines as well",
    .options = compare_options,
    .run = run_compare,
};
