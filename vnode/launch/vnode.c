/* vnode.c - creates a virtual node's folder and removes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "vnode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "environment.h"
#include "features.h"
#include "likwid_version.h"
#include "machine.h"
#include "node_desc_read.h"
#include "prefetchers.h"
#include "topology.h"
#include "vnode/command.h"
#include "vnode/node_file.h"
#include "vnode/pmu/notes.h"
#include "vnode/room.h"
#include "vnode/written_file.h"
#include "vnode_private.h"

static int complain(char *error, size_t size, const char *path, const char *what) {
    snprintf(error, size, "%s: %s: %s", path, what, strerror(errno));
    return -1;
}

static int write_node_file(const struct node_desc *desc, uint32_t likwid_version, const char *path) {
    /* Only the head is written, the rest reads as zeros. Space is allocated before use, here for all but the slots
     * (each process allocates its own, engine/node.c): a mapped page without space would kill the process that counts
     * in it. */
    struct node_file *file = calloc(1, sizeof *file);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int result = -1;
    if (file && fd >= 0) {
        file->magic = NODE_MAGIC;
        file->version = NODE_VERSION;
        file->config = desc->config;
        snprintf(file->name, sizeof file->name, "%s", desc->name);
        snprintf(file->arch, sizeof file->arch, "%s", desc->arch);
        file->likwid_version = likwid_version;
        file->cpu_signature = desc->signature;
        file->vendor = desc->vendor;
        file->physical_bits = desc->physical_bits;
        file->perfmon = desc->perfmon;
        file->perfmon2 = desc->perfmon2;
        snprintf(file->cpu, sizeof file->cpu, "%.*s", (int)sizeof file->cpu - 1, desc->cpu);
        features_of_node(desc, file->features);
        file->memory_bytes = desc->memory_bytes;
        file->perf_paranoid = desc->perf_paranoid;
        file->ghost_boxes = desc->ghost_boxes;
        size_t head = offsetof(struct node_file, lock);
        result =
            write(fd, file, head) == (ssize_t)head ? room_take(fd, sizeof *file, offsetof(struct node_file, slot)) : -1;
    }
    int saved = errno;
    free(file);
    if (fd >= 0)
        close(fd);
    errno = saved;
    return result;
}

static int fill_folder(struct vnode *node, const struct node_desc *desc, const struct vnode_paths *paths,
                       uint32_t version, char *error, size_t size) {
    char from[COMMAND_PATH], to[COMMAND_PATH];
    snprintf(to, sizeof to, "%s/%s", node->folder, NODE_FILE_NAME);
    if (write_node_file(desc, version, to) != 0)
        return complain(error, size, to, "cannot write");
    snprintf(to, sizeof to, "%s/topology.xml", node->folder);
    if (topology_write_hwloc(desc, to) != 0)
        return complain(error, size, to, "hwloc cannot write the topology");
    snprintf(to, sizeof to, "%s/likwid_topo.cfg", node->folder);
    if (topology_write_likwid(desc, to) != 0)
        return complain(error, size, to, "cannot write");
    if (machine_write(desc, node->folder) != 0)
        return complain(error, size, node->folder, "cannot write the node's /proc and /sys");
    snprintf(from, sizeof from, "%s/%s/pmu.events", paths->groups, desc->arch);
    snprintf(to, sizeof to, "%s/" STORED_LINK_NAME, node->folder);
    if (paths->cache && symlink(paths->cache, to) != 0)
        return complain(error, size, to, "cannot make this link");
    return counters_write(node, from, desc->perfmon.counters, error, size);
}

/* The tools' folder is in PATH and LD_PRELOAD, where blanks and colons are separators: if its name has any, a link in
 * the node's folder replaces it. */
static int link_tools(struct vnode *node, char *error, size_t size) {
    static const char parting[] = " \t\n:;$";
    char link[COMMAND_PATH];
    if (!strpbrk(node->tools, parting))
        return 0;
    snprintf(link, sizeof link, "%s/tools", node->folder);
    if (strpbrk(link, parting)) {
        snprintf(error, size,
                 "TMPDIR and Assay's own folder both have a blank or one of : ; $ in their names; set TMPDIR to "
                 "one without");
        return -1;
    }
    if (symlink(node->tools, link) != 0)
        return complain(error, size, link, "cannot make this link");
    strcpy(node->tools, link);
    return 0;
}

static int create(const char *name, const struct vnode_paths *paths, struct vnode *node, char *error, size_t size) {
    struct node_desc desc;
    if (node_desc_read(name, paths->groups, &desc, error, size))
        return -1;
    uint32_t version = paths->likwid_version ? paths->likwid_version : likwid_version();
    if (!version) {
        snprintf(error, size, "likwid-perfctr: not found, or it does not tell its version: install LIKWID");
        return -1;
    }
    if (version < desc.likwid) {
        snprintf(error, size,
                 "%s: LIKWID " LIKWID_VERSION " does not know %s; install LIKWID " LIKWID_VERSION " or later",
                 desc.name, LIKWID_VERSION_NUMBERS(version), desc.arch, LIKWID_VERSION_NUMBERS(desc.likwid));
        return -1;
    }
    if (!realpath(paths->tools, node->tools))
        return complain(error, size, paths->tools, "no tools of the virtual node here");
    strcpy(node->name, desc.name);
    strcpy(node->arch, desc.arch);
    node->config = desc.config;
    node->perf_paranoid = desc.perf_paranoid;
    node->no_perf = paths->no_perf;
    if (scratch_make("assay-node", &node->scratch, error, size) != 0)
        return -1;
    node->folder = node->scratch.folder;
    if (fill_folder(node, &desc, paths, version, error, size) != 0 || link_tools(node, error, size) != 0)
        return -1;
    node->environment = environment_make(node->folder, node->tools);
    if (!node->environment) {
        snprintf(error, size, "out of memory");
        return -1;
    }
    node->keeper = keeper_start(&node->scratch);
    return 0;
}

int vnode_create(const char *name, const struct vnode_paths *paths, struct vnode **out, char *error,
                 size_t error_size) {
    struct vnode *node = calloc(1, sizeof *node);
    *out = NULL;
    if (!node) {
        snprintf(error, error_size, "out of memory");
        return -1;
    }
    node->scratch.lock = -1;
    if (create(name, paths, node, error, error_size) != 0) {
        vnode_destroy(node);
        return -1;
    }
    *out = node;
    return 0;
}

const char *vnode_dir(const struct vnode *node) {
    return node->folder;
}

const char *vnode_name(const struct vnode *node) {
    return node->name;
}

const char *vnode_arch(const struct vnode *node) {
    return node->arch;
}

uint32_t vnode_channels(const struct vnode *node) {
    return node->config.numa_per_socket * node->config.channels;
}

uint32_t vnode_hbm_channels(const struct vnode *node) {
    return node->config.numa_per_socket * node->config.hbm_channels;
}

uint32_t vnode_agents(const struct vnode *node) {
    return node->config.numa_per_socket * node->config.agents;
}

int vnode_sockets_differ(const struct vnode *node) {
    return node->config.last_lacks != 0;
}

const char *vnode_prefetchers(const struct vnode *node, char *text, size_t size) {
    return node->config.prefetchers ? prefetchers_text(node->config.prefetchers, text, size) : NULL;
}

int vnode_evades(const struct vnode *node) {
    return node->config.evasion != 0;
}

int vnode_has_pipeline(const struct vnode *node) {
    return node->config.has_pipeline != 0;
}

int vnode_has_random_pages(const struct vnode *node) {
    return node->config.frames_seed != 0;
}

char *const *vnode_environment(const struct vnode *node) {
    return node->environment;
}

/* Calls `line` for each line of a file in the node's folder, if it exists. Returns their number. */
static int for_each_line(const struct vnode *node, const char *name, void (*line)(void *context, const char *text),
                         void *context) {
    char path[COMMAND_PATH + 64], text[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", node->folder, name);
    FILE *file = fopen(path, "re");
    while (file && fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        line(context, text);
        count++;
    }
    if (file)
        fclose(file);
    return count;
}

int vnode_not_counted(const struct vnode *node, void (*line)(void *context, const char *text), void *context) {
    return for_each_line(node, NOTES_FILE_NAME, line, context);
}

int vnode_written(const struct vnode *node, void (*line)(void *context, const char *text), void *context) {
    return for_each_line(node, WRITTEN_FILE_NAME, line, context);
}

struct search {
    const char *text;
    int found;
};

static void compare(void *search, const char *text) {
    struct search *s = search;
    s->found |= strcmp(s->text, text) == 0;
}

int vnode_is_explained(const struct vnode *node, const char *text) {
    struct search search = {.text = text};
    for_each_line(node, EXPLAINED_FILE_NAME, compare, &search);
    return search.found;
}

void vnode_destroy(struct vnode *node) {
    if (!node)
        return;
    keeper_stop(node->keeper);
    scratch_remove(&node->scratch);
    environment_free(node->environment);
    free(node->arguments);
    free(node);
}
