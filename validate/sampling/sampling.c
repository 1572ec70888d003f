/* sampling.c - plans, samples and judges. SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "native.h"
#include "validate/host/plain_json.h"
#include "validate/record/record.h"
#include "validate/run/kernels.h"
#include "virtual.h"
#include "vnode/pmu/table_file.h"

static const char own_program[] = "sampled"; /* in TOOLS/patterns */

/* { EVENT: { "unit", "code", "umask", "cores": whether cores count it } } for the events of the architecture's table.
 */
static json_t *read_codes(const struct validation *v, struct error *error) {
    char path[PATH_MAX];
    struct pmu_table *table = calloc(1, sizeof *table);
    json_t *codes = NULL;
    if (table == NULL)
        abort();
    if (paths_arch(path, v->paths, v->node.arch, "pmu.events", error) == 0 &&
        table_load(path, table, error->text, sizeof error->text) == NULL)
        codes = json_object();
    for (uint32_t i = 0; codes != NULL && i < table->events; i++) {
        const struct table_event *event = &table->event[i];
        int is_counted = strcmp(event->unit, UNIT_PMC) == 0, is_fixed = strcmp(event->unit, UNIT_FIXED) == 0;
        json_object_set_new(codes, event->name,
                            json_pack("{s:s, s:i, s:i, s:b}", "unit", event->unit, "code", (int)event->code, "umask",
                                      (int)event->umask, "cores", is_counted || is_fixed));
    }
    free(table);
    return codes;
}

static json_t *make_plan(const struct sampling *sampling, struct error *error) {
    const struct validation *v = &sampling->d.v;
    json_t *names = json_words(v->options.patterns, (size_t)v->options.pattern_count, error);
    json_t *codes = names != NULL ? read_codes(v, error) : NULL;
    if (codes == NULL) {
        json_decref(names);
        return NULL;
    }
    json_t *argument =
        json_pack("{s:o, s:o, s:O, s:O, s:O, s:s, s:O*, s:b, s:b}", "events", names, "codes", codes, "said",
                  sampling->d.said, "groups", v->inputs.groups, "list", sampling->d.list, "arch", v->node.arch,
                  "periods", sampling->periods, "native", !v->node.is_virtual, "own", sampling->program == NULL);
    return script_call(v->script, "sampling_plan", argument, error);
}

int sampling_prepare(struct sampling *sampling, struct error *error) {
    if (documented_open(&sampling->d, error) != 0)
        return -1;
    sampling->plan = make_plan(sampling, error);
    return sampling->plan != NULL ? 0 : -1;
}

/* Parses the output of Assay's program: lines "FUNCTION CALLS PASSES GUARDED OTHER". */
static json_t *parse_parts(const struct sampling *sampling, const char *text, json_t *kernels, struct error *error) {
    json_t *parts = json_array();
    while (*text != '\0') {
        char function[128], key[256];
        unsigned long long calls, passes, guarded, other;
        if (sscanf(text, "%127s %llu %llu %llu %llu", function, &calls, &passes, &guarded, &other) != 5 ||
            kernels_count_function(sampling->d.v.paths, own_program, function, NULL, kernels, error) != 0) {
            json_decref(parts);
            return NULL;
        }
        snprintf(key, sizeof key, "%s:%s", own_program, function);
        json_array_append_new(parts, json_pack("{s:s, s:O, s:I, s:I, s:I, s:I}", "function", function, "parts",
                                               json_object_get(json_object_get(kernels, key), "parts"), "calls",
                                               (json_int_t)calls, "passes", (json_int_t)passes, "guarded",
                                               (json_int_t)guarded, "other", (json_int_t)other));
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return parts;
}

/* The true counts of the functions of Assay's program for `rounds` rounds, from their machine code. */
static json_t *read_parts(const struct sampling *sampling, char *program, char *rounds, struct error *error) {
    char *const words[] = {program, (char *)"--parts", rounds, NULL};
    struct process process = {.out = -1, .err = -1};
    json_t *kernels = json_object(), *parts = NULL;
    if (process_start(&process, words, environ, NULL, sampling->d.v.options.timeout, error) == 0) {
        process_wait_or_stop(&process);
        error_set(error, "%s: it does not tell what it does; run make", program);
        if (process.status == 0 && process.output != NULL)
            parts = parse_parts(sampling, process.output, kernels, error);
    }
    process_free(&process);
    json_decref(kernels);
    return parts;
}

static json_t *sample(const struct sampling *sampling, char *const program[], const char *run, struct error *error) {
    return sampling->d.v.node.is_virtual ? virtual_sample(sampling, program, run, error)
                                         : native_sample(sampling, program, error);
}

/* Measures one of the plan's runs; Assay's own program gets the run's number of rounds. */
static json_t *measure(const struct sampling *sampling, const json_t *planned, struct error *error) {
    const struct validation *v = &sampling->d.v;
    json_int_t rounds = json_integer_value(json_object_get(planned, "rounds"));
    char own[PATH_MAX], number[32];
    if (sampling->program != NULL)
        return sample(sampling, sampling->program, "program", error);
    if (paths_format(own, error, "%s/patterns/%s", v->paths->tools, own_program) != 0)
        return NULL;
    snprintf(number, sizeof number, "%09lld", (long long)rounds); /* fixed length: parsing a digit costs instructions */
    char *const words[] = {own, number, NULL};
    json_t *parts = read_parts(sampling, own, number, error);
    json_t *run = parts != NULL ? sample(sampling, words, number, error) : NULL;
    if (run != NULL) {
        json_object_set(run, "parts", parts);
        json_object_set_new(run, "rounds", json_integer(rounds));
    }
    json_decref(parts);
    return run;
}

static json_t *judge(const struct sampling *sampling, struct error *error) {
    json_t *argument =
        json_pack("{s:O, s:O, s:O}", "plan", sampling->plan, "runs", sampling->runs, "said", sampling->d.said);
    return script_call(sampling->d.v.script, "sampling_judge", argument, error);
}

static int measure_all(struct sampling *sampling, struct error *error) {
    const json_t *planned;
    size_t index;
    sampling->runs = json_array();
    json_array_foreach(json_object_get(sampling->plan, "runs"), index, planned) {
        json_t *run = measure(sampling, planned, error);
        if (stop_is_asked()) {
            json_decref(run);
            error_set(error, "interrupted; nothing is kept");
            return EXIT_INTERRUPTED;
        }
        if (run == NULL)
            return EXIT_USAGE;
        sampling->failed += json_integer_value(json_object_get(run, "status")) != 0;
        json_array_append_new(sampling->runs, run);
    }
    return EXIT_DONE;
}

int sampling_measure(struct sampling *sampling, struct error *error) {
    struct validation *v = &sampling->d.v;
    struct timespec begin, end;
    record_time(v->started);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int status = measure_all(sampling, error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    v->seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    if (status != EXIT_DONE)
        return status;
    sampling->found = judge(sampling, error);
    return sampling->found != NULL ? EXIT_DONE : EXIT_USAGE;
}

int sampling_write(const struct sampling *sampling, struct error *error) {
    json_t *keys = json_pack("{s:i}", "skid", sampling->skid);
    json_object_update(keys, sampling->found);
    return validation_write(&sampling->d.v, "sampling", keys, error);
}

void sampling_release(struct sampling *sampling) {
    json_decref(sampling->periods);
    json_decref(sampling->plan);
    json_decref(sampling->runs);
    json_decref(sampling->found);
    documented_release(&sampling->d);
}
