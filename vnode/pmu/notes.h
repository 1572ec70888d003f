/* notes.h - NODE_DIR/notcounted: one line per counter programmed for something not modelled, "COUNTER 0xEVENT:0xUMASK
 * reason". Daemons write it, the launcher reads it.
 *
 * CLIENT_NOTES (node's folder, process number) has the lines of one daemon client, which reads and removes the file.
 * It appends the lines that it reported to its user to NODE_DIR/explained.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_PMU_NOTES_H
#define ASSAY_PMU_NOTES_H

#include <stdint.h>

#define NOTES_FILE_NAME "notcounted"
#define CLIENT_NOTES "%s/notcounted.%d"
#define EXPLAINED_FILE_NAME "explained"

/* Adds a line to both files unless it is there already. `folder`: the node's; `client`: the process that programs the
 * counter. Write errors are ignored: they do not affect the measurement. */
void note_not_counted(const char *folder, int client, const char *counter, uint64_t select, const char *reason);

#endif
