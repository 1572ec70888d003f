/* sampling.c - counts overflows of the node's sampled events by instruction. SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sampling.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/sampling_file.h"

enum {
    BUCKETS = 1 << 14,
    INSTRUCTIONS_MAX = 1 << 17, /* per program; further ones share one entry */
    LATE_MAX = 8192,            /* pending samples per core */
    OBJECTS_MAX = 256,
    TEXT_BYTES = 1 << 16,
    NUMBER_BYTES = 24
};

struct sampled {
    Addr code;
    struct sampled *next;
    ULong count[]; /* for each event: number of events, then samples of each period */
};

/* A pending sample; it belongs to the instruction with which the core has retired `due` instructions. */
struct late {
    ULong due;
    UInt count; /* index in struct sampled */
    UInt samples;
};

struct core_state {
    ULong happened[SAMPLING_EVENTS];
    ULong least[SAMPLING_EVENTS];                  /* minimum of `next` */
    ULong next[SAMPLING_EVENTS][SAMPLING_PERIODS]; /* counter value of the next overflow */
    struct sampled *last;                          /* the latest instruction */
    struct late *late;                             /* a ring; NULL: without skid */
    UInt first, lates;
    Bool used;
};

struct sampling {
    struct sampling_file what;
    struct sampled *bucket[BUCKETS];
    struct core_state core[SIM_CORES_MAX];
    UInt instructions;
    ULong lost;
    HChar *path;
};

/* A file under construction. */
struct text {
    Int fd;
    UInt used;
    HChar bytes[TEXT_BYTES];
};

static struct sampling *sampling; /* NULL: no sampling. Read only by calls from instrumented code */

static UInt counts_of_event(void) {
    return 1 + sampling->what.periods;
}

static void start_core(struct core_state *core) {
    const struct sampling_file *what = &sampling->what;
    struct late *late = core->late;
    VG_(memset)(core, 0, sizeof *core);
    core->late = late;
    for (UInt event = 0; event < what->events; event++) {
        core->least[event] = ~0ULL;
        for (UInt i = 0; i < what->periods; i++) {
            core->next[event][i] = what->period[i];
            if (what->period[i] < core->least[event])
                core->least[event] = what->period[i];
        }
    }
}

/* A new file name: an earlier program of the process may have left its samples. */
static void take_file(void) {
    HChar path[VG_(strlen)(engine.folder) + sizeof SAMPLES_FILE_PREFIX + 2 * NUMBER_BYTES];
    SysRes opened;
    UInt program = 0;
    do {
        VG_(sprintf)(path, "%s/" SAMPLES_FILE_PREFIX "%d.%u", engine.folder, VG_(getpid)(), program++);
        opened = VG_(open)(path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_EXCL, 0600);
    } while (sr_isError(opened) && sr_Err(opened) == VKI_EEXIST);
    if (!sr_isError(opened))
        VG_(close)((Int)sr_Res(opened));
    VG_(free)(sampling->path);
    sampling->path = VG_(strdup)("assay.samples", path);
}

static Bool read_what(struct sampling_file *what) {
    HChar path[VG_(strlen)(engine.folder) + sizeof SAMPLING_FILE_NAME + 1];
    VG_(sprintf)(path, "%s/" SAMPLING_FILE_NAME, engine.folder);
    SysRes opened = VG_(open)(path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return False;
    Int fd = (Int)sr_Res(opened), length = VG_(read)(fd, what, sizeof *what);
    VG_(close)(fd);
    return length == (Int)sizeof *what && what->magic == SAMPLING_MAGIC && what->version == SAMPLING_VERSION &&
           what->events <= SAMPLING_EVENTS && what->periods <= SAMPLING_PERIODS;
}

void sampling_start(void) {
    struct sampling_file what;
    if (!read_what(&what))
        return;
    sampling = VG_(calloc)("assay.sampling", 1, sizeof *sampling);
    sampling->what = what;
    for (UInt i = 0; i < engine.cores; i++) {
        if (what.skid)
            sampling->core[i].late = VG_(calloc)("assay.late", LATE_MAX, sizeof *sampling->core[i].late);
        start_core(&sampling->core[i]);
    }
    take_file();
}

void sampling_forked(Bool counted) {
    if (!sampling)
        return;
    if (!counted) {
        sampling = NULL; /* code already instrumented then does nothing */
        return;
    }
    SizeT bytes = sampling->what.events * counts_of_event() * sizeof(ULong);
    for (UInt i = 0; i < BUCKETS; i++)
        for (struct sampled *one = sampling->bucket[i]; one; one = one->next)
            VG_(memset)(one->count, 0, bytes);
    for (UInt i = 0; i < engine.cores; i++)
        start_core(&sampling->core[i]);
    sampling->lost = 0;
    take_file();
}

Bool sampling_is_on(void) {
    return sampling != NULL;
}

struct sampled *sampling_instruction(Addr code) {
    if (!sampling)
        return NULL;
    struct sampled **bucket = &sampling->bucket[(code ^ code >> 14) % BUCKETS];
    for (struct sampled *one = *bucket; one; one = one->next)
        if (one->code == code)
            return one;
    SizeT counts = sampling->what.events * counts_of_event();
    /* further instructions share one entry without address */
    Addr named = sampling->instructions < INSTRUCTIONS_MAX ? code : 0;
    if (named == 0 && code != 0)
        return sampling_instruction(0);
    struct sampled *one = VG_(calloc)("assay.sampled", 1, sizeof *one + counts * sizeof *one->count);
    one->code = named;
    one->next = *bucket;
    *bucket = one;
    sampling->instructions++;
    return one;
}

static ULong sum_of(const struct sampling_sum *sum) {
    ULong value = 0;
    for (UInt i = 0; i < sum->terms; i++) {
        const uint64_t *total = (const uint64_t *)((const HChar *)engine.totals + sum->term[i].offset);
        for (UInt k = 0; k < sum->term[i].adjacent; k++)
            value += (ULong)sum->term[i].factor * total[k];
    }
    return value;
}

static void put_late(struct core_state *core, UInt count, UInt samples) {
    if (core->lates == LATE_MAX) {
        sampling->lost += samples;
        return;
    }
    core->late[(core->first + core->lates++) % LATE_MAX] =
        (struct late){engine.totals[CORE_INSTRUCTIONS] + sampling->what.skid, count, samples};
}

/* Assigns due samples, or all, to this instruction. */
static void take_late(struct core_state *core, struct sampled *instruction, Bool all) {
    while (core->lates && (all || core->late[core->first].due <= engine.totals[CORE_INSTRUCTIONS])) {
        const struct late *late = &core->late[core->first];
        instruction->count[late->count] += late->samples;
        core->first = (core->first + 1) % LATE_MAX;
        core->lates--;
    }
}

/* Counts overflows of a counter that has reached `shown`. */
static void overflow(struct core_state *core, struct sampled *instruction, UInt event, ULong shown) {
    const struct sampling_file *what = &sampling->what;
    ULong *next = core->next[event];
    core->least[event] = ~0ULL;
    for (UInt i = 0; i < what->periods; i++) {
        if (shown >= next[i]) {
            ULong samples = (shown - next[i]) / what->period[i] + 1;
            next[i] += samples * what->period[i];
            UInt count = event * counts_of_event() + 1 + i;
            if (what->skid)
                put_late(core, count, (UInt)samples);
            else
                instruction->count[count] += samples;
        }
        if (next[i] < core->least[event])
            core->least[event] = next[i];
    }
}

void engine_sample(struct sampled *instruction) {
    if (!sampling)
        return;
    UInt number = engine.thread[engine.running].core;
    struct core_state *core = &sampling->core[number];
    engine_settle();
    core->used = True;
    core->last = instruction;
    if (core->lates)
        take_late(core, instruction, False);
    for (UInt event = 0; event < sampling->what.events; event++) {
        const struct sampling_event *of = &sampling->what.event[event];
        ULong happened = sum_of(&of->happens);
        instruction->count[event * counts_of_event()] += happened - core->happened[event];
        core->happened[event] = happened;
        unsigned __int128 scaled = (unsigned __int128)sum_of(&of->counts) * of->scale[number];
        ULong shown = (ULong)(scaled >> SAMPLING_ONE) + of->add[number];
        if (shown >= core->least[event] && of->overflows)
            overflow(core, instruction, event, shown);
    }
}

static void flush(struct text *text) {
    if (text->used)
        VG_(write)(text->fd, text->bytes, (Int)text->used);
    text->used = 0;
}

static void put(struct text *text, const HChar *format, ...) PRINTF_CHECK(2, 3);
static void put(struct text *text, const HChar *format, ...) {
    va_list arguments;
    if (text->used > TEXT_BYTES - VKI_PATH_MAX - NUMBER_BYTES)
        flush(text);
    va_start(arguments, format);
    text->used += VG_(vsprintf)(text->bytes + text->used, format, arguments);
    va_end(arguments);
}

/* The object and offset of code; writes the object's line at its first use. */
static UInt place(struct text *text, Addr code, const HChar *known[OBJECTS_MAX], UInt *objects, ULong *offset) {
    const HChar *name = code_file(code, offset);
    if (!name)
        name = "-";
    for (UInt i = 0; i < *objects; i++)
        if (VG_(strcmp)(known[i], name) == 0)
            return i;
    if (*objects == OBJECTS_MAX) {
        *offset = 0;
        return 0;
    }
    known[*objects] = name;
    put(text, "object %u %s\n", *objects, name);
    return (*objects)++;
}

static void put_instructions(struct text *text) {
    UInt counts = sampling->what.events * counts_of_event(), objects = 1;
    const HChar *known[OBJECTS_MAX] = {"-"}; /* also for code of objects beyond the limit */
    put(text, "object 0 -\n");
    for (UInt i = 0; i < BUCKETS; i++)
        for (const struct sampled *one = sampling->bucket[i]; one; one = one->next) {
            ULong all = 0, offset;
            for (UInt k = 0; k < counts; k++)
                all |= one->count[k];
            if (all == 0)
                continue;
            UInt object = place(text, one->code, known, &objects, &offset);
            put(text, "at %u %llx", object, offset);
            for (UInt k = 0; k < counts; k++)
                put(text, " %llu", one->count[k]);
            put(text, "\n");
        }
}

void sampling_write(void) {
    if (!sampling)
        return;
    SysRes opened = VG_(open)(sampling->path, VKI_O_WRONLY | VKI_O_TRUNC, 0600);
    if (sr_isError(opened)) {
        VG_(fmsg)("%s: samples cannot be written; free space or set TMPDIR\n", sampling->path);
        return;
    }
    struct text *text = VG_(malloc)("assay.text", sizeof *text);
    UInt units = 0;
    text->fd = (Int)sr_Res(opened);
    text->used = 0;
    for (UInt i = 0; i < engine.cores; i++) {
        struct core_state *core = &sampling->core[i];
        units += core->used;
        if (core->lates)
            take_late(core, core->last, True);
    }
    put_instructions(text);
    put(text, "units %u\nlost %llu\nend\n", units, sampling->lost);
    flush(text);
    VG_(close)(text->fd);
    VG_(free)(text);
}
