/* effect.h - what one x86-64 instruction does: memory accesses, arithmetic, control flow. */
#ifndef ASSAY_KERNEL_EFFECT_H
#define ASSAY_KERNEL_EFFECT_H

#include <capstone/capstone.h>

#include "validate/kernel/part.h"

/* Registers of the calling convention that the counting relies on. */
enum kernel_register { REGISTER_COUNTER, REGISTER_ELEMENTS, REGISTER_STREAM, REGISTER_OTHER };

/* Effect of an instruction on the vector registers' upper halves: none; keeps them (SSE); needs them restored (128-bit
 * AVX); writes them (256 bits); clears them (vzeroupper, vzeroall). */
enum upper_halves { UPPER_ALONE, UPPER_KEPT, UPPER_WANTED, UPPER_WRITTEN, UPPER_CLEARED };

struct effect {
    const char *refused;     /* not NULL: why it cannot be counted; then only avx512 and upper are valid */
    int avx512;              /* is an AVX-512 instruction */
    struct kernel_part part; /* the instruction's counts */
    int control_flow;        /* jump, call, return, interrupt */
    int compares;            /* may fuse with a conditional jump after it */
    int conditional;         /* a conditional jump */
    enum upper_halves upper;
    /* the explicit memory operand */
    const x86_op_mem *memory; /* NULL: none, or not accessed (lea, prefetch, nop) */
    unsigned bytes;
    int loads, stores, non_temporal;
};

/* `instruction` must be disassembled with details; the result points into it. */
struct effect effect_of(const cs_insn *instruction);

/* Returns the role of `reg`, or of the full register that contains it; stores a stream's number in `stream`. */
enum kernel_register register_role(unsigned reg, unsigned *stream);

#endif
