/* decode.h - properties of an amd64 instruction that Valgrind's intermediate code does not show, from its bytes.
 *
 * Tables, not a full decoder: instruction lengths come from Valgrind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_DECODE_H
#define ASSAY_VNODE_ENGINE_DECODE_H

#include "pub_tool_basics.h"
#include "vnode/sim/upper.h"

enum instruction_kind {
    INSTRUCTION_OTHER,
    INSTRUCTION_JUMP_CONDITIONAL, /* loop and jrcxz too */
    INSTRUCTION_JUMP,
    INSTRUCTION_JUMP_INDIRECT,
    INSTRUCTION_CALL,
    INSTRUCTION_CALL_INDIRECT,
    INSTRUCTION_RETURN,
    INSTRUCTION_STRING,      /* cmps, lods, scas, ins, outs; movs and stos with 32-bit addresses */
    INSTRUCTION_STRING_COPY, /* movs */
    INSTRUCTION_STRING_FILL, /* stos */
    INSTRUCTION_STORE_NT,    /* non-temporal store */
    INSTRUCTION_STORE_NT_MASKED,
    INSTRUCTION_STORE_FENCE, /* sfence, mfence: orders stores */
    INSTRUCTION_FLUSH_LINE,  /* clflush, clflushopt */
    INSTRUCTION_PREFETCH,    /* prefetcht0, prefetcht1, prefetcht2 */
    INSTRUCTION_PREFETCH_WRITE,
    INSTRUCTION_PREFETCH_NT, /* prefetchnta */
    INSTRUCTION_BIT_TEST,    /* bt, bts, btr, btc with the bit number in a register */
    INSTRUCTION_FMA,         /* fused multiply-add, all forms */
    INSTRUCTION_GATHER,
    INSTRUCTION_EXCHANGE, /* xchg with memory: locked without a prefix */
    INSTRUCTION_RDPMC
};

/* Index of a prefetch kind; PREFETCH_KINDS for other instructions. */
enum { PREFETCH_KINDS = INSTRUCTION_PREFETCH_NT - INSTRUCTION_PREFETCH + 1 };
static inline UInt prefetch_kind(enum instruction_kind kind) {
    Bool is_prefetch = kind >= INSTRUCTION_PREFETCH && kind <= INSTRUCTION_PREFETCH_NT;
    return is_prefetch ? (UInt)kind - INSTRUCTION_PREFETCH : PREFETCH_KINDS;
}

enum avx_class { AVX_NONE, AVX_LOAD, AVX_STORE, AVX_CALC };

/* Floating-point arithmetic: operation, width and precision. */
enum fp_kind { FP_ADD, FP_MULTIPLY, FP_DIVIDE, FP_FUSED, FP_DOT, FP_OTHER, FP_KINDS };
enum fp_width { FP_SCALAR, FP_128, FP_256, FP_WIDTHS };
enum { FP_CLASSES = FP_KINDS * FP_WIDTHS * 2 };

static inline UInt fp_class(enum fp_kind kind, enum fp_width width, Bool is_double) {
    return ((UInt)kind * FP_WIDTHS + (UInt)width) * 2 + (is_double ? 1 : 0);
}

struct instruction {
    enum instruction_kind kind;
    enum avx_class avx; /* as counted by AVX_INSTS; AVX_NONE below 256 bits */
    Bool has_memory;    /* its ModRM byte names memory (False without ModRM) */
    Bool repeated;      /* rep prefix */
    Bool locked;        /* lock prefix, or xchg with memory */
    UInt divider_uops;  /* of a division or square root: 1 up to 128 bits, 2 for 256; else 0 */
    Bool arithmetic;    /* floating-point arithmetic of SSE or AVX */
    UInt fp_class;      /* if arithmetic: value of fp_class() */
    UInt memory_size;   /* of an FMA's memory operand */
    enum upper_use vectors;
};

/* Whether it is a string operation with a rep prefix. */
static inline Bool repeats(const struct instruction *is) {
    return is->repeated && is->kind >= INSTRUCTION_STRING && is->kind <= INSTRUCTION_STRING_FILL;
}

/* Decodes the `length` bytes at `code`. */
struct instruction decode(const UChar *code, UInt length);

#endif
