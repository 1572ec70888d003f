/* cmd_validate.c - `assay validate`: measure, judge, record, report. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/process_setup.h"
#include "validate/record/record.h"
#include "validate/run/assess.h"
#include "validate/run/dry_run.h"

enum { HEALTH_SECONDS = 55 }; /* the rest of a minute is for stopping active runs */

/* Chooses the record's file: --out, locked, or a file in the scratch folder, used only to print the table. */
static int open_record(const struct validation *v, char out[PATH_MAX], int *lock, struct error *error) {
    const char *file = v->options.out;
    return file == NULL                                ? paths_join(out, v->work.folder, "record.json", error)
           : paths_format(out, error, "%s", file) != 0 ? -1
                                                       : record_lock(file, lock, error);
}

/* Whether the record will be small enough for the commands that read records. */
static int check_size(const struct validation *v, struct error *error) {
    size_t j, q, samples = 0;
    json_t *job, *quantity;
    json_array_foreach(v->jobs, j, job) {
        size_t points = json_array_size(json_object_get(job, "points")),
               cpus = json_array_size(json_object_get(job, "cpus"));
        json_array_foreach(json_object_get(job, "quantities"), q, quantity) {
            const char *scope = json_word(quantity, "scope");
            samples += points * (scope != NULL && strcmp(scope, "socket") == 0 ? 1 : cpus);
        }
    }
    size_t most = samples > 0 ? RECORD_BYTES_MAX / RECORD_BYTES_OF_SAMPLE / samples : SIZE_MAX;
    if ((size_t)v->reps <= most)
        return 0;
    return error_set(error, "--reps %d: the record would be larger than the %d MiB that are read; at most %zu", v->reps,
                     RECORD_BYTES_MAX >> 20, most);
}

/* Adds companion runs: empty regions for calibration; runs without faults if the node has faults. */
static int add_jobs(struct validation *v, struct error *error) {
    const struct {
        int is_wanted;
        const char *door;
    } more[] = {{v->options.calibrate, "companions:empty"}, {v->options.fault != NULL, "companions:clean"}};
    json_t *planned = json_copy(v->jobs);
    int status = 0;
    for (size_t i = 0; i < sizeof more / sizeof more[0] && status == 0; i++) {
        json_t *jobs = more[i].is_wanted
                           ? script_call(v->script, more[i].door, json_pack("{s:O}", "jobs", planned), error)
                           : json_array();
        status = jobs != NULL ? json_array_extend(v->jobs, jobs) : -1;
        json_decref(jobs);
    }
    json_decref(planned);
    return status;
}

/* The command as an array of words, the program's name first. */
static json_t *command_words(const struct arguments *arguments) {
    json_t *words = plain_words(arguments->line);
    json_array_insert_new(words, 0, json_string("assay"));
    return words;
}

/* Judges the results and writes the record. `*failed` is the number of runs without values. */
static int write_record(const struct validation *v, const struct arguments *arguments, const char *out, size_t *failed,
                        struct error *error) {
    json_t *record = assess_record(v, failed, error);
    if (record == NULL)
        return -1;
    json_object_set_new(record, "command", command_words(arguments));
    int status = record_write(out, record, error);
    json_decref(record);
    return status;
}

static int validate(struct validation *v, const struct arguments *arguments, char out[PATH_MAX], int *lock,
                    struct error *error) {
    size_t failed = 0;
    if (record_check_target(v->options.out, error) != 0 || validation_prepare(v, error) != 0 ||
        check_size(v, error) != 0 || open_record(v, out, lock, error) != 0)
        return -1;
    validation_announce(v);
    v->meanwhile = v->node.is_virtual ? assess_ask : NULL; /* on a native node LIKWID would disturb the last runs */
    int status = add_jobs(v, error) == 0 ? validation_measure(v, v->options.out, error) : EXIT_USAGE;
    if (status == EXIT_DONE && write_record(v, arguments, out, &failed, error) != 0)
        status = EXIT_USAGE;
    if (status == EXIT_USAGE && stop_is_asked()) /* interrupted in Lua */
        status = validation_interrupted(v, v->options.out, error);
    if (status != EXIT_DONE)
        return status;
    if (v->options.out != NULL)
        campaign_forget(v->options.out);
    status = command_print_table(v->paths, out, v->options.all, error);
    if (v->options.out != NULL)
        print_file("record:", out);
    if (failed > 0) {
        fprintf(stderr, "assay validate: %zu runs failed; see \"failures\" in the record%s\n", failed,
                v->options.out == NULL ? " (--out FILE)" : "");
        status = EXIT_DRIFT;
    }
    validation_warn(v);
    return status;
}

/* --plan: prints what validate() would execute. */
static int print_plan(struct validation *v, struct error *error) {
    return validation_prepare(v, error) == 0 && check_size(v, error) == 0 && add_jobs(v, error) == 0 &&
                   dry_run_print(v, error) == 0
               ? EXIT_DONE
               : -1;
}

/* Prints one line: whether the record agrees with the reference or the models. EXIT_DONE, EXIT_DRIFT, or EXIT_USAGE. */
static int say_health(const struct validation *v, const char *out, json_t *reference, struct error *error) {
    json_t *record = record_read(out, error);
    json_t *argument = record != NULL ? json_pack("{s:o, s:O*, s:s*}", "record", record, "reference", reference, "file",
                                                  v->options.reference)
                                      : NULL;
    json_t *found = argument != NULL ? script_call(v->script, "report:health", argument, error) : NULL;
    if (found == NULL)
        return EXIT_USAGE;
    puts(json_word(found, "text"));
    int status = json_is_true(json_object_get(found, "good")) ? EXIT_DONE : EXIT_DRIFT;
    json_decref(found);
    return status;
}

/* --health: like validate(), but prints one line. */
static int check_health(struct validation *v, const struct arguments *arguments, char out[PATH_MAX], int *lock,
                        struct error *error) {
    size_t failed = 0;
    json_t *reference = NULL;
    stop_after(HEALTH_SECONDS);
    int status = EXIT_USAGE;
    if ((v->options.reference == NULL || (reference = record_read(v->options.reference, error)) != NULL) &&
        record_check_target(v->options.out, error) == 0 && validation_prepare(v, error) == 0 &&
        open_record(v, out, lock, error) == 0 && add_jobs(v, error) == 0)
        status = validation_measure(v, NULL, error);
    if (status == EXIT_DONE)
        status =
            write_record(v, arguments, out, &failed, error) == 0 ? say_health(v, out, reference, error) : EXIT_USAGE;
    json_decref(reference);
    if (status == EXIT_INTERRUPTED || (status == EXIT_USAGE && stop_is_asked())) {
        status = EXIT_USAGE;
        error_set(error, "not done within %d seconds, or told to stop; name fewer patterns", HEALTH_SECONDS);
    }
    if (status == EXIT_USAGE)
        printf("unknown: %s\n", error->text);
    error->text[0] = '\0'; /* all is said */
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct validation v = {.paths = paths, .work.lock = -1};
    char out[PATH_MAX] = "";
    int lock = -1;
    process_setup_forget_variables();
    if (options_read(&v.options, arguments, error) != 0)
        return -1;
    v.options.fallback = v.options.health ? NODE_NO_FALLBACK : NODE_MAY_SIMULATE;
    int status = v.options.plan     ? print_plan(&v, error)
                 : v.options.health ? check_health(&v, arguments, out, &lock, error)
                                    : validate(&v, arguments, out, &lock, error);
    record_unlock(out, lock);
    validation_release(&v);
    return status;
}

const struct command command_validate = {
    .name = "validate",
    .words = "[PATTERN...]",
    .most = INT_MAX,
    .about = "measure, compare with the models, print the table",
    .options = options_table,
    .run = run,
};
