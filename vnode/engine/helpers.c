/* helpers.c - functions that instrumented code calls.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "helpers.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "engine.h"
#include "vnode/sim/group.h"
#include "vnode/sim/inline.h"

enum { LONG_PIECE = 16 };

void engine_fetch(Addr start, ULong size) {
    if (engine.fetched_run == 0) /* the line fetched last may be lost */
        engine.fetched_line = ~(Addr)0;
    engine.fetched_run = start; /* first: one of these fetches may take another's line */
    Addr last = (start + size - 1) >> engine.line_bits;
    for (Addr line = start >> engine.line_bits; line <= last; line++) {
        if (line == engine.fetched_line)
            continue;
        sim_fetch(engine.core, line << engine.line_bits, 1);
        engine.fetched_line = line;
    }
}

void engine_end_turn(VexGuestAMD64State *guest) {
    guest->host_EvC_COUNTER = 0;
}

void engine_retire_repeated(Addr start, ULong size) {
    engine_fetch(start, size);
    engine.budget--;
}

void engine_settle(void) {
    sim_retire(engine.core, (uint32_t)(engine.settled_budget - engine.budget));
    engine.settled_budget = engine.budget;
    engine.totals[CORE_AVX_LOADS] += engine.avx[AVX_LOAD];
    engine.totals[CORE_AVX_STORES] += engine.avx[AVX_STORE];
    engine.totals[CORE_AVX_CALC] += engine.avx[AVX_CALC];
    engine.totals[CORE_DIVIDER_UOPS] += engine.divider_uops;
    engine.divider_uops = 0;
    engine.avx[AVX_LOAD] = engine.avx[AVX_STORE] = engine.avx[AVX_CALC] = 0;
}

void engine_load(struct sim_core *core, Addr address, ULong size) {
    sim_load_inline(core, address, (UInt)size);
}

void engine_store(struct sim_core *core, Addr address, ULong size) {
    sim_store_inline(core, address, (UInt)size);
}

void engine_group(struct sim_core *core, ULong group, Addr first, Addr second, Addr third, Addr fourth) {
    const union sim_group_word described = {.word = group};
    const uint64_t addresses[SIM_GROUP_WIDTH] = {first, second, third, fourth};
    sim_access_group(core, described.group, addresses);
}

void engine_load_long(Addr address, ULong size) {
    for (ULong done = 0; done < size; done += LONG_PIECE)
        sim_load(engine.core, address + done, size - done < LONG_PIECE ? (UInt)(size - done) : LONG_PIECE);
}

void engine_store_long(Addr address, ULong size) {
    for (ULong done = 0; done < size; done += LONG_PIECE)
        sim_store(engine.core, address + done, size - done < LONG_PIECE ? (UInt)(size - done) : LONG_PIECE);
}

/* The engine's own calls would not pass such a filter. A harmless call takes its place, which succeeds. */
void engine_before_syscall(VexGuestAMD64State *guest) {
    enum { SECCOMP = 317, SET_STRICT = 0, SET_FILTER = 1, PRCTL_SET_SECCOMP = 22 };
    ULong what = guest->guest_RDI;
    Bool filters = guest->guest_RAX == SECCOMP ? what == SET_STRICT || what == SET_FILTER
                                               : guest->guest_RAX == __NR_prctl && what == PRCTL_SET_SECCOMP;
    if (!filters)
        return;
    if (!engine.refused_filter)
        VG_(printf)
    ("assay: %s: runs without its filter of system calls (seccomp): the engine would not pass it\n",
     VG_(args_the_exename));
    engine.refused_filter = True;
    guest->guest_RAX = __NR_sched_yield;
}

ULong engine_rdtsc(void) {
    engine_settle();
    return time_tsc(engine.running);
}

void engine_rdtscp(VexGuestAMD64State *guest) {
    engine_settle();
    ULong now = time_tsc(engine.running);
    guest->guest_RAX = (UInt)now;
    guest->guest_RDX = now >> 32;
    guest->guest_RCX = engine.thread[engine.running].core; /* Linux keeps the core's number there */
}

void engine_cpuid(VexGuestAMD64State *guest) {
    UInt leaf = (UInt)guest->guest_RAX;
    ((void (*)(VexGuestAMD64State *))engine.host_cpuid)(guest);
    if (leaf == 1)
        guest->guest_RAX = engine.node->cpu_signature;
}
