/* counters.c - the counters of a node: its performance monitoring unit, and the faults that it has.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vnode.h"
#include "vnode/pmu/compiled.h"
#include "vnode/pmu/fault_file.h"
#include "vnode/pmu/table_file.h"
#include "vnode/pmu/uncore.h"

struct vnode_faults {
    struct fault_list list;
    char lines[];
};

static int no_memory(char *error, size_t size) {
    snprintf(error, size, "out of memory");
    return -1;
}

static int write_compiled(const struct vnode *node, struct compiled *compiled, char *error, size_t size) {
    if (compiled_write(node->folder, compiled) == 0)
        return 0;
    snprintf(error, size, "%s: cannot write the node's counters there: %s; free space or set TMPDIR", node->folder,
             strerror(errno));
    return -1;
}

int counters_write(const struct vnode *node, const char *path, char *error, size_t error_size) {
    struct compiled *compiled = calloc(1, sizeof *compiled);
    int failed = -1;
    if (!compiled)
        return no_memory(error, error_size);
    if (!table_load(path, &compiled->table, error, error_size)) {
        if (uncore_boxes(&compiled->table, &node->config) > PMU_BOXES)
            snprintf(error, error_size, "%s: more than %d boxes on this node; take a smaller shape", path, PMU_BOXES);
        else
            failed = write_compiled(node, compiled, error, error_size);
    }
    free(compiled);
    return failed;
}

int vnode_read_faults(const struct vnode *node, const char *file, const char *text, struct vnode_faults **out,
                      char *error, size_t error_size) {
    struct vnode_faults *faults = malloc(sizeof *faults + strlen(text) + 2);
    *out = NULL;
    if (!faults)
        return no_memory(error, error_size);
    const struct compiled *compiled = compiled_map(node->folder, error, error_size);
    if (compiled && faults_parse(text, file, &compiled->table, &node->config, &faults->list, faults->lines, error,
                                 error_size) == NULL)
        *out = faults;
    else
        free(faults);
    if (compiled)
        compiled_unmap(compiled);
    return *out ? 0 : -1;
}

void vnode_free_faults(struct vnode_faults *faults) {
    free(faults);
}

const char *vnode_fault_lines(const struct vnode_faults *faults) {
    return faults->lines;
}

int vnode_set_faults(const struct vnode *node, const struct vnode_faults *faults, const char *run, char *error,
                     size_t error_size) {
    const struct compiled *old = compiled_map(node->folder, error, error_size);
    struct compiled *compiled = old ? malloc(sizeof *compiled) : NULL;
    if (!old)
        return -1;
    if (compiled)
        *compiled = *old;
    compiled_unmap(old);
    if (!compiled)
        return no_memory(error, error_size);
    compiled->faults = faults->list;
    if (run)
        compiled->faults.seed = faults_seed(faults->list.seed, run);
    int failed = write_compiled(node, compiled, error, error_size);
    free(compiled);
    return failed;
}
