/* registers_file.h - the registers of a client process, shared by the daemons of its threads.
 *
 * LIKWID starts one daemon per measuring thread, and programs all cores through the first. Each client starts with
 * zero registers: LIKWID takes anything else for a counter in use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_REGISTERS_FILE_H
#define ASSAY_PMU_REGISTERS_FILE_H

#include <sys/types.h>

#include "state.h"

struct registers_file {
    int fd;
    struct pmu_state *state;
};

/* Opens NODE_DIR/registers.CLIENT; the client's first daemon clears it. Returns 0, or -1 and errno. */
int registers_open(const char *folder, pid_t client, struct registers_file *out);

/* Excludes the client's other daemons from the registers. */
void registers_lock(const struct registers_file *file);
void registers_unlock(const struct registers_file *file);

#endif
