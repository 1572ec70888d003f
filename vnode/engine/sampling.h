/* sampling.h - samples of events by instruction: vnode/sampling_file.h.
 *
 * With sampling, each instruction's events are known before the next instruction (run_sample() in run.c), so a sample
 * names the exact instruction. Exception: code fetches are attributed to the last instruction fetched together.
 * Sampling does not change the simulation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_SAMPLING_H
#define ASSAY_VNODE_ENGINE_SAMPLING_H

#include "pub_tool_basics.h"

struct sampled;

void sampling_start(void);          /* starts sampling if the node's folder requests it */
void sampling_forked(Bool counted); /* in a forked child: starts again, or stops */
void sampling_write(void);          /* at the end of the process, or before it executes another program */
Bool sampling_is_on(void);
struct sampled *sampling_instruction(Addr code); /* NULL: no sampling */

/* Called by instrumented code after the instruction is simulated. */
void engine_sample(struct sampled *instruction);

#endif
