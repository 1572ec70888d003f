/* fleet_report.c - `assay fleet collect` and `assay fleet report`. SPDX-License-Identifier: GPL-3.0-or-later */
#include "fleet_report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet.h"
#include "gather.h"
#include "validate/command/pages.h"
#include "validate/command/print.h"
#include "validate/host/plain_json.h"
#include "validate/host/script.h"
#include "validate/host/terminal.h"
#include "validate/host/text.h"
#include "validate/record/record.h"

enum { OUT };
enum { HTML, CSV, METRICS, JUNIT, ALARMS, ALL };

#define FALSE_ALARMS 0.01

static const char kind[] = "fleet";

/* The hosts with records in the folder, which need not be from a fleet run. */
static json_t *hosts_with_records(const char *nodes, struct error *error) {
    char **names = text_names(nodes, ".json", error);
    size_t count = 0;
    while (names != NULL && names[count] != NULL)
        count++;
    json_t *hosts = names != NULL ? json_words(names, count, error) : NULL;
    text_free_names(names);
    return hosts;
}

/* The hosts in a folder of records that is not from a fleet run. */
static json_t *list_hosts(const char *folder, const char *nodes, struct error *error) {
    if (access(nodes, X_OK) != 0) {
        error_set(error, "%s: no fleet; assay fleet run --out DIR makes one, or put records there: nodes/HOST.json",
                  folder);
        return NULL;
    }
    json_t *hosts = hosts_with_records(nodes, error);
    if (hosts == NULL || json_array_size(hosts) > 0)
        return hosts;
    json_decref(hosts);
    error_set(error, "%s: no record is there; put records there: HOST.json", nodes);
    return NULL;
}

static json_t *collect_folder(const char *folder, struct script *script, struct error *error) {
    char nodes[PATH_MAX];
    struct fleet fleet = {.manifest = NULL};
    json_t *status = NULL, *all = NULL, *hosts = NULL, *collection = NULL;
    int is_sent = fleet_is_there(folder);
    if (paths_join(nodes, folder, "nodes", error) == 0 && (!is_sent || fleet_open(&fleet, folder, error) == 0))
        status =
            is_sent ? fleet_status(&fleet, script, error) : script_call(script, "fleet_status", json_object(), error);
    if (status != NULL)
        hosts = is_sent ? json_incref(json_object_get(fleet.manifest, "hosts")) : list_hosts(folder, nodes, error);
    if (hosts != NULL)
        all = gather_records(nodes, hosts, json_object_get(status, "verdicts"), error);
    if (all != NULL) {
        collection = json_pack("{s:i, s:s, s:O*}", "schema", RECORD_SCHEMA, "kind", kind, "status",
                               json_object_get(status, "hosts"));
        json_object_update(collection, all);
    }
    json_decref(all);
    json_decref(hosts);
    json_decref(status);
    fleet_close(&fleet);
    return collection;
}

/* Reads an existing collection. */
static json_t *read_collection(const char *file, struct error *error) {
    json_t *collection = record_read_any(file, error);
    const char *found = json_word(collection, "kind");
    if (collection == NULL || (found != NULL && strcmp(found, kind) == 0))
        return collection;
    error_set(error, "%s: no collection of a fleet; assay fleet collect --out FILE writes one", file);
    json_decref(collection);
    return NULL;
}

static json_t *collection_of(const char *place, struct script *script, struct error *error) {
    struct stat status;
    return stat(place, &status) == 0 && S_ISREG(status.st_mode) ? read_collection(place, error)
                                                                : collect_folder(place, script, error);
}

static const char *place_of(const struct arguments *arguments) {
    return arguments->count > 0 ? arguments->words[0] : "fleet";
}

static void say_broken(const struct arguments *arguments, const json_t *collection) {
    size_t index;
    json_t *entry;
    json_array_foreach(json_object_get(collection, "broken"), index, entry)
        fprintf(stderr, "assay %s: left out: %s\n", arguments->command->name, json_word(entry, "why"));
}

int fleet_collect(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    char file[PATH_MAX] = "";
    const char *out = arguments->value[OUT];
    struct script *script = script_open(paths->data, error);
    json_t *collection = script != NULL ? collect_folder(place_of(arguments), script, error) : NULL;
    int status = collection != NULL ? 0 : -1;
    if (status == 0 && out == NULL)
        status = paths_join(file, place_of(arguments), "collected.json", error);
    if (status == 0)
        status = record_check_target(out != NULL ? out : file, error);
    if (status == 0)
        status = record_write(out != NULL ? out : file, collection, error);
    if (status == 0) {
        say_broken(arguments, collection);
        printf("%zu records, %zu broken: %s\n", json_array_size(json_object_get(collection, "nodes")),
               json_array_size(json_object_get(collection, "broken")), out != NULL ? out : file);
        status = json_array_size(json_object_get(collection, "broken")) > 0 ? EXIT_DRIFT : EXIT_DONE;
    }
    json_decref(collection);
    script_close(script);
    return status;
}

static int read_rate(const char *text, double *rate, struct error *error) {
    char *end;
    if (text == NULL)
        return 0;
    *rate = strtod(text, &end);
    return end != text && *end == '\0' && *rate > 0 && *rate < 1
               ? 0
               : error_set(error, "--false-alarms %s: a rate between 0 and 1 is expected, such as 0.01", text);
}

/* Whether every requested node has a record. */
static int is_whole(const json_t *collection) {
    size_t index;
    json_t *entry;
    json_array_foreach(json_object_get(collection, "status"), index, entry) {
        if (strcmp(json_word(entry, "state"), "done") != 0)
            return 0;
    }
    return json_array_size(json_object_get(collection, "broken")) == 0;
}

/* The text outputs. */
static const struct {
    int option;
    const char *door;
} outputs[] = {{CSV, "report:fleet_csv"}, {METRICS, "report:fleet_openmetrics"}, {JUNIT, "report:fleet_junit"}};

static int write_outputs(const struct paths *paths, const char *const *value, struct script *script, json_t *argument,
                         struct error *error) {
    static const struct look look = {"report:fleet_page", "fleet/report/fleet.css", "fleet/report/fleet.js"};
    int status = value[HTML] != NULL ? pages_write(paths, script, &look, argument, value[HTML], error) : 0;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && status == 0; i++) {
        const char *file = value[outputs[i].option];
        json_t *made = file != NULL ? script_call(script, outputs[i].door, json_incref(argument), error) : NULL;
        if (file != NULL)
            status = made != NULL ? text_replace(file, json_word(made, "text"), error) : -1;
        json_decref(made);
    }
    return status;
}

/* Prints and writes the output for the options `value`. Returns the number of odd nodes, or -1 with the reason. */
static int tell(const struct paths *paths, struct script *script, json_t *collection, double false_alarms,
                const char *const *value, struct error *error) {
    json_t *argument = json_pack("{s:O, s:f}", "collection", collection, "false_alarms", false_alarms);
    json_t *found = script_call(script, "fleet_judge", argument, error);
    int differ = -1;
    if (found != NULL) {
        argument = json_pack("{s:O, s:f, s:O, s:i, s:b}", "collection", collection, "false_alarms", false_alarms,
                             "found", found, "width", TERMINAL_WIDTH, "all", value[ALL] != NULL);
        if (print_rendered(script, "report:fleet", json_incref(argument), error) == 0 &&
            write_outputs(paths, value, script, argument, error) == 0)
            differ = (int)json_integer_value(json_object_get(found, "differ"));
        json_decref(argument);
    }
    json_decref(found);
    return differ;
}

int fleet_show(const struct paths *paths, json_t *collection, int all, const char *html, struct error *error) {
    const char *value[ARGUMENTS_MAX] = {[HTML] = html, [ALL] = all ? "" : NULL};
    struct script *script = script_open(paths->data, error);
    int status = script != NULL && tell(paths, script, collection, FALSE_ALARMS, value, error) >= 0 ? 0 : -1;
    script_close(script);
    return status;
}

int fleet_report(const struct paths *paths, const struct arguments *arguments, struct error *error) {
    double false_alarms = FALSE_ALARMS;
    int status = -1, is_rate = read_rate(arguments->value[ALARMS], &false_alarms, error) == 0;
    struct script *script = is_rate ? script_open(paths->data, error) : NULL;
    json_t *collection = script != NULL ? collection_of(place_of(arguments), script, error) : NULL;
    int differ = collection != NULL ? tell(paths, script, collection, false_alarms, arguments->value, error) : -1;
    if (differ >= 0)
        status = is_whole(collection) && differ == 0 ? EXIT_DONE : EXIT_DRIFT;
    json_decref(collection);
    script_close(script);
    return status;
}

const struct argument fleet_collect_options[] = {
    [OUT] = {"out", "FILE", "DIR/collected.json by default"},
    {0},
};

const struct argument fleet_report_options[] = {
    [HTML] = {"html", "FILE", "a page: heat map of nodes and metrics"},
    [CSV] = {"csv", "FILE", "one row per node, one column per metric: deviations in %"},
    [METRICS] = {"openmetrics", "FILE", "for the textfile collector of a monitoring system"},
    [JUNIT] = {"junit", "FILE", "a test report, one case per node"},
    [ALARMS] = {"false-alarms", "RATE", "at most, over all nodes and metrics together; 0.01 by default"},
    [ALL] = {"all", NULL, "everything that stands out of every node"},
    {0},
};
