/* block.h - one superblock while calls of the simulator are added to it.
 *
 * Instructions are gathered into runs (consecutive in memory) that retire together before the block can be left, and
 * plain accesses into groups (vnode/sim/group.h) that are simulated in one call. What a block had gathered is lost when
 * one of its instructions faults.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_BLOCK_H
#define ASSAY_VNODE_ENGINE_BLOCK_H

#include "pub_tool_basics.h"
#include "pub_tool_machine.h"

#include "decode.h"
#include "sampling.h"
#include "vnode/sim/group.h"

/* An address as a variable of the block and a constant. */
struct place {
    IRTemp base; /* IRTemp_INVALID: all of it is constant */
    Long offset;
};

struct block {
    IRSB *out;
    const IRSB *in;
    Bool started;        /* an instruction has begun */
    IRTemp core;         /* engine.core */
    struct place *place; /* of each variable of `in`; itself and 0 unless it is a sum */
    /* plain accesses that wait to be simulated; none if its length is 0 */
    struct sim_group group;
    IRExpr *first[SIM_GROUP_WIDTH]; /* addresses of its first round */
    struct place at[SIM_GROUP_WIDTH];
    /* the current instruction */
    Addr address, next;
    struct instruction is;
    UInt loads;          /* seen in its code */
    struct place loaded; /* where the last of them was, and its size */
    UInt loaded_size;
    IRExpr *from;            /* where a repeated copy loads its element */
    IRExpr *line;            /* an address in the line that it flushes; NULL: not seen yet */
    Bool branched;           /* its branch is simulated already */
    Bool counted;            /* it is part of the run */
    struct sampled *sampled; /* what its samples are counted in; NULL: nothing is sampled */
    Bool unsampled;          /* something was added since its samples were counted last */
    /* the run: retired, but not yet simulated */
    Addr run_start, run_end;
    UInt run_count, avx[4], divider_uops, updates, prefetches[PREFETCH_KINDS], fp[FP_CLASSES];
    UInt retired; /* of the run's instructions, those that the engine has been told of */
    upper_effect upper;
};

static inline IRExpr *word(ULong value) {
    return IRExpr_Const(IRConst_U64(value));
}

static inline IRExpr *core_of(const struct block *b) {
    return IRExpr_RdTmp(b->core);
}

/* Adds a call of a function of helpers.h or sim.h, under a condition unless that is NULL. */
#define CALL(b, function, arguments, guard) block_call(b, #function, (void *)function, arguments, guard)
void block_call(struct block *b, const HChar *name, void *function, IRExpr **arguments, IRExpr *guard);

/* A new variable with that value. */
IRExpr *block_assign(struct block *b, IRExpr *value);

/* data.c - the accesses of the program. NULL guard: in any case. */
void data_note_sum(struct block *b, IRTemp variable, const IRExpr *value); /* its place, if it is a sum */
void data_load(struct block *b, IRExpr *address, UInt size, IRExpr *guard);
void data_store(struct block *b, IRExpr *address, UInt size, IRExpr *guard);
void data_locked(struct block *b, const IRCAS *cas);
void data_flush_group(struct block *b); /* no access waits any longer */

/* run.c - retired instructions and branches. */
void run_count_instruction(struct block *b);
void run_flush(struct block *b); /* all that has happened up to here is simulated */
/* All that the current instruction has done, but for the fetch of its run, is counted as its own. */
void run_sample(struct block *b);
void run_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target);
Bool run_branch_kind(enum instruction_kind kind, enum sim_branch_kind *branch); /* False: no branch */

#endif
