/* measuring.c - options of commands that measure a program. SPDX-License-Identifier: GPL-3.0-or-later */
#include "measuring.h"

enum { RANKS_MAX = 4096 };

int measuring_read(struct program_run *m, const struct arguments *arguments, struct error *error) {
    const char *const *value = arguments->value;
    m->v.options = (struct options){
        .node = value[MEASURING_NODE] != NULL ? value[MEASURING_NODE] : "auto",
        .out = value[MEASURING_OUT],
        .fault = value[MEASURING_FAULT],
        .reps = 1,
        .timeout = OPTIONS_TIMEOUT,
    };
    m->command = arguments->words;
    m->cores = value[MEASURING_CORES];
    m->launcher = value[MEASURING_LAUNCHER];
    m->is_whole = value[MEASURING_WHOLE] != NULL;
    if (m->launcher != NULL && value[MEASURING_RANKS] == NULL)
        return error_set(error, "--launcher %.200s: starts nothing without --ranks N", m->launcher);
    return arguments_whole(arguments, MEASURING_REPS, OPTIONS_REPS_MAX, &m->v.options.reps, error) != 0 ||
                   arguments_whole(arguments, MEASURING_RANKS, RANKS_MAX, &m->ranks, error) != 0 ||
                   arguments_whole(arguments, MEASURING_JOBS, OPTIONS_JOBS_MAX, &m->v.options.jobs, error) != 0 ||
                   options_timeout(value[MEASURING_TIMEOUT], &m->v.options.timeout, error) != 0
               ? -1
               : 0;
}
