/* wcbuffer.h - the write-combining buffers of a core, which gather non-temporal stores into lines.
 *
 * A store opens a buffer for its line or adds to the open one. A completely written buffer leaves at once as one full
 * line. A buffer leaves early, as a partial write, when a store needs a buffer and all are open (first opened first),
 * at a fence, and when the core itself loads, stores or fetches from the line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_WCBUFFER_H
#define ASSAY_SIM_WCBUFFER_H

#include <stdint.h>

#include "hardware.h"

/* Ensures an open buffer for the line. Nonzero if it was opened now: the caller must then evict the line from L1D, so
 * that the core's next access misses and flushes the buffer. */
int wc_open(struct sim_core *core, uint64_t line);

/* Marks bytes [offset, offset + bytes) of the open buffer of `line` as written; at least one, none beyond the line. */
void wc_write(struct sim_core *core, uint64_t line, uint32_t offset, uint32_t bytes);

/* Empties the buffer of `line`, if it is open. */
void wc_flush_line(struct sim_core *core, uint64_t line);

/* Empties all buffers, in the order of opening. */
void wc_flush(struct sim_core *core);

#endif
