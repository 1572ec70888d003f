/* helpers.c - functions that instrumented code calls.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "helpers.h"
#include "engine.h"

enum { LONG_PIECE = 16 };

static void fetch(Addr start, UInt size) {
    Addr last = (start + size - 1) >> engine.line_bits;
    for (Addr line = start >> engine.line_bits; line <= last; line++) {
        if (line == engine.fetched_line)
            continue;
        sim_fetch(engine.core, line << engine.line_bits, 1);
        engine.fetched_line = line;
    }
}

void engine_retire(VexGuestAMD64State *guest, Addr start, ULong run) {
    UInt count = (UInt)(run >> 16), size = (UInt)(run & 0xffff);
    fetch(start, size);
    sim_retire(engine.core, count);
    engine.budget -= count;
    if (engine.budget <= 0)
        guest->host_EvC_COUNTER = 0; /* the next block returns to the scheduler */
}

void engine_avx(ULong loads, ULong stores, ULong calculations) {
    engine.totals[CORE_AVX_LOADS] += loads;
    engine.totals[CORE_AVX_STORES] += stores;
    engine.totals[CORE_AVX_CALC] += calculations;
}

void engine_load_long(Addr address, ULong size) {
    for (ULong done = 0; done < size; done += LONG_PIECE)
        sim_load(engine.core, address + done, size - done < LONG_PIECE ? (UInt)(size - done) : LONG_PIECE);
}

void engine_store_long(Addr address, ULong size) {
    for (ULong done = 0; done < size; done += LONG_PIECE)
        sim_store(engine.core, address + done, size - done < LONG_PIECE ? (UInt)(size - done) : LONG_PIECE);
}

ULong engine_rdtsc(void) {
    return time_tsc(engine.running);
}

void engine_rdtscp(VexGuestAMD64State *guest) {
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
