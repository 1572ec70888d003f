/* answers.h - system calls that the node answers instead of the host's kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_ANSWERS_H
#define ASSAY_VNODE_ENGINE_ANSWERS_H

#include "pub_tool_basics.h"

enum { ANSWER_ARGUMENTS = 6 };

/* Returns the call's result as Linux does: a value, or a negative error number. */
typedef Long answered_call(ThreadId tid, const UWord *arguments);

/* time.c */
answered_call time_nanosleep, time_clock_nanosleep;
/* timed.c: system calls that wait with a timeout, or while timers run. timed_answer(): False: the kernel must answer,
 * perhaps after a wait. timed_attempt(): not 0 once the awaited condition holds. Results: a futex wait was woken; the
 * call is made again after a signal. */
enum { TIMED_WOKEN = 1, TIMED_AGAIN = -512 };
Bool timed_answer(ThreadId tid, UWord number, const UWord *arguments, Long *answer);
Long timed_attempt(ThreadId tid);
/* timer_calls.c */
answered_call timers_alarm, timers_setitimer, timers_getitimer;
answered_call timers_create, timers_settime, timers_gettime, timers_getoverrun, timers_delete;
answered_call timers_fd_create, timers_fd_settime, timers_fd_gettime;
void timers_before(UWord number, const UWord *arguments); /* before any other call, which may close descriptors */
/* affinity.c */
answered_call affinity_sched_set, affinity_sched_get, affinity_getcpu;
/* threads.c: LIKWID's pin library sees an id of vnode/process_ids.h */
answered_call threads_gettid;
/* policy_calls.c */
answered_call policy_set_mempolicy, policy_get_mempolicy, policy_mbind, policy_move_pages, policy_migrate_pages;
/* pages.c */
answered_call pages_advise;
Bool pages_are_advised(UWord number, const UWord *arguments); /* the call is advice about page size */
/* filter.c */
answered_call filter_refuse;
Bool filter_is_installed(UWord number, const UWord *arguments); /* the call would install a system call filter */
/* perf_open.c, perf_calls.c: read() and ioctl() of a perf event's descriptor */
answered_call perf_event_open, perf_read, perf_ioctl, perf_prctl;
void perf_fcntl(UInt event, const UWord *arguments);            /* after it */
void perf_set_asynchronous(UInt event, const UWord *arguments); /* after ioctl() FIOASYNC */
/* After any call: bells that poll() or select() has shown are heard. */
void perf_polled(UWord number, const UWord *arguments, Long result);
/* epoll_ctl() of a perf event's descriptor: the event to watch for instead, by which epoll_wait() shows a bell once.
 * Valid until the next call; 0: another call. */
Addr perf_once(UWord number, const UWord *arguments);
Bool perf_is_prctl(UWord number, const UWord *arguments); /* the call switches the thread's own perf events */
/* checks.c. checks_answer(): NULL: the daemon must answer. checks_learn(): after any call that it has answered */
answered_call *checks_answer(ThreadId tid, UWord number, const UWord *arguments);
void checks_learn(UWord number, const UWord *arguments, Long result);
/* missing.c */
answered_call missing_bpf;
Bool missing_call(UWord number); /* Valgrind does not know the call */
Long missing_answer(UWord number);
Long missing_room(const UWord *arguments, Long result); /* `result`: of mmap() */

/* Whether the program may read or write there; if not, the answer is EFAULT. */
Bool answer_readable(Addr address, SizeT bytes);
Bool answer_writable(Addr address, SizeT bytes);

#endif
