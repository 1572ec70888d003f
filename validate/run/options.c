/* options.c - options of `assay validate`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <stdlib.h>

enum {
    NODE,
    REPS,
    QUICK,
    ONLY,
    LEVEL,
    PLACEMENT,
    OUT,
    ALL,
    MATRIX,
    JOBS,
    TIMEOUT,
    CALIBRATE,
    FAULT,
    HEALTH,
    REFERENCE
};

const struct argument options_table[] = {
    [NODE] = {"node", "NODE", "where: auto (this machine if its counters count), native, virtual, virtual:NAME"},
    [REPS] = {"reps", "N", "repetitions of every run; 1 on a virtual node, 10 on silicon by default"},
    [QUICK] = {"quick", NULL, "every code and quantity, with the fewest points"},
    [ONLY] = {"only", "CODE,...", "these codes of the patterns only"},
    [LEVEL] = {"level", "LEVEL,...", "points with data in these levels only: L2, L3, MEM"},
    [PLACEMENT] = {"placement", "PLACE,...", "these placements only, such as S0:1"},
    [OUT] = {"out", "FILE", "the record; a campaign that is interrupted goes on with the same command"},
    [ALL] = {"all", NULL, "show every metric, not only counts and total volumes"},
    [MATRIX] = {"matrix", NULL, "the controls only, each with all signatures: which codes each of them tells apart"},
    [JOBS] = {"jobs", "N", "runs side by side on a virtual node; as many as the host has cores by default"},
    [TIMEOUT] = {"timeout", "SECONDS", "limit of one run, 600 by default"},
    [CALIBRATE] = {"calibrate", NULL, "take the cost of measuring off all counts"},
    [FAULT] = {"fault", "FILE", "make the virtual node wrong on purpose: see FAULTS in assay(1)"},
    [HEALTH] = {"health", NULL,
                "a minute at most: one line, and 0 if the node counts as it should, 1 if not, 2 if unknown"},
    [REFERENCE] = {"reference", "FILE", "with --health: the record of a node that counts as all of its kind should"},
    {0},
};

int options_timeout(const char *text, double *seconds, struct error *error) {
    char *end;
    if (text == NULL)
        return 0;
    *seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(*seconds > 0 && *seconds <= OPTIONS_TIMEOUT_MAX))
        return error_set(error, "--timeout %s: a number of seconds above 0, and at most %d, is expected", text,
                         OPTIONS_TIMEOUT_MAX);
    return 0;
}

int options_read(struct options *options, const struct arguments *arguments, struct error *error) {
    const char *const *value = arguments->value;
    *options = (struct options){
        .node = value[NODE] != NULL ? value[NODE] : "auto",
        .fallback = value[HEALTH] != NULL ? NODE_NO_FALLBACK : NODE_MAY_SIMULATE,
        .out = value[OUT],
        .fault = value[FAULT],
        .only = value[ONLY],
        .level = value[LEVEL],
        .placement = value[PLACEMENT],
        .quick = value[QUICK] != NULL || value[HEALTH] != NULL,
        .health = value[HEALTH] != NULL,
        .reference = value[REFERENCE],
        .calibrate = value[CALIBRATE] != NULL,
        .all = value[ALL] != NULL,
        .matrix = value[MATRIX] != NULL,
        .timeout = OPTIONS_TIMEOUT,
        .patterns = arguments->words,
        .pattern_count = arguments->count,
    };
    if (options->reference != NULL && !options->health)
        return error_set(error, "--reference %s: only with --health; assay diff compares records", options->reference);
    return arguments_whole(arguments, REPS, OPTIONS_REPS_MAX, &options->reps, error) != 0 ||
                   arguments_whole(arguments, JOBS, OPTIONS_JOBS_MAX, &options->jobs, error) != 0 ||
                   options_timeout(value[TIMEOUT], &options->timeout, error) != 0
               ? -1
               : 0;
}
