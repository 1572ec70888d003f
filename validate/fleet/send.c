/* send.c - plans and sends a fleet. SPDX-License-Identifier: GPL-3.0-or-later */
#include "send.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "validate/command/version.h"
#include "validate/host/ask.h"
#include "validate/host/text.h"
#include "validate/host/utf8.h"

enum { PATIENCE = 900 /* seconds for sending: some milliseconds a node */, START_SECONDS = 120 /* for mpirun */ };

/* A name that no other fleet has: jobs are found by it. */
static void make_id(char id[64]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    size_t length = strftime(id, 64, "%Y%m%dT%H%M%S", &utc);
    snprintf(id + length, 64 - length, ".%ld", (long)getpid());
}

/* { hosts of the fleet, each with its further options }, an array. */
static json_t *plan_hosts(const struct wish *wish, struct script *script, struct error *error) {
    json_t *hosts = fleet_hosts(wish->nodes, wish->partition, error), *further = NULL, *argument = NULL,
           *planned = NULL;
    if (hosts != NULL)
        further = wish->node_options != NULL
                      ? script_read(script, "fleet.plan", "node_options", wish->node_options, error)
                      : json_array();
    char *cores = fleet_cores();
    if (further != NULL)
        argument = json_pack("{s:O, s:O, s:s, s:s*}", "hosts", hosts, "node_options", further, "file",
                             wish->node_options != NULL ? wish->node_options : "", "cores", cores);
    free(cores);
    if (argument != NULL)
        planned = script_call(script, "fleet.plan", "hosts", argument, error);
    json_decref(argument);
    json_decref(further);
    json_decref(hosts);
    return planned;
}

static json_t *make_manifest(const struct wish *wish, const json_t *planned, json_int_t part) {
    char id[64];
    size_t index;
    json_t *entry, *names = json_array(), *further = json_object();
    make_id(id);
    json_array_foreach(planned, index, entry) {
        json_t *host = json_object_get(entry, "host"), *options = json_object_get(entry, "options");
        json_array_append(names, host);
        if (json_string_length(options) > 0)
            json_object_set(further, json_string_value(host), options);
    }
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:O, s:O, s:i, s:s?, s:o, s:o, s:i, s:s?}", "assay", ASSAY_VERSION,
                     "id", id, "launcher", wish->launcher, "part", part, "node", wish->node, "patterns", wish->patterns,
                     "options", wish->options, "minutes", wish->minutes, "partition", wish->partition, "hosts", names,
                     "node_options", further, "first", wish->first, "broadcast", wish->broadcast);
}

/* Where the fleet's folder will be, as a task finds it. The script that holds it is UTF-8. */
static int whole_path(const char *folder, char path[PATH_MAX], struct error *error) {
    char here[PATH_MAX];
    if (utf8_wrong_line(folder) != 0 || utf8_wrong_line(getcwd(here, sizeof here) != NULL ? here : "") != 0)
        return error_set(error, "--out %s: its path is not UTF-8; choose another folder", folder);
    if (folder[0] == '/')
        return snprintf(path, PATH_MAX, "%s", folder) < PATH_MAX ? 0 : error_set(error, "--out: path too long");
    return getcwd(here, sizeof here) != NULL ? paths_join(path, here, folder, error)
                                             : error_set(error, "the current folder is gone; change into another");
}

char *send_plan(const struct wish *wish, const struct paths *paths, struct script *script, json_t **manifest,
                struct error *error) {
    char path[PATH_MAX];
    json_t *nothing = json_object();
    json_t *part = script_call(script, "fleet.plan", "part", nothing, error), *made = NULL;
    json_t *planned = part != NULL ? plan_hosts(wish, script, error) : NULL;
    char *lines = NULL, *text = NULL;
    *manifest =
        planned != NULL ? make_manifest(wish, planned, json_integer_value(json_object_get(part, "part"))) : NULL;
    if (*manifest != NULL)
        lines = json_dumps(*manifest, JSON_SORT_KEYS);
    if (lines != NULL && whole_path(wish->folder, path, error) == 0) {
        json_t *argument =
            json_pack("{s:O, s:s, s:s, s:s, s:O, s:O, s:i, s:s*, s:O, s:s, s:s, s:s, s:s*, s:i}", "id",
                      json_object_get(*manifest, "id"), "dir", path, "assay", paths->program, "node", wish->node,
                      "patterns", wish->patterns, "options", wish->options, "minutes", wish->minutes, "partition",
                      wish->partition, "hosts", planned, "manifest", lines, "launcher", wish->launcher, "data",
                      paths->data, "broadcast", wish->broadcast, "first", wish->first);
        made = script_call(script, "fleet.plan", "script", argument, error);
        json_decref(argument);
    }
    if (made != NULL)
        text = strdup(json_string_value(json_object_get(made, "text")));
    free(lines);
    json_decref(made);
    json_decref(planned);
    json_decref(part);
    json_decref(nothing);
    return text;
}

int send_is_same(const struct fleet *fleet, const json_t *manifest) {
    json_t *known = json_copy(fleet->manifest), *planned = json_copy((json_t *)manifest);
    json_object_del(known, "id");
    json_object_del(planned, "id");
    int same = json_equal(known, planned);
    json_decref(known);
    json_decref(planned);
    return same;
}

int send_write(const char *folder, const char *text, struct error *error) {
    char file[PATH_MAX];
    return paths_make_folder(folder, error) == 0 && paths_join(file, folder, "fleet.sh", error) == 0
               ? text_replace(file, text, error)
               : -1;
}

int send_begin(const char *folder, struct error *error) {
    char file[PATH_MAX];
    int status = 0;
    struct error said;
    if (paths_join(file, folder, "fleet.sh", error) != 0)
        return -1;
    char *const command[] = {"sh", file, "send", NULL};
    char *text = ask(command, PATIENCE, &status, &said);
    free(text);
    if (text == NULL || status != 0 || said.text[0] != '\0')
        return error_set(error, "%s send: %.700s (status %d); once that is mended the same command goes on", file,
                         said.text, status);
    return 0;
}

int send_to_mpi(const struct fleet *fleet, struct process *launcher, struct error *error) {
    char file[PATH_MAX], count[32], *list = NULL;
    const json_t *hosts = json_object_get(fleet->manifest, "hosts");
    size_t index;
    json_t *host;
    json_array_foreach(hosts, index, host) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s%s:1", list != NULL ? list : "", list != NULL ? "," : "", json_string_value(host)) <
            0)
            longer = NULL;
        free(list);
        list = longer;
    }
    snprintf(count, sizeof count, "%zu", json_array_size(hosts));
    int status =
        list != NULL ? paths_join(file, fleet->folder, "fleet.sh", error) : error_set(error, "no memory for the hosts");
    char *const command[] = {"mpirun", "-np", count, "-host", list, "sh", file, "rank", NULL};
    double seconds = 60 * (double)json_integer_value(json_object_get(fleet->manifest, "minutes")) + START_SECONDS;
    if (status == 0)
        status = process_start(launcher, command, environ, NULL, seconds, error);
    free(list);
    return status;
}
