/* instrument.c - instruments a superblock, so that it traces what it executes: data.c its accesses, run.c its
 * instructions and branches. Prefetches have no intermediate code: they are counted, but fetch nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"

#include "block.h"
#include "core_api.h"
#include "engine.h"
#include "helpers.h"
#include "schedule.h"

/* The checks of VEX take a part of each translation that short programs notice. --sanity-level=2 keeps them. */
void SANITY_WRAPPER(const IRSB *block, const HChar *caller, Bool require_flat, IRType guest_word) {
    if (VG_(clo_sanity_level) > 1)
        SANITY_WRAPPED(block, caller, require_flat, guest_word);
}

void block_call(struct block *b, const HChar *name, void *function, IRExpr **arguments, IRExpr *guard) {
    trace_pause(b);
    IRDirty *dirty = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
    if (guard)
        dirty->guard = guard;
    addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
    b->unsampled = True;
}

IRExpr *block_assign(struct block *b, IRExpr *value) {
    IRTemp temporary = newIRTemp(b->out->tyenv, typeOfIRExpr(b->out->tyenv, value));
    addStmtToIRSB(b->out, IRStmt_WrTmp(temporary, value));
    return IRExpr_RdTmp(temporary);
}

/* Relative to the address of Valgrind's that each thread's state begins with. A constant would take an instruction for
 * each access. */
IRExpr *block_engine(struct block *b, const void *variable) {
    if (!b->near_engine)
        b->near_engine = block_assign(b, IRExpr_Get(offsetof(VexGuestAMD64State, host_EvC_FAILADDR), Ity_I64));
    Addr offset = (Addr)variable - (Addr)&VG_(disp_cp_evcheck_fail);
    return block_assign(b, IRExpr_Binop(Iop_Add64, b->near_engine, word(offset)));
}

/* Whether the branch is taken, of an exit's guard; inverted if the exit is its not-taken path. */
static IRExpr *taken_of(struct block *b, IRExpr *guard, Bool inverted) {
    return inverted ? block_assign(b, IRExpr_Unop(Iop_Not1, guard)) : guard;
}

/* The opcode of a direct conditional jump, after prefixes: 70 to 7f, e0 to e3, or 0f 80 to 8f. */
static const UChar *opcode_of_conditional(const struct block *b) {
    const UChar *code = (const UChar *)b->address;
    while (*code == 0x2e || *code == 0x3e || *code == 0xf2 || *code == 0x67 || *code == 0x66)
        code++;
    return code;
}

/* A direct conditional jump ends in a displacement of 1 or 4 bytes. */
static Addr target_of_conditional(const struct block *b) {
    if (*opcode_of_conditional(b) == 0x0f)
        return b->next + (Addr)(Long) * (const Int *)(b->next - 4);
    return b->next + (Addr)(Long) * (const signed char *)(b->next - 1);
}

/* Whether an exit to `destination` is the not-taken path of the branch. If both paths lead to the next instruction,
 * the exit is the not-taken path for odd (negated) conditions: the translation exits on the opposite condition. */
static Bool is_way_not_taken(const struct block *b, Addr destination) {
    const UChar *opcode = opcode_of_conditional(b);
    if (destination != b->next || target_of_conditional(b) != b->next)
        return destination == b->next;
    return *opcode == 0x0f ? opcode[1] & 1 : *opcode < 0x80 && (*opcode & 1);
}

/* Finishes an instruction; `follower`: address of the next one (constant or computed). */
static void finish_instruction(struct block *b, IRExpr *follower) {
    enum sim_branch_kind kind;
    if (!b->started)
        return;
    if (!b->branched && run_branch_kind(b->is.kind, &kind)) {
        Bool taken = True;
        IRExpr *target = follower;
        /* The outcome was known at translation. A branch whose target is the next instruction counts as not taken. */
        if (kind == BRANCH_CONDITIONAL) {
            taken = !(follower->tag == Iex_Const && follower->Iex.Const.con->Ico.U64 == b->next);
            target = word(target_of_conditional(b));
        }
        run_branch(b, kind, IRExpr_Const(IRConst_U1(taken)), target);
    }
    if (b->is.kind == INSTRUCTION_STORE_FENCE)
        trace_add(b, word(0), trace_other(TRACE_FENCE), NULL);
    /* A repeated string instruction retires only when it ends. */
    if (repeats(&b->is) && follower->tag == Iex_Const && follower->Iex.Const.con->Ico.U64 == b->address)
        return;
    run_count_instruction(b);
    run_sample(b);
}

static void begin_instruction(struct block *b, Addr address, UInt length) {
    finish_instruction(b, word(address));
    if (b->run_count && b->run_end != address)
        run_flush(b);
    b->started = True;
    b->address = address;
    b->next = address + length;
    b->is = decode((const UChar *)address, length);
    b->loads = b->loaded_size = b->words_of_instruction = 0;
    b->line = NULL;
    b->branched = b->counted = False;
    b->sampled = sampling_instruction(address);
}

/* The block's code is compared with memory before it runs; VEX repeats the check before each copy of an unrolled
 * loop. Everything before it is complete: the loop starts again. */
static void add_self_check(struct block *b, Addr destination) {
    finish_instruction(b, word(destination));
    run_flush(b);
    b->started = False;
}

/* Leaves the block within an instruction other than a branch: end of a string instruction, restart. */
static void add_early_exit(struct block *b, IRExpr *guard, Addr destination) {
    run_flush(b);
    if (repeats(&b->is) && destination == b->next)
        CALL(b, engine_retire_repeated, mkIRExprVec_2(word(b->address), word(b->next - b->address)), guard);
    run_sample(b);
}

static void add_exit(struct block *b, const IRStmt *statement) {
    IRExpr *guard = statement->Ist.Exit.guard;
    Addr destination = statement->Ist.Exit.dst->Ico.U64;
    switch (statement->Ist.Exit.jk) {
    case Ijk_SigSEGV: /* alignment check of a vector access: a fault drops what the block has collected, see block.h */
        break;
    case Ijk_InvalICache:
        add_self_check(b, destination);
        break;
    case Ijk_EmWarn: /* after an instruction that requests something VEX ignores, such as fldcw for less precision */
        run_count_instruction(b);
        run_flush(b);
        break;
    case Ijk_Boring:
        if (b->is.kind == INSTRUCTION_JUMP_CONDITIONAL)
            run_branch(b, BRANCH_CONDITIONAL, taken_of(b, guard, is_way_not_taken(b, destination)),
                       word(target_of_conditional(b)));
        else
            add_early_exit(b, guard, destination);
        break;
    default:
        run_flush(b);
        run_sample(b);
        break;
    }
}

/* ---- statements ---- */

static UInt loaded_size(IRLoadGOp conversion) {
    IRType result, loaded;
    typeOfIRLoadGOp(conversion, &result, &loaded);
    return (UInt)sizeofIRType(loaded);
}

static Bool is_helper(const IRDirty *dirty, const HChar *name) {
    return VG_(strncmp)(dirty->cee->name, name, VG_(strlen)(name)) == 0;
}

static void replace_helper(struct block *b, IRDirty *dirty) {
    void *function;
    if (is_helper(dirty, "amd64g_dirtyhelper_CPUID")) {
        engine.host_cpuid = dirty->cee->addr;
        engine.not_stored = True; /* each process must learn that address */
        function = (void *)engine_cpuid;
    } else if (is_helper(dirty, "amd64g_dirtyhelper_RDTSCP")) {
        function = (void *)engine_rdtscp;
    } else if (is_helper(dirty, "amd64g_dirtyhelper_RDTSC")) {
        function = (void *)engine_rdtsc;
    } else {
        return;
    }
    run_flush(b); /* rdtsc must see all earlier instructions */
    trace_pause(b);
    dirty->cee = mkIRCallee(0, "engine", VG_(fnptr_to_fnentry)(function));
}

static void add_dirty(struct block *b, IRDirty *dirty) {
    replace_helper(b, dirty);
    if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
        data_load(b, dirty->mAddr, (UInt)dirty->mSize, dirty->guard);
    if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
        data_store(b, dirty->mAddr, (UInt)dirty->mSize, dirty->guard);
}

/* Stores the address of a flushed line. Valgrind flushes an aligned 256-byte range that contains the line: the line's
 * address is the one before rounding. An address known at translation is already rounded. */
static void note_flushed(struct block *b, const IRExpr *e) {
    if (b->is.kind == INSTRUCTION_FLUSH_LINE && e->tag == Iex_Binop && e->Iex.Binop.op == Iop_And64)
        b->line = e->Iex.Binop.arg1->tag == Iex_RdTmp ? e->Iex.Binop.arg1 : e->Iex.Binop.arg2;
}

static void add_flush(struct block *b, const IRStmt *s) {
    if (b->is.kind != INSTRUCTION_FLUSH_LINE || s->Ist.Put.offset != offsetof(VexGuestAMD64State, guest_CMSTART))
        return;
    trace_add(b, b->line != NULL ? b->line : s->Ist.Put.data, trace_other(TRACE_FLUSH), NULL);
}

static UInt size_of(const struct block *b, const IRExpr *e) {
    return (UInt)sizeofIRType(typeOfIRExpr(b->in->tyenv, e));
}

static void add_statement(struct block *b, IRStmt *s) {
    switch (s->tag) {
    case Ist_IMark:
        begin_instruction(b, s->Ist.IMark.addr, s->Ist.IMark.len);
        break;
    case Ist_WrTmp:
        data_note_sum(b, s->Ist.WrTmp.tmp, s->Ist.WrTmp.data);
        note_flushed(b, s->Ist.WrTmp.data);
        if (s->Ist.WrTmp.data->tag == Iex_Load)
            data_load(b, s->Ist.WrTmp.data->Iex.Load.addr, size_of(b, s->Ist.WrTmp.data), NULL);
        break;
    case Ist_Store:
        data_store(b, s->Ist.Store.addr, size_of(b, s->Ist.Store.data), NULL);
        break;
    case Ist_LoadG:
        data_load(b, s->Ist.LoadG.details->addr, loaded_size(s->Ist.LoadG.details->cvt), s->Ist.LoadG.details->guard);
        break;
    case Ist_StoreG:
        data_store(b, s->Ist.StoreG.details->addr, size_of(b, s->Ist.StoreG.details->data),
                   s->Ist.StoreG.details->guard);
        break;
    case Ist_CAS:
        data_locked(b, s->Ist.CAS.details);
        break;
    case Ist_Dirty:
        add_dirty(b, s->Ist.Dirty.details);
        break;
    case Ist_Put:
        add_flush(b, s);
        break;
    case Ist_Exit:
        add_exit(b, s);
        break;
    default:
        break;
    }
    schedule_statement(b, s);
    addStmtToIRSB(b->out, s);
}

/* VEX does not know rdpmc and would raise SIGILL; the processor raises SIGSEGV if it is not allowed. */
static void add_rdpmc(struct block *b) {
    static const Int registers[] = {offsetof(VexGuestAMD64State, guest_RCX), offsetof(VexGuestAMD64State, guest_RAX),
                                    offsetof(VexGuestAMD64State, guest_RDX)};
    IRExpr *next = b->out->next;
    Addr address = next->tag == Iex_Const ? next->Iex.Const.con->Ico.U64 : 0;
    if (b->out->jumpkind != Ijk_NoDecode || !address || decode((const UChar *)address, 2).kind != INSTRUCTION_RDPMC)
        return;
    IRTemp done = newIRTemp(b->out->tyenv, Ity_I64);
    IRDirty *dirty = unsafeIRDirty_1_N(done, 0, "engine_rdpmc", VG_(fnptr_to_fnentry)((void *)engine_rdpmc),
                                       mkIRExprVec_2(IRExpr_GSPTR(), word(address)));
    dirty->nFxState = sizeof registers / sizeof *registers;
    VG_(memset)(&dirty->fxState, 0, sizeof dirty->fxState);
    for (Int i = 0; i < dirty->nFxState; i++) {
        dirty->fxState[i].fx = i ? Ifx_Write : Ifx_Read;
        dirty->fxState[i].offset = (UShort)registers[i];
        dirty->fxState[i].size = sizeof(ULong);
    }
    addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
    IRExpr *is_done = block_assign(b, IRExpr_Binop(Iop_CmpNE64, IRExpr_RdTmp(done), word(0)));
    addStmtToIRSB(b->out,
                  IRStmt_Exit(is_done, Ijk_Boring, IRConst_U64(address + 2), offsetof(VexGuestAMD64State, guest_RIP)));
    b->out->jumpkind = Ijk_SigSEGV;
}

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
                 const VexArchInfo *host, IRType guest_word, IRType host_word) {
    (void)closure, (void)layout, (void)extents, (void)host, (void)guest_word, (void)host_word;
    struct place place[in->tyenv->types_used + 1];
    for (Int t = 0; t < in->tyenv->types_used; t++)
        place[t] = (struct place){(IRTemp)t, 0};
    struct block b = {.in = in,
                      .out = deepCopyIRSBExceptStmts(in),
                      .place = place,
                      .upper = upper_nothing(),
                      .schedule = schedule_begin(in)};
    Int i = 0;
    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        addStmtToIRSB(b.out, in->stmts[i]);
    for (; i < in->stmts_used; i++)
        if (in->stmts[i]->tag != Ist_NoOp)
            add_statement(&b, in->stmts[i]);
    if (in->jumpkind != Ijk_NoDecode)
        finish_instruction(&b, b.in->next);
    else
        engine.not_stored = True; /* it depends on the instruction behind the block, too */
    run_flush(&b);
    if (in->jumpkind == Ijk_Yield && engine.slowness > 1)
        run_pause(&b);
    trace_pause(&b);
    schedule_end(b.schedule);
    if (in->jumpkind == Ijk_InvalICache) /* after clflush, which does not change code: code.c */
        b.out->jumpkind = Ijk_Boring;
    add_rdpmc(&b);
    puts_remove(b.out);
    return b.out;
}
