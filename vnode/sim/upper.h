/* upper.h - states of the upper halves of a thread's vector registers, and the costly SSE/AVX transitions.
 *
 * SSE instructions preserve the upper halves of the 256-bit registers. Intel processors before Skylake keep one of
 * three states for all of them:
 *     clean    all are 0; nothing to preserve
 *     dirty    a 256-bit instruction wrote them; the next SSE instruction saves them first: a transition to SSE
 *     saved    SSE instructions run freely; the next AVX one (256 or 128 bits) restores them: a transition to AVX
 * VZEROUPPER and VZEROALL lead to clean without a transition, from any state (from saved: our choice, not
 * documented). Later processors, and AMD's, have no transitions: their tables have no event for these totals. (Intel
 * 64 and IA-32 Architectures Optimization Reference Manual, "Mixing AVX code with SSE code".)
 *
 * One word encodes what an instruction sequence does from each initial state. Instrumented code applies it in one call.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SIM_UPPER_H
#define ASSAY_SIM_UPPER_H

#include <stdint.h>

enum upper_state { UPPER_CLEAN, UPPER_DIRTY, UPPER_SAVED, UPPER_STATES };

/* What one instruction does with vector registers. */
enum upper_use {
    UPPER_UNUSED,
    UPPER_LEGACY, /* SSE, not VEX-encoded */
    UPPER_VEX_128,
    UPPER_VEX_256,
    UPPER_ZEROED, /* vzeroupper, vzeroall */
};

/* 16 bits per initial state: final state (2 bits), transitions to SSE (7) and to AVX (7). A sequence has at most
 * UPPER_SEQUENCE instructions. */
typedef uint64_t upper_effect;
enum { UPPER_SEQUENCE = 127 };

struct upper_outcome {
    enum upper_state state;
    uint32_t to_sse, to_avx;
};

/* The empty sequence. */
static inline upper_effect upper_nothing(void) {
    return (upper_effect)UPPER_DIRTY << 16 | (upper_effect)UPPER_SAVED << 32;
}

static inline struct upper_outcome upper_apply(upper_effect effect, enum upper_state from) {
    uint32_t bits = effect >> 16 * from & 0xffff;
    return (struct upper_outcome){(enum upper_state)(bits & 3), bits >> 2 & 0x7f, bits >> 9};
}

/* The sequence with one more instruction at its end. */
static inline upper_effect upper_then(upper_effect effect, enum upper_use use) {
    upper_effect next = 0;
    for (uint32_t from = 0; from < UPPER_STATES; from++) {
        struct upper_outcome now = upper_apply(effect, (enum upper_state)from);
        if (use == UPPER_ZEROED) {
            now.state = UPPER_CLEAN;
        } else if (use == UPPER_LEGACY && now.state == UPPER_DIRTY) {
            now.state = UPPER_SAVED;
            now.to_sse++;
        } else if ((use == UPPER_VEX_128 || use == UPPER_VEX_256) && now.state == UPPER_SAVED) {
            now.state = UPPER_DIRTY;
            now.to_avx++;
        } else if (use == UPPER_VEX_256) {
            now.state = UPPER_DIRTY;
        }
        next |= (upper_effect)(now.state | now.to_sse << 2 | now.to_avx << 9) << 16 * from;
    }
    return next;
}

/* Initial states from which the sequence has an effect, as bits. */
static inline uint32_t upper_acts(upper_effect effect) {
    upper_effect differs = effect ^ upper_nothing();
    return ((differs & 0xffff) != 0) | ((differs >> 16 & 0xffff) != 0) << 1 | (differs >> 32 != 0) << 2;
}

#endif
