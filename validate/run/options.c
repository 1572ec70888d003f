/* options.c - options of `assay validate`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <stdlib.h>
#include <string.h>

const struct argument options_table[] = {
    OPTION_NODE,
    OPTION_REPS,
    {"quick", NULL, "every code and quantity, with the fewest points"},
    {"only", "CODE,...", "these codes of the patterns only"},
    {"level", "LEVEL,...", "points with data in these levels only: L1, L2, L3, MEM"},
    {"placement", "PLACE,...", "these placements only, such as S0:1"},
    {"out", "FILE", "the record; after an interruption the same command continues the campaign"},
    {"all", NULL, "show every metric, not only counts and total volumes"},
    {"matrix", NULL, "only the controls, each with all signatures: which signature responds to which code"},
    {"interface", "NAME",
     "what counts: likwid; without LIKWID's daemon perf (perf_event_open), perf-metrics (perf stat -M), or papi "
     "(presets)"},
    OPTION_JOBS,
    OPTION_TIMEOUT,
    {"calibrate", NULL, "subtract the cost of measuring from all counts"},
    OPTION_FAULT,
    OPTION_NOISE,
    {"health", NULL, "a minute at most: one line, and 0 if the node counts as it should, 1 if not, 2 if unknown"},
    {"reference", "FILE", "with --health: the record of a node that counts as nodes of its kind should"},
    {"plan", NULL, "print every command that would be executed and what is skipped, and measure nothing"},
    {"dry-run", NULL, "the same as --plan"},
    {0},
};

static int read_timeout(const char *text, double *seconds, struct error *error) {
    char *end;
    if (text == NULL)
        return 0;
    *seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(*seconds > 0 && *seconds <= OPTIONS_TIMEOUT_MAX))
        return error_set(error, "--timeout %s: a number of seconds above 0, and at most %d, is expected", text,
                         OPTIONS_TIMEOUT_MAX);
    return 0;
}

static int read_interface(const char *name, struct options *options, struct error *error) {
    if (name == NULL || strcmp(name, "likwid") == 0)
        return 0;
    options->interface = name;
    if (strcmp(name, "perf") != 0 && strcmp(name, "perf-metrics") != 0 && strcmp(name, "papi") != 0)
        return error_set(error, "--interface %s: unknown; likwid, perf, perf-metrics or papi", name);
    return options->noise_level == NULL
               ? 0
               : error_set(error, "--noise: makes LIKWID's counters noisy only; leave out --interface %s", name);
}

int options_read(struct options *options, const struct arguments *arguments, struct error *error) {
    const char *(*const value)(const struct arguments *, const char *) = arguments_value;
    const char *node = value(arguments, "node"), *noise = value(arguments, "noise"); /* `events` has it as a flag */
    *options = (struct options){
        .node = node != NULL ? node : "auto",
        .out = value(arguments, "out"),
        .fault = value(arguments, "fault"),
        .noise_level = noise != NULL && *noise != '\0' ? noise : NULL,
        .groups = value(arguments, "groups"),
        .check = value(arguments, "check"),
        .only = value(arguments, "only"),
        .level = value(arguments, "level"),
        .placement = value(arguments, "placement"),
        .reference = value(arguments, "reference"),
        .quick = value(arguments, "quick") != NULL || value(arguments, "health") != NULL,
        .health = value(arguments, "health") != NULL,
        .calibrate = value(arguments, "calibrate") != NULL,
        .all = value(arguments, "all") != NULL,
        .matrix = value(arguments, "matrix") != NULL,
        .curves = value(arguments, "curves") != NULL,
        .noise = value(arguments, "noise") != NULL,
        .plan = value(arguments, "plan") != NULL || value(arguments, "dry-run") != NULL,
        .timeout = OPTIONS_TIMEOUT,
        .patterns = arguments->words,
        .pattern_count = arguments->count,
    };
    if (options->reference != NULL && !options->health)
        return error_set(error, "--reference %s: only with --health; assay diff compares records", options->reference);
    return arguments_whole(arguments, "reps", OPTIONS_REPS_MAX, &options->reps, error) != 0 ||
                   arguments_whole(arguments, "jobs", OPTIONS_JOBS_MAX, &options->jobs, error) != 0 ||
                   read_timeout(value(arguments, "timeout"), &options->timeout, error) != 0 ||
                   read_interface(value(arguments, "interface"), options, error) != 0
               ? -1
               : 0;
}
