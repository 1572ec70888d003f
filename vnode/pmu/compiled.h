/* compiled.h - NODE_DIR/pmu: a node's performance monitoring unit and its faults, in the form that access daemons
 * use.
 *
 * The launcher parses both from text once and writes this file; daemons only map it. The file is replaced as a whole,
 * so existing mappings keep the old content.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_COMPILED_H
#define ASSAY_PMU_COMPILED_H

#include "fault.h"
#include "table.h"

#define COMPILED_FILE_NAME "pmu" /* in the node's folder */

enum { COMPILED_MAGIC = 0x554d5041, COMPILED_VERSION = 4 };

struct compiled_head {
    uint32_t magic, version;
    uint64_t size; /* of struct compiled */
};

struct compiled {
    struct compiled_head head;
    struct pmu_table table;
    struct fault_list faults;
};

/* Why the file with that head cannot be used; NULL: it can, if it is whole. No libc: the engine uses it, too. */
static inline const char *compiled_obstacle(const struct compiled_head *head) {
    if (head->magic != COMPILED_MAGIC)
        return "not the counters of a virtual node";
    if (head->version != COMPILED_VERSION || head->size != sizeof(struct compiled))
        return "written by another version of assay; start the node anew";
    return (const char *)0;
}

/* Completes the head of `what` and writes it to the node's folder. 0, or -1 and errno. */
int compiled_write(const char *folder, struct compiled *what);

/* Maps the file read-only. NULL and one line in `error` if it is missing or from another version of this program. */
const struct compiled *compiled_map(const char *folder, char *error, size_t error_size);
void compiled_unmap(const struct compiled *file);

#endif
