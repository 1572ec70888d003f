/* waits.h - whom a system call waits for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_VNODE_ENGINE_WAITS_H
#define ASSAY_VNODE_ENGINE_WAITS_H

#include "pub_tool_basics.h"

enum wait {
    WAIT_NONE,    /* comes back soon */
    WAIT_INSIDE,  /* as far as can be known, another thread of the process may end it */
    WAIT_OUTSIDE, /* only somebody outside of the process ends it */
    WAIT_DAEMON   /* an access daemon ends it, in no time of the node */
};

/* Of a system call that is about to be made, other than futex. */
enum wait waits_of(UInt number, const UWord *arguments);

/* After a message to a socket: if an access daemon has it, waits until something can be read from there or the daemon
 * has gone, for PATIENCE_OUTSIDE_MS at most, while no other thread goes on. */
void waits_for_answer(Int socket);

/* Whether the thread of that number sleeps in that system call, which has that first argument: neither is it computing,
 * nor on its way out and asleep for Valgrind's lock. Where the host does not tell: yes. */
Bool waits_asleep(Int lwp, UInt number, UWord argument);

#endif
