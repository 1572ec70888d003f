/* sampling.h - samples of events by instruction: vnode/sampling_file.h.
 *
 * Where something is sampled, each instruction's events are known before the next one (run_sample() in run.c), so that
 * a sample names the very instruction; but for fetches of code, which belong to the last instruction of those that are
 * fetched together. What is simulated is the same as without: no access, fetch or turn is another one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_SAMPLING_H
#define ASSAY_VNODE_ENGINE_SAMPLING_H

#include "pub_tool_basics.h"

struct sampled;

void sampling_start(void);          /* samples, if the node's folder says so */
void sampling_forked(Bool counted); /* in a forked child: all its own, or none */
void sampling_write(void);          /* what there is so far; the process ends, or executes another program */
struct sampled *sampling_instruction(Addr code); /* NULL: nothing is sampled, or there is no room for more */

/* Called by instrumented code: all that the instruction has done is simulated. */
void engine_sample(struct sampled *instruction);

#endif
