/* puts.c - removes writes of registers that nobody can see from an instrumented block.
 *
 * VEX updates all registers at each instruction, so that every instruction and load stays until it is instrumented.
 * Afterwards, instruction pointer and flags are needed only where the block may be left, an instruction may fault, or a
 * helper may look at them. A program may go on at the instruction that has faulted: it then reads flags that this block
 * keeps in variables. VEX removes what only such a write has used, but loads must stay, because they may fault.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "block.h"
#include "helpers.h"

/* Parts of the state, as bits: the flags are kept as an operation, two operands and the flags before it. */
enum { POINTER = 1, OPERATION = 2, FIRST = 4, SECOND = 8, BEFORE = 16, FLAGS = OPERATION | FIRST | SECOND | BEFORE };

static UInt part_at(Int offset) {
    switch (offset) {
    case offsetof(VexGuestAMD64State, guest_RIP):
        return POINTER;
    case offsetof(VexGuestAMD64State, guest_CC_OP):
        return OPERATION;
    case offsetof(VexGuestAMD64State, guest_CC_DEP1):
        return FIRST;
    case offsetof(VexGuestAMD64State, guest_CC_DEP2):
        return SECOND;
    case offsetof(VexGuestAMD64State, guest_CC_NDEP):
        return BEFORE;
    default:
        return 0;
    }
}

static Bool is_load(const IRStmt *s) {
    return s->tag == Ist_WrTmp && s->Ist.WrTmp.data->tag == Iex_Load;
}

/* Whether the instruction loads, and this write may be all that uses the value, as in a test of memory. */
static Bool keeps_load(IRStmt *const *s, UInt part) {
    for (; part & (FIRST | SECOND) && (*s)->tag != Ist_IMark; s--)
        if (is_load(*s))
            return True;
    return False;
}

/* Parts that the calculation of a variable needs. */
static UInt needed_for(const IRExpr *e) {
    switch (e->tag) {
    case Iex_Get:
        return part_at(e->Iex.Get.offset);
    case Iex_Load:
        return POINTER | FLAGS;
    case Iex_Binop:
        return block_divides(e->Iex.Binop.op) ? POINTER | FLAGS : 0;
    default:
        return 0;
    }
}

/* Parts that the statement needs. An exit writes the pointer itself. */
static UInt needed_by(const IRStmt *s) {
    switch (s->tag) {
    case Ist_WrTmp:
        return needed_for(s->Ist.WrTmp.data);
    case Ist_Exit:
        return FLAGS;
    case Ist_Put:
    case Ist_NoOp:
    case Ist_IMark:
    case Ist_AbiHint:
        return 0;
    case Ist_Dirty:
        return s->Ist.Dirty.details->cee->addr == (void *)engine_end_slice ? 0 : POINTER | FLAGS;
    default:
        return POINTER | FLAGS;
    }
}

void puts_remove(IRSB *block) {
    UInt overwritten = POINTER; /* by the block's end */
    for (Int i = block->stmts_used - 1; i >= 0; i--) {
        IRStmt *s = block->stmts[i];
        UInt part = s->tag == Ist_Put ? part_at(s->Ist.Put.offset) : 0;
        if (part & overwritten && !keeps_load(&block->stmts[i], part))
            block->stmts[i] = IRStmt_NoOp();
        overwritten = (overwritten | part) & ~needed_by(s);
    }
}
