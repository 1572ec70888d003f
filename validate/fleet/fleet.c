/* fleet.c - reads a fleet's folder and queries Slurm. SPDX-License-Identifier: GPL-3.0-or-later */
#include "fleet.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "validate/host/ask.h"
#include "validate/host/paths.h"
#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/text.h"

enum { PATIENCE = 60 /* seconds for a Slurm command */, NOT_FOUND = 127 };

static int manifest_name(char file[PATH_MAX], const char *folder, struct error *error) {
    return paths_join(file, folder, "fleet.json", error);
}

int fleet_is_there(const char *folder) {
    char file[PATH_MAX];
    struct error ignored;
    return manifest_name(file, folder, &ignored) == 0 && access(file, F_OK) == 0;
}

static int are_texts(const json_t *list) {
    size_t index;
    json_t *entry;
    json_array_foreach(list, index, entry) {
        if (!json_is_string(entry) || strchr(json_string_value(entry), '/') != NULL)
            return 0;
    }
    return json_array_size(list) > 0;
}

int fleet_open(struct fleet *fleet, const char *folder, struct error *error) {
    char file[PATH_MAX];
    json_error_t where;
    *fleet = (struct fleet){.manifest = NULL};
    if (realpath(folder, fleet->folder) == NULL || manifest_name(file, fleet->folder, error) != 0 ||
        access(file, F_OK) != 0)
        return error_set(error, "%s: no fleet; assay fleet run --out DIR makes one", folder);
    fleet->manifest = json_load_file(file, JSON_REJECT_DUPLICATES, &where);
    if (fleet->manifest == NULL)
        return error_set(error, "%s:%d: %s; assay fleet run wrote it, restore it", file, where.line, where.text);
    if (json_is_string(json_object_get(fleet->manifest, "id")) &&
        json_is_string(json_object_get(fleet->manifest, "launcher")) &&
        json_is_integer(json_object_get(fleet->manifest, "part")) &&
        are_texts(json_object_get(fleet->manifest, "hosts")))
        return 0;
    return error_set(error, "%s: no manifest of a fleet; assay fleet run wrote it, restore it", file);
}

void fleet_close(struct fleet *fleet) {
    json_decref(fleet->manifest);
    fleet->manifest = NULL;
}

/* The output of a Slurm command, freed by the caller; NULL with the reason. */
static char *ask_slurm(char *const argv[], struct error *error) {
    int status = 0;
    struct error said;
    char *text = ask(argv, PATIENCE, &status, &said);
    if (text != NULL && status == 0) {
        plain_text(text, 1);
        return text;
    }
    if (text == NULL || status == NOT_FOUND)
        error_set(error, "%s: not there; run it where Slurm's commands are, or name hosts with --launcher mpi",
                  argv[0]);
    else
        error_set(error, "%s: %.700s (status %d); is Slurm's controller up?", argv[0], said.text, status);
    free(text);
    return NULL;
}

char *fleet_cores(void) {
    char *const question[] = {"sinfo", "-h", "-N", "-o", "%N %c", NULL};
    struct error ignored;
    return ask_slurm(question, &ignored);
}

/* The names of the fleet's job arrays, comma-separated. */
static char *job_names(const struct fleet *fleet) {
    json_int_t part = json_integer_value(json_object_get(fleet->manifest, "part"));
    size_t count = json_array_size(json_object_get(fleet->manifest, "hosts"));
    const char *id = json_word(fleet->manifest, "id");
    char *names = NULL;
    for (json_int_t first = 0; part > 0 && first < (json_int_t)count; first += part) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%sassay-%s-%lld", names != NULL ? names : "--name=", names != NULL ? "," : "", id,
                     (long long)first) < 0)
            longer = NULL;
        free(names);
        names = longer;
    }
    return names;
}

/* Adds the states of the queue and the nodes to the argument, as two texts. */
static int look_at_slurm(const struct fleet *fleet, json_t *argument, struct error *error) {
    char *names = job_names(fleet);
    char *const queue_question[] = {"squeue", "-h", "-r", names, "-o", "%j|%K|%T|%r", NULL};
    char *const node_question[] = {"sinfo", "-h", "-N", "-o", "%N|%T|%E", NULL};
    char *queue = names != NULL ? ask_slurm(queue_question, error) : NULL;
    char *nodes = queue != NULL ? ask_slurm(node_question, error) : NULL;
    if (nodes != NULL) {
        json_object_set_new(argument, "queue", json_string(queue));
        json_object_set_new(argument, "nodes", json_string(nodes));
    }
    free(names);
    free(queue);
    free(nodes);
    return nodes != NULL ? 0 : -1;
}

/* The names of the files in a folder of the fleet; empty if the folder is missing. A new reference. */
static json_t *names_in(const struct fleet *fleet, const char *folder, const char *suffix) {
    char path[PATH_MAX];
    struct error ignored;
    char **names = paths_join(path, fleet->folder, folder, &ignored) == 0 ? text_names(path, suffix, &ignored) : NULL;
    json_t *list = json_array();
    for (char **name = names; name != NULL && *name != NULL; name++)
        json_array_append_new(list, plain_word(*name)); /* hosts have ASCII names: others match no host */
    text_free_names(names);
    return list;
}

/* { HOST: the final message of its task } */
static json_t *ends(const struct fleet *fleet) {
    json_t *found = json_object(), *host;
    size_t index;
    json_array_foreach(json_object_get(fleet->manifest, "hosts"), index, host) {
        char file[PATH_MAX];
        struct error ignored;
        if (paths_format(file, &ignored, "%s/end/%s", fleet->folder, json_string_value(host)) != 0)
            continue;
        char *text = text_read(file, &ignored);
        if (text != NULL) {
            plain_text(text, 1);
            json_object_set_new(found, json_string_value(host), json_string(text));
        }
        free(text);
    }
    return found;
}

json_t *fleet_status(const struct fleet *fleet, struct script *script, struct error *error) {
    int by_slurm = strcmp(json_word(fleet->manifest, "launcher"), "slurm") == 0;
    json_t *sent = names_in(fleet, "sent", ".pinned"), *argument = json_object();
    json_object_set(argument, "manifest", fleet->manifest);
    json_object_set_new(argument, "sent", json_boolean(json_array_size(sent) > 0));
    json_decref(sent);
    /* the queue first: a task that ends in between is then seen by its files */
    int status = by_slurm ? look_at_slurm(fleet, argument, error) : 0;
    json_object_set_new(argument, "ends", ends(fleet));
    json_object_set_new(argument, "started", names_in(fleet, "log", ""));
    json_object_set_new(argument, "records", names_in(fleet, "nodes", ".json"));
    if (status == 0)
        return script_call(script, "fleet_status", argument, error);
    json_decref(argument);
    return NULL;
}

/* Splits lines or comma-separated words to an array without duplicates. */
static json_t *split(char *text) {
    json_t *list = json_array(), *seen = json_object();
    char *rest = NULL;
    for (char *word = strtok_r(text, ",\n \t", &rest); word != NULL; word = strtok_r(NULL, ",\n \t", &rest)) {
        if (json_object_get(seen, word) == NULL && json_array_append_new(list, json_string(word)) == 0)
            json_object_set_new(seen, word, json_true());
    }
    json_decref(seen);
    return list;
}

json_t *fleet_hosts(const char *list, const char *partition, struct error *error) {
    char *const expand[] = {"scontrol", "show", "hostnames", (char *)list, NULL};
    char *const all[] = {"sinfo", "-h", "-N", "-o", "%N", partition != NULL ? "-p" : NULL, (char *)partition, NULL};
    struct error ignored;
    char *text = list == NULL ? ask_slurm(all, error) : ask_slurm(expand, &ignored);
    if (text == NULL && list != NULL && strchr(list, '[') == NULL)
        text = strdup(list); /* from the command line: UTF-8 */
    else if (text == NULL && list != NULL)
        *error = ignored;
    json_t *hosts = text != NULL ? split(text) : NULL;
    free(text);
    if (hosts == NULL || json_array_size(hosts) > 0)
        return hosts;
    json_decref(hosts);
    error_set(error, "%s%s: no nodes; sinfo -N lists them", list != NULL ? "--nodes " : "--partition ",
              list != NULL        ? list
              : partition != NULL ? partition
                                  : "(all)");
    return NULL;
}
