/* checks.c - LIKWID's question whether a device exists, answered without its access daemon (vnode/pmu/device_checks.h).
 * This saves a tenth of a short run's time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "engine.h"
#include "vnode/pmu/device_checks.h"
#include "waits.h"

static struct device_checks checks;

/* For each thread: the answer that it has not read yet, and its socket, 0: none. Nothing else may be read before it. */
static struct {
    Int socket;
    struct protocol_record answer;
} waiting[ENGINE_THREADS_MAX + 1];

static Bool is_check(Addr address, UWord bytes) {
    return bytes == sizeof(struct protocol_record) && answer_readable(address, bytes) &&
           ((const struct protocol_record *)address)->type == PROTOCOL_CHECK;
}

void checks_learn(UWord number, const UWord *arguments, Long result) {
    if (number == __NR_read && result == sizeof(struct protocol_record) && is_check(arguments[1], arguments[2]) &&
        waits_is_daemon((Int)arguments[0]))
        device_checks_learn(&checks, (const struct protocol_record *)arguments[1]);
}

static Long ask(ThreadId tid, const UWord *arguments) {
    struct protocol_record record = *(const struct protocol_record *)arguments[1];
    record.error = device_checks_find(&checks, &record)->error;
    waiting[tid].answer = record;
    waiting[tid].socket = (Int)arguments[0];
    return sizeof record;
}

static Long give(ThreadId tid, const UWord *arguments) {
    waiting[tid].socket = 0;
    VG_(memcpy)((void *)arguments[1], &waiting[tid].answer, sizeof waiting[tid].answer);
    return sizeof waiting[tid].answer;
}

answered_call *checks_answer(ThreadId tid, UWord number, const UWord *arguments) {
    Int socket = (Int)arguments[0];
    if (socket <= 0 || (number != __NR_write && number != __NR_read))
        return NULL;
    if (number == __NR_write && waiting[tid].socket == 0 && is_check(arguments[1], arguments[2]) &&
        device_checks_find(&checks, (const struct protocol_record *)arguments[1]) && waits_is_daemon(socket))
        return ask;
    if (number == __NR_read && waiting[tid].socket == socket && arguments[2] == sizeof(struct protocol_record) &&
        answer_writable(arguments[1], arguments[2]) &&
        waits_is_daemon(socket)) /* not if the descriptor was closed and reused */
        return give;
    return NULL;
}
