/* perf_samples.c - overflows of the events of this process's threads, and the samples that they write.
 *
 * With such an event, engine_overflow() is called after each instruction that can be the next to overflow, so a sample
 * has the address of the instruction that caused the overflow, as with Linux' precise_ip. An instruction that counts
 * several periods makes one sample, of all of them. How much one instruction can count at most tells for how many
 * instructions no check is needed: a period of instructions or branches passes almost whole without one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "helpers.h"
#include "perf.h"

#define PERF_MEM_NA                                                                                                    \
    (PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA))
enum { USER_CODE = 0x33, USER_DATA = 0x2b }; /* Linux' segments */
enum { RECORD_WORDS = 8000 /* a record has less than 64 KiB */ };

void perf_samples_begin(void) {
    enum { ALL_CODE = 0x7fffffff };
    if (engine.perf_samples && !engine.perf_instruments)
        VG_(discard_translations)(0, (ULong)ALL_CODE << 16, "assay.perf");
    engine.perf_instruments = engine.perf_samples;
}

void perf_sample_start(struct perf_attached *one) {
    const struct perf_sampling *sampling = &perf_file()->event[one->event].sampling;
    one->seen = one->base;
    if (one->asked != sampling->sample_period) {
        one->asked = one->period = sampling->sample_period;
        one->left = (Long)one->period;
    }
}

void perf_sample_advance(struct perf_attached *one, ULong total) {
    one->left -= (Long)(total - one->seen);
    one->seen = total;
}

/* How much an instruction adds to a core's total at most: saving all registers accesses 44 lines, in pieces of 16
 * bytes. */
static UInt most_of_total(UInt number) {
    enum { MOST_ACCESSES = 256, MOST_LINES = 64, MOST_LATENCY = 512 };
    if (number == CORE_INSTRUCTIONS || (number >= CORE_BRANCHES && number <= CORE_MISPREDICTED_INDIRECT))
        return 1;
    return number >= CORE_DTLB_LOAD_WALK_CYCLES && number < CORE_COUNTS ? MOST_LINES * MOST_LATENCY : MOST_ACCESSES;
}

UInt perf_sample_most(const struct perf_event *event, const struct perf_use *use) {
    const struct formula *formula = &use->core.formula;
    UInt most = use->core.by_response ? most_of_total(CORE_COUNTS) : 0;
    if (event->kind == PERF_CLOCK)
        return most_of_total(CORE_CYCLES);
    for (UInt i = 0; i < formula->terms; i++) {
        const struct total_name *total = &formula->term[i].total; /* an offset in struct sim_core_counts */
        UInt factor = formula->term[i].factor > 0 ? (UInt)formula->term[i].factor : 0;
        most += factor * total->sets * total->totals * most_of_total(total->offset / sizeof(uint64_t));
    }
    return most;
}

void perf_sample_plan(ThreadId tid) {
    const struct perf_attached *one;
    Long instructions = PERF_NEVER;
    for (Word i = 0; (one = perf_attached(tid, i)) != NULL; i++)
        if (one->running && one->period && one->most && one->left / one->most - 1 < instructions)
            instructions = one->left / one->most - 1; /* as the current one may count further */
    engine.overflow_budget = engine.budget - instructions;
}

/* ---- records ---- */

struct record {
    UInt words;
    ULong word[RECORD_WORDS];
};

static void put(struct record *record, ULong value) {
    if (record->words < RECORD_WORDS)
        record->word[record->words++] = value;
}

/* The return addresses of the callers, by the chain of frame pointers. */
static void put_callers(struct record *record, const VexGuestAMD64State *guest, Addr instruction, UInt most) {
    UInt count = record->words;
    put(record, 0);
    if (!most)
        return;
    put(record, PERF_CONTEXT_USER);
    put(record, instruction);
    Addr frame = guest->guest_RBP;
    for (UInt i = 0; i + 1 < most && answer_readable(frame, 2 * sizeof(Addr)); i++) {
        const Addr *saved = (const Addr *)frame;
        put(record, saved[1]);
        if (saved[0] <= frame)
            break;
        frame = saved[0];
    }
    record->word[count] = record->words - count - 1;
}

/* By Linux' numbers (asm/perf_regs.h), after a word for their width. */
static void put_registers(struct record *record, const VexGuestAMD64State *guest, Addr instruction, ULong set) {
    enum { OF_64_BITS = 2 };
    const ULong of[] = {guest->guest_RAX,
                        guest->guest_RBX,
                        guest->guest_RCX,
                        guest->guest_RDX,
                        guest->guest_RSI,
                        guest->guest_RDI,
                        guest->guest_RBP,
                        guest->guest_RSP,
                        instruction,
                        0 /* flags */,
                        USER_CODE,
                        USER_DATA,
                        0,
                        0,
                        0,
                        0,
                        guest->guest_R8,
                        guest->guest_R9,
                        guest->guest_R10,
                        guest->guest_R11,
                        guest->guest_R12,
                        guest->guest_R13,
                        guest->guest_R14,
                        guest->guest_R15};
    put(record, OF_64_BITS);
    for (UInt i = 0; i < sizeof of / sizeof *of; i++)
        if (set >> i & 1)
            put(record, of[i]);
}

static void put_stack(struct record *record, Addr stack, UInt bytes) {
    UInt present = 0;
    bytes = bytes / sizeof(ULong) < RECORD_WORDS / 2 ? bytes : RECORD_WORDS / 2 * sizeof(ULong);
    put(record, bytes);
    if (bytes == 0)
        return;
    for (UInt i = 0; i < bytes; i += sizeof(ULong)) {
        Bool is_there = present == i && answer_readable(stack + i, sizeof(ULong));
        put(record, is_there ? *(const ULong *)(stack + i) : 0);
        present += is_there ? sizeof(ULong) : 0;
    }
    put(record, present);
}

static void put_values(struct record *record, UInt index) {
    if (record->words + perf_read_words(index) < RECORD_WORDS)
        record->words += (UInt)(perf_read_put(index, record->word + record->words) - (record->word + record->words));
}

struct overflow {
    ThreadId tid;
    const VexGuestAMD64State *guest;
    Addr instruction;
    ULong period, now;
};

static void write_sample(const struct overflow *o, UInt index) {
    const struct perf_event *event = &perf_file()->event[index];
    static struct record record;
    const struct perf_sampling *asked = &event->sampling;
    UInt frames = asked->no_callers ? 0 : asked->frames ? asked->frames : PERF_FRAMES_MAX;
    ULong what = asked->sample_type;
    record.words = 1;
    if (what & PERF_SAMPLE_IDENTIFIER)
        put(&record, event->id);
    if (what & PERF_SAMPLE_IP)
        put(&record, o->instruction);
    if (what & PERF_SAMPLE_TID)
        put(&record, (UInt)VG_(getpid)() | (ULong)engine.thread[o->tid].lwp << 32);
    if (what & PERF_SAMPLE_TIME)
        put(&record, o->now);
    if (what & PERF_SAMPLE_ADDR)
        put(&record, 0); /* not known, as without PEBS */
    if (what & PERF_SAMPLE_ID)
        put(&record, event->id);
    if (what & PERF_SAMPLE_STREAM_ID)
        put(&record, event->id);
    if (what & PERF_SAMPLE_CPU)
        put(&record, engine.thread[o->tid].core);
    if (what & PERF_SAMPLE_PERIOD)
        put(&record, o->period);
    if (what & PERF_SAMPLE_READ)
        put_values(&record, index);
    if (what & PERF_SAMPLE_CALLCHAIN)
        put_callers(&record, o->guest, o->instruction, frames);
    if (what & PERF_SAMPLE_RAW)
        put(&record, sizeof(UInt)); /* the size of the data, then that many zero bytes */
    if (what & PERF_SAMPLE_REGS_USER)
        put_registers(&record, o->guest, o->instruction, asked->registers);
    if (what & PERF_SAMPLE_STACK_USER)
        put_stack(&record, o->guest->guest_RSP, asked->stack);
    if (what & PERF_SAMPLE_WEIGHT)
        put(&record, 0); /* unknown, as the data's source: both need a processor that tags accesses */
    if (what & PERF_SAMPLE_DATA_SRC)
        put(&record, PERF_MEM_NA);
    if (what & PERF_SAMPLE_REGS_INTR)
        put_registers(&record, o->guest, o->instruction, asked->registers_then);
    struct perf_event_header *header = (struct perf_event_header *)record.word;
    *header = (struct perf_event_header){
        PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER | (event->sampling.exact ? PERF_RECORD_MISC_EXACT_IP : 0),
        (__u16)(record.words * sizeof(ULong))};
    perf_ring_write(event, header);
}

/* ---- signals ---- */

/* The kernel signals the last overflow with POLL_HUP. The pipe cannot, so the thread sends it to itself if the signal
 * is for it. False: it is for somebody else. */
static Bool hang_up(ThreadId tid, UInt index) {
    enum { GET_SIGNAL = 11, GET_OWNER = 16, OF_THREAD = 0, OF_PROCESS = 1, HANG_UP = 6, BAND = 0x18 };
    const struct perf_event *event = &perf_file()->event[index];
    struct {
        Int type, id;
    } owner = {-1, 0};
    UWord fd = (UWord)event->descriptor, own = (UWord)VG_(getpid)(), lwp = (UWord)engine.thread[tid].lwp;
    if (event->process != VG_(getpid)() || perf_of(event->descriptor) != index)
        return False;
    SysRes signal = VG_(do_syscall)(__NR_fcntl, fd, GET_SIGNAL, 0, 0, 0, 0, 0, 0);
    VG_(do_syscall)(__NR_fcntl, fd, GET_OWNER, (UWord)&owner, 0, 0, 0, 0, 0);
    /* The first thread may have ended. Any other names the process, too; newer Linux then tells 0. */
    Bool names_process = (UWord)owner.id == own || threads_named(tid, owner.id) != VG_INVALID_THREADID;
    Bool is_own = (owner.type == OF_PROCESS && names_process) || (owner.type == OF_THREAD && (UWord)owner.id == lwp);
    if (sr_isError(signal) || sr_Res(signal) == 0 || !is_own || event->sampling.ownerless)
        return False;
    vki_siginfo_t info;
    VG_(memset)(&info, 0, sizeof info);
    info.si_signo = (Int)sr_Res(signal);
    info.si_code = HANG_UP;
    info._sifields._sigpoll._band = BAND;
    info._sifields._sigpoll._fd = event->descriptor;
    return !sr_isError(VG_(do_syscall)(__NR_rt_tgsigqueueinfo, own, lwp, sr_Res(signal), (UWord)&info, 0, 0, 0, 0));
}

static void signal(ThreadId tid, UInt index, Bool is_last) {
    if (!is_last || !hang_up(tid, index))
        perf_bell(index);
    signals_sent();
}

/* ---- overflows ---- */

/* Moves the period an eighth of the way, as Linux does, to the one that would have given `frequency` since the last
 * overflow. */
static ULong adapted(const struct perf_attached *one, UInt frequency, ULong periods, ULong now) {
    ULong elapsed = now > one->time ? now - one->time : 1;
    unsigned __int128 wanted = (unsigned __int128)periods * 1000000000 / ((unsigned __int128)elapsed * frequency);
    Long delta = (Long)(wanted > PERF_PERIOD_MAX ? PERF_PERIOD_MAX : (ULong)wanted) - (Long)one->period;
    Long period = (Long)one->period + (delta + (delta >= 0 ? 7 : -7)) / 8;
    return period > 0 ? (ULong)period : 1;
}

static Bool is_last_overflow(ThreadId tid, struct perf_event *event) {
    if (!event->sampling.limit || --event->sampling.limit)
        return False;
    perf_settle(tid); /* what its group has counted belongs to the interval that ends */
    event->enabled = False;
    perf_fault_interval(event);
    perf_settle(tid); /* counts no further */
    return True;
}

/* The program's code is left at the end of the block, so that the thread receives its signal. */
static void overflow(struct overflow *o, struct perf_attached *one) {
    struct perf_event *event = &perf_file()->event[one->event];
    ULong periods = (ULong)(-one->left) / one->period + 1;
    o->period = periods * one->period;
    o->now = time_ns(o->tid);
    one->left += (Long)o->period;
    if (event->sampling.sample_type & PERF_SAMPLE_READ)
        perf_settle(o->tid);
    write_sample(o, one->event);
    if (event->sampling.sample_freq) {
        ULong period = adapted(one, event->sampling.sample_freq, o->period, o->now);
        one->left += (Long)(period - one->period);
        one->period = period;
    }
    one->time = o->now;
    Bool is_last = is_last_overflow(o->tid, event);
    if (event->sampling.asynchronous) {
        signal(o->tid, one->event, is_last);
        engine_end_turn();
    }
}

void engine_overflow(VexGuestAMD64State *guest, Addr instruction) {
    struct overflow o = {.tid = engine.running, .guest = guest, .instruction = instruction};
    struct perf_attached *one = perf_attached(o.tid, 0);
    if (!one)
        return;
    engine_settle();
    for (Word i = 0; (one = perf_attached(o.tid, i)) != NULL; i++) {
        if (!one->running || !one->period)
            continue;
        Bool is_time = perf_file()->event[one->event].kind == PERF_CLOCK;
        perf_sample_advance(one, perf_value(o.tid, one, is_time ? time_ns(o.tid) : 0));
        if (one->left <= 0)
            overflow(&o, one);
    }
    perf_sample_plan(o.tid);
}
