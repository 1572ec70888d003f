/* answers.c - system calls that the node answers itself and the host's kernel never sees.
 *
 * Core affinity, memory placement and time are the node's, not the host's. Valgrind lets a tool observe a system
 * call, but not answer it. So the linker wraps its dispatcher: one place for calls of libc, calls within libc,
 * syscall(2) and programs without libc. files.c may change the path of calls that go on to the kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answers.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "perf.h"

static const struct {
    UWord number;
    answered_call *function;
} answers[] = {
    {__NR_perf_event_open, perf_event_open},
    {__NR_nanosleep, time_nanosleep},
    {__NR_clock_nanosleep, time_clock_nanosleep},
    {__NR_sched_setaffinity, affinity_sched_set},
    {__NR_sched_getaffinity, affinity_sched_get},
    {__NR_getcpu, affinity_getcpu},
    {__NR_gettid, threads_gettid},
    {__NR_set_mempolicy, policy_set_mempolicy},
    {__NR_get_mempolicy, policy_get_mempolicy},
    {__NR_mbind, policy_mbind},
    {__NR_move_pages, policy_move_pages},
    {__NR_migrate_pages, policy_migrate_pages},
    {__NR_bpf, missing_bpf},
    {__NR_alarm, timers_alarm},
    {__NR_setitimer, timers_setitimer},
    {__NR_getitimer, timers_getitimer},
    {__NR_timer_create, timers_create},
    {__NR_timer_settime, timers_settime},
    {__NR_timer_gettime, timers_gettime},
    {__NR_timer_getoverrun, timers_getoverrun},
    {__NR_timer_delete, timers_delete},
    {__NR_timerfd_create, timers_fd_create},
    {__NR_timerfd_settime, timers_fd_settime},
    {__NR_timerfd_gettime, timers_fd_gettime},
};

Bool answer_readable(Addr address, SizeT bytes) {
    return VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ);
}

Bool answer_writable(Addr address, SizeT bytes) {
    return VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_WRITE);
}

/* Calls that concern a perf event's descriptor. */
static answered_call *find_perf(UWord number, const UWord *arguments) {
    if (perf_is_prctl(number, arguments))
        return perf_prctl;
    Bool of_perf = number == __NR_ioctl && (arguments[1] >> 8 & 0xff) == '$'; /* others are those of any file */
    Bool may_be = engine.node->perf && (number == __NR_read || of_perf);
    return !may_be || perf_of((Int)arguments[0]) == PERF_NONE ? NULL : number == __NR_read ? perf_read : perf_ioctl;
}

static answered_call *find(ThreadId tid, UWord number, const UWord *arguments) {
    answered_call *perf = find_perf(number, arguments);
    if (perf)
        return perf;
    answered_call *check = checks_answer(tid, number, arguments);
    if (check)
        return check;
    if (filter_is_installed(number, arguments))
        return filter_refuse;
    if (pages_are_advised(number, arguments))
        return pages_advise;
    for (UInt i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i].number == number)
            return answers[i].function;
    return NULL;
}

static UWord get(ThreadId tid, PtrdiffT register_offset) {
    UWord value;
    VG_(get_shadow_regs_area)(tid, (UChar *)&value, 0, register_offset, sizeof value);
    return value;
}

#define REGISTER(name) __builtin_offsetof(VexGuestAMD64State, guest_##name)

static void set(ThreadId tid, PtrdiffT register_offset, Long value) {
    VG_(set_shadow_regs_area)(tid, 0, register_offset, sizeof value, (const UChar *)&value);
}

static void set_result(ThreadId tid, Long result) {
    set(tid, REGISTER(RAX), result);
}

/* The event whose descriptor a call gets that goes on to the kernel. */
static UInt perf_of_call(UWord number, const UWord *arguments) {
    Bool first = number == __NR_close || number == __NR_fcntl || (number == __NR_ioctl && arguments[1] == VKI_FIOASYNC);
    return !engine.node->perf || (!first && number != __NR_mmap) ? PERF_NONE : perf_of((Int)arguments[first ? 0 : 4]);
}

static void perf_after(UInt event, UWord number, const UWord *arguments, Long result) {
    if (number == __NR_close)
        perf_closed(event);
    else if (number == __NR_fcntl && result == 0)
        perf_fcntl(event, arguments);
    else if (number == __NR_ioctl && result == 0)
        perf_set_asynchronous(event, arguments);
    else if (number == __NR_mmap && (result > 0 || result < -4095))
        perf_ring_mapped(event, arguments);
}

/* waited: timed_answer()'s. */
static void finish(ThreadId tid, Long waited) {
    enum { SYSCALL_BYTES = 2 };
    if (waited != TIMED_AGAIN) {
        set_result(tid, waited);
        return;
    }
    set(tid, REGISTER(RIP), (Long)get(tid, REGISTER(RIP)) - SYSCALL_BYTES);
    engine.deliver = True;
}

static void answer(ThreadId tid, UInt trap) {
    const UWord arguments[ANSWER_ARGUMENTS] = {get(tid, REGISTER(RDI)), get(tid, REGISTER(RSI)),
                                               get(tid, REGISTER(RDX)), get(tid, REGISTER(R10)),
                                               get(tid, REGISTER(R8)),  get(tid, REGISTER(R9))};
    UWord number = get(tid, REGISTER(RAX));
    answered_call *function = find(tid, number, arguments);
    Long waited;
    engine.thread[tid].must_look = True;
    if (function) {
        set_result(tid, function(tid, arguments));
    } else if (timed_answer(tid, number, arguments, &waited)) {
        finish(tid, waited);
        perf_polled(number, arguments, waited);
    } else if (missing_call(number)) {
        set_result(tid, missing_answer(number));
    } else {
        UInt event = perf_of_call(number, arguments);
        Long ring = event != PERF_NONE && number == __NR_mmap ? perf_ring_file(event, arguments) : 0;
        if (ring < 0) {
            set_result(tid, ring);
            return;
        }
        timers_before(number, arguments);
        files_before(tid, number, arguments);
        written_before(tid, number, arguments);
        if (ring)
            set(tid, REGISTER(R8), ring);
        Addr once = perf_once(number, arguments);
        if (once)
            set(tid, REGISTER(R10), (Long)once);
        ANSWERS_WRAPPED(tid, trap);
        if (once)
            set(tid, REGISTER(R10), (Long)arguments[3]);
        checks_learn(number, arguments, (Long)get(tid, REGISTER(RAX)));
        if (ring) {
            set(tid, REGISTER(R8), (Long)arguments[4]);
            VG_(close)((Int)ring);
        }
        if (event != PERF_NONE)
            perf_after(event, number, arguments, (Long)get(tid, REGISTER(RAX)));
        perf_polled(number, arguments, (Long)get(tid, REGISTER(RAX)));
        if (number == __NR_mmap)
            set_result(tid, missing_room(arguments, (Long)get(tid, REGISTER(RAX))));
    }
}

/* The handler runs before the program goes on, or makes the call again. */
void ANSWERS_WRAPPER(ThreadId tid, UInt trap) {
    answer(tid, trap);
    Bool ended = (Long)get(tid, REGISTER(RAX)) == -VKI_EINTR;
    if (VG_(is_exiting)(tid) || !(ended || engine.deliver))
        return;
    engine.deliver = False;
    POLL_WRAPPED(tid);
}
