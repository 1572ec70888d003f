/* processor.c - validate/node/processor.c for an Assay that runs natively in a virtual node, where CPUID is the host's
 * (rig.bash): the node's file says what its CPUID shows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/node/processor.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "vnode/node_file.h"

enum { AMD_COUNTERS = 6, HYPERVISOR = 31 };

static struct node_file node;

/* Assay later removes the node's variables from its environment, from which also the shim takes the process's cores,
 * once they are asked for. */
__attribute__((constructor)) static void read_node(void) {
    char path[4200];
    cpu_set_t cores;
    const char *folder = getenv(NODE_DIR_VARIABLE);
    snprintf(path, sizeof path, "%s/" NODE_FILE_NAME, folder ? folder : "");
    FILE *file = fopen(path, "re");
    if (!file || fread(&node, sizeof node, 1, file) != 1)
        abort();
    fclose(file);
    sched_getaffinity(0, sizeof cores, &cores);
}

int processor_counters(void) {
    return node.vendor == IDENTITY_AMD ? AMD_COUNTERS : (int)node.perfmon.counters;
}

int processor_is_virtual(void) {
    return node.features[IDENTITY_1_ECX] >> HYPERVISOR & 1;
}
