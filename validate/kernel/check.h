/* check.h - compares a .ptt's header with the counts of its body.
 *
 * Meaning of the keys, as in the .ptt files that come with likwid-bench:
 *   STREAMS      streams that the body uses, STR0 to STR(n-1); a body without streams (registers only) may state 1
 *   FLOPS        floating-point operations per element: per pass / LOOP
 *   BYTES        bytes loaded and stored per element, all streams together; without additional traffic of caches
 *   LOADS STORES LOADSTORES  elements loaded / stored / both in one instruction, per element; a 32-byte load of
 *                doubles is 4. LOADSTORES are also counted in LOADS and STORES
 *   BRANCHES     per pass, including the loop's jump
 *   INSTR_CONST  instructions per call: the frame's 16 and the preamble, without nops that align the loop
 *   INSTR_LOOP   instructions per pass: the body and the loop's add, cmp and jump
 *   UOPS         micro-operations per pass; rule: kernel_part.uops */
#ifndef ASSAY_KERNEL_CHECK_H
#define ASSAY_KERNEL_CHECK_H

#include "validate/host/error.h"
#include "validate/kernel/count.h"
#include "validate/kernel/ptt.h"

/* Returns 0 if every key of the header agrees, else -1; the error names the first wrong key, line and both values. */
int kernel_check(const struct ptt *ptt, const struct kernel_counts *counts, struct error *error);

#endif
