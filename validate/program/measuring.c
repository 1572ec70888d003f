/* measuring.c - measures a program by a command's options. SPDX-License-Identifier: GPL-3.0-or-later */
#include "measuring.h"

#include "validate/command/print.h"
#include "validate/record/record.h"

enum { RANKS_MAX = 4096 };

static int read_options(struct program_run *m, const struct arguments *arguments, struct error *error) {
    m->command = arguments->words;
    m->cores = arguments_value(arguments, "cores");
    m->launcher = arguments_value(arguments, "launcher");
    m->is_whole = arguments_value(arguments, "whole") != NULL;
    if (m->launcher != NULL && arguments_value(arguments, "ranks") == NULL)
        return error_set(error, "--launcher %.200s: starts nothing without --ranks N", m->launcher);
    if (options_read(&m->v.options, arguments, error) != 0 ||
        arguments_whole(arguments, "ranks", RANKS_MAX, &m->ranks, error) != 0)
        return -1;
    if (m->v.options.reps == 0)
        m->v.options.reps = 1;
    m->v.options.pattern_count = 0;
    return 0;
}

static int print_plan(const struct program_run *m, struct error *error) {
    json_t *metrics = m->metrics != NULL ? json_incref((json_t *)m->metrics) : json_array();
    return print_rendered(m->v.script, "report:sets", json_pack("{s:O, s:o}", "plan", m->plan, "metrics", metrics),
                          error) == 0
               ? EXIT_DONE
               : EXIT_USAGE;
}

static int measure(struct program_run *m, const struct arguments *arguments,
                   int (*tell)(struct program_run *m, const struct arguments *arguments, struct error *error),
                   struct error *error) {
    const char *out = m->v.options.out;
    if (!m->is_data)
        validation_announce(&m->v);
    int status = program_run_measure(m, error);
    if (status == EXIT_DONE)
        status = tell(m, arguments, error);
    if (status != EXIT_DONE)
        return status;
    if (out != NULL) {
        campaign_forget(out);
        if (!m->is_data)
            print_file("record:", out);
    }
    return json_array_size(json_object_get(m->counted, "failures")) > 0 ? EXIT_DRIFT : EXIT_DONE;
}

int measuring_run(struct program_run *m, const struct arguments *arguments,
                  int (*prepare)(struct program_run *m, const struct arguments *arguments, struct error *error),
                  int (*tell)(struct program_run *m, const struct arguments *arguments, struct error *error),
                  struct error *error) {
    int lock = -1, status = -1;
    if (read_options(m, arguments, error) == 0 && record_check_target(m->v.options.out, error) == 0 &&
        program_run_open(m, error) == 0 && prepare(m, arguments, error) == 0 &&
        record_lock(m->v.options.out, &lock, error) == 0)
        status = arguments_value(arguments, "plan") != NULL ? print_plan(m, error) : measure(m, arguments, tell, error);
    record_unlock(m->v.options.out, lock);
    return status;
}
