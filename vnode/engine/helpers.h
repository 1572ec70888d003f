/* helpers.h - functions that instrumented code calls. They work on the running thread's core.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_HELPERS_H
#define ASSAY_VNODE_ENGINE_HELPERS_H

#include "libvex_guest_amd64.h"

#include "pub_tool_basics.h"
#include "vnode/sim/sim.h"

/* The instructions of the bytes [start, start + size) are fetched: each line that is not the one fetched last. */
void engine_fetch(Addr start, ULong size);

/* The turn's instructions are used up: the next block returns to the scheduler. */
void engine_end_turn(VexGuestAMD64State *guest);

/* One repeated instruction has retired. */
void engine_retire_repeated(Addr start, ULong size);

/* One plain access; sizes up to a line. */
void engine_load(struct sim_core *core, Addr address, ULong size);
void engine_store(struct sim_core *core, Addr address, ULong size);

/* Plain accesses in a row: a union sim_group_word and the addresses of its first round. */
void engine_group(struct sim_core *core, ULong group, Addr first, Addr second, Addr third, Addr fourth);

/* Loads or stores more than a line holds (state of the vector unit), 16 bytes at a time. */
void engine_load_long(Addr address, ULong size);
void engine_store_long(Addr address, ULong size);

/* Before a system call: none that installs a filter of system calls reaches the kernel. */
void engine_before_syscall(VexGuestAMD64State *guest);

/* rdtsc, rdtscp, cpuid of the node. */
ULong engine_rdtsc(void);
void engine_rdtscp(VexGuestAMD64State *guest);
void engine_cpuid(VexGuestAMD64State *guest);

#endif
