/* cmd_discover.c - `assay discover`: finds events for the groups' quantities by their counts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <sys/stat.h>

#include "survey.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/run/options.h"

static const struct argument options[] = {
    OPTION_NODE,
    OPTION_REPS,
    OPTION_FINDINGS,
    {"groups", "FOLDER", "a LIKWID group file for each quantity that was found, into this folder"},
    {"check", "PATH",
     "a LIKWID group file, or a folder of them: do its metrics show what their names say, and which events do\n"
     "where they do not; events named are candidates, too"},
    OPTION_JOBS,
    OPTION_TIMEOUT,
    OPTION_FAULT,
    {0},
};

static int read_options(struct options *read, const struct arguments *arguments, struct error *error) {
    if (options_read(read, arguments, error) != 0)
        return -1;
    read->all = read->pattern_count == 0 && read->check == NULL;
    if (read->check != NULL) /* else the quantities are those of the architecture's own groups */
        read->fallback = NODE_UNJUDGED;
    return read->groups != NULL && !paths_is_folder(read->groups)
               ? error_set(error, "--groups %.200s: no folder; make it first", read->groups)
               : 0;
}

static int write_groups(const char *folder, const json_t *found, struct error *error) {
    size_t index;
    json_t *finding;
    json_array_foreach(found, index, finding) {
        const char *text = json_word(finding, "file");
        char file[PATH_MAX];
        if (text == NULL)
            continue;
        const char *name = json_word(finding, "name");
        if (paths_format(file, error, "%s/%s.txt", folder, name) != 0 || text_replace(file, text, error) != 0)
            return -1;
    }
    return 0;
}

static int tell(struct event_survey *e, struct error *error) {
    const struct options *asked = &e->d.v.options;
    json_t *found = event_survey_judge(e, "event_judge:discovery", NULL, error);
    int failed = found == NULL || validation_write(&e->d.v, "discovery", json_incref(found), error) != 0 ||
                 (asked->groups != NULL && write_groups(asked->groups, json_object_get(found, "found"), error) != 0) ||
                 print_rendered(e->d.v.script, "report:discovery", json_incref(found), error) != 0;
    json_decref(found);
    return failed ? EXIT_USAGE : EXIT_DONE;
}

static int run(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    struct event_survey e = {.d.v = {.paths = paths, .work.lock = -1}};
    if (read_options(&e.d.v.options, arguments, error) != 0)
        return -1;
    return survey(arguments, &e, tell, error);
}

const struct command command_discover = {
    .name = "discover",
    .words = "[EVENT...]",
    .most = INT_MAX,
    .about = "events that show the quantities of the groups, found by their counts instead of their names",
    .options = options,
    .run = run,
};
