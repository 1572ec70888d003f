/* inherit.c - passes the cores, the memory policy and the perf events of a thread to the program that it executes, as
 * options of the engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "core_api.h"
#include "engine.h"
#include "perf.h"
#include "policy.h"
#include "timers.h"

enum { OPTION_BYTES = 64 };

/* Adds the option, or replaces the one with the same first `name` characters. Keeps the pointer `option`. */
static void set_option(HChar *option, SizeT name) {
    for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_valgrind)); i++) {
        HChar **present = VG_(indexXA)(VG_(args_for_valgrind), i);
        if (VG_(strncmp)(*present, option, name) == 0) {
            *present = option;
            return;
        }
    }
    VG_(addToXA)(VG_(args_for_valgrind), &option);
}

void inherit_hand_on(ThreadId tid) {
    const struct engine_thread *thread = &engine.thread[tid];
    HChar *affinity = VG_(malloc)("inherit", OPTION_BYTES), *policy = VG_(malloc)("inherit", OPTION_BYTES);
    VG_(sprintf)(affinity, "--affinity=0x%llx", thread->mask);
    VG_(sprintf)(policy, "--policy=0x%x:0x%llx", thread->policy.mode | thread->policy.flags, thread->policy.domains);
    set_option(affinity, sizeof "--affinity=" - 1);
    set_option(policy, sizeof "--policy=" - 1);
    if (engine.node->perf)
        set_option(perf_hand_on(tid), sizeof "--events=" - 1);
    if (engine.timers)
        set_option(timers_hand_on(tid), sizeof "--timers=" - 1);
}

Bool inherit_policy(const HChar *text, struct policy *out) {
    HChar *end;
    ULong mode = VG_(strtoull16)(text, &end);
    if (end == text || *end != ':')
        return False;
    return policy_make(mode, VG_(strtoull16)(end + 1, NULL), out) == 0;
}
