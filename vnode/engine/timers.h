/* timers.h - timers of the program: alarm(), setitimer(), timer_create() and timerfd_create().
 *
 * They run on the node's clocks, so they agree with the clocks that the program reads, and expire at the same
 * instruction in each run. The thread that runs looks for expired timers when its code is left, which happens at least
 * every 100 000 instructions. A thread that sleeps or waits wakes for the next one (time.c, timed.c). The host's kernel
 * has no timer of the program: an expired one sends its signal from here, or adds to an eventfd.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_TIMERS_H
#define ASSAY_VNODE_ENGINE_TIMERS_H

#include "pub_tool_basics.h"

/* What a timer is to the program, with what `number` is then. */
enum timer_form {
    TIMER_INTERVAL, /* of setitimer(); its ITIMER_REAL, ITIMER_VIRTUAL or ITIMER_PROF */
    TIMER_POSIX,    /* of timer_create(); its id */
    TIMER_FILE      /* of timerfd_create(); the descriptor */
};

struct timer {
    enum timer_form form;
    Int number;
    Int clock;      /* a clock of time_of_clock() */
    ULong next;     /* when it expires, in ns of that clock; 0: it does not */
    ULong interval; /* ns to the expiration after that; 0: none */
    Int signal;     /* 0: none */
    Int lwp;        /* host thread that receives it, 0: any of the process */
    UWord value;    /* passed with the signal of a TIMER_POSIX */
    Int overrun;    /* expirations that had no signal of their own */
};

/* ns until the first timer expires for which somebody must wake; FOR_EVER: none. */
ULong timers_left(ThreadId tid);

/* Sends what has expired; tid: the running thread. */
void timers_look(ThreadId tid);

/* The table, which timer_calls.c changes. timers_find(): NULL: none. timers_add(): a timer that does not run; valid
 * until the next timers_add() or timers_remove(). */
struct timer *timers_find(enum timer_form form, Int number);
struct timer *timers_add(enum timer_form form, Int number, Int clock, Int signal);
void timers_remove(enum timer_form form, UWord first, UWord last); /* all with such numbers */
void timers_start(struct timer *timer, ULong next, ULong interval);

void timers_forked(void); /* in the child: the timers stay its parent's */

/* timer_calls.c: the interval timers, which a program hands on to the one that it executes, as an option of the engine.
 * timers_inherit(): its value, at the start of that process. */
HChar *timers_hand_on(ThreadId tid);
void timers_inherit(const HChar *text);

#endif
