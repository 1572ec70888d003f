/* instrument.c - adds calls of the simulator to one superblock.
 *
 * Data accesses are simulated where they stand. Instructions are gathered into runs (consecutive in memory) that retire
 * together before anything can leave the block; branches follow their run. Prefetches have no intermediate code and
 * are ignored.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"

#include "decode.h"
#include "engine.h"
#include "helpers.h"

struct block {
    IRSB *out;
    const IRSB *in;
    Bool started; /* an instruction has begun */
    IRTemp core;  /* engine.core */
    /* a plain access that waits to be simulated together with the next one */
    IRExpr *waiting; /* its address, NULL if there is none */
    UInt waiting_size;
    Bool waiting_store;
    /* the current instruction */
    Addr address, next;
    struct instruction is;
    UInt loads;    /* seen in its code */
    Bool branched; /* its branch is simulated already */
    Bool counted;  /* it is part of the run */
    /* the run: retired, but not yet simulated */
    Addr run_start, run_end;
    UInt run_count, avx[4], divider_uops;
};

static IRExpr *word(ULong value) {
    return IRExpr_Const(IRConst_U64(value));
}

static void call(struct block *b, const HChar *name, void *function, IRExpr **arguments, IRExpr *guard) {
    IRDirty *dirty = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
    if (guard)
        dirty->guard = guard;
    addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
}

#define CALL(b, function, arguments, guard) call(b, #function, (void *)function, arguments, guard)

/* ---- data ---- */

static IRExpr *core_of(const struct block *b) {
    return IRExpr_RdTmp(b->core);
}

static void flush_access(struct block *b) {
    IRExpr *address = b->waiting;
    if (!address)
        return;
    b->waiting = NULL;
    if (b->waiting_store)
        CALL(b, engine_store, mkIRExprVec_3(core_of(b), address, word(b->waiting_size)), NULL);
    else
        CALL(b, engine_load, mkIRExprVec_3(core_of(b), address, word(b->waiting_size)), NULL);
}

/* Plain accesses are simulated two by two, which halves the calls. */
static void add_access(struct block *b, IRExpr *address, UInt size, Bool is_store) {
    if (!b->waiting) {
        b->waiting = address;
        b->waiting_size = size;
        b->waiting_store = is_store;
        return;
    }
    IRExpr **both = mkIRExprVec_5(core_of(b), b->waiting, word(b->waiting_size), address, word(size));
    b->waiting = NULL;
    if (b->waiting_store && is_store)
        CALL(b, engine_store_store, both, NULL);
    else if (b->waiting_store)
        CALL(b, engine_store_load, both, NULL);
    else if (is_store)
        CALL(b, engine_load_store, both, NULL);
    else
        CALL(b, engine_load_load, both, NULL);
}

/* Valgrind lets a masked-off element of a gather load from elsewhere: its address is chosen by the mask, which is
 * returned. NULL: the element is loaded in any case. */
static IRExpr *gather_mask(const struct block *b, const IRExpr *address) {
    if (address->tag != Iex_RdTmp)
        return NULL;
    for (Int i = 0; i < b->in->stmts_used; i++) {
        const IRStmt *s = b->in->stmts[i];
        if (s->tag == Ist_WrTmp && s->Ist.WrTmp.tmp == address->Iex.RdTmp.tmp)
            return s->Ist.WrTmp.data->tag == Iex_ITE ? s->Ist.WrTmp.data->Iex.ITE.cond : NULL;
    }
    return NULL;
}

/* Accesses that are Valgrind's own way to do it, not the processor's: a bit test of a register by way of the stack,
 * the load before a masked store, and loads that are part of a locked operation, which is simulated as a whole. */
static Bool is_artefact(const struct block *b, Bool is_load) {
    if (b->is.kind == INSTRUCTION_BIT_TEST && !b->is.has_memory)
        return True;
    return is_load && (b->is.kind == INSTRUCTION_STORE_NT_MASKED || b->is.locked);
}

static void add_load(struct block *b, IRExpr *address, UInt size, IRExpr *guard) {
    b->loads++;
    if (is_artefact(b, True))
        return;
    if (b->is.kind == INSTRUCTION_GATHER)
        guard = gather_mask(b, address);
    if (b->is.kind == INSTRUCTION_FMA) {
        if (b->loads > 1)
            return; /* Valgrind loads element by element */
        size = b->is.memory_size;
    }
    if (!guard && size <= engine.node->config.line) {
        add_access(b, address, size, False);
        return;
    }
    flush_access(b);
    if (size > engine.node->config.line)
        CALL(b, engine_load_long, mkIRExprVec_2(address, word(size)), guard);
    else
        CALL(b, engine_load, mkIRExprVec_3(core_of(b), address, word(size)), guard);
}

static void add_store(struct block *b, IRExpr *address, UInt size, IRExpr *guard) {
    if (is_artefact(b, False))
        return;
    Bool is_nt = b->is.kind == INSTRUCTION_STORE_NT || b->is.kind == INSTRUCTION_STORE_NT_MASKED;
    if (!guard && !is_nt && size <= engine.node->config.line) {
        add_access(b, address, size, True);
        return;
    }
    flush_access(b);
    if (size > engine.node->config.line)
        CALL(b, engine_store_long, mkIRExprVec_2(address, word(size)), guard);
    else if (is_nt)
        CALL(b, sim_store_nt, mkIRExprVec_3(core_of(b), address, word(size)), guard);
    else
        CALL(b, engine_store, mkIRExprVec_3(core_of(b), address, word(size)), guard);
}

static void add_locked(struct block *b, const IRCAS *cas) {
    UInt size = (UInt)sizeofIRType(typeOfIRExpr(b->in->tyenv, cas->dataLo)) * (cas->dataHi ? 2 : 1);
    flush_access(b);
    CALL(b, sim_fence, mkIRExprVec_1(core_of(b)), NULL);
    CALL(b, sim_load_locked, mkIRExprVec_3(core_of(b), cas->addr, word(size)), NULL);
    CALL(b, sim_store, mkIRExprVec_3(core_of(b), cas->addr, word(size)), NULL);
}

static UInt loaded_size(IRLoadGOp conversion) {
    IRType result, loaded;
    typeOfIRLoadGOp(conversion, &result, &loaded);
    return (UInt)sizeofIRType(loaded);
}

/* ---- instructions ---- */

static void count_instruction(struct block *b) {
    if (b->counted)
        return;
    b->counted = True;
    if (b->run_count == 0)
        b->run_start = b->address;
    b->run_count++;
    b->run_end = b->next;
    b->avx[b->is.avx]++;
    b->divider_uops += b->is.divider_uops;
}

static IRExpr *assign(struct block *b, IRExpr *value) {
    IRTemp temporary = newIRTemp(b->out->tyenv, typeOfIRExpr(b->out->tyenv, value));
    addStmtToIRSB(b->out, IRStmt_WrTmp(temporary, value));
    return IRExpr_RdTmp(temporary);
}

/* Adds to a variable of the engine; its new value. */
static IRExpr *add_to(struct block *b, void *variable, Long amount) {
    IRExpr *old = assign(b, IRExpr_Load(Iend_LE, Ity_I64, word((Addr)variable)));
    IRExpr *new = assign(b, IRExpr_Binop(Iop_Add64, old, word((ULong)amount)));
    addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, word((Addr)variable), new));
    return new;
}

/* Ends the turn if nothing is left of its budget. */
static void add_turn_end(struct block *b, IRExpr *budget) {
    IRDirty *dirty = unsafeIRDirty_0_N(0, "engine_end_turn", VG_(fnptr_to_fnentry)((void *)engine_end_turn),
                                       mkIRExprVec_1(IRExpr_GSPTR()));
    dirty->nFxState = 1;
    VG_(memset)(&dirty->fxState, 0, sizeof dirty->fxState);
    dirty->fxState[0].fx = Ifx_Write;
    dirty->fxState[0].offset = offsetof(VexGuestAMD64State, host_EvC_COUNTER);
    dirty->fxState[0].size = sizeof(UInt);
    dirty->guard = assign(b, IRExpr_Binop(Iop_CmpLE64S, budget, word(0)));
    addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
}

/* All that has happened up to here is simulated. */
static void flush_run(struct block *b) {
    flush_access(b);
    if (b->run_count) {
        IRExpr *fetched = assign(b, IRExpr_Load(Iend_LE, Ity_I64, word((Addr)&engine.fetched_run)));
        IRExpr *differs = assign(b, IRExpr_Binop(Iop_CmpNE64, fetched, word(b->run_start)));
        CALL(b, engine_fetch, mkIRExprVec_2(word(b->run_start), word(b->run_end - b->run_start)), differs);
        add_turn_end(b, add_to(b, &engine.budget, -(Long)b->run_count));
    }
    for (UInt class = AVX_LOAD; class <= AVX_CALC; class ++)
        if (b->avx[class])
            add_to(b, &engine.avx[class], b->avx[class]);
    if (b->divider_uops)
        add_to(b, &engine.divider_uops, b->divider_uops);
    b->run_count = b->divider_uops = 0;
    VG_(memset)(b->avx, 0, sizeof b->avx);
}

/* ---- branches ---- */

static Bool simulated_kind(enum instruction_kind kind, enum sim_branch_kind *branch) {
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

static void add_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target) {
    count_instruction(b);
    flush_run(b);
    CALL(b, sim_branch, mkIRExprVec_6(core_of(b), word(b->address), word(kind), taken, target, word(b->next)), NULL);
    b->branched = True;
}

/* The guard of an exit as 0 or 1 of 64 bits; the other way round if the exit is the way of the branch not taken. */
static IRExpr *taken_of(struct block *b, IRExpr *guard, Bool inverted) {
    IRExpr *bit = assign(b, IRExpr_Unop(Iop_1Uto64, guard));
    return inverted ? assign(b, IRExpr_Binop(Iop_Xor64, bit, word(1))) : bit;
}

/* The bytes of a direct conditional jump end in its displacement, of 1 or 4 bytes. */
static Addr target_of_conditional(const struct block *b) {
    const UChar *code = (const UChar *)b->address;
    UInt at = 0;
    while (code[at] == 0x2e || code[at] == 0x3e || code[at] == 0xf2 || code[at] == 0x67 || code[at] == 0x66)
        at++;
    if (code[at] == 0x0f)
        return b->next + (Addr)(Long) * (const Int *)(b->next - 4);
    return b->next + (Addr)(Long) * (const signed char *)(b->next - 1);
}

/* The instruction has no more code; `follower` is where the program goes from here (a constant, or computed). */
static void finish_instruction(struct block *b, IRExpr *follower) {
    enum sim_branch_kind kind;
    if (!b->started)
        return;
    if (!b->branched && simulated_kind(b->is.kind, &kind)) {
        Bool taken = True;
        IRExpr *target = follower;
        if (kind == BRANCH_CONDITIONAL) { /* its outcome was known when the block was translated */
            taken = !(follower->tag == Iex_Const && follower->Iex.Const.con->Ico.U64 == b->next);
            target = word(target_of_conditional(b));
        }
        add_branch(b, kind, word(taken), target);
    }
    if (b->is.kind == INSTRUCTION_STORE_FENCE) {
        flush_access(b);
        CALL(b, sim_fence, mkIRExprVec_1(core_of(b)), NULL);
    }
    /* A repeated string instruction retires once, when it is left. */
    if (b->is.kind == INSTRUCTION_STRING && b->is.repeated && follower->tag == Iex_Const &&
        follower->Iex.Const.con->Ico.U64 == b->address)
        return;
    count_instruction(b);
}

static void begin_instruction(struct block *b, Addr address, UInt length) {
    finish_instruction(b, word(address));
    if (b->run_count && b->run_end != address)
        flush_run(b);
    b->started = True;
    b->address = address;
    b->next = address + length;
    b->is = decode((const UChar *)address, length);
    b->loads = 0;
    b->branched = b->counted = False;
}

static void add_exit(struct block *b, const IRStmt *statement) {
    IRExpr *guard = statement->Ist.Exit.guard;
    Addr destination = statement->Ist.Exit.dst->Ico.U64;
    if (b->is.kind == INSTRUCTION_JUMP_CONDITIONAL) {
        Bool inverted = destination == b->next;
        add_branch(b, BRANCH_CONDITIONAL, taken_of(b, guard, inverted), word(target_of_conditional(b)));
        return;
    }
    flush_run(b);
    if (b->is.kind == INSTRUCTION_STRING && b->is.repeated && destination == b->next)
        CALL(b, engine_retire_repeated, mkIRExprVec_2(word(b->address), word(b->next - b->address)), guard);
}

/* ---- statements ---- */

static Bool is_helper(const IRDirty *dirty, const HChar *name) {
    return VG_(strncmp)(dirty->cee->name, name, VG_(strlen)(name)) == 0;
}

static void replace_helper(struct block *b, IRDirty *dirty) {
    void *function;
    if (is_helper(dirty, "amd64g_dirtyhelper_CPUID")) {
        engine.host_cpuid = dirty->cee->addr;
        function = (void *)engine_cpuid;
    } else if (is_helper(dirty, "amd64g_dirtyhelper_RDTSCP")) {
        function = (void *)engine_rdtscp;
    } else if (is_helper(dirty, "amd64g_dirtyhelper_RDTSC")) {
        function = (void *)engine_rdtsc;
    } else {
        return;
    }
    flush_run(b); /* the clock shows all instructions before this one */
    dirty->cee = mkIRCallee(0, "engine", VG_(fnptr_to_fnentry)(function));
}

static void add_dirty(struct block *b, IRDirty *dirty) {
    replace_helper(b, dirty);
    if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
        add_load(b, dirty->mAddr, (UInt)dirty->mSize, dirty->guard);
    if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
        add_store(b, dirty->mAddr, (UInt)dirty->mSize, dirty->guard);
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
        if (s->Ist.WrTmp.data->tag == Iex_Load)
            add_load(b, s->Ist.WrTmp.data->Iex.Load.addr, size_of(b, s->Ist.WrTmp.data), NULL);
        break;
    case Ist_Store:
        add_store(b, s->Ist.Store.addr, size_of(b, s->Ist.Store.data), NULL);
        break;
    case Ist_LoadG:
        add_load(b, s->Ist.LoadG.details->addr, loaded_size(s->Ist.LoadG.details->cvt), s->Ist.LoadG.details->guard);
        break;
    case Ist_StoreG:
        add_store(b, s->Ist.StoreG.details->addr, size_of(b, s->Ist.StoreG.details->data),
                  s->Ist.StoreG.details->guard);
        break;
    case Ist_CAS:
        add_locked(b, s->Ist.CAS.details);
        break;
    case Ist_Dirty:
        add_dirty(b, s->Ist.Dirty.details);
        break;
    case Ist_Put:
        if (b->is.kind != INSTRUCTION_FLUSH_LINE || s->Ist.Put.offset != offsetof(VexGuestAMD64State, guest_CMSTART))
            break;
        flush_access(b);
        CALL(b, sim_flush_line, mkIRExprVec_2(core_of(b), s->Ist.Put.data), NULL);
        break;
    case Ist_Exit:
        add_exit(b, s);
        break;
    default:
        break;
    }
    addStmtToIRSB(b->out, s);
}

/* rdpmc is no instruction to Valgrind, which would raise SIGILL; the processor faults where it is not allowed. */
static void fault_at_rdpmc(IRSB *out) {
    if (out->jumpkind == Ijk_NoDecode && out->next->tag == Iex_Const &&
        decode((const UChar *)out->next->Iex.Const.con->Ico.U64, 2).kind == INSTRUCTION_RDPMC)
        out->jumpkind = Ijk_SigSEGV;
}

IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout, const VexGuestExtents *extents,
                 const VexArchInfo *host, IRType guest_word, IRType host_word) {
    (void)closure, (void)layout, (void)extents, (void)host, (void)guest_word, (void)host_word;
    struct block b = {.in = in, .out = deepCopyIRSBExceptStmts(in)};
    Int i = 0;
    for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; i++)
        addStmtToIRSB(b.out, in->stmts[i]);
    b.core = newIRTemp(b.out->tyenv, Ity_I64);
    addStmtToIRSB(b.out, IRStmt_WrTmp(b.core, IRExpr_Load(Iend_LE, Ity_I64, word((ULong)&engine.core))));
    for (; i < in->stmts_used; i++)
        if (in->stmts[i]->tag != Ist_NoOp)
            add_statement(&b, in->stmts[i]);
    if (in->jumpkind != Ijk_NoDecode)
        finish_instruction(&b, b.in->next);
    flush_run(&b);
    fault_at_rdpmc(b.out);
    return b.out;
}
