/* count.h - events of an assembled kernel, counted from its machine code by disassembly (Capstone).
 *
 * A run of a kernel (object.h) is `once`, then for each sweep: `sweep` + `constant` + passes x `pass`, with passes =
 * elements per stream / elements per pass. So the run makes exactly this number of every countable event:
 *     once + sweeps * (sweep + constant + elements / KERNEL.elements * pass).
 * likwid-bench runs `constant` + passes x `pass`; its own code around them is not counted here.
 *
 * The count must be certain. An instruction whose effect the code does not determine is an error with the .ptt's
 * line, never a guess: a branch in the body, a repeated string instruction, a gather or masked move, x87, an address
 * other than [STRn + GPR1*size + constant] in the loop, a changed stream pointer or loop counter. */
#ifndef ASSAY_KERNEL_COUNT_H
#define ASSAY_KERNEL_COUNT_H

#include "validate/host/error.h"
#include "validate/kernel/object.h"
#include "validate/kernel/part.h"

struct kernel_counts {
    unsigned streams, elements, element_bytes;
    unsigned own_read, own_written; /* lines outside of streams per sweep: only read; written */
    struct kernel_part pass, constant, sweep, once;
    struct kernel_stream stream[KERNEL_STREAMS_MAX];
    int avx512; /* the instruction that cannot be counted is AVX-512 */
};

/* Counts the kernel in the file `object`; `ptt`: its path in error messages. Returns 0, or -1 with the reason. */
int kernel_count(const char *object, const char *ptt, struct kernel_counts *counts, struct error *error);

#endif
