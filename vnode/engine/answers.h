/* answers.h - system calls that the node answers itself, instead of the host's kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_ANSWERS_H
#define ASSAY_VNODE_ENGINE_ANSWERS_H

#include "pub_tool_basics.h"

enum { ANSWER_ARGUMENTS = 6 };

/* What the call returns in the register, as Linux would: a value, or an error number below 0. */
typedef Long answered_call(ThreadId tid, const UWord *arguments);

/* time.c */
answered_call time_nanosleep, time_clock_nanosleep;
/* timed.c: whether that call waits with a timeout; the wait; whether what the thread waits for has come (not 0) */
enum { TIMED_WOKEN = 1 }; /* result of a futex' wait that was woken */
Bool timed_is_wait(ThreadId tid, UWord number, const UWord *arguments);
Long timed_wait(ThreadId tid, UWord number, const UWord *arguments);
Long timed_attempt(ThreadId tid);
void timed_explain(UWord number, const UWord *arguments); /* says of a timer, once, that it keeps the host's time */
/* affinity.c */
answered_call affinity_sched_set, affinity_sched_get, affinity_getcpu;
/* policy_calls.c */
answered_call policy_set_mempolicy, policy_get_mempolicy, policy_mbind, policy_move_pages, policy_migrate_pages;
/* pages.c */
answered_call pages_advise;
Bool pages_are_advised(UWord number, const UWord *arguments); /* that call is advice about the size of pages */
/* filter.c */
answered_call filter_refuse;
Bool filter_is_installed(UWord number, const UWord *arguments); /* that call would install a filter of system calls */
/* missing.c */
answered_call missing_bpf;
Bool missing_call(UWord number); /* Valgrind does not know that call */
Long missing_answer(UWord number);
Long missing_room(const UWord *arguments, Long result); /* of mmap(), which has answered that */

/* Whether the program may read or write there: else the answer is EFAULT. */
Bool answer_readable(Addr address, SizeT bytes);
Bool answer_writable(Addr address, SizeT bytes);

#endif
