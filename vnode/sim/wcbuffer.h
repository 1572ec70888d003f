/* wcbuffer.h - the write-combining buffers of a core: where non-temporal stores gather to lines.
 *
 * A store opens a buffer for its line or adds to the open one. A buffer whose bytes are all written leaves at once
 * as one full line. A buffer leaves early, as a partial write, when a store needs a buffer and all are open (the
 * one opened first goes), at a fence, and when the core itself loads, stores or fetches from the line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_WCBUFFER_H
#define ASSAY_SIM_WCBUFFER_H

#include <stdint.h>

#include "hardware.h"

/* Sees to it that the line has a buffer. Nonzero if it was opened now: the line has to leave L1D then, so that the
 * core's own next access to it misses and flushes the buffer. */
int wc_open(struct sim_core *core, uint64_t line);

/* Adds `bytes` from `offset` on, 1 at least and none beyond the line, to the buffer of `line`, which is open. */
void wc_write(struct sim_core *core, uint64_t line, uint32_t offset, uint32_t bytes);

/* Empties the buffer of `line`, if it is open. */
void wc_flush_line(struct sim_core *core, uint64_t line);

/* Empties all buffers, in the order of opening. */
void wc_flush(struct sim_core *core);

#endif
