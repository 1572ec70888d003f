/* part.h - sums over the instructions of a piece of code, and over the memory accesses of a loop's pass. */
#ifndef ASSAY_KERNEL_PART_H
#define ASSAY_KERNEL_PART_H

enum { KERNEL_LINE_BYTES = 64 };

/* Sums over one execution of a piece of code. Pushes, pops, calls and returns load and store, too. */
struct kernel_part {
    unsigned instructions; /* all, padding and prefetches included */
    unsigned padding;      /* of these: nops that align the loop */
    unsigned loads;        /* operands read from memory */
    unsigned stores;       /* operands written to memory, non-temporal ones included */
    unsigned load_stores;  /* operands read and written by one instruction; in loads and in stores, too */
    unsigned stores_nt;    /* of the stores: non-temporal */
    unsigned bytes_loaded, bytes_stored, bytes_stored_nt;
    /* Floating-point operations as Intel's FP_ARITH events weigh them: one per element and add, subtract, multiply,
     * divide, root, minimum, maximum, reciprocal; two for fused multiply-add and dot product. */
    unsigned flops;
    /* Instructions that do this arithmetic, by width and precision; fused multiply-adds and dot products count twice,
     * as in Intel's FP_ARITH_INST_RETIRED: flops = the sum of instructions * elements. */
    unsigned fp_scalar_sp, fp_scalar_dp, fp_128_sp, fp_128_dp, fp_256_sp, fp_256_dp;
    unsigned divides; /* instructions that use the divider: divisions and square roots, floating-point and integer */
    /* 256-bit instructions as the events AVX_INSTS (loads, stores, CALC) split them: pure moves from and to memory are
     * loads and stores; moves between registers are nothing; all else is calculation, also when it has a memory
     * operand, and so are shuffles and vinsertf128 (the paper on event validation saw that it counts). */
    unsigned avx_loads, avx_stores, avx_calc;
    /* Transitions of processors that save the vector registers' upper halves when an instruction of SSE comes after one
     * of 256 bits, and bring them back when one with VEX comes after that; of a pass: after another one. */
    unsigned avx_to_sse, sse_to_avx;
    unsigned branches; /* jumps, calls and returns; of these: */
    unsigned conditional, calls, returns;
    /* Micro-operations by the rule of likwid-bench's own headers: one per instruction, one more for a memory operand
     * of an arithmetic instruction and for a store; a compare and the jump after it are one. */
    unsigned uops;
};

/* Adds what another piece of code does. */
void kernel_part_add(struct kernel_part *sum, const struct kernel_part *part);

/* What one pass of the loop does to one stream. `volume_*` sums the instructions' operands; `bytes_*` counts each
 * byte once: those that differ from pass to pass, so that a stencil's three loads of an element are one; `lines_*`
 * are the cache lines of 64 bytes that hold these bytes, an average when a pass is no whole line. A line that is stored
 * both ways is in lines_stored and in lines_stored_nt. */
struct kernel_stream {
    unsigned loads, stores, stores_nt; /* instructions; stores without the non-temporal ones */
    unsigned volume_loaded, volume_stored, volume_load_stored;
    double bytes_loaded, bytes_stored, bytes_stored_nt;
    double lines_loaded, lines_stored, lines_stored_nt;
    double lines; /* touched in any way */
};

#endif
