/* effect.h - what one x86-64 instruction does: memory accesses, arithmetic, control flow. */
#ifndef ASSAY_KERNEL_EFFECT_H
#define ASSAY_KERNEL_EFFECT_H

#include <capstone/capstone.h>

#include "validate/kernel/part.h"

/* Registers of the calling convention that the counting relies on. */
enum kernel_register { REGISTER_COUNTER, REGISTER_ELEMENTS, REGISTER_STREAM, REGISTER_OTHER };

/* What an instruction does to the vector registers' upper halves: nothing; keeps them (SSE); wants them back (AVX, 128
 * bits); writes them (256 bits); clears them (vzeroupper, vzeroall). */
enum upper_halves { UPPER_ALONE, UPPER_KEPT, UPPER_WANTED, UPPER_WRITTEN, UPPER_CLEARED };

struct effect {
    const char *refused;     /* not NULL: why it cannot be counted; all else but avx512 and upper is not valid then */
    int avx512;              /* it is of AVX-512 */
    struct kernel_part part; /* the instruction's share */
    int control_flow;        /* jump, call, return, interrupt */
    int compares;            /* may fuse with a conditional jump behind it */
    int conditional;         /* a conditional jump */
    enum upper_halves upper;
    /* the explicit memory operand */
    const x86_op_mem *memory; /* NULL: none, or one that is not accessed (lea, prefetch, nop) */
    unsigned bytes;
    int loads, stores, non_temporal;
};

/* `instruction` was disassembled with details; the result points into it. */
struct effect effect_of(const cs_insn *instruction);

/* Which register of the convention `reg`, or the one it is a part of, is; for a stream its number is put into `stream`.
 */
enum kernel_register register_role(unsigned reg, unsigned *stream);

#endif
