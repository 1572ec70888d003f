/* core_api.h - Valgrind's core: functions that its shipped headers leave out, declared here and nowhere else, and what
 * those headers declare differently in different versions.
 *
 * The hidden functions are declared alike in the pub_core_*.h of 3.19 and 3.24; one that another version lacks is named
 * by the linker. What the headers do declare is taken as the compiler finds it, without asking for a version.
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

static inline void *core_address(void *address) {
    return address;
}

static inline void *core_result(SysRes result) {
    return sr_isError(result) ? NULL : (void *)sr_Res(result);
}

/* Memory of the tool's own, NULL if there is none. VG_(am_shadow_alloc) returns it as a pointer or within a SysRes. */
#define CORE_SHADOW_ALLOC(bytes)                                                                                       \
    _Generic(VG_(am_shadow_alloc)(0), void * : core_address, SysRes : core_result)(VG_(am_shadow_alloc)(bytes))

/* m_libcfile: moves a descriptor out of the program's range (returns the new one, -1 on error). */
extern Int VG_(safe_fd)(Int fd);
/* m_libcsignal */
extern Int VG_(kill)(Int pid, Int signal);
/* m_signals: the program's own handling and mask of signals. */
extern SysRes VG_(do_sys_sigaction)(Int signal, const vki_sigaction_toK_t *new_action,
                                    vki_sigaction_fromK_t *old_action);
extern SysRes VG_(do_sys_sigprocmask)(ThreadId tid, Int how, vki_sigset_t *set, vki_sigset_t *old_set);
/* m_scheduler: gives up Valgrind's big lock, and takes it again. States are Valgrind's ThreadStatus. */
enum { THREAD_YIELDING = 4 };
extern void VG_(release_BigLock)(ThreadId tid, Int state, const HChar *who);
extern void VG_(acquire_BigLock)(ThreadId tid, const HChar *who);
/* m_threadstate */
extern Bool VG_(is_exiting)(ThreadId tid);
/* m_options: whether a program that is executed stays under the engine. */
extern Bool VG_(clo_trace_children);
/* m_clientstate: the auxiliary vector that the program was given, pairs of words ended by AT_NULL; NULL where the core
 * does not keep it. */
extern UWord *VG_(client_auxv);
/* m_clientstate: the environment that the program was given, where it lies in the program's memory. */
extern HChar **VG_(client_envp);
/* m_options: whether an undecodable instruction is explained on stderr. */
extern Bool VG_(clo_sigill_diag);
/* m_options: a set of bits; bit 0: an ioctl that Valgrind does not know is no news to the user. */
extern UInt VG_(clo_sim_hints);
/* m_options: 2 hands Valgrind's big lock over in the order of asking, where the host can do so. */
extern Int VG_(clo_fair_sched);
/* m_clientstate: the options that a program started by this one gets. */
extern XArray *VG_(args_for_valgrind);
/* m_syscall */
extern SysRes VG_(do_syscall)(UWord number, UWord a1, UWord a2, UWord a3, UWord a4, UWord a5, UWord a6, UWord a7,
                              UWord a8);

/* m_syswrap: does the system call of a thread that has stopped at one. module.mk has the linker put the wrapper in its
 * place, which calls it by the second name. */
#define ANSWERS_WRAPPER __wrap_vgPlain_client_syscall
#define ANSWERS_WRAPPED __real_vgPlain_client_syscall
extern void ANSWERS_WRAPPER(ThreadId tid, UInt trap);
extern void ANSWERS_WRAPPED(ThreadId tid, UInt trap);

/* m_syswrap: the wrapper of a system call, NULL if there is none. */
extern void *vgModuleLocal_get_linux_syscall_entry(UInt number);
#define CALL_ENTRY vgModuleLocal_get_linux_syscall_entry

/* m_aspacemgr: ends the process, of whose mappings there are too many. Replaced. */
#define TOO_MANY_WRAPPER __wrap_vgModuleLocal_am_barf_toolow
extern void TOO_MANY_WRAPPER(const HChar *what);

/* m_signals: raises SIGILL for an instruction at that address that VEX does not know. Wrapped by the linker as well. */
#define ILLEGAL_WRAPPER __wrap_vgPlain_synth_sigill
#define ILLEGAL_WRAPPED __real_vgPlain_synth_sigill
extern void ILLEGAL_WRAPPER(ThreadId tid, Addr address);
extern void ILLEGAL_WRAPPED(ThreadId tid, Addr address);
/* What the program has asked to be done about a signal. */
extern SysRes VG_(do_sys_sigaction)(Int signal, const vki_sigaction_toK_t *new, vki_sigaction_fromK_t *old);
/* m_libcprint: where Valgrind's messages go; the first member, a descriptor, is -1 for nowhere. */
extern struct core_sink { Int fd; } VG_(log_output_sink);

/* m_machine: what VEX takes the host's processor for. Wrapped by the linker as well. */
#define ABILITIES_WRAPPER __wrap_vgPlain_machine_get_VexArchInfo
#define ABILITIES_WRAPPED __real_vgPlain_machine_get_VexArchInfo
extern void ABILITIES_WRAPPER(VexArch *arch, VexArchInfo *info);
extern void ABILITIES_WRAPPED(VexArch *arch, VexArchInfo *info);

/* m_transtab: forgets the translations of a range of code. Allowed in system calls, where none of them runs. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

/* libvex: translates one block. Wrapped by the linker as well. */
#define TRANSLATE_WRAPPER __wrap_LibVEX_Translate
#define TRANSLATE_WRAPPED __real_LibVEX_Translate
extern VexTranslateResult TRANSLATE_WRAPPER(VexTranslateArgs *arguments);
extern VexTranslateResult TRANSLATE_WRAPPED(VexTranslateArgs *arguments);

/* m_debuginfo: is told of what the program maps, and reads symbols and lines of it; 0: of nothing. Replaced. */
#define SYMBOLS_REPLACED __wrap_vgPlain_di_notify_mmap
extern ULong SYMBOLS_REPLACED(Addr address, Bool any_file, Int fd);

#endif
