/* function.h - counts the events of one function of a program from its machine code, like count.h for kernels.
 *
 * A call of the function makes this number of every countable event:
 *     constant + passes x pass + guarded passes x guarded + nested passes x nested + other passes x other
 *
 * A pass is one iteration of the function's only loop. The loop body may have one branch of the form
 *     if (..) { guarded; if (..) { nested } } else { other }
 * in machine code: a conditional jump forward over the guarded part, in that part another one that stays inside, and an
 * unconditional jump over `other` at its end. Nested and other are optional. Any other jump is an error that names it.
 * Of a call only the call instruction itself is counted. The numbers of passes are not derived here: the function's
 * author knows them. */
#ifndef ASSAY_KERNEL_FUNCTION_H
#define ASSAY_KERNEL_FUNCTION_H

#include "validate/host/error.h"
#include "validate/kernel/count.h"

enum { FUNCTION_LOOP_MAX = 4096 };

struct function_counts {
    struct kernel_part constant, pass, guarded, nested, other; /* each without the parts inside it */
    unsigned jumps_apart;         /* bytes from the forward jump to the backward jump; 0: no forward jump */
    char loop[FUNCTION_LOOP_MAX]; /* a pass in Intel's syntax, with a jump to "loop"; empty if it is longer
                                     or has a forward jump */
};

/* Counts `function` of the program in `file` (x86-64 ELF with its symbols). Returns 0, or -1 with the reason. */
int function_count(const char *file, const char *function, struct function_counts *counts, struct error *error);

#endif
