/* counters.c - writes a node's performance monitoring unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf_files.h"
#include "vnode/pmu/compiled.h"
#include "vnode/pmu/table_file.h"
#include "vnode/pmu/uncore.h"

int counters_store(const struct vnode *node, struct compiled *compiled, char *error, size_t size) {
    if (compiled_write(node->folder, compiled) == 0)
        return 0;
    snprintf(error, size, "%s: cannot write the node's counters there: %s; free space or set TMPDIR", node->folder,
             strerror(errno));
    return -1;
}

int counters_write(const struct vnode *node, const char *path, uint32_t counters, char *error, size_t error_size) {
    struct compiled *compiled = calloc(1, sizeof *compiled);
    int failed = -1;
    if (!compiled) {
        snprintf(error, error_size, "out of memory");
        return -1;
    }
    if (!table_load(path, &compiled->table, error, error_size)) {
        struct core_layout *core = &compiled->table.core;
        if (counters && counters < core->counters)
            core->counters = counters;
        if (uncore_boxes(&compiled->table, &node->config) > PMU_BOXES)
            snprintf(error, error_size, "%s: more than %d boxes on this node; take a smaller shape", path, PMU_BOXES);
        else
            failed = counters_store(node, compiled, error, error_size);
        if (!failed &&
            perf_files_write(&compiled->table, &node->config, node->perf_paranoid, !node->no_perf, node->folder) != 0) {
            snprintf(error, error_size, "%s: cannot write the node's perf_event files: %s", node->folder,
                     strerror(errno));
            failed = -1;
        }
    }
    free(compiled);
    return failed;
}
