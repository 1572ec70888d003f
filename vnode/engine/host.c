/* host.c - the host processors of this process.
 *
 * Only one thread of a process runs at a time. If threads were spread over the host's processors, each hand-over
 * would wake another processor, which can take longer than the turn; on a single processor it is a plain switch. So
 * from the second thread on all stay on the processor where the process currently runs; the host's scheduler has
 * already spread the processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"

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
