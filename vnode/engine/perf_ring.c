/* perf_ring.c - the rings of records that programs map, and the bells that wake their readers.
 *
 * A ring is a file of the event in the node's folder: a header page (struct perf_event_mmap_page), then records.
 * Every process that writes to it maps it, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "perf.h"
#include "waits.h"

enum { TRIES = 1000, BELL_PAUSED = -1 };

/* This process's mapping and pipe of an event. */
struct opened {
    ULong id;
    UInt pages;
    struct perf_event_mmap_page *page; /* NULL: not mapped */
    Int bell;                          /* 0: not open, BELL_PAUSED: until an execve() fails */
};

static struct opened *opened_of(UInt index) {
    static struct opened all[PERF_EVENTS];
    struct opened *one = &all[index];
    const struct perf_event *event = &perf_file()->event[index];
    if (one->page && (one->id != event->id || one->pages != event->ring.pages)) {
        VG_(am_munmap_valgrind)((Addr)one->page, one->pages * VKI_PAGE_SIZE);
        one->page = NULL;
    }
    if (one->bell && one->id != event->id) {
        if (one->bell > 0)
            VG_(close)(one->bell);
        one->bell = 0;
    }
    one->id = event->id;
    return one;
}

/* ---- bells ---- */

void perf_bell_heard(Int fd) {
    HChar rung;
    while (waits_has_input(fd) && VG_(read)(fd, &rung, sizeof rung) > 0) {
    }
}

/* It is open for reading, too: without a reader a write would raise SIGPIPE. */
static Bool open_bell(struct opened *one, UInt index) {
    HChar path[VG_(strlen)(engine.folder) + PERF_PATH_BYTES];
    perf_path(index, PERF_PIPE, path);
    SysRes pipe = VG_(open)(path, VKI_O_RDWR | VKI_O_NONBLOCK | PERF_CLOSE_ON_EXEC, 0);
    one->bell = sr_isError(pipe) ? 0 : VG_(safe_fd)((Int)sr_Res(pipe));
    return one->bell > 0;
}

Bool perf_bell_open(UInt index) {
    struct opened *one = opened_of(index);
    return one->bell > 0 || open_bell(one, index);
}

void perf_bell(UInt index) {
    const struct opened *one = opened_of(index);
    if (!perf_bell_open(index))
        return;
    perf_bell_heard(one->bell); /* so at most one byte waits in the pipe */
    VG_(write)(one->bell, "", 1);
}

/* A pipe that had a writer and has none any more hangs up. */
void perf_bell_end(UInt index) {
    if (!perf_bell_open(index))
        return;
    VG_(close)(opened_of(index)->bell);
    opened_of(index)->bell = 0;
}

/* The kernel also signals that a pipe has lost its last writer. So nobody is signalled for that moment. */
static void close_bell(struct opened *one, Int fd) {
    enum { SET_OWNER = 15, GET_OWNER = 16, OF_PROCESS = 1 };
    struct {
        Int type, id;
    } owner = {OF_PROCESS, 0}, nobody = owner;
    VG_(do_syscall)(__NR_fcntl, (UWord)fd, GET_OWNER, (UWord)&owner, 0, 0, 0, 0, 0);
    VG_(do_syscall)(__NR_fcntl, (UWord)fd, SET_OWNER, (UWord)&nobody, 0, 0, 0, 0, 0);
    VG_(close)(one->bell);
    VG_(do_syscall)(__NR_fcntl, (UWord)fd, SET_OWNER, (UWord)&owner, 0, 0, 0, 0, 0);
    one->bell = BELL_PAUSED;
}

void perf_bells_resume(void) {
    for (UInt i = 0; i < PERF_EVENTS; i++) {
        struct opened *one = opened_of(i);
        if (one->bell == BELL_PAUSED)
            open_bell(one, i);
    }
}

void perf_bells_pause(void) {
    for (UInt i = 0; i < PERF_EVENTS; i++) {
        struct opened *one = opened_of(i);
        Int fd = perf_file()->event[i].descriptor;
        if (one->bell > 0 && perf_of(fd) == i)
            close_bell(one, fd);
    }
}

/* ---- mapping ---- */

Long perf_ring_file(UInt index, const UWord *arguments) {
    const struct perf_event *event = &perf_file()->event[index];
    HChar path[VG_(strlen)(engine.folder) + PERF_PATH_BYTES];
    UWord bytes = arguments[1], data = bytes / VKI_PAGE_SIZE - 1;
    if (!(arguments[3] & VKI_MAP_SHARED) || bytes == 0 || bytes % VKI_PAGE_SIZE || arguments[5] || (data & (data - 1)))
        return -VKI_EINVAL;
    if (event->cpu == -1 && event->inherits)
        return -VKI_EINVAL;
    perf_path(index, PERF_RING, path);
    SysRes file = VG_(open)(path, VKI_O_RDWR | VKI_O_CREAT, 0600);
    if (sr_isError(file))
        return -VKI_ENOMEM;
    if (!sr_isError(VG_(do_syscall)(__NR_ftruncate, sr_Res(file), bytes, 0, 0, 0, 0, 0, 0)))
        return (Long)sr_Res(file);
    VG_(close)((Int)sr_Res(file));
    return -VKI_ENOMEM;
}

static struct perf_event_mmap_page *page_of(UInt index) {
    struct opened *one = opened_of(index);
    HChar name[PERF_PATH_BYTES];
    if (!one->page) {
        one->pages = perf_file()->event[index].ring.pages;
        VG_(sprintf)(name, PERF_RING ".%llu", one->id);
        one->page = node_share(name, one->pages * VKI_PAGE_SIZE, True);
    }
    return one->page;
}

void perf_ring_mapped(UInt index, const UWord *arguments) {
    struct perf_ring *ring = &perf_file()->event[index].ring;
    UInt pages = (UInt)(arguments[1] / VKI_PAGE_SIZE);
    engine.perf_mapped = True;
    if (ring->pages == pages)
        return;
    *ring = (struct perf_ring){.pages = pages, .keeps = (arguments[2] & VKI_PROT_WRITE) != 0};
    struct perf_event_mmap_page *page = page_of(index);
    if (!page)
        return;
    page->size = sizeof *page;
    page->cap_bit0_is_deprecated = 1;
    page->data_offset = VKI_PAGE_SIZE;
    page->data_size = (pages - 1) * VKI_PAGE_SIZE;
}

/* As with Linux, a counter starts at -(2^47 - 1), and goes on where it was after a pause. PAPI reads 48 bits of the
 * offset with their sign. */
void perf_ring_show(struct perf_attached *one, UInt counter) {
    enum { WIDTH = 48 };
    const ULong half = (1ULL << (WIDTH - 1)) - 1;
    const struct perf_event *event = &perf_file()->event[one->event];
    struct perf_event_mmap_page *page = page_of(one->event);
    Bool shown = event->kind == PERF_CORE && !perf_is_faulty(); /* faults are in what read() shows */
    if (!page)
        return;
    page->lock++;
    page->cap_user_rdpmc = shown;
    page->pmc_width = WIDTH;
    page->index = shown && one->running ? counter : 0;
    page->offset = (Long)(page->index ? half : event->value);
    one->shown = one->base - event->value + half;
    page->time_enabled = event->time_enabled;
    page->time_running = event->time_running;
    page->lock++;
}

/* ---- records ---- */

/* Locks the ring for this process. A holder that was killed loses the lock. */
static void take(struct perf_ring *ring) {
    uint32_t own = (uint32_t)VG_(getpid)(), holder = 0;
    for (UInt tries = 0;
         !__atomic_compare_exchange_n(&ring->holder, &holder, own, False, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
         tries++) {
        if (tries < TRIES || VG_(kill)((Int)holder, 0) == 0) {
            VG_(do_syscall)(__NR_sched_yield, 0, 0, 0, 0, 0, 0, 0, 0);
            holder = 0;
        }
    }
}

static void copy(const struct perf_ring *ring, struct perf_event_mmap_page *page, ULong at, const void *from,
                 ULong bytes) {
    ULong size = (ring->pages - 1ULL) * VKI_PAGE_SIZE, first = size - at % size;
    HChar *data = (HChar *)page + VKI_PAGE_SIZE;
    first = first < bytes ? first : bytes;
    VG_(memcpy)(data + at % size, from, first);
    VG_(memcpy)(data, (const HChar *)from + first, bytes - first);
}

/* Whether to wake the reader after a record was written. */
static Bool is_due(struct perf_ring *ring, const struct perf_sampling *sampling, Bool is_sample) {
    ULong half = (ring->pages - 1ULL) * VKI_PAGE_SIZE / 2;
    ULong bytes = sampling->watermark && sampling->wakeup ? sampling->wakeup : half;
    Bool due = ring->head - ring->announced > bytes;
    if (due)
        ring->announced = ring->head;
    if (!sampling->watermark && sampling->wakeup && is_sample && ++ring->waiting >= sampling->wakeup) {
        ring->waiting = 0;
        due = True;
    }
    return due;
}

/* False: there is no room, or the ring is paused. */
static Bool append(struct perf_ring *ring, struct perf_event_mmap_page *page, ULong id,
                   const struct perf_event_header *record) {
    struct {
        struct perf_event_header header;
        ULong id, lost;
    } lost = {{PERF_RECORD_LOST, 0, sizeof lost}, id, ring->lost};
    ULong size = (ring->pages - 1ULL) * VKI_PAGE_SIZE, before = ring->lost ? sizeof lost : 0;
    ULong tail = ring->keeps ? __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE) : ring->head;
    if (ring->paused || before + record->size >= size - (ring->head - tail)) {
        ring->lost++;
        ring->all++;
        return False;
    }
    copy(ring, page, ring->head, &lost, before);
    copy(ring, page, ring->head + before, record, record->size);
    ring->head += before + record->size;
    ring->lost = 0;
    __atomic_store_n(&page->data_head, ring->head, __ATOMIC_RELEASE);
    return True;
}

void perf_ring_write(const struct perf_event *event, const struct perf_event_header *record) {
    struct perf_file *file = perf_file();
    UInt own = (UInt)(event - file->event), index = event->sampling.output == PERF_NONE ? own : event->sampling.output;
    struct perf_ring *ring = &file->event[index].ring;
    struct perf_event_mmap_page *page = ring->pages > 1 ? page_of(index) : NULL;
    if (!page)
        return;
    take(ring);
    Bool due =
        append(ring, page, event->id, record) && is_due(ring, &event->sampling, record->type == PERF_RECORD_SAMPLE);
    __atomic_store_n(&ring->holder, 0, __ATOMIC_RELEASE);
    if (due && (index != own || !event->sampling.asynchronous)) /* otherwise overflow() rings it */
        perf_bell(index);
}
