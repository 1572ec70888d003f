/* data.c - adds the simulation of a superblock's data accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"

#include "block.h"
#include "engine.h"
#include "helpers.h"

/* ---- groups ---- */

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

static Bool is_store_of(const struct sim_group *group, UInt which) {
    return group->stores >> which & 1;
}

/* Whether the access repeats the group's next access later in the same line, as far as known at translation. */
static Bool goes_on(struct block *b, struct place at, UInt size, Bool is_store) {
    struct sim_group *group = &b->group;
    if (group->length == 0 || group->length == SIM_GROUP_LENGTH)
        return False;
    UInt which = group->length % group->width, round = group->length / group->width;
    Long walked = at.offset - b->at[which].offset;
    if (at.base != b->at[which].base || size != group->last[which] + 1u || is_store != is_store_of(group, which) ||
        walked < 0 || walked + size > engine.node->config.line)
        return False;
    if (group->length == group->width)
        group->step = (uint8_t)walked;
    return walked == (Long)round * group->step;
}

static Bool has_room(const struct sim_group *group) {
    return group->length == group->width && group->width < SIM_GROUP_WIDTH;
}

static void add_access(struct block *b, IRExpr *address, UInt size, Bool is_store) {
    struct sim_group *group = &b->group;
    struct place at = place_of(b, address);
    if (b->group.length == 0)
        b->group_address = b->address;
    if (!goes_on(b, at, size, is_store)) {
        if (!has_room(group)) {
            data_flush_group(b);
            b->group_address = b->address;
        }
        UInt which = group->width++;
        b->first[which] = address;
        b->at[which] = at;
        group->last[which] = (uint8_t)(size - 1);
        group->stores |= (uint8_t)(is_store << which);
    }
    group->length++;
}

/* Tells the stride prefetcher, if the node has one, which instruction the next accesses belong to. */
static void tell_instruction(struct block *b, Addr address) {
    if (engine.node->config.prefetchers & SIM_L1_STRIDE)
        CALL(b, sim_at, mkIRExprVec_2(core_of(b), word(address)), NULL);
}

void data_flush_group(struct block *b) {
    const union sim_group_word group = {.group = b->group};
    if (group.group.length > 0)
        tell_instruction(b, b->group_address);
    if (group.group.length == 1) {
        IRExpr **arguments = mkIRExprVec_3(core_of(b), b->first[0], word(group.group.last[0] + 1u));
        if (is_store_of(&group.group, 0))
            CALL(b, engine_store, arguments, NULL);
        else
            CALL(b, engine_load, arguments, NULL);
    } else if (group.group.length > 1) {
        for (UInt i = group.group.width; i < SIM_GROUP_WIDTH; i++)
            b->first[i] = word(0);
        CALL(b, engine_group,
             mkIRExprVec_6(core_of(b), word(group.word), b->first[0], b->first[1], b->first[2], b->first[3]), NULL);
    }
    VG_(memset)(&b->group, 0, sizeof b->group);
}

/* ---- accesses ---- */

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
    data_flush_group(b);
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
    if (!guard && size <= engine.node->config.line) {
        b->loaded = place_of(b, address);
        b->loaded_size = size;
        add_access(b, address, size, False);
        return;
    }
    data_flush_group(b);
    tell_instruction(b, b->address);
    if (size > engine.node->config.line)
        CALL(b, engine_load_long, mkIRExprVec_2(address, word(size)), guard);
    else
        CALL(b, engine_load, mkIRExprVec_3(core_of(b), address, word(size)), guard);
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
    if (!guard && !is_nt && size <= engine.node->config.line) {
        b->updates += is_update(b, address, size);
        add_access(b, address, size, True);
        return;
    }
    data_flush_group(b);
    if (size > engine.node->config.line)
        CALL(b, engine_store_long, mkIRExprVec_2(address, word(size)), guard);
    else if (is_nt)
        CALL(b, sim_store_nt, mkIRExprVec_3(core_of(b), address, word(size)), guard);
    else
        CALL(b, engine_store, mkIRExprVec_3(core_of(b), address, word(size)), guard);
}

void data_locked(struct block *b, const IRCAS *cas) {
    UInt size = (UInt)sizeofIRType(typeOfIRExpr(b->in->tyenv, cas->dataLo)) * (cas->dataHi ? 2 : 1);
    b->updates++;
    data_flush_group(b);
    CALL(b, sim_fence, mkIRExprVec_1(core_of(b)), NULL);
    CALL(b, sim_load_locked, mkIRExprVec_3(core_of(b), cas->addr, word(size)), NULL);
    CALL(b, sim_store, mkIRExprVec_3(core_of(b), cas->addr, word(size)), NULL);
}
