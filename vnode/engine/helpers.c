/* helpers.c - functions that instrumented code calls.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "helpers.h"

#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/sim/trace.h"

enum { LONG_PIECE = 16 };

void engine_end_slice(void) {
    trace_drain();
    Long more = engine.rest < SLICE ? engine.rest : SLICE;
    engine.rest -= more;
    engine.budget += more;
    engine.settled_budget += more;
    engine.overflow_budget += more;
    if (engine.budget <= 0)
        engine_end_turn();
}

void engine_end_turn(void) {
    static const UInt none = 0;
    VG_(set_shadow_regs_area)
    (VG_(get_running_tid)(), 0, offsetof(VexGuestAMD64State, host_EvC_COUNTER), sizeof none, (const UChar *)&none);
}

void engine_pause(void) {
    engine_settle();
    threads_pause(engine.running);
    engine_end_turn();
}

void engine_upper(upper_effect effect) {
    struct upper_outcome outcome = upper_apply(effect, (enum upper_state)engine.upper);
    engine.upper = (UChar)outcome.state;
    engine.totals[CORE_AVX_TO_SSE] += outcome.to_sse;
    engine.totals[CORE_SSE_TO_AVX] += outcome.to_avx;
}

void engine_retire_repeated(Addr start, ULong size) {
    string_ended();
    trace_push(start, trace_fetch(size));
    engine.budget--;
}

/* Counts floating-point arithmetic by width and precision (fused multiply-adds and dot products twice), and FLOPs by
 * kind. */
static void settle_fp(void) {
    static const enum sim_core_count of_width[FP_WIDTHS][2] = {
        {CORE_FP_SCALAR_SP, CORE_FP_SCALAR_DP}, {CORE_FP_128_SP, CORE_FP_128_DP}, {CORE_FP_256_SP, CORE_FP_256_DP}};
    for (UInt class = 0; class < FP_CLASSES; class ++) {
        ULong count = engine.fp[class];
        if (count == 0)
            continue;
        engine.fp[class] = 0;
        UInt kind = class / 2 / FP_WIDTHS, width = class / 2 % FP_WIDTHS, is_double = class % 2;
        ULong flops = count * (width == FP_SCALAR ? 1 : (width == FP_256 ? 8 : 4) >> is_double);
        Bool twice = kind == FP_FUSED || kind == FP_DOT;
        engine.totals[of_width[width][is_double]] += twice ? 2 * count : count;
        if (kind == FP_ADD || kind == FP_DOT)
            engine.totals[CORE_FLOPS_ADD] += flops;
        if (kind == FP_MULTIPLY || kind == FP_DOT)
            engine.totals[CORE_FLOPS_MULTIPLY] += flops;
        if (kind == FP_DIVIDE)
            engine.totals[CORE_FLOPS_DIVIDE] += flops;
        if (kind == FP_FUSED)
            engine.totals[CORE_FLOPS_FUSED] += 2 * flops;
    }
}

void engine_settle(void) {
    trace_drain();
    sim_retire(engine.core, (uint32_t)(engine.settled_budget - engine.budget));
    engine.settled_budget = engine.budget;
    engine.totals[CORE_AVX_LOADS] += engine.avx[AVX_LOAD];
    engine.totals[CORE_AVX_STORES] += engine.avx[AVX_STORE];
    engine.totals[CORE_AVX_CALC] += engine.avx[AVX_CALC];
    engine.totals[CORE_DIVIDER_UOPS] += engine.divider_uops;
    engine.totals[CORE_DIVISIONS] += engine.divisions;
    engine.totals[CORE_VECTOR_INSTRUCTIONS] += engine.vectors;
    engine.totals[CORE_UPDATES] += engine.updates;
    engine.divider_uops = engine.divisions = engine.vectors = engine.updates = 0;
    for (UInt kind = 0; kind < PREFETCH_KINDS; kind++) {
        engine.totals[CORE_PREFETCHES + kind] += engine.prefetches[kind];
        engine.prefetches[kind] = 0;
    }
    settle_fp();
    engine.avx[AVX_LOAD] = engine.avx[AVX_STORE] = engine.avx[AVX_CALC] = 0;
}

static void push_pieces(enum trace_kind kind, Addr address, ULong size) {
    for (ULong done = 0; done < size; done += LONG_PIECE)
        trace_push(address + done, trace_access(kind, size - done < LONG_PIECE ? size - done : LONG_PIECE));
}

void engine_load_long(Addr address, ULong size) {
    push_pieces(TRACE_LOAD, address, size);
}

void engine_store_long(Addr address, ULong size) {
    push_pieces(TRACE_STORE, address, size);
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
    guest->guest_RCX = engine.thread[engine.running].core; /* Linux keeps the core number in TSC_AUX */
}

/* VEX decodes rdtscp only if the host has it, which virtual machines may hide. The engine never executes it on the
 * host. */
void ABILITIES_WRAPPER(VexArch *arch, VexArchInfo *info) {
    ABILITIES_WRAPPED(arch, info);
    if (info)
        info->hwcaps |= VEX_HWCAPS_AMD64_RDTSCP;
}
