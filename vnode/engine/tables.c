/* tables.c - large pages of the host for Valgrind's large tables: translations, their indexes, threads. Valgrind writes
 * the indexes and the threads at its start, with a page fault for each 4 KiB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"

enum { PAGE = 2 << 20, LARGE = PAGE / 2, ADVICE_HUGE = 14 /* MADV_HUGEPAGE, which Valgrind's headers lack */ };

/* Without large pages the advice has no effect. */
static void advise(Addr start, Addr end) {
    if (start < end)
        VG_(do_syscall)(__NR_madvise, start, end - start, ADVICE_HUGE, 0, 0, 0, 0, 0);
}

void tables_start(void) {
    extern char __bss_start[], _end[]; /* the linker's: it holds the index of the newest translations */
    advise(VG_ROUNDUP((Addr)__bss_start, PAGE), VG_ROUNDDN((Addr)_end, PAGE));
}

/* The table begins and ends at a multiple of a large page. */
SysRes TABLE_WRAPPER(SizeT bytes) {
    if (bytes < LARGE)
        return TABLE_WRAPPED(bytes);
    SizeT whole = VG_ROUNDUP(bytes, PAGE);
    SysRes got = TABLE_WRAPPED(whole + PAGE);
    if (sr_isError(got))
        return TABLE_WRAPPED(bytes);
    Addr start = VG_ROUNDUP(sr_Res(got), PAGE);
    advise(start, start + whole);
    got._val = start;
    return got;
}
