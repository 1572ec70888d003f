/* tables.c - fewer page faults of the host, each of which takes 10 us on some virtual machines: large pages for large
 * tables (Valgrind's translations, their indexes and threads; the simulated caches). The program's arrays get none: the
 * host's mincore() tells which of their pages are used (policy_calls.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"

enum { PAGE = 2 << 20, LARGE = PAGE / 2, SEGMENT_LEAST = 8 << 20, SEGMENT_MOST = 64 << 20 };
enum { ADVICE_HUGE = 14, ADVICE_POPULATE_WRITE = 23, MAP_LOADER = 0x0800 }; /* Linux' numbers, which Valgrind lacks */

/* Kernels without it ignore the advice. */
static void advise(Addr start, Addr end, UWord advice) {
    if (start < end)
        VG_(do_syscall)(__NR_madvise, start, end - start, advice, 0, 0, 0, 0, 0);
}

void tables_start(void) {
    extern char __bss_start[], _end[]; /* the linker's: it holds the index of the newest translations */
    advise(VG_ROUNDUP((Addr)__bss_start, PAGE), VG_ROUNDDN((Addr)_end, PAGE), ADVICE_HUGE);
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
    advise(start, start + whole, ADVICE_HUGE);
    got._val = start;
    return got;
}

/* The dynamic linker writes nearly all of a large data segment that has addresses, as LIKWID's tables of events have:
 * its pages are copied at once. */
void tables_mapped(const UWord *arguments, Addr start) {
    SizeT bytes = arguments[1];
    UWord flags = arguments[3];
    if (flags & MAP_LOADER && flags & VKI_MAP_PRIVATE && !(flags & VKI_MAP_ANONYMOUS) &&
        arguments[2] & VKI_PROT_WRITE && bytes >= SEGMENT_LEAST && bytes <= SEGMENT_MOST)
        advise(start, start + VG_PGROUNDUP(bytes), ADVICE_POPULATE_WRITE);
}
