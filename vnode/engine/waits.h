/* waits.h - what a system call waits for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_WAITS_H
#define ASSAY_VNODE_ENGINE_WAITS_H

#include "pub_tool_basics.h"

enum wait {
    WAIT_NONE,    /* returns soon */
    WAIT_INSIDE,  /* probably ended by another thread of the process */
    WAIT_OUTSIDE, /* ended only by another process */
    WAIT_DAEMON   /* ended by an access daemon, in zero node time */
};

/* Classifies a system call before it is made; not for futex. */
enum wait waits_of(UInt number, const UWord *arguments);

/* Whether a call that waits_of() classifies as a wait does wait: nothing has come yet. */
Bool waits_certainly(UInt number, const UWord *arguments);

/* Whether the call is a wait for what has not come yet, by somebody else than an access daemon. Not for futex. */
Bool waits_still(UInt number, const UWord *arguments);

/* Whether a signal is pending that the call's own signal mask admits. */
Bool waits_admits_signal(UInt number, const UWord *arguments);

/* After a message to a socket: if its peer is an access daemon, waits for the answer or the daemon's end, at most
 * PATIENCE_OUTSIDE_MS. No other thread runs meanwhile. */
void waits_for_answer(Int socket);

/* Whether the socket's peer is an access daemon of the node. */
Bool waits_is_daemon(Int socket);

/* Whether the descriptor can be read at once. */
Bool waits_has_input(Int fd);

/* Whether the host thread sleeps in that system call with that first argument (not computing, and not waiting for
 * Valgrind's lock after the call). True if the host does not tell. */
Bool waits_asleep(Int lwp, UInt number, UWord argument);

#endif
