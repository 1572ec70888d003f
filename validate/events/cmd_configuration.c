/* cmd_configuration.c - `assay configuration`: a node's caches and TLBs, found from counts alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cache_discovery.h"
#include "validate/command/commands.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/process_setup.h"
#include "validate/record/record.h"
#include "validate/run/options.h"

static const struct argument options[] = {
    OPTION_NODE, {"out", "FILE", "what was found, as JSON"}, OPTION_JOBS, OPTION_TIMEOUT, OPTION_FAULT, {0},
};

static int tell(const struct event_survey *e, json_t *findings, struct error *error) {
    return validation_write(&e->d.v, "configuration", json_pack("{s:O}", "parts", findings), error) == 0 &&
                   print_rendered(e->d.v.script, "report:configuration", json_pack("{s:O}", "parts", findings),
                                  error) == 0
               ? EXIT_DONE
               : EXIT_USAGE;
}

/* Not all of it is what hwloc says, or was not found at all. */
static int is_drift(const json_t *findings) {
    size_t index;
    json_t *one;
    json_array_foreach(findings, index, one) {
        const char *by = json_word(one, "by");
        if (by != NULL && by[0] == 'h' &&
            (json_object_get(one, "reason") != NULL || json_array_size(json_object_get(one, "differs")) > 0))
            return 1;
    }
    return 0;
}

static int discover_caches(struct event_survey *e, struct error *error) {
    json_t *findings = NULL;
    validation_announce(&e->d.v);
    int status = cache_discovery_measure(e, &findings, error);
    if (status == EXIT_DONE)
        status = tell(e, findings, error);
    if (status == EXIT_DONE && is_drift(findings))
        status = EXIT_DRIFT;
    else if (status != EXIT_DONE)
        command_fail("configuration", error->text);
    json_decref(findings);
    return status;
}

static int run(const struct paths *paths, const struct arguments *arguments) {
    struct event_survey e = {.d.v = {.paths = paths, .work.lock = -1}};
    struct error error;
    process_setup_forget_variables();
    int status = options_read(&e.d.v.options, arguments, &error);
    if (status == 0 && (record_check_target(e.d.v.options.out, &error) != 0 || documented_open(&e.d, &error) != 0))
        status = -1;
    status = status == 0 ? discover_caches(&e, &error) : command_fail("configuration", error.text);
    event_survey_release(&e);
    return status;
}

const struct command command_configuration = {
    .name = "configuration",
    .words = "",
    .about = "caches and TLBs of a node, found from counts alone, next to what is said of them",
    .options = options,
    .run = run,
};
