/* part.h - counts of a piece of code's instructions, and of the memory accesses of a loop's pass. */
#ifndef ASSAY_KERNEL_PART_H
#define ASSAY_KERNEL_PART_H

enum { KERNEL_LINE_BYTES = 64 };

/* Counts for one execution of a piece of code. Loads and stores include pushes, pops, calls and returns. */
struct kernel_part {
    unsigned instructions; /* all, including padding and prefetches */
    unsigned padding;      /* of these: nops that align the loop */
    unsigned loads;        /* operands read from memory */
    unsigned stores;       /* operands written to memory, including non-temporal stores */
    unsigned load_stores;  /* operands read and written by one instruction; also in loads and stores */
    unsigned stores_nt;    /* of the stores: non-temporal */
    unsigned bytes_loaded, bytes_stored, bytes_stored_nt;
    /* Floating-point operations as weighted by Intel's FP_ARITH events. Per element: one for add, subtract, multiply,
     * divide, root, minimum, maximum, reciprocal; two for fused multiply-add and dot product. */
    unsigned flops;
    /* The instructions of these operations, by width and precision; fused multiply-adds and dot products count twice,
     * as in Intel's FP_ARITH_INST_RETIRED: flops = the sum of instructions * elements. */
    unsigned fp_scalar_sp, fp_scalar_dp, fp_128_sp, fp_128_dp, fp_256_sp, fp_256_dp;
    unsigned vectors; /* SSE and AVX instructions: those with vector registers, vzeroupper, vzeroall */
    unsigned divides; /* instructions that use the divider: divisions and square roots, floating-point and integer */
    /* 256-bit instructions as split by the events AVX_INSTS (LOADS, STORES, CALC): moves from and to memory are loads
     * and stores; moves between registers are not counted; all others are calculations, also with a memory operand.
     * Shuffles and vinsertf128 are calculations, too (measured in the paper on event validation). */
    unsigned avx_loads, avx_stores, avx_calc;
    /* Transitions on processors that save the vector registers' upper halves when SSE code follows a 256-bit
     * instruction, and restore them when a VEX instruction follows. For a pass: in the steady state of the loop. */
    unsigned avx_to_sse, sse_to_avx;
    unsigned branches; /* jumps, calls and returns; of these: */
    unsigned conditional, calls, returns;
    /* Micro-operations by the rule of likwid-bench's .ptt files: one per instruction; one more for a store and for a
     * memory operand of an arithmetic instruction; a compare and the jump after it are one. */
    unsigned uops;
};

/* Adds the counts of another piece of code. */
void kernel_part_add(struct kernel_part *sum, const struct kernel_part *part);

/* Accesses of one pass of the loop to one stream. `volume_*` sums the operands' sizes. `bytes_*` counts every byte once
 * over all passes: the three loads of an element by a stencil's passes count once. `lines_*` are the cache lines of 64
 * bytes that hold these bytes, an average if a pass does not cover whole lines. A line with both kinds of stores is in
 * lines_stored and in lines_stored_nt. */
struct kernel_stream {
    unsigned loads, stores, stores_nt; /* instructions; stores: without non-temporal ones */
    unsigned volume_loaded, volume_stored, volume_load_stored;
    double bytes_loaded, bytes_stored, bytes_stored_nt;
    double lines_loaded, lines_stored, lines_stored_nt;
    double lines; /* touched in any way */
};

#endif
