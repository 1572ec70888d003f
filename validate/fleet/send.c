/* send.c - plans and submits a fleet. SPDX-License-Identifier: GPL-3.0-or-later */
#include "send.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "validate/command/version.h"
#include "validate/host/ask.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"
#include "validate/host/utf8.h"

enum { PATIENCE = 900 /* seconds to submit: some ms per node */, START_SECONDS = 120 /* for mpirun */ };

/* Makes a unique name, by which jobs are found. */
static void make_id(char id[64]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    size_t length = strftime(id, 64, "%Y%m%dT%H%M%S", &utc);
    snprintf(id + length, 64 - length, ".%ld", (long)getpid());
}

/* The absolute path of the fleet's folder, for the tasks. It must be UTF-8, because it is written to the script. */
static int whole_path(const char *folder, char path[PATH_MAX], struct error *error) {
    char here[PATH_MAX];
    if (utf8_wrong_line(folder) != 0 || utf8_wrong_line(getcwd(here, sizeof here) != NULL ? here : "") != 0)
        return error_set(error, "--out %s: its path is not UTF-8; choose another folder", folder);
    if (folder[0] == '/')
        return paths_format(path, error, "%s", folder);
    return getcwd(here, sizeof here) != NULL ? paths_join(path, here, folder, error)
                                             : error_set(error, "the current folder is gone; change into another");
}

/* The result of lua/fleet/plan.lua for the wish. */
static json_t *make(const struct wish *wish, const struct paths *paths, struct script *script, json_t *hosts,
                    struct error *error) {
    char path[PATH_MAX], file[PATH_MAX], id[64];
    json_t *text = paths_data(file, paths, "lua/fleet/script.sh", error) == 0 ? json_file(file, error) : NULL;
    json_t *further = text != NULL && wish->node_options != NULL ? script_file(wish->node_options, error) : NULL;
    if (text == NULL || (wish->node_options != NULL && further == NULL) || whole_path(wish->folder, path, error) != 0) {
        json_decref(text);
        json_decref(further);
        return NULL;
    }
    char *cores = fleet_cores();
    make_id(id);
    json_t *argument =
        json_pack("{s:O, s:o*, s:s*, s:s, s:s, s:s, s:s, s:s, s:s, s:O, s:O, s:i, s:s*, s:s, s:s*, s:i, s:o}", "hosts",
                  hosts, "node_options", further, "cores", cores, "id", id, "dir", path, "assay", paths->program,
                  "version", ASSAY_VERSION, "data", paths->data, "node", wish->node, "patterns", wish->patterns,
                  "options", wish->options, "minutes", wish->minutes, "partition", wish->partition, "launcher",
                  wish->launcher, "broadcast", wish->broadcast, "first", wish->first, "script", text);
    free(cores);
    return script_call(script, "fleet_plan", argument, error);
}

char *send_plan(const struct wish *wish, const struct paths *paths, struct script *script, json_t **manifest,
                struct error *error) {
    json_t *hosts = fleet_hosts(wish->nodes, wish->partition, error);
    json_t *made = hosts != NULL ? make(wish, paths, script, hosts, error) : NULL;
    char *text = made != NULL ? strdup(json_word(made, "text")) : NULL;
    *manifest = json_incref(json_object_get(made, "manifest"));
    json_decref(made);
    json_decref(hosts);
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
