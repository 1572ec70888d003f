/* cmd_validate.c - `assay validate`: measure, judge, record, report. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assess.h"
#include "calibration.h"
#include "commands.h"
#include "oracle.h"
#include "record.h"
#include "surroundings.h"
#include "validation.h"

/* The record's file: --out, locked, or one in the scratch folder that only the table is made of. */
static int open_record(const struct validation *v, char out[PATH_MAX], int *lock, struct error *error) {
    if (v->options.out == NULL)
        return paths_join(out, v->work.folder, "record.json", error);
    if (snprintf(out, PATH_MAX, "%s", v->options.out) >= PATH_MAX)
        return error_set(error, "--out: path too long");
    *lock = record_lock(out, error);
    return *lock >= 0 ? 0 : -1;
}

/* Will commands that read records take this one? */
static int check_size(const struct validation *v, struct error *error) {
    size_t j, q, samples = 0;
    json_t *job, *quantity;
    json_array_foreach(v->jobs, j, job) {
        size_t points = json_array_size(json_object_get(job, "points")),
               cpus = json_array_size(json_object_get(job, "cpus"));
        json_array_foreach(json_object_get(job, "quantities"), q, quantity) {
            const char *scope = json_string_value(json_object_get(quantity, "scope"));
            samples += points * (scope != NULL && strcmp(scope, "socket") == 0 ? 1 : cpus);
        }
    }
    size_t most = samples > 0 ? RECORD_BYTES_MAX / RECORD_BYTES_OF_SAMPLE / samples : SIZE_MAX;
    if ((size_t)v->reps <= most)
        return 0;
    return error_set(error, "--reps %d: the record would be larger than the %d MiB that are read; at most %zu", v->reps,
                     RECORD_BYTES_MAX >> 20, most);
}

/* Runs beside the planned ones: empty regions to calibrate with; a clean node where the measured one is faulty. */
static void add_jobs(struct validation *v) {
    json_t *calibration = v->options.calibrate ? calibration_jobs(v->jobs) : json_array();
    json_t *clean = v->node.faults != NULL ? oracle_jobs(v->jobs) : json_array();
    json_array_extend(v->jobs, calibration);
    json_array_extend(v->jobs, clean);
    json_decref(calibration);
    json_decref(clean);
}

/* The command as an array of words, the program's name first; null if one of them is not UTF-8. */
static json_t *command_words(const struct options *options) {
    json_t *words = json_pack("[s]", "assay");
    for (int i = 0; i < options->word_count; i++) {
        if (json_array_append_new(words, json_string(options->words[i])) != 0) {
            json_decref(words);
            return json_null();
        }
    }
    return words;
}

/* Judges the results and writes the record. `*failed` is the number of runs without values. */
static int write_record(const struct validation *v, const char *out, size_t *failed, struct error *error) {
    struct assessment assessment = {.script = v->script,
                                    .node = &v->node,
                                    .likwid = &v->likwid,
                                    .inputs = &v->inputs,
                                    .plans = v->plans,
                                    .results = v->results,
                                    .reps = v->reps,
                                    .calibrate = v->options.calibrate,
                                    .started = v->started,
                                    .seconds = v->seconds};
    json_t *record = assess_record(&assessment, failed, error);
    if (record == NULL)
        return -1;
    json_object_set_new(record, "command", command_words(&v->options));
    int status = record_write(out, record, error);
    json_decref(record);
    return status;
}

static int validate(struct validation *v, char out[PATH_MAX], int *lock) {
    struct error error;
    size_t failed = 0;
    if ((v->options.out != NULL && record_check_target(v->options.out, &error) != 0) ||
        validation_prepare(v, &error) != 0 || check_size(v, &error) != 0 || open_record(v, out, lock, &error) != 0)
        return command_fail("validate", error.text);
    validation_announce(v);
    add_jobs(v);
    int status = validation_measure(v, v->options.out, &error);
    if (status == EXIT_DONE && write_record(v, out, &failed, &error) != 0)
        status = EXIT_USAGE;
    if (status != EXIT_DONE) {
        command_fail("validate", error.text);
        return status;
    }
    if (v->options.out != NULL)
        campaign_forget(v->options.out);
    status = command_print_table(v->paths, out, v->options.all);
    if (v->options.out != NULL)
        printf("record: %s\n", out);
    if (failed > 0) {
        fprintf(stderr, "assay validate: %zu runs failed; see \"failures\" in the record%s\n", failed,
                v->options.out == NULL ? " (--out FILE)" : "");
        return EXIT_DRIFT;
    }
    return status;
}

int command_validate(const struct paths *paths, int argc, char **argv) {
    struct validation v = {.paths = paths, .work.lock = -1};
    struct error error;
    char out[PATH_MAX] = "";
    int lock = -1;
    surroundings_forget_variables();
    if (options_parse(&v.options, argc, argv, &error) != 0)
        return command_fail("validate", error.text);
    int status = validate(&v, out, &lock);
    record_unlock(out, lock);
    validation_release(&v);
    return status;
}
