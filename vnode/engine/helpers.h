/* helpers.h - functions that instrumented code calls. They act on the running thread's core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_HELPERS_H
#define ASSAY_VNODE_ENGINE_HELPERS_H

#include "libvex_guest_amd64.h"

#include "pub_tool_basics.h"
#include "vnode/sim/sim.h"
#include "vnode/sim/upper.h"

/* Empties the trace if it has TRACE_FULL words. */
void engine_make_room(void);

/* The budget is used up: simulates the trace, and ends the turn if no more of it is left. */
void engine_end_slice(void);

/* The turn of the thread that executes ends, also if it has none: the next block returns to the scheduler. */
void engine_end_turn(void);

/* The thread says that it waits: it idles while others run. */
void engine_pause(void);

/* A run has used vector registers. */
void engine_upper(upper_effect effect);

/* One repeated instruction has retired. */
void engine_retire_repeated(Addr start, ULong size);

/* string.c: one element of a repeated copy or fill. `element`: a union string_element; `left`: elements after this
 * one; `step`: 1, or -1 if the direction flag is set. */
union string_element {
    struct {
        UChar size;   /* bytes */
        UChar copies; /* 0: fills */
    } is;
    ULong word;
};
void engine_string(Addr instruction, ULong element, ULong left, Long step, Addr from, Addr to);
void string_ended(void); /* the running thread's repeated instruction has ended */

/* A load or store of more than TRACE_ACCESS_MAX bytes (vector state), 16 bytes at a time. */
void engine_load_long(Addr address, ULong size);
void engine_store_long(Addr address, ULong size);

/* perf_samples.c: the instruction is complete. */
void engine_overflow(VexGuestAMD64State *guest, Addr instruction);

/* perf_threads.c: rdpmc of a counter that the user page of a perf event names. 0: not allowed. */
ULong engine_rdpmc(VexGuestAMD64State *guest, Addr instruction);

/* rdtsc, rdtscp, and (cpuid.c) cpuid of the node. */
ULong engine_rdtsc(void);
void engine_rdtscp(VexGuestAMD64State *guest);
void engine_cpuid(VexGuestAMD64State *guest);

#endif
