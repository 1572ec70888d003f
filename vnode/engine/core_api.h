/* core_api.h - the only place that declares functions of Valgrind's core that its installed headers omit, and adapts
 * declarations that differ between versions.
 *
 * The omitted functions have the same declaration in pub_core_*.h of 3.19 and 3.24; the linker names one that another
 * version lacks. Differences in the installed headers are resolved by the compiler, without version checks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_CORE_API_H
#define ASSAY_VNODE_ENGINE_CORE_API_H

#include "pub_tool_aspacemgr.h"
#include "pub_tool_basics.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

#include "libvex.h"

/* m_aspacemgr: maps a file shared, at an address of the tool's own area. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt protection, Int fd, Off64T offset);

/* m_aspacemgr: memory of the program's at that address, whole pages. */
extern SysRes VG_(am_mmap_anon_fixed_client)(Addr start, SizeT length, UInt protection);

static inline void *core_result(SysRes result) {
    return sr_isError(result) ? NULL : (void *)sr_Res(result);
}

/* m_libcfile: moves a descriptor out of the program's range (returns the new one, -1 on error). */
extern Int VG_(safe_fd)(Int fd);
/* m_libcsignal */
extern Int VG_(kill)(Int pid, Int signal);
/* m_signals: the program's signal actions and mask. */
extern SysRes VG_(do_sys_sigaction)(Int signal, const vki_sigaction_toK_t *new_action,
                                    vki_sigaction_fromK_t *old_action);
extern SysRes VG_(do_sys_sigprocmask)(ThreadId tid, Int how, vki_sigset_t *set, vki_sigset_t *old_set);
/* m_signals: makes the thread's stack contain the address. */
extern Bool VG_(extend_stack)(ThreadId tid, Addr address);
/* m_scheduler: releases Valgrind's big lock, and acquires it. States are Valgrind's ThreadStatus. */
enum { THREAD_YIELDING = 4 };
extern void VG_(release_BigLock)(ThreadId tid, Int state, const HChar *who);
extern void VG_(acquire_BigLock)(ThreadId tid, const HChar *who);
/* m_threadstate */
extern Bool VG_(is_exiting)(ThreadId tid);
/* m_options: whether executed programs stay under the engine. */
extern Bool VG_(clo_trace_children);
/* m_clientstate: the program's auxiliary vector, pairs of words up to AT_NULL; NULL if this Valgrind does not keep
 * it. */
extern UWord *VG_(client_auxv);
/* m_clientstate: the program's file. */
extern Int VG_(cl_exec_fd);
/* m_clientstate: the program's environment, in the program's memory. */
extern HChar **VG_(client_envp);
/* m_options: whether an undecodable instruction is explained on stderr. */
extern Bool VG_(clo_sigill_diag);
/* m_options: a set of bits; bit 0: do not report unknown ioctls. */
extern UInt VG_(clo_sim_hints);
/* m_options: 2 passes the big lock on in the order of requests, if the host can. */
extern Int VG_(clo_fair_sched);
/* m_clientstate: the options for programs that this one starts. */
extern XArray *VG_(args_for_valgrind);
/* m_syscall */
extern SysRes VG_(do_syscall)(UWord number, UWord a1, UWord a2, UWord a3, UWord a4, UWord a5, UWord a6, UWord a7,
                              UWord a8);

/* A system call of up to six arguments, as Linux answers it: a value, or a negative error number. */
static inline Long core_call(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e, UWord f) {
    SysRes result = VG_(do_syscall)(number, a, b, c, d, e, f, 0, 0);
    return sr_isError(result) ? -(Long)sr_Err(result) : (Long)sr_Res(result);
}

/* m_syswrap: executes the system call of a stopped thread. The linker (module.mk) replaces it by the wrapper, which
 * calls the original by the second name. */
#define ANSWERS_WRAPPER __wrap_vgPlain_client_syscall
#define ANSWERS_WRAPPED __real_vgPlain_client_syscall
extern void ANSWERS_WRAPPER(ThreadId tid, UInt trap);
extern void ANSWERS_WRAPPED(ThreadId tid, UInt trap);

/* m_syswrap: the wrapper of a system call, NULL: none. */
extern void *vgModuleLocal_get_linux_syscall_entry(UInt number);
#define CALL_ENTRY vgModuleLocal_get_linux_syscall_entry

/* m_aspacemgr: ends a process that has too many mappings. Replaced. */
#define TOO_MANY_WRAPPER __wrap_vgModuleLocal_am_barf_toolow
extern void TOO_MANY_WRAPPER(const HChar *what);

/* m_aspacemgr: memory of Valgrind's own. Also wrapped by the linker. */
#define TABLE_WRAPPER __wrap_vgPlain_am_mmap_anon_float_valgrind
#define TABLE_WRAPPED __real_vgPlain_am_mmap_anon_float_valgrind
extern SysRes TABLE_WRAPPER(SizeT bytes);
extern SysRes TABLE_WRAPPED(SizeT bytes);

/* m_signals: raises SIGILL for an instruction that VEX does not know. Also wrapped by the linker. */
#define ILLEGAL_WRAPPER __wrap_vgPlain_synth_sigill
#define ILLEGAL_WRAPPED __real_vgPlain_synth_sigill
extern void ILLEGAL_WRAPPER(ThreadId tid, Addr address);
extern void ILLEGAL_WRAPPED(ThreadId tid, Addr address);
/* m_libcprint: destination of Valgrind's messages; fd -1: none. */
extern struct core_sink { Int fd; } VG_(log_output_sink);

/* m_signals: looks for a signal of the stopped thread and delivers it. Also wrapped by the linker. */
#define POLL_WRAPPER __wrap_vgPlain_poll_signals
#define POLL_WRAPPED __real_vgPlain_poll_signals
extern void POLL_WRAPPER(ThreadId tid);
extern void POLL_WRAPPED(ThreadId tid);

/* m_libcproc: the kernel's number of the calling thread; what is to be done in a new process. Wrapped, too. */
#define NUMBER_WRAPPER __wrap_vgPlain_gettid
#define NUMBER_WRAPPED __real_vgPlain_gettid
#define FORKED_WRAPPER __wrap_vgPlain_do_atfork_child
#define FORKED_WRAPPED __real_vgPlain_do_atfork_child
extern Int NUMBER_WRAPPER(void);
extern Int NUMBER_WRAPPED(void);
extern void FORKED_WRAPPER(ThreadId tid);
extern void FORKED_WRAPPED(ThreadId tid);

/* m_machine: the host processor's abilities, as VEX sees them. Also wrapped by the linker. */
#define ABILITIES_WRAPPER __wrap_vgPlain_machine_get_VexArchInfo
#define ABILITIES_WRAPPED __real_vgPlain_machine_get_VexArchInfo
extern void ABILITIES_WRAPPER(VexArch *arch, VexArchInfo *info);
extern void ABILITIES_WRAPPED(VexArch *arch, VexArchInfo *info);

/* m_transtab: discards the translations of a code range. Allowed in system calls, when no translation is running. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

/* libvex: translates one block. Also wrapped by the linker. */
#define TRANSLATE_WRAPPER __wrap_LibVEX_Translate
#define TRANSLATE_WRAPPED __real_LibVEX_Translate
extern VexTranslateResult TRANSLATE_WRAPPER(VexTranslateArgs *arguments);
extern VexTranslateResult TRANSLATE_WRAPPED(VexTranslateArgs *arguments);

/* libvex: checks the intermediate code of a block several times in its translation. Wrapped, too. */
#define SANITY_WRAPPER __wrap_sanityCheckIRSB
#define SANITY_WRAPPED __real_sanityCheckIRSB
extern void SANITY_WRAPPER(const IRSB *block, const HChar *caller, Bool require_flat, IRType guest_word);
extern void SANITY_WRAPPED(const IRSB *block, const HChar *caller, Bool require_flat, IRType guest_word);

/* libvex: operations that translated code calls a function for. Wrapped, too; the first is replaced. */
#define SIGNS_REPLACED __wrap_h_generic_calc_GetMSBs8x16
#define FUSED_WRAPPER __wrap_h_generic_calc_MAddF64
#define FUSED_WRAPPED __real_h_generic_calc_MAddF64
#define FUSED_SINGLE_WRAPPER __wrap_h_generic_calc_MAddF32
#define FUSED_SINGLE_WRAPPED __real_h_generic_calc_MAddF32
extern UInt SIGNS_REPLACED(ULong high, ULong low);
extern void FUSED_WRAPPER(Double *result, Double *x, Double *y, Double *z);
extern void FUSED_WRAPPED(Double *result, Double *x, Double *y, Double *z);
extern void FUSED_SINGLE_WRAPPER(Float *result, Float *x, Float *y, Float *z);
extern void FUSED_SINGLE_WRAPPED(Float *result, Float *x, Float *y, Float *z);

/* m_dispatch: where a block goes on when the thread's event counter is used up. */
extern void VG_(disp_cp_evcheck_fail)(void);

/* m_options: how much Valgrind checks itself; 1 by default. */
extern Int VG_(clo_sanity_level);

/* m_debuginfo: called for each mapping of the program, reads its symbols and lines; 0: none read. Replaced. */
#define SYMBOLS_REPLACED __wrap_vgPlain_di_notify_mmap
extern ULong SYMBOLS_REPLACED(Addr address, Bool any_file, Int fd);

#endif
