/* cmd_discover.c - `assay discover`: events that show the quantities of the groups, found by their counts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "survey.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/text.h"
#include "validate/run/options.h"

enum { NODE, REPS, OUT, GROUPS, CHECK, JOBS, TIMEOUT, FAULT };

static const struct argument options[] = {
    [NODE] = {"node", "NODE", "where: auto (this machine if its counters count), native, virtual, virtual:NAME"},
    [REPS] = {"reps", "N", "repetitions of every run; 1 on a virtual node, 10 on silicon by default"},
    [OUT] = {"out", "FILE", "the findings as JSON; if it is interrupted it goes on with the same command"},
    [GROUPS] = {"groups", "FOLDER", "a LIKWID group file for each quantity that was found, into this folder"},
    [CHECK] =
        {"check", "PATH",
         "a LIKWID group file, or a folder of them: do its metrics show what their names say, and which events do\n"
         "where they do not; events named are candidates, too"},
    [JOBS] = {"jobs", "N", "runs side by side on a virtual node; as many as the host has cores by default"},
    [TIMEOUT] = {"timeout", "SECONDS", "limit of one run, 600 by default"},
    [FAULT] = {"fault", "FILE", "make the virtual node wrong on purpose: see FAULTS in assay(1)"},
    {0},
};

static int read_options(struct options *read, const struct arguments *arguments, struct error *error) {
    const char *const *value = arguments->value;
    struct stat folder;
    *read = (struct options){
        .node = value[NODE] != NULL ? value[NODE] : "auto",
        .out = value[OUT],
        .groups = value[GROUPS],
        .check = value[CHECK],
        .fault = value[FAULT],
        .all = arguments->count == 0 && value[CHECK] == NULL,
        .timeout = OPTIONS_TIMEOUT,
        .patterns = arguments->words,
        .pattern_count = arguments->count,
    };
    if (read->groups != NULL && (stat(read->groups, &folder) != 0 || !S_ISDIR(folder.st_mode)))
        return error_set(error, "--groups %.200s: no folder; make it first", read->groups);
    return arguments_whole(arguments, REPS, OPTIONS_REPS_MAX, &read->reps, error) != 0 ||
                   arguments_whole(arguments, JOBS, OPTIONS_JOBS_MAX, &read->jobs, error) != 0 ||
                   options_timeout(value[TIMEOUT], &read->timeout, error) != 0
               ? -1
               : 0;
}

static int write_groups(const char *folder, const json_t *found, struct error *error) {
    size_t index;
    json_t *finding;
    json_array_foreach(found, index, finding) {
        const char *text = json_string_value(json_object_get(finding, "file"));
        char file[PATH_MAX];
        if (text == NULL)
            continue;
        if (snprintf(file, sizeof file, "%s/%s.txt", folder, json_string_value(json_object_get(finding, "name"))) >=
            (int)sizeof file)
            return error_set(error, "%.200s...: path too long; use a shorter folder", folder);
        if (text_replace(file, text, error) != 0)
            return -1;
    }
    return 0;
}

static int tell(struct event_survey *e, struct error *error) {
    const struct options *asked = &e->d.v.options;
    json_t *found = event_survey_discover(e, error);
    int failed = found == NULL || validation_write(&e->d.v, "discovery", json_incref(found), error) != 0 ||
                 (asked->groups != NULL && write_groups(asked->groups, json_object_get(found, "found"), error) != 0) ||
                 print_rendered(e->d.v.script, "report:discovery", json_incref(found), error) != 0;
    json_decref(found);
    return failed ? EXIT_USAGE : EXIT_DONE;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct event_survey e = {.d.v = {.paths = paths, .work.lock = -1}};
    struct error error;
    if (read_options(&e.d.v.options, arguments, &error) != 0)
        return command_fail("discover", error.text);
    return survey("discover", &e, tell);
}

const struct command command_discover = {
    .name = "discover",
    .words = "[EVENT...]",
    .most = INT_MAX,
    .about = "events that show the quantities of the groups, found by their counts instead of their names",
    .options = options,
    .run = run,
};
