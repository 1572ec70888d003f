/* trace.c - the trace of what the program executes (vnode/sim/trace.h): adds the words to a superblock, and passes
 * them on to the simulator.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"

#include "block.h"
#include "engine.h"
#include "helpers.h"

static IRExpr *place_of(struct block *b, UInt words) {
    if (b->trace == NULL)
        b->trace = block_assign(b, IRExpr_Load(Iend_LE, Ity_I64, block_engine(b, &engine.trace_end)));
    return words ? block_assign(b, IRExpr_Binop(Iop_Add64, b->trace, word(words * sizeof(ULong)))) : b->trace;
}

static void store(struct block *b, IRExpr *value) {
    addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, place_of(b, b->words), value));
    b->words++;
    b->unsampled = True;
}

/* An instruction that adds many words, such as xsave, asks whether there is room. */
static void need_room(struct block *b, UInt words) {
    if (b->words_of_instruction + words > TRACE_WORDS_OF_INSTRUCTION) {
        b->words_of_instruction = 0;
        CALL(b, engine_make_room, mkIRExprVec_0(), NULL);
    }
    b->words_of_instruction += words;
}

static IRExpr *word_of(struct block *b, IRExpr *address, ULong code) {
    if (address->tag == Iex_Const)
        return word(trace_word(address->Iex.Const.con->Ico.U64, code));
    IRExpr *value = block_assign(b, IRExpr_Binop(Iop_Shl64, address, IRExpr_Const(IRConst_U8(TRACE_ADDRESS))));
    return code ? block_assign(b, IRExpr_Binop(Iop_Or64, value, word(code))) : value;
}

void trace_add(struct block *b, IRExpr *address, ULong code, IRExpr *guard) {
    data_flush(b);
    need_room(b, 1);
    IRExpr *value = word_of(b, address, code);
    store(b, guard ? block_assign(b, IRExpr_ITE(guard, value, word(trace_other(TRACE_NOTHING)))) : value);
}

void trace_add_instruction(struct block *b, Addr instruction) {
    if (engine.node->config.prefetchers & SIM_L1_STRIDE)
        trace_add(b, word(instruction), trace_other(TRACE_INSTRUCTION), NULL);
}

void trace_add_rounds(struct block *b, const struct rounds *rounds) {
    need_room(b, 1 + rounds->is.width);
    if (rounds->is.length > rounds->is.width)
        store(b, word(trace_of_rounds(rounds->is)));
    for (UInt i = 0; i < rounds->is.width; i++)
        store(b, word_of(b, rounds->first[i].address, trace_access(rounds->first[i].kind, rounds->first[i].size)));
}

void trace_add_branch(struct block *b, enum sim_branch_kind kind, IRExpr *taken, IRExpr *target) {
    const ULong code = trace_branch(kind, b->next - b->address), bit = (ULong)1 << TRACE_TAKEN;
    if (b->behind != b->next)
        trace_add(b, word(b->next), trace_other(TRACE_BEHIND), NULL);
    if (taken->tag == Iex_Const) {
        trace_add(b, target, code | (taken->Iex.Const.con->Ico.U1 ? bit : 0), NULL);
        return;
    }
    tl_assert(target->tag == Iex_Const);
    data_flush(b);
    need_room(b, 1);
    store(b, block_assign(b, IRExpr_ITE(taken, word_of(b, target, code | bit), word_of(b, target, code))));
}

void trace_commit(struct block *b) {
    data_flush(b);
    if (b->words) {
        b->trace = place_of(b, b->words);
        addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, block_engine(b, &engine.trace_end), b->trace));
    }
    b->words = 0;
}

void trace_pause(struct block *b) {
    trace_commit(b);
    b->trace = NULL;
}

void engine_make_room(void) {
    if (engine.trace_end >= engine.trace + TRACE_FULL)
        trace_drain();
}

void trace_push(Addr address, ULong code) {
    engine_make_room();
    *engine.trace_end++ = trace_word(address, code);
}

void trace_drain(void) {
    *engine.trace_end = trace_other(TRACE_END);
    sim_trace(engine.core, engine.trace);
    engine.trace_end = engine.trace;
}
