/* trace.h - what a core executed, in order, as words: generated code stores them, and the simulator reads many at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_TRACE_H
#define ASSAY_SIM_TRACE_H

#include "trace_word.h"

/* The core executes what the words say, up to one of TRACE_END, but for sim_retire(). Pipeline words are only for nodes
 * with pipelines. */
void sim_trace(struct sim_core *core, const uint64_t *word);

#endif
