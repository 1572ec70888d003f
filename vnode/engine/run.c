/* run.c - instruments retired instructions and branches of a superblock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"

#include "block.h"
#include "engine.h"
#include "helpers.h"
#include "schedule.h"

void run_count_instruction(struct block *b) {
    if (b->counted)
        return;
    b->counted = b->unsampled = True;
    if (b->run_count == 0)
        b->run_start = b->address;
    schedule_instruction(b);
    b->run_count++;
    b->run_end = b->next;
    b->avx[b->is.avx]++;
    b->divider_uops += b->is.divider_uops;
    b->divisions += b->is.divider_uops && !b->is.arithmetic;
    b->vectors += b->is.vectors != UPPER_UNUSED;
    if (prefetch_kind(b->is.kind) < PREFETCH_KINDS)
        b->prefetches[prefetch_kind(b->is.kind)]++;
    if (b->is.arithmetic)
        b->fp[b->is.fp_class]++;
    if (b->is.vectors != UPPER_UNUSED)
        b->upper = upper_then(b->upper, b->is.vectors);
}

/* Adds `amount` to a variable of `engine`; returns its new value. */
static IRExpr *add_to(struct block *b, const void *variable, Long amount) {
    IRExpr *old = block_assign(b, IRExpr_Load(Iend_LE, Ity_I64, block_engine(b, variable)));
    IRExpr *new = block_assign(b, IRExpr_Binop(Iop_Add64, old, word((ULong)amount)));
    addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, block_engine(b, variable), new));
    return new;
}

/* Applies the run's effect on the vector registers' upper halves, usually none in the current state. */
static void add_upper(struct block *b) {
    UInt acts = upper_acts(b->upper);
    if (acts == 0)
        return;
    IRExpr *state = block_assign(b, IRExpr_Load(Iend_LE, Ity_I8, block_engine(b, &engine.upper)));
    IRExpr *shifted = block_assign(b, IRExpr_Binop(Iop_Shr64, word(acts), state));
    IRExpr *does = block_assign(b, IRExpr_Unop(Iop_64to1, shifted));
    CALL(b, engine_upper, mkIRExprVec_1(word(b->upper)), does);
}

void run_pause(struct block *b) {
    CALL(b, engine_pause, mkIRExprVec_0(), NULL);
}

/* Reports the run's instruction counts, except accesses, to the engine. */
static void tell_engine(struct block *b) {
    for (UInt class = AVX_LOAD; class <= AVX_CALC; class ++)
        if (b->avx[class])
            add_to(b, &engine.avx[class], b->avx[class]);
    if (b->divider_uops)
        add_to(b, &engine.divider_uops, b->divider_uops);
    if (b->divisions)
        add_to(b, &engine.divisions, b->divisions);
    if (b->vectors)
        add_to(b, &engine.vectors, b->vectors);
    for (UInt kind = 0; kind < PREFETCH_KINDS; kind++)
        if (b->prefetches[kind])
            add_to(b, &engine.prefetches[kind], b->prefetches[kind]);
    for (UInt class = 0; class < FP_CLASSES; class ++)
        if (b->fp[class])
            add_to(b, &engine.fp[class], b->fp[class]);
    if (b->updates)
        add_to(b, &engine.updates, b->updates);
    add_upper(b);
    b->upper = upper_nothing();
    b->divider_uops = b->divisions = b->vectors = b->updates = 0;
    VG_(memset)(b->avx, 0, sizeof b->avx);
    VG_(memset)(b->prefetches, 0, sizeof b->prefetches);
    VG_(memset)(b->fp, 0, sizeof b->fp);
}

/* Returns the budget after the run's instructions. */
static IRExpr *retire(struct block *b) {
    IRExpr *budget = add_to(b, &engine.budget, -(Long)(b->run_count - b->retired));
    b->retired = b->run_count;
    return budget;
}

/* Adds the run to the trace. */
static void add_run(struct block *b) {
    tl_assert(b->run_end - b->run_start <= TRACE_FETCH_MAX);
    trace_add(b, word(b->run_start), trace_fetch(b->run_end - b->run_start), NULL);
    b->behind = b->run_end;
    schedule_flush(b);
}

/* What the run has added to the trace belongs to it; its instructions retire. */
static void end_run(struct block *b) {
    trace_pause(b);
    IRExpr *is_over = block_assign(b, IRExpr_Binop(Iop_CmpLE64S, retire(b), word(0)));
    CALL(b, engine_end_slice, mkIRExprVec_0(), is_over);
    tell_engine(b);
    b->run_count = b->retired = 0;
    run_sample(b);
}

void run_flush(struct block *b) {
    if (b->run_count) {
        add_run(b);
        end_run(b);
        return;
    }
    if (b->words || b->rounds.is.length)
        CALL(b, engine_make_room, mkIRExprVec_0(), NULL); /* a repeated instruction, long before it retires */
    trace_commit(b);
    tell_engine(b);
    run_sample(b);
}

/* It reads the general registers. A repeated string instruction counts before it retires. */
static void add_overflow(struct block *b) {
    IRExpr *budget = block_assign(b, IRExpr_Load(Iend_LE, Ity_I64, block_engine(b, &engine.budget)));
    IRExpr *limit = block_assign(b, IRExpr_Load(Iend_LE, Ity_I64, block_engine(b, &engine.overflow_budget)));
    IRDirty *dirty = unsafeIRDirty_0_N(0, "engine_overflow", VG_(fnptr_to_fnentry)((void *)engine_overflow),
                                       mkIRExprVec_2(IRExpr_GSPTR(), word(b->address)));
    if (!repeats(&b->is))
        dirty->guard = block_assign(b, IRExpr_Binop(Iop_CmpLE64S, budget, limit));
    dirty->nFxState = 1;
    VG_(memset)(&dirty->fxState, 0, sizeof dirty->fxState);
    dirty->fxState[0].fx = Ifx_Read;
    dirty->fxState[0].offset = offsetof(VexGuestAMD64State, guest_RAX);
    dirty->fxState[0].size =
        offsetof(VexGuestAMD64State, guest_R15) + sizeof(ULong) - offsetof(VexGuestAMD64State, guest_RAX);
    addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
}

void run_sample(struct block *b) {
    if ((!b->sampled && !engine.perf_instruments) || !b->unsampled)
        return;
    trace_pause(b);
    if (b->run_count > b->retired)
        retire(b);
    tell_engine(b);
    if (b->sampled)
        CALL(b, engine_sample, mkIRExprVec_1(word((Addr)b->sampled)), NULL);
    if (engine.perf_instruments)
        add_overflow(b);
    b->unsampled = False;
}

Bool run_branch_kind(enum instruction_kind kind, enum sim_branch_kind *branch) {
    switch (kind) {
    case INSTRUCTION_JUMP_CONDITIONAL:
        *branch = BRANCH_CONDITIONAL;
        return True;
    case INSTRUCTION_JUMP:
        *branch = BRANCH_JUMP;
        return True;
    case INSTRUCTION_JUMP_INDIRECT:
        *branch = BRANCH_INDIRECT;
        return True;
    case INSTRUCTION_CALL:
        *branch = BRANCH_CALL;
        return True;
    case INSTRUCTION_CALL_INDIRECT:
        *branch = BRANCH_CALL_INDIRECT;
        return True;
    case INSTRUCTION_RETURN:
        *branch = BRANCH_RETURN;
        return True;
    default:
        return False;
    }
}

void run_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target) {
    run_count_instruction(b);
    if (b->run_count) /* 0: a second exit of the branch */
        add_run(b);
    trace_add_branch(b, kind, taken, target);
    end_run(b);
    b->branched = True;
}
