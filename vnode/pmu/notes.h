/* notes.h - NODE_DIR/notcounted: one line for each counter that was programmed for something not modelled,
 * "COUNTER 0xEVENT:0xUMASK reason". Written by daemons, read by the shim and the launcher.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NOTES_H
#define ASSAY_PMU_NOTES_H

#include <stdint.h>

#define NOTES_FILE_NAME "notcounted"

/* Adds a line unless it is there already. `folder`: the node's. Failing to write is not an error of the measurement. */
void note_not_counted(const char *folder, const char *counter, uint64_t select, const char *reason);

#endif
