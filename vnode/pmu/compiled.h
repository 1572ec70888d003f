/* compiled.h - NODE_DIR/pmu: the performance monitoring unit of a node and its faults, as its access daemons use them.
 *
 * The launcher reads both from text, once, and writes this file; daemons map it and parse nothing. It is replaced as a
 * whole, so that who has mapped it keeps what was there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_COMPILED_H
#define ASSAY_PMU_COMPILED_H

#include "fault.h"
#include "table.h"

#define COMPILED_FILE_NAME "pmu" /* in the node's folder */

enum { COMPILED_MAGIC = 0x554d5041, COMPILED_VERSION = 2 };

struct compiled_head {
    uint32_t magic, version;
    uint64_t size; /* of struct compiled */
};

struct compiled {
    struct compiled_head head;
    struct pmu_table table;
    struct fault_list faults;
};

/* Writes `what`, whose head is filled in, to the node's folder. 0, or -1 and errno. */
int compiled_write(const char *folder, struct compiled *what);

/* Maps it, read-only. NULL, and one line in `error`, if it is not there or was written by another version of this
 * program. */
const struct compiled *compiled_map(const char *folder, char *error, size_t error_size);
void compiled_unmap(const struct compiled *file);

#endif
