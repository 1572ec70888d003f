/* perf_read.c - what read() and a sample show of an event or its group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf.h"

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
        *out++ = event->ring.all;
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

UInt perf_read_words(UInt index) {
    const struct perf_event *event = &perf_file()->event[index];
    UInt members[PERF_EVENTS];
    Bool grouped = (event->read_format & PERF_FORMAT_GROUP) != 0;
    return words_of(event->read_format, grouped ? members_of(event->leader, members) : 1);
}

ULong *perf_read_put(UInt index, ULong *out) {
    const struct perf_event *event = &perf_file()->event[index];
    UInt members[PERF_EVENTS] = {index};
    ULong format = event->read_format;
    Bool grouped = (format & PERF_FORMAT_GROUP) != 0;
    UInt count = grouped ? members_of(event->leader, members) : 1;
    *out++ = grouped ? count : perf_shown(event);
    out = put_times(out, &perf_file()->event[members[0]], format);
    if (!grouped)
        return put_identity(out, event, format);
    for (UInt i = 0; i < count; i++) {
        *out++ = perf_shown(&perf_file()->event[members[i]]);
        out = put_identity(out, &perf_file()->event[members[i]], format);
    }
    return out;
}
