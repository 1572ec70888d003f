/* function.h - what a function of a program does, counted from its machine code as kernels are (count.h).
 *
 * A call of the function makes of every countable event
 *     constant + passes x pass
 * where a pass is one run through its loop. The function may have one loop, which ends in a conditional jump back, and
 * no other jumps, so that all else is run once; whatever else it has is an error that names it. How many passes a call
 * makes, whoever wrote the function knows. */
#ifndef ASSAY_KERNEL_FUNCTION_H
#define ASSAY_KERNEL_FUNCTION_H

#include "validate/host/error.h"
#include "validate/kernel/count.h"

/* Counts `function` of the program in `file` (x86-64 ELF with its symbols) into counts->pass and ->constant. Returns 0,
 * or -1 with the reason. */
int function_count(const char *file, const char *function, struct kernel_counts *counts, struct error *error);

#endif
