/* faults.c - sets faults of a node's counters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "vnode/pmu/fault_file.h"

struct vnode_faults {
    struct fault_list list;
    char lines[];
};

static int no_memory(char *error, size_t size) {
    snprintf(error, size, "out of memory");
    return -1;
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
    int failed = counters_store(node, compiled, error, error_size);
    free(compiled);
    return failed;
}
