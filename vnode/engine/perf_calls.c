/* perf_calls.c - read(2), ioctl(2) and prctl(2) of perf events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <linux/perf_event.h>

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "perf.h"

enum { EVENTS_DISABLE = 31, EVENTS_ENABLE = 32 /* of prctl */ };

/* ---- read ---- */

/* The group's events, first the leader, then the others in the order of their opening. */
static UInt members_of(UInt leader, UInt *out) {
    const struct perf_file *file = perf_file();
    UInt count = 0;
    out[count++] = leader;
    for (UInt i = 0; i < PERF_EVENTS; i++) {
        if (!file->event[i].used || file->event[i].leader != leader || i == leader)
            continue;
        UInt place = count++;
        for (; place > 1 && file->event[out[place - 1]].id > file->event[i].id; place--)
            out[place] = out[place - 1];
        out[place] = i;
    }
    return count;
}

static ULong *put_identity(ULong *out, const struct perf_event *event, ULong format) {
    if (format & PERF_FORMAT_ID)
        *out++ = event->id;
    if (format & PERF_FORMAT_LOST)
        *out++ = 0; /* samples */
    return out;
}

static ULong *put_times(ULong *out, const struct perf_event *event, ULong format) {
    if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
        *out++ = event->time_enabled;
    if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
        *out++ = event->time_running;
    return out;
}

static UInt words_of(ULong format, UInt events) {
    UInt each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
    UInt times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
    return times + events * each + !!(format & PERF_FORMAT_GROUP);
}

Long perf_read(ThreadId tid, const UWord *arguments) {
    UInt members[PERF_EVENTS], index = perf_of((Int)arguments[0]);
    const struct perf_event *event = &perf_file()->event[index];
    ULong format = event->read_format, *out = (ULong *)arguments[1];
    Bool grouped = (format & PERF_FORMAT_GROUP) != 0;
    UInt count = grouped ? members_of(event->leader, members) : 1;
    if (!grouped)
        members[0] = index;
    UWord bytes = words_of(format, count) * sizeof *out;
    if (arguments[2] < bytes)
        return -VKI_ENOSPC;
    if (!answer_writable((Addr)out, bytes))
        return -VKI_EFAULT;
    for (UInt i = 0; i < count; i++)
        perf_collect(tid, &perf_file()->event[members[i]]);
    *out++ = grouped ? count : event->value;
    out = put_times(out, &perf_file()->event[members[0]], format);
    if (!grouped)
        put_identity(out, event, format);
    for (UInt i = 0; grouped && i < count; i++) {
        *out++ = perf_file()->event[members[i]].value;
        out = put_identity(out, &perf_file()->event[members[i]], format);
    }
    return (Long)bytes;
}

/* ---- ioctl and prctl ---- */

static Long get_id(const struct perf_event *event, Addr address) {
    if (!answer_writable(address, sizeof event->id))
        return -VKI_EFAULT;
    *(ULong *)address = event->id;
    return 0;
}

static void reset(ThreadId tid, struct perf_event *event) {
    perf_collect(tid, event);
    event->value = 0;
}

static void apply(ThreadId tid, UInt request, struct perf_event *event) {
    if (request == PERF_EVENT_IOC_RESET)
        reset(tid, event);
    else
        perf_switch(tid, event, request == PERF_EVENT_IOC_ENABLE);
}

Long perf_ioctl(ThreadId tid, const UWord *arguments) {
    UInt index = perf_of((Int)arguments[0]), request = (UInt)arguments[1];
    struct perf_event *event = &perf_file()->event[index];
    switch (request) {
    case PERF_EVENT_IOC_ENABLE:
    case PERF_EVENT_IOC_DISABLE:
    case PERF_EVENT_IOC_RESET:
        for (UInt i = 0; i < PERF_EVENTS; i++) {
            struct perf_event *one = &perf_file()->event[i];
            if (one == event || ((arguments[2] & PERF_IOC_FLAG_GROUP) && one->used && one->leader == event->leader))
                apply(tid, request, one);
        }
        return 0;
    case PERF_EVENT_IOC_ID:
        return get_id(event, arguments[2]);
    case PERF_EVENT_IOC_REFRESH: /* these need samples, or programs in the kernel */
    case PERF_EVENT_IOC_PERIOD:
    case PERF_EVENT_IOC_SET_OUTPUT:
    case PERF_EVENT_IOC_SET_FILTER:
    case PERF_EVENT_IOC_SET_BPF:
    case PERF_EVENT_IOC_PAUSE_OUTPUT:
    case PERF_EVENT_IOC_QUERY_BPF:
    case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
        return -VKI_EINVAL;
    default:
        return -VKI_ENOTTY;
    }
}

Long perf_prctl(ThreadId tid, const UWord *arguments) {
    struct perf_file *file = engine.node->perf ? perf_file() : NULL;
    for (UInt i = 0; file && i < PERF_EVENTS; i++)
        if (file->event[i].used && file->event[i].owner == engine.thread[tid].lwp)
            perf_switch(tid, &file->event[i], arguments[0] == EVENTS_ENABLE);
    return 0;
}

Bool perf_is_prctl(UWord number, const UWord *arguments) {
    return number == __NR_prctl && (arguments[0] == EVENTS_DISABLE || arguments[0] == EVENTS_ENABLE);
}
