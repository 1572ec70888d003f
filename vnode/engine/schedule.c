/* schedule.c - see schedule.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule.h"

#include "libvex_guest_amd64.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "engine.h"
#include "vnode/sim/pipeline.h"

enum { NOT = -1 }; /* no dependency, and no register */

/* Ticks from when each register is there, and from the run's start, until a value is; NOT: does not depend on it. */
struct path {
    Int from[PIPELINE_REGISTERS + 1];
};

/* A register that has a value until another instruction writes it. */
struct home {
    Int reg;          /* NOT: none */
    UInt instruction; /* that wrote it */
};

/* Of a variable. */
struct value {
    UInt instruction;    /* that made it */
    Int pending;         /* ticks until later instructions have it: the latency of its instruction */
    struct home home[2]; /* registers that have it; the flags, kept as operands and results, only second */
    IRTemp copied;       /* it is a copy of this variable, IRTemp_INVALID: of none */
    struct path path;
};

/* A register. */
struct written {
    UInt instruction; /* that wrote it last, 0: none */
    UInt earlier;     /* the one before it, 0: none */
    struct path path, earlier_path;
};

struct schedule {
    const struct sim_pipeline_config *node;
    UInt instruction; /* number of the current one, from 1 */
    UInt first;       /* number of the run's first one */
    Int issued;       /* ticks from the run's start until the current one is issued */
    UInt loads, stores;
    Bool works;                      /* it calculates */
    enum sim_operation operation;    /* its class */
    UInt demand[SIM_PIPELINE_UNITS]; /* of the run */
    struct written written[PIPELINE_REGISTERS];
    struct value value[]; /* of the block's variables */
};

static const struct path nothing = {.from = {[0 ... PIPELINE_REGISTERS] = NOT}};
static const struct value unmade = {
    .home = {{.reg = NOT}, {.reg = NOT}},
    .copied = IRTemp_INVALID,
    .path = {.from = {[0 ... PIPELINE_REGISTERS] = NOT}},
};

static void join(struct path *to, const struct path *from, Int ticks) {
    for (Int i = 0; i <= PIPELINE_REGISTERS; i++)
        if (from->from[i] != NOT && to->from[i] < from->from[i] + ticks)
            to->from[i] = from->from[i] + ticks;
}

/* Not before the current instruction is issued. */
static void await_issue(const struct schedule *s, struct path *path) {
    if (path->from[PIPELINE_ISSUE] < s->issued)
        path->from[PIPELINE_ISSUE] = s->issued;
}

static Int cycles(UInt count) {
    return (Int)count * PIPELINE_TICKS;
}

struct schedule *schedule_begin(const IRSB *in) {
    if (!engine.node->config.has_pipeline)
        return NULL;
    SizeT variables = (SizeT)in->tyenv->types_used * sizeof(struct value);
    struct schedule *s = VG_(calloc)("assay.schedule", 1, sizeof *s + variables);
    for (Int t = 0; t < in->tyenv->types_used; t++) /* those that helpers return stay so: there at once */
        s->value[t] = unmade;
    s->node = &engine.node->config.pipeline;
    s->first = 1;
    return s;
}

void schedule_end(struct schedule *schedule) {
    VG_(free)(schedule);
}

/* ---- classes ---- */

/* Copies a value, or makes it narrower, wider or part of a vector. */
static Bool copies(IROp op) {
    if (op >= Iop_64to8 && op <= Iop_64HLto128)
        return True;
    switch (op) {
    case Iop_32to1:
    case Iop_64to1:
    case Iop_1Uto8:
    case Iop_1Uto32:
    case Iop_1Uto64:
    case Iop_ReinterpF64asI64:
    case Iop_ReinterpI64asF64:
    case Iop_ReinterpF32asI32:
    case Iop_ReinterpI32asF32:
    case Iop_F32toF64: /* of x87 registers; of vectors: an operand of an instruction that has a class */
    case Iop_V128to64:
    case Iop_V128HIto64:
    case Iop_64HLtoV128:
    case Iop_64UtoV128:
    case Iop_SetV128lo64:
    case Iop_V128to32:
    case Iop_32UtoV128:
    case Iop_SetV128lo32:
    case Iop_V256to64_0:
    case Iop_V256to64_1:
    case Iop_V256to64_2:
    case Iop_V256to64_3:
    case Iop_64x4toV256:
    case Iop_V256toV128_0:
    case Iop_V256toV128_1:
    case Iop_V128HLtoV256:
        return True;
    default:
        return False;
    }
}

/* Of an instruction, as far as it is known without its operations. */
static enum sim_operation class_of_instruction(const struct instruction *is) {
    static const enum sim_operation classes[FP_KINDS] = {
        [FP_ADD] = SIM_OPERATION_FP_ADD,       [FP_MULTIPLY] = SIM_OPERATION_FP_MULTIPLY,
        [FP_DIVIDE] = SIM_OPERATION_FP_DIVIDE, [FP_FUSED] = SIM_OPERATION_FP_FUSED,
        [FP_DOT] = SIM_OPERATION_FP_FUSED,     [FP_OTHER] = SIM_OPERATION_FP_ADD};
    if (is->arithmetic)
        return classes[is->fp_class / 2 / FP_WIDTHS];
    return is->vectors == UPPER_UNUSED ? SIM_OPERATION_ALU : SIM_OPERATION_VECTOR;
}

/* Floating-point arithmetic of SSE and AVX is known by the instruction, all else by the operation. */
static enum sim_operation class_of(const struct block *b, IROp op) {
    if (b->is.arithmetic)
        return class_of_instruction(&b->is);
    if ((op >= Iop_Mul8 && op <= Iop_Mul64) || (op >= Iop_MullS8 && op <= Iop_MullU64))
        return SIM_OPERATION_MULTIPLY;
    if (block_divides(op))
        return SIM_OPERATION_DIVIDE;
    if (op >= Iop_F64toI16S && op <= Iop_F64toF32)
        return SIM_OPERATION_CONVERT;
    switch (op) {
    case Iop_AddF64:
    case Iop_SubF64:
    case Iop_CmpF64:
    case Iop_CmpF32:
        return SIM_OPERATION_FP_ADD;
    case Iop_MulF64:
    case Iop_Mul16x8:
    case Iop_Mul32x4:
    case Iop_Mul16x16:
    case Iop_Mul32x8:
    case Iop_MulHi16Ux8:
    case Iop_MulHi16Sx8:
    case Iop_MullEven32Ux4:
    case Iop_MullEven32Sx4:
        return SIM_OPERATION_FP_MULTIPLY;
    case Iop_DivF64:
    case Iop_SqrtF64:
        return SIM_OPERATION_FP_DIVIDE;
    default:
        return class_of_instruction(&b->is);
    }
}

/* ---- values ---- */

/* A new one, which depends on nothing yet. */
static struct value *make(struct schedule *s, IRTemp t) {
    s->value[t] = unmade;
    s->value[t].instruction = s->instruction;
    return &s->value[t];
}

/* The register at a place of the guest state, NOT: none. The carry that increments keep does not delay them. */
static Int register_at(Int offset) {
    const Int general = offsetof(VexGuestAMD64State, guest_RAX), flags = offsetof(VexGuestAMD64State, guest_CC_OP),
              vectors = offsetof(VexGuestAMD64State, guest_YMM0), x87 = offsetof(VexGuestAMD64State, guest_FPREG);
    if (offset >= general && offset < flags)
        return PIPELINE_GENERAL + (offset - general) / 8;
    if (offset >= flags && offset < (Int)offsetof(VexGuestAMD64State, guest_CC_NDEP))
        return PIPELINE_FLAGS;
    if (offset >= vectors && offset < vectors + 16 * 32)
        return PIPELINE_VECTORS + (offset - vectors) / 32;
    return offset >= x87 && offset < x87 + 64 ? PIPELINE_X87 : NOT;
}

/* The instruction whose write to the register the current one reads: one that writes it in parts reads the old ones. */
static UInt writer_of(const struct schedule *s, Int reg) {
    const struct written *w = &s->written[reg];
    return w->instruction == s->instruction ? w->earlier : w->instruction;
}

static void read_register(struct schedule *s, struct path *path, Int reg) {
    if (reg == NOT)
        return;
    const struct written *w = &s->written[reg];
    if (writer_of(s, reg) >= s->first)
        join(path, w->instruction == s->instruction ? &w->earlier_path : &w->path, 0);
    else if (path->from[reg] < 0)
        path->from[reg] = 0;
}

static Bool holds(const struct schedule *s, const struct home *home) {
    return home->reg != NOT && writer_of(s, home->reg) == home->instruction;
}

/* A register that still has the value, NOT: none. */
static Int home_of(const struct schedule *s, IRTemp t) {
    for (; t != IRTemp_INVALID; t = s->value[t].copied)
        for (UInt i = 0; i < 2; i++)
            if (holds(s, &s->value[t].home[i]))
                return s->value[t].home[i].reg;
    return NOT;
}

/* The current instruction writes the value to the register. */
static void settle(struct schedule *s, struct value *v, Int reg) {
    Bool is_second = reg == PIPELINE_FLAGS || holds(s, &v->home[0]);
    v->home[is_second] = (struct home){reg, s->instruction};
}

/* The value needs `e`, without the latency if both are of one instruction: it is that of the instruction. Returns it.
 */
static Int need(struct schedule *s, struct path *path, const IRExpr *e) {
    if (e->tag != Iex_RdTmp)
        return 0;
    const struct value *v = &s->value[e->Iex.RdTmp.tmp];
    if (v->instruction < s->first) { /* of an earlier run */
        read_register(s, path, home_of(s, e->Iex.RdTmp.tmp));
        return 0;
    }
    Bool same = v->instruction == s->instruction;
    join(path, &v->path, same ? 0 : v->pending);
    return same ? v->pending : 0;
}

/* Writes of one instruction to parts of a register are one write. The stack pointer is adjusted at no cost. */
static void write_register(struct schedule *s, Int reg, const IRExpr *e) {
    if (reg == NOT)
        return;
    struct written *w = &s->written[reg];
    if (w->instruction != s->instruction)
        *w = (struct written){
            .instruction = s->instruction, .earlier = w->instruction, .path = nothing, .earlier_path = w->path};
    for (IRTemp t = e->tag == Iex_RdTmp ? e->Iex.RdTmp.tmp : IRTemp_INVALID; t != IRTemp_INVALID;
         t = s->value[t].copied)
        settle(s, &s->value[t], reg);
    Bool is_stack = reg == register_at(offsetof(VexGuestAMD64State, guest_RSP));
    struct path path = nothing;
    Int pending = need(s, &path, e), alu = cycles(s->node->latency[SIM_OPERATION_ALU]);
    s->works |= (pending > 0 && !is_stack) || reg == PIPELINE_FLAGS;
    if (reg == PIPELINE_FLAGS && pending < alu)
        pending = alu; /* of operands */
    await_issue(s, &path);
    join(&w->path, &path, is_stack ? 0 : pending);
}

static void get(struct schedule *s, struct value *v, Int reg) {
    read_register(s, &v->path, reg);
    if (reg != NOT)
        v->home[reg == PIPELINE_FLAGS] = (struct home){reg, writer_of(s, reg)};
}

/* Loads: the address, and the latency of L1. */
static void load(struct schedule *s, struct value *v, const IRExpr *address) {
    struct path to = nothing;
    need(s, &to, address);
    await_issue(s, &to);
    join(&v->path, &to, cycles(s->node->load));
    s->loads++;
}

static void operate(struct block *b, struct value *v, IROp op, IRExpr *const *operands, UInt count) {
    struct schedule *s = b->schedule;
    for (UInt i = 0; i < count; i++) {
        Int pending = need(s, &v->path, operands[i]);
        v->pending = pending > v->pending ? pending : v->pending;
    }
    if (copies(op) && !(op == Iop_F32toF64 && b->is.arithmetic)) {
        if (count == 1 && operands[0]->tag == Iex_RdTmp)
            v->copied = operands[0]->Iex.RdTmp.tmp;
        return;
    }
    enum sim_operation class = class_of(b, op);
    if (class != SIM_OPERATION_ALU && class != SIM_OPERATION_VECTOR)
        s->operation = class;
    Int latency = cycles(s->node->latency[class]);
    v->pending = latency > v->pending ? latency : v->pending;
}

/* A helper that evaluates flags takes no time: those of the comparison are there. */
static void call(struct block *b, struct value *v, const IRExpr *e) {
    static const HChar of_flags[] = "amd64g_calculate_";
    Bool evaluates = VG_(strncmp)(e->Iex.CCall.cee->name, of_flags, sizeof of_flags - 1) == 0;
    for (UInt i = 0; e->Iex.CCall.args[i]; i++)
        if (evaluates)
            need(b->schedule, &v->path, e->Iex.CCall.args[i]);
        else
            operate(b, v, Iop_INVALID, &e->Iex.CCall.args[i], 1);
}

/* A conditional move. If its condition is calculated here, it is that of the comparison before it, in whose place VEX
 * has put it: that takes time besides. */
static void select(struct block *b, struct value *v, const IRExpr *e) {
    operate(b, v, Iop_INVALID, (IRExpr *const[]){e->Iex.ITE.iftrue, e->Iex.ITE.iffalse}, 2);
    struct path condition = nothing;
    Int pending = need(b->schedule, &condition, e->Iex.ITE.cond);
    join(&v->path, &condition, pending);
}

static void assign(struct block *b, IRTemp t, const IRExpr *e) {
    struct schedule *s = b->schedule;
    struct value *v = make(s, t);
    switch (e->tag) {
    case Iex_Get:
        get(s, v, register_at(e->Iex.Get.offset));
        break;
    case Iex_GetI:
        read_register(s, &v->path, register_at(e->Iex.GetI.descr->base));
        break;
    case Iex_RdTmp:
        v->pending = need(s, &v->path, e);
        v->copied = e->Iex.RdTmp.tmp;
        break;
    case Iex_Load:
        load(s, v, e->Iex.Load.addr);
        break;
    case Iex_Unop:
        operate(b, v, e->Iex.Unop.op, (IRExpr *const[]){e->Iex.Unop.arg}, 1);
        break;
    case Iex_Binop:
        operate(b, v, e->Iex.Binop.op, (IRExpr *const[]){e->Iex.Binop.arg1, e->Iex.Binop.arg2}, 2);
        break;
    case Iex_Triop:
        operate(b, v, e->Iex.Triop.details->op,
                (IRExpr *const[]){e->Iex.Triop.details->arg1, e->Iex.Triop.details->arg2, e->Iex.Triop.details->arg3},
                3);
        break;
    case Iex_Qop:
        operate(b, v, e->Iex.Qop.details->op,
                (IRExpr *const[]){e->Iex.Qop.details->arg1, e->Iex.Qop.details->arg2, e->Iex.Qop.details->arg3,
                                  e->Iex.Qop.details->arg4},
                4);
        break;
    case Iex_ITE:
        select(b, v, e);
        break;
    case Iex_CCall:
        call(b, v, e);
        break;
    default:
        break;
    }
}

static void load_guarded(struct block *b, const IRLoadG *l) {
    struct value *v = make(b->schedule, l->dst);
    need(b->schedule, &v->path, l->alt);
    load(b->schedule, v, l->addr);
}

/* The loaded value does not wait for the operands. */
static void exchange(struct schedule *s, const IRCAS *cas) {
    const IRTemp loaded[] = {cas->oldLo, cas->oldHi};
    for (UInt i = 0; i < 2; i++)
        if (loaded[i] != IRTemp_INVALID)
            load(s, make(s, loaded[i]), cas->addr);
    s->stores++;
}

void schedule_statement(struct block *b, const IRStmt *statement) {
    struct schedule *s = b->schedule;
    if (!s)
        return;
    switch (statement->tag) {
    case Ist_IMark:
        s->instruction++;
        s->loads = s->stores = 0;
        s->works = b->is.arithmetic;
        s->operation = class_of_instruction(&b->is);
        s->issued = (Int)(b->run_count * PIPELINE_TICKS / s->node->width);
        break;
    case Ist_WrTmp:
        assign(b, statement->Ist.WrTmp.tmp, statement->Ist.WrTmp.data);
        break;
    case Ist_Put:
        write_register(s, register_at(statement->Ist.Put.offset), statement->Ist.Put.data);
        break;
    case Ist_PutI:
        write_register(s, register_at(statement->Ist.PutI.details->descr->base), statement->Ist.PutI.details->data);
        break;
    case Ist_LoadG:
        load_guarded(b, statement->Ist.LoadG.details);
        break;
    case Ist_CAS:
        exchange(s, statement->Ist.CAS.details);
        break;
    case Ist_Store:
    case Ist_StoreG:
        s->stores++;
        break;
    default:
        break;
    }
}

/* ---- runs ---- */

static void use(struct schedule *s, enum sim_pipeline_unit unit, UInt ticks) {
    s->demand[unit] += ticks / s->node->units[unit];
}

/* The units of a class, next to COMPUTE. */
static void use_class(struct schedule *s, enum sim_operation class, UInt divider_uops) {
    switch (class) {
    case SIM_OPERATION_MULTIPLY:
        use(s, SIM_UNIT_MULTIPLY, PIPELINE_TICKS);
        break;
    case SIM_OPERATION_DIVIDE:
        use(s, SIM_UNIT_DIVIDER, s->node->divide * PIPELINE_TICKS);
        break;
    case SIM_OPERATION_FP_DIVIDE:
        use(s, SIM_UNIT_DIVIDER, (divider_uops > 1 ? divider_uops : 1) * s->node->fp_divide * PIPELINE_TICKS);
        break;
    case SIM_OPERATION_VECTOR:
        use(s, SIM_UNIT_VECTOR, PIPELINE_TICKS);
        break;
    case SIM_OPERATION_CONVERT:
        use(s, SIM_UNIT_FP, PIPELINE_TICKS);
        break;
    case SIM_OPERATION_FP_ADD:
        use(s, SIM_UNIT_FP, PIPELINE_TICKS);
        use(s, SIM_UNIT_FP_ADD, PIPELINE_TICKS);
        break;
    case SIM_OPERATION_FP_MULTIPLY:
    case SIM_OPERATION_FP_FUSED:
        use(s, SIM_UNIT_FP, PIPELINE_TICKS);
        use(s, SIM_UNIT_FP_MULTIPLY, PIPELINE_TICKS);
        break;
    default:
        break;
    }
}

void schedule_instruction(struct block *b) {
    struct schedule *s = b->schedule;
    if (!s)
        return;
    Bool is_branch = b->is.kind >= INSTRUCTION_JUMP_CONDITIONAL && b->is.kind <= INSTRUCTION_RETURN;
    Bool is_lanes = s->operation == SIM_OPERATION_FP_FUSED && s->loads > 1; /* VEX loads an operand lane by lane */
    use(s, SIM_UNIT_LOAD, (is_lanes ? 1 : s->loads) * PIPELINE_TICKS);
    use(s, SIM_UNIT_STORE, s->stores * PIPELINE_TICKS);
    if (is_branch)
        use(s, SIM_UNIT_BRANCH, PIPELINE_TICKS);
    if (!is_branch && !s->works)
        return;
    use(s, SIM_UNIT_COMPUTE, PIPELINE_TICKS);
    use_class(s, s->operation, b->is.divider_uops);
}

static struct pipeline_run *describe(const struct schedule *s, UInt instructions) {
    struct pipeline_edge edge[PIPELINE_REGISTERS * (PIPELINE_REGISTERS + 1)];
    UInt edges = 0;
    for (Int reg = 0; reg < PIPELINE_REGISTERS; reg++)
        for (Int i = 0; s->written[reg].instruction >= s->first && i <= PIPELINE_REGISTERS; i++)
            if (s->written[reg].path.from[i] != NOT)
                edge[edges++] = (struct pipeline_edge){(UShort)reg, (UShort)i, (UInt)s->written[reg].path.from[i]};
    /* Kept: translations refer to it. */
    struct pipeline_run *run = VG_(malloc)("assay.run", sizeof *run + edges * sizeof *edge);
    run->issue = instructions * PIPELINE_TICKS / s->node->width;
    run->edges = edges;
    VG_(memcpy)(run->demand, s->demand, sizeof run->demand);
    VG_(memcpy)(run->edge, edge, edges * sizeof *edge);
    return run;
}

void schedule_flush(struct block *b) {
    struct schedule *s = b->schedule;
    if (!s)
        return;
    trace_add(b, word((Addr)describe(s, b->run_count)), trace_other(TRACE_PIPELINE), NULL);
    s->first = s->instruction + 1;
    VG_(memset)(s->demand, 0, sizeof s->demand);
}
