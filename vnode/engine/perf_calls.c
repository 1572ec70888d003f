/* perf_calls.c - read(2), ioctl(2), fcntl(2) and prctl(2) of perf events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "perf.h"

enum { EVENTS_DISABLE = 31, EVENTS_ENABLE = 32 /* of prctl */ };

Long perf_read(ThreadId tid, const UWord *arguments) {
    UInt index = perf_of((Int)arguments[0]);
    struct perf_file *file = perf_file();
    Bool is_group = (file->event[index].read_format & PERF_FORMAT_GROUP) != 0;
    ULong *out = (ULong *)arguments[1];
    UWord bytes = perf_read_words(index) * sizeof *out;
    if (file->event[index].failed)
        return 0;
    if (arguments[2] < bytes)
        return -VKI_ENOSPC;
    if (!answer_writable((Addr)out, bytes))
        return -VKI_EFAULT;
    for (UInt i = 0; i < PERF_EVENTS; i++)
        if (i == index || (is_group && file->event[i].used && file->event[i].leader == file->event[index].leader))
            perf_collect(tid, &file->event[i]);
    perf_read_put(index, out);
    return (Long)bytes;
}

/* ---- ioctl, prctl and fcntl ---- */

static Long get_id(const struct perf_event *event, Addr address) {
    if (!answer_writable(address, sizeof event->id))
        return -VKI_EFAULT;
    *(ULong *)address = event->id;
    return 0;
}

static void reset(ThreadId tid, struct perf_event *event) {
    perf_collect(tid, event);
    event->value = 0;
    perf_fault_reset(event);
}

static void apply(ThreadId tid, UInt request, struct perf_event *event) {
    if (request == PERF_EVENT_IOC_RESET)
        reset(tid, event);
    else
        perf_switch(tid, event, request == PERF_EVENT_IOC_ENABLE);
}

/* Enables the event for this number of further overflows. */
static Long refresh(ThreadId tid, struct perf_event *event, UWord overflows) {
    if (event->inherits || !event->sampling.sample_period)
        return -VKI_EINVAL;
    event->sampling.limit += (UInt)overflows;
    perf_switch(tid, event, True);
    return 0;
}

static Long set_period(struct perf_event *event, Addr address) {
    struct perf_sampling *sampling = &event->sampling;
    if (!answer_readable(address, sizeof(ULong)))
        return -VKI_EFAULT;
    ULong value = *(const ULong *)address;
    if (!sampling->sample_period || value == 0 ||
        value > (sampling->sample_freq ? PERF_FREQUENCY_MAX : PERF_PERIOD_MAX))
        return -VKI_EINVAL;
    if (sampling->sample_freq)
        sampling->sample_freq = (uint32_t)value;
    else
        sampling->sample_period = value;
    return 0;
}

Long perf_set_output(UInt index, Int fd) {
    struct perf_event *event = &perf_file()->event[index];
    UInt output = fd == -1 ? PERF_NONE : perf_of(fd);
    if (fd != -1 && output == PERF_NONE)
        return -VKI_EBADF;
    const struct perf_event *to = output == PERF_NONE ? event : &perf_file()->event[output];
    if (output == index || to->cpu != event->cpu || (event->cpu == -1 && to->lwp != event->lwp) || event->ring.pages)
        return -VKI_EINVAL;
    event->sampling.output = output;
    return 0;
}

static Long pause(struct perf_event *event, Bool pauses) {
    if (!event->ring.pages)
        return -VKI_EINVAL;
    event->ring.paused = pauses;
    return 0;
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
    case PERF_EVENT_IOC_REFRESH:
        return refresh(tid, event, arguments[2]);
    case PERF_EVENT_IOC_PERIOD:
        return set_period(event, arguments[2]);
    case PERF_EVENT_IOC_SET_OUTPUT:
        return perf_set_output(index, (Int)arguments[2]);
    case PERF_EVENT_IOC_PAUSE_OUTPUT:
        return pause(event, arguments[2] != 0);
    case PERF_EVENT_IOC_SET_FILTER: /* these need tracepoints, or programs in the kernel */
    case PERF_EVENT_IOC_SET_BPF:
    case PERF_EVENT_IOC_QUERY_BPF:
        return -VKI_EINVAL;
    case PERF_EVENT_IOC_MODIFY_ATTRIBUTES: /* only of breakpoints */
        return -PERF_NOT_SUPPORTED;
    default:
        return -VKI_ENOTTY;
    }
}

static void set_asynchronous(UInt index, Bool asynchronous) {
    perf_file()->event[index].sampling.asynchronous = asynchronous;
    if (asynchronous)
        perf_bell_open(index);
}

/* The pipe's descriptor keeps what the program asks for; the engine must know whether it signals, and whether to
 * anybody. The kernel would signal, too, that a counted process has ended with the last bell, so there is one more. */
void perf_fcntl(UInt index, const UWord *arguments) {
    enum { ASYNCHRONOUS = 020000 /* O_ASYNC, which Valgrind's headers lack */ };
    struct perf_sampling *sampling = &perf_file()->event[index].sampling;
    if (arguments[1] == VKI_F_SETFL)
        set_asynchronous(index, (arguments[2] & ASYNCHRONOUS) != 0);
    else if (arguments[1] == VKI_F_SETOWN)
        sampling->ownerless = (Int)arguments[2] == 0;
    else if (arguments[1] == VKI_F_SETOWN_EX)
        sampling->ownerless = ((const Int *)arguments[2])[1] == 0;
}

void perf_set_asynchronous(UInt index, const UWord *arguments) {
    set_asynchronous(index, *(const Int *)arguments[2] != 0);
}

static void hear(Int fd) {
    if (perf_of(fd) != PERF_NONE)
        perf_bell_heard(fd);
}

static void hear_polled(const UWord *arguments) {
    const struct vki_pollfd *polled = (const struct vki_pollfd *)arguments[0];
    if (!answer_readable(arguments[0], arguments[1] * sizeof *polled))
        return;
    for (UWord i = 0; i < arguments[1]; i++)
        if (polled[i].revents & VKI_POLLIN)
            hear(polled[i].fd);
}

static void hear_selected(const UWord *arguments) {
    const UChar *set = (const UChar *)arguments[1];
    if (!answer_readable(arguments[1], (arguments[0] + 7) / 8))
        return;
    for (UWord fd = 0; fd < arguments[0]; fd++)
        if (set[fd / 8] >> fd % 8 & 1)
            hear((Int)fd);
}

void perf_polled(UWord number, const UWord *arguments, Long result) {
    if (!engine.node->perf || result <= 0)
        return;
    if (number == __NR_poll || number == __NR_ppoll)
        hear_polled(arguments);
    if (number == __NR_select || number == __NR_pselect6)
        hear_selected(arguments);
}

Addr perf_once(UWord number, const UWord *arguments) {
    static struct vki_epoll_event event;
    enum { REMOVE = 2 };
    const UInt edge = 1u << 31; /* EPOLLET */
    if (!engine.node->perf || number != __NR_epoll_ctl || arguments[1] == REMOVE ||
        perf_of((Int)arguments[2]) == PERF_NONE || !answer_readable(arguments[3], sizeof event))
        return 0;
    event = *(const struct vki_epoll_event *)arguments[3];
    event.events |= edge;
    return (Addr)&event;
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
