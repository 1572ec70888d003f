/* data.c - adds the simulation of a superblock's data accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"

#include "block.h"
#include "engine.h"
#include "helpers.h"

/* ---- places ---- */

static struct place place_of(const struct block *b, const IRExpr *address) {
    if (address->tag == Iex_RdTmp)
        return b->place[address->Iex.RdTmp.tmp];
    return (struct place){IRTemp_INVALID, (Long)address->Iex.Const.con->Ico.U64};
}

void data_note_sum(struct block *b, IRTemp variable, const IRExpr *value) {
    if (value->tag != Iex_Binop || value->Iex.Binop.arg1->tag != Iex_RdTmp || value->Iex.Binop.arg2->tag != Iex_Const)
        return;
    struct place place = place_of(b, value->Iex.Binop.arg1);
    if (value->Iex.Binop.op == Iop_Add64)
        place.offset += (Long)value->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
    else if (value->Iex.Binop.op == Iop_Sub64)
        place.offset -= (Long)value->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
    else
        return;
    b->place[variable] = place;
}

/* ---- rounds, blocks and updates: trace_word.h ---- */

static Bool is_like(const struct round_access *first, struct place at, enum trace_kind kind, UInt size) {
    return at.base == first->at.base && kind == first->kind && size == first->size;
}

static Bool is_power_of_two(UInt size) {
    return (size & (size - 1)) == 0;
}

/* Whether the access repeats the next access of the round later in the same line, as far as known at translation. */
static Bool goes_on(struct rounds *rounds, struct place at, enum trace_kind kind, UInt size) {
    struct trace_rounds *is = &rounds->is;
    if (is->length == 0 || is->length == TRACE_LENGTH_MAX || rounds->down)
        return False;
    const struct round_access *first = &rounds->first[is->length % is->width];
    Long walked = at.offset - first->at.offset;
    if (!is_like(first, at, kind, size) || walked < 0 || walked + size > engine.node->config.line)
        return False;
    if (is->length == is->width)
        is->step = (UInt)walked;
    return walked == (Long)(is->length / is->width) * is->step;
}

/* Whether the access is the next one of a block that descends. Not with a stride prefetcher: it is told the instruction
 * of a word only once, and counts should not depend on more accesses being in a word. */
static Bool goes_down(struct rounds *rounds, struct place at, enum trace_kind kind, UInt size) {
    struct trace_rounds *is = &rounds->is;
    const struct round_access *first = &rounds->first[0];
    if (is->width != 1 || !is_like(first, at, kind, size) || (is->length > 1 && !rounds->down) ||
        at.offset - first->at.offset != -(Long)(is->length * size) || (is->length + 1) * size > TRACE_ACCESS_MAX ||
        !is_power_of_two(size) || engine.node->config.prefetchers & SIM_L1_STRIDE)
        return False;
    rounds->down = True;
    is->step = size;
    return True;
}

/* Whether the access writes what the only one so far has loaded. */
static Bool writes_loaded(const struct rounds *rounds, struct place at, enum trace_kind kind, UInt size) {
    const struct round_access *first = &rounds->first[0];
    return rounds->is.length == 1 && kind == TRACE_STORE && is_like(first, at, TRACE_LOAD, size) &&
           at.offset == first->at.offset && !(engine.node->config.prefetchers & SIM_L1_STRIDE);
}

static Bool is_block(const struct rounds *rounds) {
    const struct trace_rounds *is = &rounds->is;
    UInt size = rounds->first[0].size;
    return is->width == 1 && is->length > 1 && is->step == size && is->length * size <= TRACE_ACCESS_MAX &&
           is_power_of_two(size);
}

static void add_word(struct block *b, Addr instruction, IRExpr *address, ULong code) {
    trace_add_instruction(b, instruction);
    trace_add(b, address, code, NULL);
}

void data_flush(struct block *b) {
    struct rounds rounds = b->rounds;
    const struct round_access *first = &rounds.first[0];
    b->rounds.is = (struct trace_rounds){0};
    b->rounds.down = False;
    if (rounds.is.length == 0)
        return;
    if (is_block(&rounds)) {
        struct trace_block block = {first->kind, first->size, rounds.is.length, rounds.down};
        add_word(b, rounds.instruction, rounds.down ? rounds.last : first->address, trace_of_block(block));
        return;
    }
    trace_add_instruction(b, rounds.instruction);
    trace_add_rounds(b, &rounds);
}

static void add_plain(struct block *b, IRExpr *address, enum trace_kind kind, UInt size) {
    struct rounds *rounds = &b->rounds;
    struct place at = place_of(b, address);
    if (goes_on(rounds, at, kind, size) || goes_down(rounds, at, kind, size)) {
        rounds->last = address;
        rounds->is.length++;
        return;
    }
    if (writes_loaded(rounds, at, kind, size)) {
        rounds->is = (struct trace_rounds){0};
        add_word(b, rounds->instruction, address, trace_access(TRACE_UPDATE, size));
        return;
    }
    if (rounds->is.length != rounds->is.width || rounds->is.width == TRACE_WIDTH_MAX)
        data_flush(b);
    if (rounds->is.length == 0)
        rounds->instruction = b->address;
    rounds->first[rounds->is.width++] = (struct round_access){address, at, kind, size};
    rounds->is.length++;
}

/* ---- accesses ---- */

static void add_access(struct block *b, IRExpr *address, UInt size, enum trace_kind kind, IRExpr *guard) {
    if (size <= TRACE_ACCESS_MAX && !guard) {
        add_plain(b, address, kind, size);
        return;
    }
    data_flush(b);
    trace_add_instruction(b, b->address);
    if (size <= TRACE_ACCESS_MAX)
        trace_add(b, address, trace_access(kind, size), guard);
    else if (kind == TRACE_STORE)
        CALL(b, engine_store_long, mkIRExprVec_2(address, word(size)), guard);
    else
        CALL(b, engine_load_long, mkIRExprVec_2(address, word(size)), guard);
}

/* Returns the mask of a gather's element, NULL: loaded unconditionally. Valgrind loads a masked-off element from
 * another address, which the mask selects. */
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

/* Accesses that only Valgrind makes, not the processor: stack accesses for a bit test of a register, the load before
 * a masked store, and loads of a locked operation, which is simulated as a whole. */
static Bool is_artefact(const struct block *b, Bool is_load) {
    if (b->is.kind == INSTRUCTION_BIT_TEST && !b->is.has_memory)
        return True;
    return is_load && (b->is.kind == INSTRUCTION_STORE_NT_MASKED || b->is.locked);
}

/* Repeated copies and fills, which the processor does not execute element by element: see string.c. */
static Bool is_repeated(const struct block *b, enum instruction_kind kind) {
    return b->is.repeated && b->is.kind == kind;
}

/* Adds the element stored at `to`; rcx is already decremented. */
static void add_element(struct block *b, IRExpr *to, UInt size) {
    Bool copies = is_repeated(b, INSTRUCTION_STRING_COPY);
    const union string_element element = {.is = {.size = (UChar)size, .copies = (UChar)copies}};
    IRExpr *left = block_assign(b, IRExpr_Get(offsetof(VexGuestAMD64State, guest_RCX), Ity_I64));
    IRExpr *step = block_assign(b, IRExpr_Get(offsetof(VexGuestAMD64State, guest_DFLAG), Ity_I64));
    CALL(b, engine_string,
         mkIRExprVec_6(word(b->address), word(element.word), left, step, copies ? b->from : word(0), to), NULL);
}

void data_load(struct block *b, IRExpr *address, UInt size, IRExpr *guard) {
    b->loads++;
    if (is_repeated(b, INSTRUCTION_STRING_COPY)) {
        b->from = address;
        return;
    }
    if (is_artefact(b, True))
        return;
    if (b->is.kind == INSTRUCTION_GATHER)
        guard = gather_mask(b, address);
    if (b->is.kind == INSTRUCTION_FMA) {
        if (b->loads > 1)
            return; /* simulated with the store of the element */
        size = b->is.memory_size;
    }
    if (!guard) {
        b->loaded = place_of(b, address);
        b->loaded_size = size;
    }
    add_access(b, address, size, TRACE_LOAD, guard);
}

/* Whether the store writes to the address that the instruction loaded from. */
static Bool is_update(const struct block *b, const IRExpr *address, UInt size) {
    struct place to = place_of(b, address);
    return size == b->loaded_size && to.base == b->loaded.base && to.offset == b->loaded.offset;
}

void data_store(struct block *b, IRExpr *address, UInt size, IRExpr *guard) {
    if (is_artefact(b, False))
        return;
    if (is_repeated(b, INSTRUCTION_STRING_COPY) || is_repeated(b, INSTRUCTION_STRING_FILL)) {
        add_element(b, address, size);
        return;
    }
    Bool is_nt = b->is.kind == INSTRUCTION_STORE_NT || b->is.kind == INSTRUCTION_STORE_NT_MASKED;
    if (is_nt) {
        trace_add(b, address, trace_other(TRACE_STORE_NT) | trace_access(0, size), guard);
        return;
    }
    b->updates += !guard && is_update(b, address, size);
    add_access(b, address, size, TRACE_STORE, guard);
}

void data_locked(struct block *b, const IRCAS *cas) {
    UInt size = (UInt)sizeofIRType(typeOfIRExpr(b->in->tyenv, cas->dataLo)) * (cas->dataHi ? 2 : 1);
    b->updates++;
    trace_add(b, cas->addr, trace_other(TRACE_LOAD_LOCKED) | trace_access(0, size), NULL);
    trace_add(b, cas->addr, trace_access(TRACE_STORE, size), NULL);
}
