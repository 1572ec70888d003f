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

/* ---- rounds and pairs: trace_word.h ---- */

/* Whether the access repeats the next access of the round later in the same line, as far as known at translation. */
static Bool goes_on(struct rounds *rounds, struct place at, enum trace_kind kind, UInt size) {
    struct trace_rounds *is = &rounds->is;
    if (is->length == 0 || is->length == TRACE_LENGTH_MAX)
        return False;
    const struct round_access *first = &rounds->first[is->length % is->width];
    Long walked = at.offset - first->at.offset;
    if (at.base != first->at.base || kind != first->kind || size != first->size || walked < 0 ||
        walked + size > engine.node->config.line)
        return False;
    if (is->length == is->width)
        is->step = (UInt)walked;
    return walked == (Long)(is->length / is->width) * is->step;
}

/* Whether the access and the only one so far are a pair that does not go on: it is below the other one, or it writes
 * what that one loaded. Not with a stride prefetcher, which is told the first instruction of rounds: they would end
 * earlier. */
static Bool ends_pair(const struct rounds *rounds, struct place at, enum trace_kind kind, UInt size) {
    const struct round_access *first = &rounds->first[0];
    Long apart = at.offset - first->at.offset;
    if (engine.node->config.prefetchers & SIM_L1_STRIDE)
        return False;
    if (rounds->is.length != 1 || at.base != first->at.base || size != first->size || size > TRACE_ACCESS_MAX / 2)
        return False;
    return kind == first->kind ? apart == -(Long)size : apart == 0 && kind == TRACE_STORE;
}

static void add_pair(struct block *b, IRExpr *lower, struct trace_pair pair) {
    b->rounds.is = (struct trace_rounds){0};
    trace_add_instruction(b, b->rounds.instruction);
    trace_add(b, lower, trace_of_pair(pair), NULL);
}

void data_flush(struct block *b) {
    struct rounds rounds = b->rounds;
    const struct round_access *first = &rounds.first[0];
    b->rounds.is = (struct trace_rounds){0};
    if (rounds.is.length == 0)
        return;
    if (rounds.is.width == 1 && rounds.is.length == 2 && rounds.is.step == first->size &&
        first->size <= TRACE_ACCESS_MAX / 2) {
        add_pair(b, first->address, (struct trace_pair){first->kind, first->kind, first->size, .apart = 1});
        return;
    }
    trace_add_instruction(b, rounds.instruction);
    trace_add_rounds(b, &rounds);
}

static void add_plain(struct block *b, IRExpr *address, enum trace_kind kind, UInt size) {
    struct rounds *rounds = &b->rounds;
    struct place at = place_of(b, address);
    if (goes_on(rounds, at, kind, size)) {
        rounds->is.length++;
        return;
    }
    if (ends_pair(rounds, at, kind, size)) {
        Bool down = kind == rounds->first[0].kind;
        add_pair(b, address, (struct trace_pair){rounds->first[0].kind, kind, size, .apart = down, .down = down});
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
