/* requests.c - answers the client requests of requests.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "requests.h"
#include "engine.h"

static Bool handle(ThreadId self, UWord *arguments, UWord *answer) {
    if (!VG_IS_TOOL_USERREQ('A', 'Y', arguments[0]))
        return False;
    ThreadId tid;
    *answer = 0;
    switch (arguments[0]) {
    case ENGINE_PRESENT:
        *answer = 1;
        return True;
    case ENGINE_SET_AFFINITY:
        tid = threads_named(self, (Int)arguments[1]);
        *answer = tid != VG_INVALID_THREADID && affinity_set(tid, arguments[2]);
        return True;
    case ENGINE_GET_AFFINITY:
        tid = threads_named(self, (Int)arguments[1]);
        *answer = tid == VG_INVALID_THREADID ? 0 : engine.thread[tid].mask;
        return True;
    case ENGINE_GET_CPU:
        *answer = engine.thread[self].core;
        return True;
    case ENGINE_TIME_NOW:
        *answer = time_ns(self);
        return True;
    case ENGINE_REALTIME_OFFSET:
        *answer = engine.origin_real_ns - engine.origin_monotonic_ns;
        return True;
    case ENGINE_SET_MEASURING:
        *answer = engine.thread[self].measuring;
        engine.thread[self].measuring = arguments[1] != 0;
        return True;
    default:
        return False;
    }
}

void requests_install(void) {
    VG_(needs_client_requests)(handle);
}
