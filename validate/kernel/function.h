/* function.h - what a function of a program does, counted from its machine code as kernels are (count.h).
 *
 * A call of the function makes of every countable event
 *     constant + passes x pass + guarded passes x guarded + nested passes x nested + other passes x other
 * where a pass is one run through its loop, and a guarded pass one that does not take the jump over a part of the loop;
 * a nested pass is a guarded one that does not take the jump over a part of that part either;
 * where the guarded part ends in a jump itself, the other passes run what this one jumps over.
 * The function may have one loop, which ends in a conditional jump back, in the loop one conditional jump forward, in
 * what it jumps over another one that stays there, at its end an unconditional one forward, and no other jumps, so that
 * all else is run once; whatever else it has is an error that names it. Of what it calls, always the same functions,
 * only the call is counted. How many passes a call makes, and how many of them are guarded, whoever wrote the function
 * knows. */
#ifndef ASSAY_KERNEL_FUNCTION_H
#define ASSAY_KERNEL_FUNCTION_H

#include "validate/host/error.h"
#include "validate/kernel/count.h"

enum { FUNCTION_LOOP_MAX = 4096 };

struct function_counts {
    struct kernel_part constant, pass, guarded, nested, other; /* each without what is inside of it; what runs else */
    unsigned jumps_apart;         /* bytes from the jump forward to the one back; 0: there is none forward */
    char loop[FUNCTION_LOOP_MAX]; /* a pass as assembly, in Intel's syntax, its jump to "loop"; empty if it is longer,
                                     or has a jump forward */
};

/* Counts `function` of the program in `file` (x86-64 ELF with its symbols). Returns 0, or -1 with the reason. */
int function_count(const char *file, const char *function, struct function_counts *counts, struct error *error);

#endif
