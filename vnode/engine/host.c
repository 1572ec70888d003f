/* host.c - the host's processors and threads of this process.
 *
 * Only one thread of a process runs at a time. If threads were spread over the host's processors, each hand-over
 * would wake another processor, which can take longer than the turn; on a single processor it is a plain switch. So
 * from the second thread on all stay on the processor where the process currently runs; the host's scheduler has
 * already spread the processes.
 *
 * Valgrind asks for its thread's number four times a turn. The page of the stack tells which thread it is, until a
 * thread is created or the process forks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"

enum { PLACE_BITS = 6, PLACES = 1 << PLACE_BITS, NUMBERS = 1 << 28 /* Linux has fewer threads */ };

/* Page of a stack * NUMBERS + number of its thread. Threads ask without Valgrind's lock, too. */
static ULong numbered[PLACES];

static SysRes call(UWord number, UWord first, UWord second, UWord third) {
    return VG_(do_syscall)(number, first, second, third, 0, 0, 0, 0, 0);
}

void host_gather(void) {
    UInt processor = 0;
    if (engine.host_mask_bytes)
        return;
    SysRes got = call(__NR_sched_getaffinity, 0, sizeof engine.host_mask, (UWord)engine.host_mask);
    if (sr_isError(got) || sr_isError(call(__NR_getcpu, (UWord)&processor, 0, 0)) ||
        processor >= 8 * sizeof engine.host_mask)
        return;
    UChar here[sizeof engine.host_mask] = {0};
    here[processor / 8] = (UChar)(1u << processor % 8);
    if (!sr_isError(call(__NR_sched_setaffinity, 0, sr_Res(got), (UWord)here)))
        engine.host_mask_bytes = sr_Res(got);
}

void host_spread(void) {
    if (engine.host_mask_bytes)
        call(__NR_sched_setaffinity, 0, engine.host_mask_bytes, (UWord)engine.host_mask);
    engine.host_mask_bytes = 0;
}

Int NUMBER_WRAPPER(void) {
    ULong page = (Addr)__builtin_frame_address(0) / VKI_PAGE_SIZE;
    ULong *place = &numbered[page * 0x9e3779b97f4a7c15 >> (64 - PLACE_BITS)]; /* stacks are a power of two apart */
    ULong found = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (found / NUMBERS == page)
        return (Int)(found % NUMBERS);
    Int number = NUMBER_WRAPPED();
    __atomic_store_n(place, page * NUMBERS + (ULong)number, __ATOMIC_RELAXED);
    return number;
}

void host_forget_threads(void) {
    for (UInt i = 0; i < PLACES; i++)
        __atomic_store_n(&numbered[i], 0, __ATOMIC_RELAXED);
}

/* In a new process. Valgrind has a record of 7 KB for each possible thread and clears all others, which copies 3 MB;
 * those that were used are enough. */
void FORKED_WRAPPER(ThreadId tid) {
    UInt all = VG_N_THREADS;
    VG_N_THREADS = engine.last_thread + 1;
    host_forget_threads(); /* they are the parent's */
    FORKED_WRAPPED(tid);
    VG_N_THREADS = all;
}
