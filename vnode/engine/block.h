/* block.h - a superblock while simulator calls are added to it.
 *
 * Instructions are collected into runs (consecutive in memory) that retire together before the block can be left, and
 * plain accesses into groups (vnode/sim/group.h) that are simulated in one call. If an instruction faults, what its
 * block has collected is lost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_BLOCK_H
#define ASSAY_VNODE_ENGINE_BLOCK_H

#include "pub_tool_basics.h"
#include "pub_tool_machine.h"

#include "decode.h"
#include "sampling.h"
#include "vnode/sim/group.h"

/* An address: a variable of the block plus a constant. */
struct place {
    IRTemp base; /* IRTemp_INVALID: constant only */
    Long offset;
};

struct block {
    IRSB *out;
    const IRSB *in;
    Bool started;        /* an instruction has begun */
    IRTemp core;         /* engine.core */
    struct place *place; /* of each variable of `in`; base + offset if it is a sum, else itself + 0 */
    /* plain accesses to be simulated; group.length 0: none */
    struct sim_group group;
    IRExpr *first[SIM_GROUP_WIDTH]; /* addresses of the group's first round of accesses: group.h */
    struct place at[SIM_GROUP_WIDTH];
    Addr group_address; /* its first instruction */
    /* the current instruction */
    Addr address, next;
    struct instruction is;
    UInt loads;          /* loads of the instruction so far */
    struct place loaded; /* address of the last load, and its size */
    UInt loaded_size;
    IRExpr *from;            /* source address of a repeated copy's element */
    IRExpr *line;            /* address of a line flush; NULL: not seen yet */
    Bool branched;           /* its branch is simulated already */
    Bool counted;            /* it is part of the run */
    struct sampled *sampled; /* the counts of the instruction; NULL: no sampling */
    Bool unsampled;          /* something was added after its last sampling call */
    /* the run: retired, but not yet simulated */
    Addr run_start, run_end;
    UInt run_count, avx[4], divider_uops, divisions, vectors, updates, prefetches[PREFETCH_KINDS], fp[FP_CLASSES];
    UInt retired; /* instructions of the run already reported to the engine */
    upper_effect upper;
    struct schedule *schedule; /* schedule.h; NULL: the node's cores have no pipeline */
};

static inline IRExpr *word(ULong value) {
    return IRExpr_Const(IRConst_U64(value));
}

static inline IRExpr *core_of(const struct block *b) {
    return IRExpr_RdTmp(b->core);
}

/* Adds a call of a function of helpers.h or sim.h; `guard`: its condition, NULL: none. */
#define CALL(b, function, arguments, guard) block_call(b, #function, (void *)function, arguments, guard)
void block_call(struct block *b, const HChar *name, void *function, IRExpr **arguments, IRExpr *guard);

/* A new variable with the value. */
IRExpr *block_assign(struct block *b, IRExpr *value);

/* data.c - the program's accesses. `guard`: condition, NULL: unconditional. */
void data_note_sum(struct block *b, IRTemp variable, const IRExpr *value); /* stores its place if it is a sum */
void data_load(struct block *b, IRExpr *address, UInt size, IRExpr *guard);
void data_store(struct block *b, IRExpr *address, UInt size, IRExpr *guard);
void data_locked(struct block *b, const IRCAS *cas);
void data_flush_group(struct block *b); /* simulates the pending group */

/* run.c - retired instructions and branches. */
void run_count_instruction(struct block *b);
void run_flush(struct block *b); /* simulates everything so far */
void run_pause(struct block *b); /* ends the turn of a thread that waits (engine_pause) */
/* Attributes the events since the last call to the current instruction. Code fetches of a run go to its last
 * instruction. */
void run_sample(struct block *b);
void run_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target);
Bool run_branch_kind(enum instruction_kind kind, enum sim_branch_kind *branch); /* False: not a branch */

#endif
