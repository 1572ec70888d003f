/* assemble.h - assembles a .ptt to a shared object that can be run and counted (object.h).
 *
 * Register names of the format: GPR1..14 are rax rbx rcx rdx rsi rdi r8..r15, FPR1..16 are xmm0..15, ARG1..6 the
 * argument registers, STR0..4 are ARG2..6, SPTR and BPTR rsp and rbp. SCALAR, SSCALAR and ISCALAR name 64 bytes of
 * ones as double, float and int. GPR1 counts elements from 0 to ARG1. As in likwid-bench, the frame around the body
 * has 16 instructions and the loop adds 3, so INSTR_CONST and INSTR_LOOP have the same meaning. */
#ifndef ASSAY_KERNEL_ASSEMBLE_H
#define ASSAY_KERNEL_ASSEMBLE_H

#include <stddef.h>

#include "validate/host/error.h"
#include "validate/kernel/ptt.h"

/* Returns the kernel's assembly text, to be freed by the caller. NULL: out of memory. */
char *kernel_assembly(const struct ptt *ptt);

/* Assembles to FOLDER/NAME-<hash of the assembly text>.so and stores that path in `object` (`size` bytes). An
 * existing object is reused; a new one is created by a single rename, so two campaigns may share the folder. The
 * compiler is $CC, else the first of gcc, cc, clang in PATH. Returns 0, or -1 with the compiler's first error, which
 * names the .ptt's line. */
int kernel_assemble(const struct ptt *ptt, const char *folder, char *object, size_t size, struct error *error);

#endif
