/* notes.h - NODE_DIR/notcounted: one line for each counter that was programmed for something not modelled,
 * "COUNTER 0xEVENT:0xUMASK reason". Written by daemons, read by the launcher.
 *
 * CLIENT_NOTES, of the node's folder and a process number, has the same lines for one client of a daemon, which removes
 * the file when it has read it. What it has told its user it adds to NODE_DIR/explained.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NOTES_H
#define ASSAY_PMU_NOTES_H

#include <stdint.h>

#define NOTES_FILE_NAME "notcounted"
#define CLIENT_NOTES "%s/notcounted.%d"
#define EXPLAINED_FILE_NAME "explained"

/* Adds a line to both unless it is there already. `folder`: the node's; `client`: the process that programs the
 * counter. Failing to write is not an error of the measurement. */
void note_not_counted(const char *folder, int client, const char *counter, uint64_t select, const char *reason);

#endif
