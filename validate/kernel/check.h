/* check.h - holds a .ptt's header against what its body was counted to do.
 *
 * What the keys mean, as in the headers that come with likwid-bench:
 *   STREAMS      streams the body uses, STR0 to STR(n-1); a body that uses none (registers only) may have 1
 *   FLOPS        floating-point operations per element: per pass / LOOP
 *   BYTES        bytes loaded and stored per element, all streams together; what caches add is not in it
 *   LOADS STORES LOADSTORES  elements loaded / stored / both in one instruction, per element; a 32-byte load of
 *                doubles is 4. LOADSTORES are in LOADS and STORES, too
 *   BRANCHES     per pass, the loop's own jump included
 *   INSTR_CONST  instructions per call: the 16 of the frame and the preamble; nops that align the loop are not in it
 *   INSTR_LOOP   instructions per pass: the body and the loop's add, cmp and jump
 *   UOPS         micro-operations per pass, by the rule at kernel_part.uops */
#ifndef ASSAY_KERNEL_CHECK_H
#define ASSAY_KERNEL_CHECK_H

#include "validate/host/error.h"
#include "validate/kernel/count.h"
#include "validate/kernel/ptt.h"

/* Returns 0 if every key of the header agrees, else -1 and the first that does not, with file, line and both values. */
int kernel_check(const struct ptt *ptt, const struct kernel_counts *counts, struct error *error);

#endif
