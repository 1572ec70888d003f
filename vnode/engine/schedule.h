/* schedule.h - what the instructions of a superblock need of a core's pipeline (vnode/sim/pipeline.h): how their
 * results depend on registers, and which units they use.
 *
 * All registers have their values at the end of each instruction, so an instruction depends on earlier ones by
 * registers alone. An instruction with several operations takes the latency of one, by its class. A load takes its own
 * besides. Copies of registers, and arithmetic of addresses within a load, take no time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_SCHEDULE_H
#define ASSAY_VNODE_ENGINE_SCHEDULE_H

#include "block.h"

/* For a block that is about to be instrumented; schedule_end() frees it. NULL: the node's cores have no pipeline. All
 * other functions then do nothing. */
struct schedule *schedule_begin(const IRSB *in);
void schedule_end(struct schedule *schedule);

/* The next statement of the current instruction. */
void schedule_statement(struct block *b, const IRStmt *statement);

/* The current instruction belongs to the run; it is the run's next one. */
void schedule_instruction(struct block *b);

/* Adds the run to the code, and begins the next one. */
void schedule_flush(struct block *b);

#endif
