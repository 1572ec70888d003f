/* cmd_events.c - `assay events`: what single events count. SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>

#include "survey.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/run/options.h"

static const struct argument options[] = {
    OPTION_NODE,
    OPTION_REPS,
    {"quick", NULL, "the events of Assay's groups: what is measured without names and --all"},
    {"all", NULL, "all events that LIKWID knows"},
    {"curves", NULL, "what they count along curves: over sizes of data, numbers of pages, chances of branches"},
    {"noise", NULL,
     "how much they differ over 512 repetitions, and the errors of the least and median of 1, 8, 64 and all"},
    OPTION_FINDINGS,
    OPTION_JOBS,
    OPTION_TIMEOUT,
    OPTION_FAULT,
    {0},
};

static int read_options(struct options *read, const struct arguments *arguments, struct error *error) {
    if (options_read(read, arguments, error) != 0)
        return -1;
    if (read->all && read->pattern_count > 0)
        return error_set(error, "--all: %s is one of all; leave out the names or --all", arguments->words[0]);
    if (read->quick && (read->all || read->pattern_count > 0))
        return error_set(error, "--quick: the events of Assay's groups; leave it out, or the names and --all");
    if (read->curves && read->noise)
        return error_set(error, "--curves: not with --noise, which repeats single points; ask for one of them");
    read->fallback = NODE_UNJUDGED;
    read->quick = 0; /* --quick would measure the same */
    return 0;
}

/* Prints the table, with the rows of the probes if events were named. */
static int print_table(const struct event_survey *e, json_t *found, struct error *error) {
    json_t *rows = e->d.v.options.pattern_count > 0 ? json_object_get(e->plan, "rows") : NULL;
    return print_rendered(e->d.v.script, "report:events", json_pack("{s:O, s:O*}", "found", found, "rows", rows),
                          error);
}

/* Writes the findings to the --out file and prints them. */
static int tell(struct event_survey *e, struct error *error) {
    json_t *found = event_survey_judge(e, "event_judge:survey", NULL, error);
    int status = found != NULL ? event_survey_repeat(e, found, error) : EXIT_USAGE;
    if (status == EXIT_DONE && (event_survey_write(e, found, error) != 0 || print_table(e, found, error) != 0))
        status = EXIT_USAGE;
    json_decref(found);
    return status;
}

/* Like tell() for a record that consists of one list. Releases `list`; NULL: the error is already set. */
static int tell_list(const struct event_survey *e, const char *kind, const char *key, const char *door, json_t *list,
                     struct error *error) {
    json_t *keys = list != NULL ? json_pack("{s:o}", key, list) : NULL;
    int failed = keys == NULL || validation_write(&e->d.v, kind, json_incref(keys), error) != 0 ||
                 print_rendered(e->d.v.script, door, json_incref(keys), error) != 0;
    json_decref(keys);
    return failed ? EXIT_USAGE : EXIT_DONE;
}

static int tell_curves(struct event_survey *e, struct error *error) {
    return tell_list(e, "curves", "curves", "report:curves", event_survey_judge(e, "event_judge:curves", NULL, error),
                     error);
}

static int tell_noise(struct event_survey *e, struct error *error) {
    return tell_list(e, "noise", "events", "report:noise", event_survey_judge(e, "event_judge:noise", NULL, error),
                     error);
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct event_survey e = {.d.v = {.paths = paths, .work.lock = -1}};
    if (read_options(&e.d.v.options, arguments, error) != 0)
        return -1;
    return survey(arguments, &e, e.d.v.options.curves ? tell_curves : e.d.v.options.noise ? tell_noise : tell, error);
}

const struct command command_events = {
    .name = "events",
    .words = "[EVENT...]",
    .most = INT_MAX,
    .about = "what single events count, found with probes whose counts are known",
    .options = options,
    .run = run,
};
