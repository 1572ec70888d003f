/* node.c - native and virtual nodes. SPDX-License-Identifier: GPL-3.0-or-later */
#include "node.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access.h"
#include "cpu_numbers.h"
#include "doctor.h"
#include "library.h"
#include "patterns/program/openblas.h"
#include "processor.h"
#include "state.h"
#include "topology.h"
#include "validate/host/exclusive.h"
#include "vnode/launch/faults.h"
#include "vnode/launch/likwid_version.h"
#include "vnode/launch/vnode.h"

struct run_slot {
    struct vnode *vnode; /* NULL on a native node */
    char **environment;  /* array owned, strings borrowed except the first (HOME=) */
};

/* The flag of AVX-512 Foundation, the basis of all AVX-512. */
static const char avx512[] = "avx512f";

struct vnode *node_create_virtual(const char *name, const struct paths *paths, const char *likwid_version, int perf,
                                  struct error *error) {
    char tools[PATH_MAX], cache[PATH_MAX];
    struct error no_cache;
    struct vnode *vnode;
    if (paths_join(tools, paths->tools, "vnode", error) != 0)
        return NULL;
    struct vnode_paths places = {.tools = tools,
                                 .groups = paths->groups,
                                 .likwid_version = likwid_version_number(likwid_version),
                                 .no_perf = !perf,
                                 .cache = paths_cache(paths, cache, &no_cache) == 0 ? cache : NULL};
    if (vnode_create(name, &places, &vnode, error->text, sizeof error->text) != 0)
        return NULL;
    return vnode;
}

/* Linux's setting for transparent large pages; the active word is in brackets. */
static const char large_pages[] = "sys/kernel/mm/transparent_hugepage/enabled";

/* Whether madvise() gives a program large pages. `root`: the folder used as /. */
static int has_large_pages(const char *root) {
    char path[PATH_MAX], line[128] = "";
    FILE *file = snprintf(path, sizeof path, "%s/%s", root, large_pages) < (int)sizeof path ? fopen(path, "re") : NULL;
    int is_read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        fclose(file);
    return is_read && (strstr(line, "[madvise]") != NULL || strstr(line, "[always]") != NULL);
}

/* The description for planning (topology.h), with the node's names. `root`: the folder used as the node's /. */
static json_t *describe(const struct node *node, const char *root, const char *xml, struct error *error) {
    json_t *description = topology_read(xml, error);
    if (description == NULL)
        return NULL;
    json_object_set_new(description, "large_pages", json_boolean(has_large_pages(root)));
    /* Needed by some codes of patterns. On virtual nodes programs also load this machine's libraries. */
    json_object_set_new(description, "openblas", json_boolean(library_is_there(OPENBLAS_FILE)));
    json_object_set_new(description, "name", json_string(node->name));
    json_object_set_new(description, "arch", json_string(node->arch));
    json_object_set_new(description, "kind", json_string(node->is_virtual ? "virtual" : "native"));
    return description;
}

/* Whether a file like /proc/cpuinfo lists the feature among its flags. */
static int shows_feature(const char *cpuinfo, const char *feature) {
    static const char *const blanks = " \t\n";
    FILE *file = fopen(cpuinfo, "re");
    char *line = NULL, *rest;
    size_t size = 0;
    int found = 0;
    while (file != NULL && !found && getline(&line, &size, file) > 0) {
        int is_flags = strncmp(line, "flags", strlen("flags")) == 0;
        for (char *word = strtok_r(line, blanks, &rest); is_flags && word && !found;
             word = strtok_r(NULL, blanks, &rest))
            found = strcmp(word, feature) == 0;
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return found;
}

/* What hwloc does not show; a native node's is counted (run/census.h). NULL stays NULL. */
static json_t *with_hardware(json_t *description, const struct vnode *vnode) {
    char text[128];
    const char *prefetchers = vnode_prefetchers(vnode, text, sizeof text);
    if (description != NULL) {
        json_object_set_new(description, "channels", json_integer(vnode_channels(vnode)));
        if (vnode_hbm_channels(vnode) > 0)
            json_object_set_new(description, "hbm_channels", json_integer(vnode_hbm_channels(vnode)));
        json_object_set_new(description, "agents", json_integer(vnode_agents(vnode)));
        json_object_set_new(description, "sockets_differ", json_boolean(vnode_sockets_differ(vnode)));
        json_object_set_new(description, "evades", json_boolean(vnode_evades(vnode)));
        json_object_set_new(description, "has_pipeline", json_boolean(vnode_has_pipeline(vnode)));
        json_object_set_new(description, "random_pages", json_boolean(vnode_has_random_pages(vnode)));
        if (prefetchers != NULL)
            json_object_set_new(description, "prefetchers", json_string(prefetchers));
    }
    return description;
}

/* Description and state both name the prefetchers, if known: one for models, the other for the record. */
static void copy_prefetchers(json_t *to, const json_t *from) {
    json_t *prefetchers = json_object_get(from, "prefetchers");
    if (json_is_string(prefetchers))
        json_object_set(to, "prefetchers", prefetchers);
}

static void start(struct node *node, const struct likwid *likwid) {
    *node = (struct node){.lock = -1};
    snprintf(node->likwid, sizeof node->likwid, "%s", likwid->version);
}

int node_check_mode(const struct likwid *likwid, struct error *error) {
    char text[300];
    const char *remedy = likwid->interface == NULL ? access_obstacle_virtual(likwid, text, sizeof text) : NULL;
    return remedy == NULL ? 0 : error_set(error, "%s; remedy: %s", text, remedy);
}

int node_take_virtual(const char *name, const struct paths *paths, const struct likwid *likwid, struct node *node,
                      struct error *error) {
    char xml[PATH_MAX], cpuinfo[PATH_MAX];
    start(node, likwid);
    struct vnode *vnode =
        node_check_mode(likwid, error) == 0 ? node_create_virtual(name, paths, likwid->version, 1, error) : NULL;
    if (vnode == NULL)
        return -1;
    node->is_virtual = 1;
    snprintf(node->name, sizeof node->name, "%s", vnode_name(vnode));
    snprintf(node->description_name, sizeof node->description_name, "%s", *name != '\0' ? name : node->name);
    snprintf(node->arch, sizeof node->arch, "%s", vnode_arch(vnode));
    if (paths_join(xml, vnode_dir(vnode), "topology.xml", error) == 0 &&
        paths_join(cpuinfo, vnode_dir(vnode), "proc/cpuinfo", error) == 0) {
        node->has_avx512 = shows_feature(cpuinfo, avx512);
        node->description = with_hardware(describe(node, vnode_dir(vnode), xml, error), vnode);
        node->state = state_read(vnode_dir(vnode), NULL, node->description);
        copy_prefetchers(node->state, node->description);
    }
    vnode_destroy(vnode);
    return node->description != NULL ? 0 : -1;
}

/* Fills in the names and the description of this machine, of which `node->arch` is known. 0, or -1 with the reason. */
static int describe_machine(struct node *node, struct error *error) {
    if (gethostname(node->name, sizeof node->name) != 0)
        snprintf(node->name, sizeof node->name, "localhost");
    node->name[sizeof node->name - 1] = '\0';
    node->has_avx512 = shows_feature("/proc/cpuinfo", avx512);
    node->description = describe(node, "", NULL, error);
    if (node->description == NULL)
        return -1;
    /* Counted by CPUID: SMT siblings that are offline keep their counters, but hwloc does not see them. */
    json_object_set_new(node->description, "counters", json_integer(processor_counters()));
    return 0;
}

json_t *node_likwid_cpus(const struct node *node, const json_t *cpus) {
    return cpu_numbers_translate(node->numbers, cpus);
}

int node_describe_native(const char *arch, const struct likwid *likwid, struct node *node, struct error *error) {
    start(node, likwid);
    if (arch == NULL && likwid_arch(likwid, node->arch, error) != 0)
        return -1;
    if (arch != NULL && (strchr(arch, '/') != NULL || strlen(arch) >= sizeof node->arch))
        return error_set(error, "no name of an architecture; `assay list archs` shows them");
    if (arch != NULL)
        strcpy(node->arch, arch);
    if (describe_machine(node, error) != 0)
        return -1;
    return arch != NULL ? 0 : cpu_numbers_find(&node->numbers, likwid, node->description, error);
}

static int take_machine(const struct paths *paths, const struct likwid *likwid, int needs_groups, struct node *node,
                        struct error *error) {
    start(node, likwid);
    if (doctor_check(paths, likwid->interface, needs_groups, node->arch, error) != 0)
        return -1;
    node->lock = exclusive_machine("assay-native", error);
    if (node->lock < 0)
        return -1;
    if (describe_machine(node, error) != 0 || cpu_numbers_find(&node->numbers, likwid, node->description, error) != 0) {
        node_release(node);
        return -1;
    }
    node->state = state_read("", likwid, node->description);
    copy_prefetchers(node->description, node->state);
    return 0;
}

int node_take_native(const struct paths *paths, const struct likwid *likwid, struct node *node, struct error *error) {
    return take_machine(paths, likwid, 1, node, error);
}

int node_take_unjudged(const struct paths *paths, const struct likwid *likwid, struct node *node, struct error *error) {
    return take_machine(paths, likwid, 0, node, error);
}

int node_is_noisy(const struct node *node) {
    return !node->is_virtual || json_object_get(node->description, "noise") != NULL;
}

int node_set_faults(struct node *node, const struct paths *paths, const struct likwid *likwid, const char *file,
                    const char *noise, struct error *error) {
    if (file == NULL && noise == NULL)
        return 0;
    if (!node->is_virtual && noise != NULL)
        return error_set(error, "--noise %s: a native node has noise of its own; add --node virtual", noise);
    if (!node->is_virtual)
        return error_set(error, "--fault %s: counters of a native node cannot be made wrong; add --node virtual", file);
    struct vnode *vnode = node_create_virtual(node->description_name, paths, likwid->version, 1, error);
    if (vnode == NULL)
        return -1;
    node->faults = faults_read(file, noise, vnode, error);
    vnode_destroy(vnode);
    static const char word[] = "* noise ";
    json_t *lines = faults_lines(node->faults), *line;
    size_t index;
    json_array_foreach(lines, index, line) {
        if (strncmp(json_string_value(line), word, sizeof word - 1) == 0)
            json_object_set_new(node->description, "noise", json_string(json_string_value(line) + sizeof word - 1));
    }
    json_decref(lines);
    return node->faults != NULL ? 0 : -1;
}

void node_release(struct node *node) {
    json_decref(node->description);
    json_decref(node->state);
    json_decref(node->numbers);
    node->description = node->state = node->numbers = NULL;
    vnode_free_faults(node->faults);
    node->faults = NULL;
    if (node->lock >= 0)
        close(node->lock);
    node->lock = -1;
}

int node_side_by_side(const struct node *node) {
    long cores = node->is_virtual ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    return cores > 0 ? (int)cores : 1;
}

/* The environment with HOME replaced, and without the length of turns (vnode/engine/main.c): runs that need one set it.
 */
static char **with_home(char *const environment[], const char *home) {
    size_t count = 0, used = 0;
    while (environment[count] != NULL)
        count++;
    char **own = calloc(count + 2, sizeof *own);
    if (own == NULL || asprintf(&own[used++], "HOME=%s", home) < 0)
        abort();
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environment[i], "HOME=", 5) != 0 && strncmp(environment[i], "ASSAY_TURN=", 11) != 0)
            own[used++] = environment[i];
    }
    return own;
}

struct run_slot *run_slot_take(const struct node *node, const struct paths *paths, const struct likwid *likwid,
                               const char *home, int perf, struct error *error) {
    struct run_slot *slot = calloc(1, sizeof *slot);
    if (slot == NULL) {
        error_set(error, "no memory for a run slot on the node");
        return NULL;
    }
    if (node->is_virtual) {
        slot->vnode = node_create_virtual(node->description_name, paths, likwid->version, perf, error);
        if (slot->vnode == NULL) {
            free(slot);
            return NULL;
        }
    }
    slot->environment = with_home(slot->vnode != NULL ? vnode_environment(slot->vnode) : environ, home);
    return slot;
}

int run_slot_set_faults(const struct run_slot *slot, const struct node *node, const char *run, struct error *error) {
    if (slot->vnode == NULL || node->faults == NULL)
        return 0;
    return vnode_set_faults(slot->vnode, node->faults, run, error->text, sizeof error->text);
}

char **run_slot_environment(const struct run_slot *slot) {
    return slot->environment;
}

char *const *run_slot_command(struct run_slot *slot, const char *folder, char **argv, struct error *error) {
    char file[PATH_MAX], *given = argv[0];
    if (slot->vnode == NULL)
        return argv;
    if (paths_join(file, folder, given, error) != 0)
        return NULL;
    argv[0] = file;
    char *const *command = vnode_command(slot->vnode, argv);
    argv[0] = given;
    if (command == NULL)
        error_set(error, "%s: %s; run make", file, strerror(errno));
    return command;
}

/* "COUNTER 0xEVENT:0xUMASK reason" */
static void add_not_counted(void *context, const char *text) {
    size_t length = strcspn(text, " ");
    char counter[64];
    snprintf(counter, sizeof counter, "%.*s", (int)length, text);
    json_object_set_new(context, counter, json_string(text + length + (text[length] == ' ')));
}

json_t *run_slot_not_counted(const struct run_slot *slot) {
    json_t *list = json_object();
    if (slot->vnode != NULL)
        vnode_not_counted(slot->vnode, add_not_counted, list);
    return list;
}

/* "m FILE" or "w FILE"; an "m" is never replaced by a "w". */
static void add_written(void *files, const char *text) {
    if (text[0] == 'm' || json_object_get(files, text + 2) == NULL)
        json_object_set_new(files, text + 2, json_stringn(text, 1));
}

json_t *run_slot_written(const struct run_slot *slot) {
    if (slot->vnode == NULL)
        return NULL;
    json_t *files = json_object();
    vnode_written(slot->vnode, add_written, files);
    return files;
}

void run_slot_leave(struct run_slot *slot) {
    if (slot == NULL)
        return;
    free(slot->environment[0]);
    free(slot->environment);
    vnode_destroy(slot->vnode);
    free(slot);
}
