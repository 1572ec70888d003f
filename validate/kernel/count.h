/* count.h - what an assembled kernel does, counted from its machine code by disassembling it (Capstone).
 *
 * A run of a kernel (object.h) is: `once`, then for each sweep `sweep` + `constant` + passes x `pass`, where
 * passes = elements per stream / elements per pass. Of every countable event the run therefore makes exactly
 *     once + sweeps * (sweep + constant + elements / KERNEL.elements * pass).
 * likwid-bench runs `constant` + passes x `pass`; what its own code around them does is not counted here.
 *
 * Counting must be certain: an instruction whose effect the code does not show (a branch in the body, a repeated string
 * instruction, a gather or masked move, x87, an address that is no [STRn + GPR1*size + constant] in the loop, a changed
 * stream pointer or loop counter) is an error that names the .ptt's line, never a guess. */
#ifndef ASSAY_KERNEL_COUNT_H
#define ASSAY_KERNEL_COUNT_H

#include "validate/host/error.h"
#include "validate/kernel/object.h"
#include "validate/kernel/part.h"

struct kernel_counts {
    unsigned streams, elements, element_bytes;
    unsigned own_read, own_written; /* cache lines of the run's own that each sweep reads only, and writes (object.h) */
    struct kernel_part pass, constant, sweep, once;
    struct kernel_stream stream[KERNEL_STREAMS_MAX];
    int avx512; /* the instruction that could not be counted is of AVX-512 */
};

/* Counts the kernel in the file `object`; `ptt` is the path that errors name. Returns 0, or -1 with the reason. */
int kernel_count(const char *object, const char *ptt, struct kernel_counts *counts, struct error *error);

#endif
