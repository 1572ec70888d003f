/* perf_open.c - perf_event_open(2): checks as Linux makes them (6.1), in its order, and the new event.
 *
 * The node simulates no kernel. As Linux does where perf_event_paranoid is 2, it refuses events that would count it,
 * and `perf` then adds :u by itself.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

#include "answers.h"
#include "core_api.h"
#include "perf.h"

enum { ATTR_BYTES = PERF_ATTR_SIZE_VER7, MAX_16_BITS = 0xffff };
enum { TOO_LARGE = 75 }; /* EOVERFLOW, which Valgrind's headers lack */
enum { SELECT_USER = 1 << 16, SELECT_ENABLE = 1 << 22 };
enum { CODE_OF_FIXED = 0 }; /* Linux' event code for fixed counters; the unit mask is the counter's number plus 1 */

/* Answers a structure of a wrong size with the right one. */
static Long wrong_size(Addr address) {
    UInt *size = &((struct perf_event_attr *)address)->size;
    if (answer_writable((Addr)size, sizeof *size))
        *size = ATTR_BYTES;
    return -VKI_E2BIG;
}

static Long copy_attributes(Addr address, struct perf_event_attr *out) {
    UChar copy[ATTR_BYTES > sizeof *out ? ATTR_BYTES : sizeof *out];
    if (!answer_readable(address, PERF_ATTR_SIZE_VER0))
        return -VKI_EFAULT;
    SizeT size = ((const struct perf_event_attr *)address)->size;
    size = size ? size : PERF_ATTR_SIZE_VER0;
    if (size < PERF_ATTR_SIZE_VER0 || size > VKI_PAGE_SIZE)
        return wrong_size(address);
    if (!answer_readable(address, size))
        return -VKI_EFAULT;
    for (SizeT i = ATTR_BYTES; i < size; i++)
        if (((const UChar *)address)[i])
            return wrong_size(address);
    VG_(memset)(copy, 0, sizeof copy);
    VG_(memcpy)(copy, (const void *)address, size < ATTR_BYTES ? size : ATTR_BYTES);
    VG_(memcpy)(out, copy, sizeof *out);
    return 0;
}

/* Linux refuses bits that it does not know, and then perf asks for less. The node has no records of switches and
 * namespaces, no rings that are written backwards, no signals to the thread that overflows, and none of the newest
 * fields of samples: AUX, CGROUP, sizes of pages, WEIGHT_STRUCT. */
static Bool has_unknown_bits(const struct perf_event_attr *attr) {
    return attr->__reserved_1 || attr->__reserved_2 || attr->__reserved_3 || attr->context_switch || attr->namespaces ||
           attr->write_backward || attr->sigtrap || attr->sample_type >= PERF_SAMPLE_AUX ||
           attr->read_format >= PERF_FORMAT_MAX;
}

/* The registers of perf_samples.c, by Linux' numbers: not those of data segments. */
static Bool are_registers(ULong set) {
    enum { ALL = 0xffffff, DATA_SEGMENTS = 0xf000 };
    return set && !(set & ~(ULong)(ALL & ~DATA_SEGMENTS));
}

static Bool samples_make_sense(const struct perf_event_attr *attr) {
    const ULong what = attr->sample_type;
    Bool branches = attr->branch_sample_type < PERF_SAMPLE_BRANCH_MAX &&
                    (attr->branch_sample_type & ~(ULong)PERF_SAMPLE_BRANCH_PLM_ALL) != 0;
    Bool stack = attr->sample_stack_user < MAX_16_BITS && attr->sample_stack_user % sizeof(ULong) == 0;
    return (branches || !(what & PERF_SAMPLE_BRANCH_STACK)) && (stack || !(what & PERF_SAMPLE_STACK_USER)) &&
           (are_registers(attr->sample_regs_user) || !(what & PERF_SAMPLE_REGS_USER)) &&
           (are_registers(attr->sample_regs_intr) || !(what & PERF_SAMPLE_REGS_INTR));
}

/* The node's time is that of these clocks. */
static Bool has_clock(const struct perf_event_attr *attr) {
    enum { RAW = 4 };
    return !attr->use_clockid || attr->clockid == VKI_CLOCK_MONOTONIC || attr->clockid == RAW;
}

/* Values of perf_event_paranoid from which CPUs, the kernel, and any event are refused; the last one is Debian's. */
enum { OF_THREADS = 1, OF_USERS = 2, OF_NOBODY = 3 };

static Long check_attributes(const struct perf_event_attr *attr) {
    const ULong known = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                        PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
                        PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
                        PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
                        PERF_SAMPLE_REGS_INTR;
    Bool of_kernel = !attr->exclude_kernel && attr->type < DRIVER_TYPE;
    if (has_unknown_bits(attr) || !samples_make_sense(attr))
        return -VKI_EINVAL;
    if ((attr->inherit_thread && !attr->inherit) || (attr->remove_on_exec && attr->enable_on_exec))
        return -VKI_EINVAL;
    if ((of_kernel || (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)) && engine.node->perf_paranoid >= OF_USERS)
        return -VKI_EACCES;
    if (attr->freq ? attr->sample_freq > PERF_FREQUENCY_MAX : attr->sample_period > PERF_PERIOD_MAX)
        return -VKI_EINVAL;
    if ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) && attr->sample_max_stack > PERF_FRAMES_MAX)
        return -TOO_LARGE;
    if (!has_clock(attr))
        return -VKI_EINVAL;
    return attr->sample_type & ~known || attr->aux_output ? -PERF_NOT_SUPPORTED : 0;
}

/* ---- what it counts ---- */

static const struct table_generic *generic(const struct perf_event_attr *attr) {
    const struct pmu_table *table = perf_table();
    for (UInt i = 0; i < table->generics; i++)
        if (table->generic[i].type == attr->type && table->generic[i].config == attr->config)
            return &table->generic[i];
    return NULL;
}

/* Linux takes these bits of a raw event and ignores others. */
static ULong raw_bits(void) {
    enum { EVENT = 0xff, UMASK = 0xff00, EDGE = 1 << 18, INVERT = 1 << 23 };
    ULong bits = EVENT | UMASK | EDGE | INVERT | 0xff000000ULL;
    return perf_table()->core.kind == CORE_AMD ? bits | 0xfULL << 32 : bits;
}

/* The fixed counter of Intel's processors that can count a select, -1: none. */
static Int fixed_counter(ULong select) {
    const struct core_layout *core = &perf_table()->core;
    UInt code = select & 0xff, mask = select >> 8 & 0xff;
    Bool plain = (select & ~0xffffULL) == (SELECT_USER | SELECT_ENABLE);
    Int found = !plain                  ? -1
                : code == CODE_OF_FIXED ? (Int)mask - 1
                : mask                  ? -1
                : code == 0xc0          ? 0
                : code == 0x3c          ? 1
                                        : -1;
    return core->kind == CORE_INTEL && found < (Int)core->fixed_counters ? found : -1;
}

/* Whether the filter of offcore responses, if the event has one, has only bits that Linux accepts. */
static Bool filter_is_accepted(const struct perf_event *event) {
    const struct pmu_table *table = perf_table();
    Int response = core_response(table, event->select & 0xff, event->select >> 8 & 0xff);
    return response < 0 || !(event->extra & ~table->response[response].accepted);
}

static Long choose_core(const struct perf_event_attr *attr, ULong config, struct perf_event *event) {
    struct perf_use use;
    event->kind = PERF_CORE;
    event->select = (config & raw_bits()) | SELECT_USER | SELECT_ENABLE;
    event->extra = attr->config1;
    event->fixed = fixed_counter(event->select);
    if (attr->exclude_user || attr->exclude_host)
        return -PERF_NOT_SUPPORTED; /* nothing would be left that the node simulates */
    if (!filter_is_accepted(event))
        return -VKI_EINVAL;
    return perf_use(event, &use) ? -VKI_ENOENT : 0;
}

/* Stores the kind of box and its number for the type of a PMU. False: no box has it. */
static Bool find_box(UInt type, struct perf_event *event) {
    const struct pmu_table *table = perf_table();
    UInt number = type - DRIVER_TYPE;
    for (UInt i = 0; i < table->drivers; i++) {
        UInt instances = box_instances(&table->box[table->driver[i].box], &engine.node->config);
        event->box = table->driver[i].box;
        event->instance = number;
        if (number < instances)
            return True;
        number -= instances;
    }
    return False;
}

/* AMD's L3 counts all cores, threads and slices unless some are selected. */
static ULong box_select(const struct perf_event_attr *attr, enum select_layout layout) {
    enum { ALL_SLICES = 46, ALL_CORES = 47, THREADS = 56 };
    ULong all = 1ULL << ALL_SLICES | 1ULL << ALL_CORES | 3ULL << THREADS;
    return attr->config | (layout == SELECT_BOX_L3 && !(attr->config >> 32) ? all : 0) | SELECT_ENABLE;
}

static Long choose_box(const struct perf_event_attr *attr, struct perf_event *event) {
    struct perf_use use;
    if (!find_box(attr->type, event))
        return -VKI_ENOENT;
    event->kind = PERF_BOX;
    event->select = box_select(attr, (enum select_layout)perf_table()->box[event->box].layout);
    event->extra = attr->config1;
    if (attr->exclude_user || attr->exclude_kernel || attr->exclude_hv || attr->exclude_idle || attr->exclude_host ||
        attr->exclude_guest || event->lwp >= 0)
        return -VKI_EINVAL;
    return perf_use(event, &use) ? -VKI_ENOENT : 0;
}

/* The error for an event that the table lacks. As in Linux' tables, EINVAL is for what makes no sense: numbers out of
 * range, writes to code, and what translations of code and branch predictions do not have. */
static Long no_generic(const struct perf_event_attr *attr) {
    ULong cache = attr->config & 0xff, operation = attr->config >> 8 & 0xff, result = attr->config >> 16 & 0xff;
    if (attr->type == PERF_TYPE_HARDWARE)
        return attr->config >= PERF_COUNT_HW_MAX ? -VKI_EINVAL : -VKI_ENOENT;
    Bool out_of_range = cache >= PERF_COUNT_HW_CACHE_MAX || operation >= PERF_COUNT_HW_CACHE_OP_MAX ||
                        result >= PERF_COUNT_HW_CACHE_RESULT_MAX || attr->config >> 24;
    Bool senseless = (cache == PERF_COUNT_HW_CACHE_L1I && operation == PERF_COUNT_HW_CACHE_OP_WRITE) ||
                     ((cache == PERF_COUNT_HW_CACHE_ITLB || cache == PERF_COUNT_HW_CACHE_BPU) &&
                      operation != PERF_COUNT_HW_CACHE_OP_READ);
    return out_of_range || senseless ? -VKI_EINVAL : -VKI_ENOENT;
}

/* A thread's switch and migration happen in the kernel, page faults in its code. Alignment and emulation faults do not
 * exist on x86. First touches of pages are known only if there are several memories to choose from. */
static Long choose_software(const struct perf_event_attr *attr, struct perf_event *event) {
    enum perf_kind by_kernel = attr->config == PERF_COUNT_SW_CPU_MIGRATIONS ? PERF_MIGRATIONS : PERF_SWITCHES;
    switch (attr->config) {
    case PERF_COUNT_SW_CPU_CLOCK:
    case PERF_COUNT_SW_TASK_CLOCK:
        event->kind = PERF_CLOCK;
        return 0;
    case PERF_COUNT_SW_CONTEXT_SWITCHES:
    case PERF_COUNT_SW_CPU_MIGRATIONS:
        event->kind = attr->exclude_kernel ? PERF_NOTHING : by_kernel;
        return event->kind == PERF_SWITCHES && event->lwp < 0 ? -VKI_ENOENT : 0; /* a CPU may also be idle */
    case PERF_COUNT_SW_PAGE_FAULTS:
    case PERF_COUNT_SW_PAGE_FAULTS_MIN:
        event->kind = PERF_FAULTS;
        if (sim_memories(&engine.node->config) == 1)
            return -VKI_ENOENT;
        return attr->exclude_user ? -PERF_NOT_SUPPORTED : 0;
    case PERF_COUNT_SW_ALIGNMENT_FAULTS:
    case PERF_COUNT_SW_EMULATION_FAULTS:
    case PERF_COUNT_SW_DUMMY:
        event->kind = PERF_NOTHING;
        return 0;
    default:
        return -VKI_ENOENT;
    }
}

static Long choose(const struct perf_event_attr *attr, struct perf_event *event) {
    if (attr->type >= DRIVER_TYPE)
        return choose_box(attr, event);
    if (attr->type == PERF_TYPE_RAW)
        return choose_core(attr, attr->config, event);
    if (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE) {
        const struct table_generic *found = generic(attr);
        return found ? choose_core(attr, found->select, event) : no_generic(attr);
    }
    return attr->type == PERF_TYPE_SOFTWARE ? choose_software(attr, event) : -VKI_ENOENT;
}

/* ---- its thread, CPU and group ---- */

static Long find_target(ThreadId tid, Int pid, Int cpu, struct perf_event *event) {
    if (pid < -1 || (pid > 0 && VG_(kill)(pid, 0) == -1))
        return -VKI_ESRCH;
    if (pid == -1 && engine.node->perf_paranoid >= OF_THREADS && engine.node->perf_paranoid != PERF_PARANOID_CPUS)
        return -VKI_EACCES;
    event->cpu = cpu;
    event->lwp = pid ? pid : engine.thread[tid].lwp;
    return cpu < -1 || cpu >= (Int)engine.cores || (pid == -1 && cpu == -1) ? -VKI_EINVAL : 0;
}

static Bool same_pmu(const struct perf_event *one, const struct perf_event *other) {
    return one->kind == other->kind &&
           (one->kind == PERF_CORE || (one->box == other->box && one->instance == other->instance));
}

/* Whether the group has a counter left for the event. All must be of one PMU, except events that need no counter. */
static Bool fits_with(const struct perf_event *event, UInt leader) {
    const struct perf_file *file = perf_file();
    UInt fixed = event->fixed >= 0 ? 1u << event->fixed : 0, general = fixed ? 0 : 1;
    if (event->kind > PERF_BOX)
        return True;
    for (UInt i = 0; i < PERF_EVENTS; i++) {
        const struct perf_event *one = &file->event[i];
        if (!one->used || one->leader != leader || one == event || one->kind > PERF_BOX)
            continue;
        if (!same_pmu(one, event))
            return False;
        UInt bit = one->fixed >= 0 ? 1u << one->fixed : 0;
        general += !bit || (fixed & bit);
        fixed |= bit;
    }
    UInt most = event->kind == PERF_BOX ? perf_table()->box[event->box].counters : perf_table()->core.counters;
    return general <= most;
}

static Long join_group(const struct perf_event_attr *attr, Int group, UInt index, struct perf_event *event) {
    event->leader = index;
    if (group == -1)
        return 0;
    UInt leader = perf_of(group);
    if (leader == PERF_NONE)
        return -VKI_EBADF;
    const struct perf_event *first = &perf_file()->event[leader];
    if (first->leader != leader || first->lwp != event->lwp || first->cpu != event->cpu ||
        (event->lwp >= 0 && first->inherits != event->inherits) || attr->pinned || attr->exclusive)
        return -VKI_EINVAL;
    if (!fits_with(event, leader))
        return -VKI_EINVAL;
    event->leader = leader;
    return 0;
}

static void set_options(ThreadId tid, const struct perf_event_attr *attr, struct perf_event *event) {
    event->owner = engine.thread[tid].lwp;
    event->inherits = attr->inherit;
    event->threads_only = attr->inherit_thread;
    event->on_exec = attr->enable_on_exec;
    event->removed_on_exec = attr->remove_on_exec;
    event->pinned = attr->pinned;
    event->exclusive = attr->exclusive;
    event->read_format = attr->read_format;
    event->fixed = -1;
    event->sampling = (struct perf_sampling){.sample_type = attr->sample_type,
                                             .wakeup = attr->wakeup_events,
                                             .watermark = attr->watermark,
                                             .sample_id_all = attr->sample_id_all,
                                             .comm = attr->comm,
                                             .mmap = attr->mmap,
                                             .mmap_data = attr->mmap_data,
                                             .mmap2 = attr->mmap2,
                                             .task = attr->task,
                                             .no_callers = attr->exclude_callchain_user,
                                             .registers = attr->sample_regs_user,
                                             .registers_then = attr->sample_regs_intr,
                                             .stack = attr->sample_stack_user,
                                             .frames = attr->sample_max_stack,
                                             .output = PERF_NONE};
}

static Long sample(const struct perf_event_attr *attr, struct perf_event *event) {
    Bool precise = attr->precise_ip != 0;
    if (event->kind == PERF_BOX || (precise && !attr->sample_period) ||
        (attr->inherit && (attr->sample_type & PERF_SAMPLE_READ)))
        return -VKI_EINVAL;
    if (event->kind > PERF_NOTHING || (precise && event->kind != PERF_CORE) ||
        (precise && perf_table()->core.kind == CORE_AMD))
        return -PERF_NOT_SUPPORTED;
    event->sampling.sample_freq = attr->freq ? (uint32_t)attr->sample_freq : 0;
    event->sampling.sample_period = attr->freq ? 1 : attr->sample_period;
    event->sampling.exact = precise;
    return 0;
}

static Long make(ThreadId tid, const UWord *arguments, const struct perf_event_attr *attr, UInt index) {
    struct perf_event *event = &perf_file()->event[index];
    Int group = arguments[4] & PERF_FLAG_FD_NO_GROUP ? -1 : (Int)arguments[3];
    set_options(tid, attr, event);
    Long wrong = find_target(tid, (Int)arguments[1], (Int)arguments[2], event);
    if (!wrong)
        wrong = choose(attr, event);
    if (!wrong && event->kind <= PERF_BOX) {
        perf_fault_counter(index);
        wrong = perf_fault_denies(event) ? -VKI_ENOENT : 0;
    }
    if (!wrong && (attr->sample_period || attr->precise_ip))
        wrong = sample(attr, event);
    if (!wrong)
        wrong = join_group(attr, group, index, event);
    if (!wrong && (arguments[4] & PERF_FLAG_FD_OUTPUT) && (Int)arguments[3] != -1)
        wrong = perf_set_output(index, (Int)arguments[3]);
    return wrong ? wrong : perf_descriptor(index, (arguments[4] & PERF_FLAG_FD_CLOEXEC) != 0);
}

Long perf_event_open(ThreadId tid, const UWord *arguments) {
    enum { FLAGS = PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC };
    struct perf_event_attr attr;
    if (arguments[4] & ~(UWord)FLAGS)
        return -VKI_EINVAL;
    if (engine.node->perf_paranoid == OF_NOBODY)
        return -VKI_EACCES;
    Long wrong = copy_attributes(arguments[0], &attr);
    if (!wrong)
        wrong = check_attributes(&attr);
    if (!wrong && (arguments[4] & PERF_FLAG_PID_CGROUP))
        wrong = -VKI_EINVAL; /* the node's kernel has no control groups for it */
    if (wrong)
        return wrong;
    if (!perf_file() || !perf_table())
        return -VKI_ENOSYS;
    __atomic_store_n(&engine.node->perf, 1, __ATOMIC_RELAXED);
    UInt index = perf_take();
    if (index == PERF_NONE)
        return -VKI_EMFILE;
    Long fd = make(tid, arguments, &attr, index);
    struct perf_event *event = &perf_file()->event[index];
    if (fd < 0) {
        __atomic_store_n(&event->used, 0, __ATOMIC_RELEASE);
        return fd;
    }
    perf_switch(tid, event, !attr.disabled);
    __atomic_add_fetch(&perf_file()->changes, 1, __ATOMIC_RELEASE);
    if (attr.sample_period && threads_named(tid, event->lwp) != VG_INVALID_THREADID) {
        engine.perf_samples = True;
        perf_samples_begin();
    }
    return fd;
}
