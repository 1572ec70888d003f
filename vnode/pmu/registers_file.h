/* registers_file.h - the registers that a client process sees, shared by the daemons of its threads.
 *
 * LIKWID starts one daemon per thread that measures, and programs all cores through the first. Another process
 * finds all registers zero: LIKWID takes anything else for a counter in use.
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

/* Opens NODE_DIR/registers.CLIENT, zero if no other daemon of the client lives. 0, or -1 and errno. */
int registers_open(const char *folder, pid_t client, struct registers_file *out);

/* Keeps the client's other daemons away from the registers. */
void registers_lock(const struct registers_file *file);
void registers_unlock(const struct registers_file *file);

#endif
