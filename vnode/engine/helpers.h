/* helpers.h - functions that instrumented code calls. They work on the running thread's core.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_HELPERS_H
#define ASSAY_VNODE_ENGINE_HELPERS_H

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"

/* A run of instructions, one after the other in memory, has retired: their count in bits 16 to 31 of `run`, their
 * bytes, from `start`, in bits 0 to 15. Fetches their lines and ends the turn if its instructions are used up. */
void engine_retire(VexGuestAMD64State *guest, Addr start, ULong run);

/* So many 256-bit loads, stores and calculations (AVX_INSTS) have retired. */
void engine_avx(ULong loads, ULong stores, ULong calculations);

/* Loads or stores more than a line holds (state of the vector unit), 16 bytes at a time. */
void engine_load_long(Addr address, ULong size);
void engine_store_long(Addr address, ULong size);

/* rdtsc, rdtscp, cpuid of the node. */
ULong engine_rdtsc(void);
void engine_rdtscp(VexGuestAMD64State *guest);
void engine_cpuid(VexGuestAMD64State *guest);

#endif
