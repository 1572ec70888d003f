/* perf_records.c - sideband records, by which a reader knows programs, mappings, threads and processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "core_api.h"
#include "perf.h"

enum { RECORD_BYTES = 8192, NAME_BYTES = 16 };

/* A record without the fields that sample_id_all adds. Layouts: the comments of linux/perf_event.h. */
struct sideband {
    struct perf_event_header header; /* size: bytes used so far */
    HChar bytes[RECORD_BYTES - sizeof(struct perf_event_header)];
};

static void put(struct sideband *record, const void *bytes, SizeT size) {
    if (record->header.size + size > sizeof *record)
        return;
    VG_(memcpy)((HChar *)record + record->header.size, bytes, size);
    record->header.size = (__u16)(record->header.size + size);
}

static void put_word(struct sideband *record, ULong word) {
    put(record, &word, sizeof word);
}

static void put_pair(struct sideband *record, UInt low, UInt high) {
    put_word(record, low | (ULong)high << 32);
}

/* The text with its zero byte, padded to a whole word. */
static void put_text(struct sideband *record, const HChar *text) {
    static const HChar zeros[sizeof(ULong)];
    SizeT length = VG_(strlen)(text);
    put(record, text, length);
    put(record, zeros, sizeof zeros - length % sizeof zeros);
}

static struct sideband begin(UInt type, UInt misc) {
    return (struct sideband){.header = {type, (__u16)misc, sizeof(struct perf_event_header)}};
}

static void put_sample_id(struct sideband *record, ThreadId tid, const struct perf_event *event) {
    ULong what = event->sampling.sample_type;
    if (what & PERF_SAMPLE_TID)
        put_pair(record, (UInt)VG_(getpid)(), (UInt)engine.thread[tid].lwp);
    if (what & PERF_SAMPLE_TIME)
        put_word(record, time_ns(tid));
    if (what & PERF_SAMPLE_ID)
        put_word(record, event->id);
    if (what & PERF_SAMPLE_STREAM_ID)
        put_word(record, event->id);
    if (what & PERF_SAMPLE_CPU)
        put_word(record, engine.thread[tid].core);
    if (what & PERF_SAMPLE_IDENTIFIER)
        put_word(record, event->id);
}

enum kind { PROGRAM, CODE, DATA, TASK };

static Bool wants(const struct perf_event *event, enum kind kind, UInt type) {
    const struct perf_sampling *asked = &event->sampling;
    switch (kind) {
    case PROGRAM:
        return asked->comm;
    case CODE:
        return (asked->mmap || asked->mmap2) && asked->mmap2 == (type == PERF_RECORD_MMAP2);
    case DATA:
        return asked->mmap_data && asked->mmap2 == (type == PERF_RECORD_MMAP2);
    default:
        return asked->task;
    }
}

/* Writes the record for each event of the thread that asked for it. */
static void tell(ThreadId tid, enum kind kind, const struct sideband *record) {
    const struct perf_attached *one;
    for (Word i = 0; (one = perf_attached(tid, i)) != NULL; i++) {
        const struct perf_event *event = &perf_file()->event[one->event];
        Bool here = event->cpu < 0 || event->cpu == (Int)engine.thread[tid].core;
        if (event->id != one->id || !here || !perf_enabled(event) || !wants(event, kind, record->header.type))
            continue;
        struct sideband whole = *record;
        if (event->sampling.sample_id_all)
            put_sample_id(&whole, tid, event);
        perf_ring_write(event, &whole.header);
    }
}

static void tell_segment(ThreadId tid, const NSegment *segment, UInt type) {
    ULong offset;
    const HChar *file = code_file(segment->start, &offset);
    UInt protection = (segment->hasR ? VKI_PROT_READ : 0) | (segment->hasW ? VKI_PROT_WRITE : 0) |
                      (segment->hasX ? VKI_PROT_EXEC : 0);
    struct sideband record = begin(type, PERF_RECORD_MISC_USER | (segment->hasX ? 0 : PERF_RECORD_MISC_MMAP_DATA));
    put_pair(&record, (UInt)VG_(getpid)(), (UInt)engine.thread[tid].lwp);
    put_word(&record, segment->start);
    put_word(&record, segment->end - segment->start + 1);
    put_word(&record, offset);
    if (type == PERF_RECORD_MMAP2) {
        put_pair(&record, file ? (UInt)(segment->dev >> 8) : 0, file ? (UInt)segment->dev & 0xff : 0);
        put_word(&record, file ? segment->ino : 0);
        put_word(&record, 0); /* the inode's generation */
        put_pair(&record, protection, VKI_MAP_PRIVATE);
    }
    put_text(&record, file ? file : "//anon");
    tell(tid, segment->hasX ? CODE : DATA, &record);
}

void perf_tell_mapping(ThreadId tid, Addr start) {
    const NSegment *segment = perf_attached(tid, 0) ? VG_(am_find_nsegment)(start) : NULL;
    if (!segment || (segment->kind != SkFileC && segment->kind != SkAnonC))
        return;
    tell_segment(tid, segment, PERF_RECORD_MMAP);
    tell_segment(tid, segment, PERF_RECORD_MMAP2);
}

void perf_tell_name(ThreadId tid, const HChar *text, Bool by_exec) {
    HChar name[NAME_BYTES];
    struct sideband record = begin(PERF_RECORD_COMM, by_exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
    VG_(snprintf)(name, sizeof name, "%s", text);
    put_pair(&record, (UInt)VG_(getpid)(), (UInt)engine.thread[tid].lwp);
    put_text(&record, name);
    tell(tid, PROGRAM, &record);
}

void perf_tell_program(ThreadId tid) {
    if (!perf_attached(tid, 0))
        return;
    const HChar *path = VG_(args_the_exename), *last = VG_(strrchr)(path, '/');
    perf_tell_name(tid, last ? last + 1 : path, True);
    Addr first;
    Int count = VG_(am_get_segment_starts)(SkFileC, &first, 1); /* negative if there are more */
    Addr starts[count < 0 ? -count : 1];
    count = VG_(am_get_segment_starts)(SkFileC, starts, sizeof starts / sizeof *starts);
    for (Int i = 0; i < count; i++)
        perf_tell_mapping(tid, starts[i]);
}

static void tell_task(ThreadId tid, UInt type, UInt process, UInt parent, UInt lwp, UInt creator) {
    struct sideband record = begin(type, 0);
    put_pair(&record, process, parent);
    put_pair(&record, lwp, creator);
    put_word(&record, time_ns(tid));
    tell(tid, TASK, &record);
}

void perf_tell_started(ThreadId creator, Int process, Int lwp) {
    if (perf_attached(creator, 0))
        tell_task(creator, PERF_RECORD_FORK, (UInt)process, (UInt)VG_(getpid)(), (UInt)lwp,
                  (UInt)engine.thread[creator].lwp);
}

void perf_tell_ended(ThreadId tid) {
    UInt process = (UInt)VG_(getpid)(), lwp = (UInt)engine.thread[tid].lwp;
    if (perf_attached(tid, 0))
        tell_task(tid, PERF_RECORD_EXIT, process, process, lwp, lwp);
}
