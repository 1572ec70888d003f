/* part.h - counts of a piece of code's instructions, and of a loop's accesses to a stream. */
#ifndef ASSAY_KERNEL_PART_H
#define ASSAY_KERNEL_PART_H

/* Counts for one execution of a piece of code. Loads and stores include pushes, pops, calls and returns. All members
 * have the same type: kernel_part_add() adds them as an array. */
struct kernel_part {
    unsigned instructions; /* all, including padding and prefetches */
    unsigned padding;      /* of these: nops that align the loop */
    unsigned loads;        /* operands read from memory */
    unsigned stores;       /* operands written to memory, including non-temporal stores */
    unsigned load_stores;  /* operands read and written by one instruction; also in loads and stores */
    unsigned stores_nt;    /* of the stores: non-temporal */
    unsigned bytes_loaded, bytes_stored;
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

/* Accesses of one pass of the loop to one stream. `volume_*` sums the operands' sizes. */
struct kernel_stream {
    unsigned loads, stores, stores_nt; /* instructions; stores: without non-temporal ones */
    unsigned volume_loaded, volume_stored, volume_load_stored;
};

#endif
