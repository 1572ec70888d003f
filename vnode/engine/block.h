/* block.h - a superblock while code that traces its execution (vnode/sim/trace.h) is added to it.
 *
 * Instructions are collected into runs (consecutive in memory) that retire together before the block can be left. The
 * words that they add to the trace belong to it when the run ends. If an instruction faults, those of its run are lost.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_BLOCK_H
#define ASSAY_VNODE_ENGINE_BLOCK_H

#include "pub_tool_basics.h"
#include "pub_tool_machine.h"

#include "decode.h"
#include "sampling.h"
#include "vnode/sim/trace.h"

/* An address: a variable of the block plus a constant. */
struct place {
    IRTemp base; /* IRTemp_INVALID: constant only */
    Long offset;
};

/* Plain accesses that are not in the trace yet: the first round, and how many there are. If the round is one access,
 * and the others are beside it, they become a block. */
struct rounds {
    struct trace_rounds is; /* length 0: none */
    Bool down;              /* addresses descend: only in a block */
    IRExpr *last;           /* address of the last access */
    Addr instruction;       /* the first one */
    struct round_access {
        IRExpr *address;
        struct place at;
        enum trace_kind kind;
        UInt size;
    } first[TRACE_WIDTH_MAX];
};

struct block {
    IRSB *out;
    const IRSB *in;
    Bool started;        /* an instruction has begun */
    struct place *place; /* of each variable of `in`; base + offset if it is a sum, else itself + 0 */
    IRExpr *near_engine; /* the address that block_engine() adds to; NULL: not used yet */
    /* the trace */
    struct rounds rounds;
    IRExpr *trace;             /* engine.trace_end; NULL: not read since it may have changed */
    UInt words;                /* stored from there on */
    UInt words_of_instruction; /* of the current one */
    Addr behind;               /* end of the last run in the trace */
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

/* Whether an operation is a division of integers, which faults if the divisor is 0. */
static inline Bool block_divides(IROp op) {
    return op >= Iop_DivU32 && op <= Iop_ModS128;
}

/* Adds a call of a function of helpers.h; `guard`: its condition, NULL: none. */
#define CALL(b, function, arguments, guard) block_call(b, #function, (void *)function, arguments, guard)
void block_call(struct block *b, const HChar *name, void *function, IRExpr **arguments, IRExpr *guard);

/* A new variable with the value. */
IRExpr *block_assign(struct block *b, IRExpr *value);

/* The address of a variable of `engine`. */
IRExpr *block_engine(struct block *b, const void *variable);

/* data.c - the program's accesses. `guard`: condition, NULL: unconditional. */
void data_note_sum(struct block *b, IRTemp variable, const IRExpr *value); /* stores its place if it is a sum */
void data_load(struct block *b, IRExpr *address, UInt size, IRExpr *guard);
void data_store(struct block *b, IRExpr *address, UInt size, IRExpr *guard);
void data_locked(struct block *b, const IRCAS *cas);
/* Adds the accesses so far to the trace. Those that add other words, commit or pause do so first. */
void data_flush(struct block *b);

/* trace.c - words of the trace, see vnode/sim/trace.h. `guard`: as above. */
void trace_add(struct block *b, IRExpr *address, ULong code, IRExpr *guard);
/* Tells the stride prefetcher, if the node has one, which instruction the next accesses belong to. */
void trace_add_instruction(struct block *b, Addr instruction);
void trace_add_rounds(struct block *b, const struct rounds *rounds); /* one after the other, whatever happens */
/* The current instruction; `taken`: of type I1; `target`: a constant if it is a conditional branch. */
void trace_add_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target);
void trace_commit(struct block *b); /* the words belong to the trace */
void trace_pause(struct block *b);  /* the same, and what is added next may change the trace */

/* puts.c - the block is instrumented: removes writes of registers that nobody can see. */
void puts_remove(IRSB *block);

/* run.c - retired instructions and branches. */
void run_count_instruction(struct block *b);
void run_flush(struct block *b); /* ends the run */
void run_pause(struct block *b); /* ends the turn of a thread that waits (engine_pause) */
/* Attributes the events since the last call to the current instruction. Code fetches of a run go to its last
 * instruction. */
void run_sample(struct block *b);
void run_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target);
Bool run_branch_kind(enum instruction_kind kind, enum sim_branch_kind *branch); /* False: not a branch */

#endif
