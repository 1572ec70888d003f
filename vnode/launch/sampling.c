/* sampling.c - translates events and faults into sums for the engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vnode/command.h"
#include "vnode/node_file.h"
#include "vnode/pmu/compiled.h"
#include "vnode_private.h"

/* The node's files during preparation. */
struct view {
    const struct compiled *compiled;
    struct node_file *file;
};

static void close_view(struct view *view) {
    if (view->compiled)
        compiled_unmap(view->compiled);
    if (view->file)
        munmap(view->file, sizeof *view->file);
}

static int open_view(const struct vnode *node, struct view *view, char *error, size_t size) {
    char path[COMMAND_PATH + 64];
    *view = (struct view){.compiled = compiled_map(node->folder, error, size)};
    if (!view->compiled)
        return -1;
    snprintf(path, sizeof path, "%s/" NODE_FILE_NAME, node->folder);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *file = fd >= 0 ? mmap(NULL, sizeof *view->file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (file != MAP_FAILED) {
        view->file = file;
        return 0;
    }
    snprintf(error, size, "%s: cannot be mapped: %s", path, strerror(errno));
    close_view(view);
    return -1;
}

static int is_of_cores(const struct table_event *event) {
    return strcmp(event->unit, UNIT_PMC) == 0 || strcmp(event->unit, UNIT_FIXED) == 0;
}

static const struct table_event *find(const struct pmu_table *table, const char *name) {
    for (uint32_t i = 0; i < table->events; i++)
        if (strcmp(table->event[i].name, name) == 0)
            return &table->event[i];
    return NULL;
}

/* 0, or -1: not a sum of a core's own totals. */
static int translate(const struct formula *formula, struct node_file *file, struct sampling_sum *out) {
    *out = (struct sampling_sum){.terms = formula->terms};
    for (uint32_t i = 0; i < formula->terms; i++) {
        const struct total_name *total = &formula->term[i].total;
        if (total->scope != SCOPE_CORE || total->sets != 1 || (total->totals > 1 && total->step != 1) ||
            i == SAMPLING_TERMS)
            return -1;
        node_ask(file, total);
        out->term[i].factor = formula->term[i].factor;
        out->term[i].offset = total->offset;
        out->term[i].adjacent = total->totals;
    }
    return 0;
}

static struct programmed programmed(const struct compiled *compiled, const struct table_event *event, uint32_t core) {
    int is_fixed = strcmp(event->unit, UNIT_FIXED) == 0;
    struct programmed at = {.faults = &compiled->faults,
                            .counter = {.kind = is_fixed ? NAME_FIXED : NAME_PMC, .index = is_fixed ? event->code : 0},
                            .place = core,
                            .bits = is_fixed ? compiled->table.core.fixed_width : compiled->table.core.width};
    memcpy(at.event.unit, event->unit, sizeof at.event.unit);
    at.event.code = event->code;
    at.event.umask = event->umask;
    return at;
}

/* A core's counter shows a multiple of the number of events plus a constant (fault.h), since a program is one
 * counting interval. Two event numbers give both. */
static void take_faults(const struct compiled *compiled, const struct table_event *event, uint32_t cores,
                        struct sampling_event *out) {
    const uint64_t one = UINT64_C(1) << SAMPLING_ONE;
    out->overflows = 1;
    for (uint32_t core = 0; core < cores; core++) {
        struct programmed at = programmed(compiled, event, core);
        out->add[core] = fault_count(&at, 0, 0);
        out->scale[core] = fault_count(&at, 0, one) - out->add[core];
        if (fault_show(&at, 0) == fault_show(&at, 1))
            out->overflows = 0;
    }
}

/* Why the event cannot be sampled with these periods, "": it can, and `out` is set. */
static void prepare(const struct view *view, const struct vnode_sampling *sampling, uint32_t cores, uint32_t number,
                    struct sampling_event *out, char *obstacle, size_t size) {
    const struct pmu_table *table = &view->compiled->table;
    const struct table_event *event = find(table, sampling->event[number]);
    obstacle[0] = '\0';
    if (!event || !is_of_cores(event) || translate(&event->formula, view->file, &out->happens) != 0) {
        snprintf(obstacle, size, "%s",
                 event ? "cores do not count it, so that no instruction belongs to it" : "the node does not model it");
        return;
    }
    struct programmed at = programmed(view->compiled, event, 0);
    if (fault_denies(&view->compiled->faults, &at.counter)) {
        snprintf(obstacle, size, "its counter may not be used");
        return;
    }
    int other = fault_swap(&at);
    const struct table_event *counted = other >= 0 ? &table->event[other] : event;
    uint32_t bits = fault_bits(&at);
    uint64_t most = sampling->period[sampling->periods - 1];
    if (bits < 64 && most > UINT64_C(1) << bits)
        snprintf(obstacle, size, "its counter has %u bits: no period of %llu", bits, (unsigned long long)most);
    else if (translate(&counted->formula, view->file, &out->counts) != 0)
        snprintf(obstacle, size, "cores do not count %s, which it was swapped with", counted->name);
    else
        take_faults(view->compiled, event, cores, out);
}

static int write_file(const struct vnode *node, const struct sampling_file *what, char *error, size_t size) {
    char path[COMMAND_PATH + 64];
    snprintf(path, sizeof path, "%s/" SAMPLING_FILE_NAME, node->folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int failed = fd < 0 || write(fd, what, sizeof *what) != (ssize_t)sizeof *what;
    if (fd >= 0)
        failed |= close(fd) != 0;
    if (failed)
        snprintf(error, size, "%s: cannot write: %s; free space or set TMPDIR", path, strerror(errno));
    return failed ? -1 : 0;
}

int vnode_sample(const struct vnode *node, struct vnode_sampling *sampling, char *error, size_t error_size) {
    struct view view;
    struct sampling_file *what = calloc(1, sizeof *what);
    if (!what || open_view(node, &view, error, error_size) != 0) {
        if (!what)
            snprintf(error, error_size, "out of memory");
        free(what);
        return -1;
    }
    what->magic = SAMPLING_MAGIC;
    what->version = SAMPLING_VERSION;
    what->skid = sampling->skid;
    what->periods = sampling->periods;
    memcpy(what->period, sampling->period, sizeof what->period);
    for (uint32_t i = 0; i < sampling->events; i++) {
        prepare(&view, sampling, sim_cpus(&node->config), i, &what->event[what->events], sampling->obstacle[i],
                sizeof sampling->obstacle[i]);
        what->events += sampling->obstacle[i][0] == '\0';
    }
    close_view(&view);
    int status = write_file(node, what, error, error_size);
    free(what);
    return status;
}

int vnode_happened(const struct vnode *node, const char *event, uint64_t *count, char *error, size_t error_size) {
    struct view view;
    if (open_view(node, &view, error, error_size) != 0)
        return -1;
    const struct table_event *found = find(&view.compiled->table, event);
    struct node_view of = {.node = view.file};
    *count = 0;
    node_lock(view.file);
    for (uint32_t core = 0; found && core < sim_cpus(&node->config); core++) {
        struct place place = {.core = core};
        *count += formula_value(&found->formula, &of, SCOPE_CORE, &place, 0);
    }
    node_unlock(view.file);
    close_view(&view);
    if (!found)
        snprintf(error, error_size, "%s: the node models no such event", event);
    return found ? 0 : -1;
}
