/* survey.c - measures single events with all probes. SPDX-License-Identifier: GPL-3.0-or-later */
#include "survey.h"

#include <stdio.h>

#include "validate/command/print.h"
#include "validate/host/process_setup.h"
#include "validate/record/record.h"

/* Number of runs without values. Runs whose events the node does not count are no failures; LIKWID aborts these. */
static size_t count_failures(const json_t *results) {
    const char *id;
    json_t *result;
    size_t failed = 0;
    json_object_foreach((json_t *)results, id, result) failed +=
        json_is_string(json_object_get(result, "why")) && json_object_size(json_object_get(result, "not_counted")) == 0;
    return failed;
}

static int measure(const struct arguments *arguments, struct event_survey *e,
                   int (*tell)(struct event_survey *e, struct error *error), struct error *error) {
    validation_announce(&e->d.v);
    int status = event_survey_measure(e, error);
    if (status == EXIT_DONE)
        status = tell(e, error);
    if (status != EXIT_DONE)
        return status;
    if (e->d.v.options.out != NULL) {
        event_survey_forget(e);
        print_file("findings:", e->d.v.options.out);
    }
    size_t failed = count_failures(e->d.v.results);
    if (failed > 0)
        fprintf(stderr, "assay %s: %zu runs failed; their events are absent\n", arguments->command->name, failed);
    return failed > 0 ? EXIT_DRIFT : EXIT_DONE;
}

int survey(const struct arguments *arguments, struct event_survey *e,
           int (*tell)(struct event_survey *e, struct error *error), struct error *error) {
    const char *out = e->d.v.options.out;
    int lock = -1, status = -1;
    process_setup_forget_variables();
    if (record_check_target(out, error) == 0 && event_survey_prepare(e, error) == 0 &&
        record_lock(out, &lock, error) == 0)
        status = measure(arguments, e, tell, error);
    record_unlock(out, lock);
    event_survey_release(e);
    return status;
}
