/* node.c - the node file: maps it, takes this process's slot, adds up ended processes, publishes counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/counts_parts.h"

void node_fail(const HChar *what, const HChar *where, const HChar *remedy) {
    VG_(fmsg)("%s: %s; %s\n", where, what, remedy);
    VG_(exit)(1);
}

static Bool is_alive(Int pid) {
    return VG_(kill)(pid, 0) != -1;
}

/* The lock contains its holder's pid, so a lock left by a killed process can be taken over. */
void node_hold(void) {
    uint32_t me = (uint32_t)VG_(getpid)();
    for (;;) {
        uint32_t holder = 0;
        if (__atomic_compare_exchange_n(&engine.node->lock, &holder, me, False, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        if (holder == me)
            return;
        if (!is_alive((Int)holder) &&
            __atomic_compare_exchange_n(&engine.node->lock, &holder, me, False, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        __builtin_ia32_pause();
    }
}

void node_release(void) {
    __atomic_store_n(&engine.node->lock, 0, __ATOMIC_RELEASE);
}

/* Call with the lock held. */
static void fold(UInt number) {
    struct node_file *node = engine.node;
    struct node_slot *slot = &node->slot[number];
    struct sim_counts *sum = node->owner[number].beside ? &node->ended_beside : &node->ended;
    struct counts_part part[COUNTS_PARTS];
    counts_find_parts(&node->config, part);
    for (UInt i = 0; i < COUNTS_PARTS; i++) {
        uint64_t *to = counts_totals(sum, &part[i]), *from = counts_totals(&slot->live, &part[i]);
        for (SizeT total = 0; total < part[i].totals; total++)
            to[total] += from[total];
        VG_(memset)(from, 0, part[i].totals * sizeof *from);
        VG_(memset)(counts_totals(&slot->published, &part[i]), 0, part[i].totals * sizeof *from);
    }
    node->folds++;
    __atomic_store_n(&node->owner[number].pid, 0, __ATOMIC_RELEASE);
}

/* Allocates space in the file for the slot's counts (vnode/room.h). False: no space. */
static Bool take_room(struct node_slot *slot) {
    enum { NOT_SUPPORTED = 95 }; /* EOPNOTSUPP, which Valgrind's headers lack */
    HChar path[VG_(strlen)(engine.folder) + sizeof NODE_FILE_NAME + 1];
    struct sim_counts *counts[] = {&slot->live, &slot->published};
    struct counts_part part[COUNTS_PARTS];
    Bool refused = False;
    VG_(sprintf)(path, "%s/%s", engine.folder, NODE_FILE_NAME);
    SysRes opened = VG_(open)(path, VKI_O_RDWR, 0);
    counts_find_parts(&engine.node->config, part);
    for (UInt i = 0; !sr_isError(opened) && i < 2 * COUNTS_PARTS; i++) {
        UWord offset = (UWord)counts_totals(counts[i % 2], &part[i / 2]) - (UWord)engine.node;
        UWord bytes = part[i / 2].totals * sizeof(uint64_t);
        if (bytes == 0) /* a node without high-bandwidth memory; the call would refuse it */
            continue;
        SysRes taken = VG_(do_syscall)(__NR_fallocate, sr_Res(opened), 0, offset, bytes, 0, 0, 0, 0);
        refused |= sr_isError(taken) && sr_Err(taken) != NOT_SUPPORTED;
    }
    if (!sr_isError(opened))
        VG_(close)((Int)sr_Res(opened));
    return !refused;
}

/* First adds up the counts left by an earlier image of this process (exec) or by a killed process. */
static void take_slot(void) {
    struct node_owner *owner = engine.node->owner;
    Int me = VG_(getpid)();
    engine.slot = NULL;
    node_hold();
    for (UInt i = 0; i < NODE_SLOTS; i++)
        if (owner[i].pid != 0 && (owner[i].pid == me || !is_alive(owner[i].pid)))
            fold(i);
    for (UInt i = 0; i < NODE_SLOTS && !engine.slot; i++) {
        int32_t nobody = 0;
        if (__atomic_compare_exchange_n(&owner[i].pid, &nobody, me, False, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            engine.slot = &engine.node->slot[i];
            engine.owner = &owner[i];
            owner[i].beside = engine.beside;
            owner[i].steps = owner[i].asked = 0;
        }
    }
    node_release();
    if (engine.slot && !take_room(engine.slot)) {
        __atomic_store_n(&owner[engine.slot - engine.node->slot].pid, 0, __ATOMIC_RELEASE);
        node_fail("no room left for another process's counts", engine.folder, "set TMPDIR to a folder with more");
    }
    if (!engine.slot)
        node_fail("all slots are taken", NODE_FILE_NAME, "run fewer processes at once on the node");
}

void *node_share(const HChar *name, SizeT bytes, Bool made) {
    HChar path[VG_(strlen)(engine.folder) + VG_(strlen)(name) + 2];
    struct vg_stat status;
    VG_(sprintf)(path, "%s/%s", engine.folder, name);
    SysRes opened = VG_(open)(path, made ? VKI_O_RDWR | VKI_O_CREAT : VKI_O_RDONLY, 0600);
    if (sr_isError(opened))
        return NULL;
    Int fd = VG_(safe_fd)((Int)sr_Res(opened));
    if (made)
        VG_(do_syscall)(__NR_ftruncate, (UWord)fd, bytes, 0, 0, 0, 0, 0, 0);
    void *file = NULL;
    if (VG_(fstat)(fd, &status) == 0 && status.size >= (Long)bytes)
        file = core_result(VG_(am_shared_mmap_file_float_valgrind)(
            VG_PGROUNDUP(bytes), made ? VKI_PROT_READ | VKI_PROT_WRITE : VKI_PROT_READ, fd, 0));
    VG_(close)(fd);
    return file;
}

static void map_node(const HChar *path) {
    const HChar *remedy = "start the program with `assay vnode -- COMMAND`";
    SysRes opened = VG_(open)(path, VKI_O_RDWR, 0);
    if (sr_isError(opened) && sr_Err(opened) == VKI_ENOENT)
        node_fail("cannot be opened: it does not exist (any more)", path, remedy);
    if (sr_isError(opened))
        node_fail("cannot be opened", path, remedy);
    Int fd = VG_(safe_fd)((Int)sr_Res(opened));
    struct vg_stat status;
    if (VG_(fstat)(fd, &status) != 0 || status.size < (Long)sizeof *engine.node)
        node_fail("too short for a node file", path, remedy);
    SysRes mapped = VG_(am_shared_mmap_file_float_valgrind)(VG_PGROUNDUP(sizeof *engine.node),
                                                            VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
    VG_(close)(fd);
    if (sr_isError(mapped))
        node_fail("cannot be mapped", path, remedy);
    engine.node = (struct node_file *)sr_Res(mapped);
    if (engine.node->magic != NODE_MAGIC || engine.node->version != NODE_VERSION)
        node_fail("not a node file of this version", path, "build all parts of Assay from one source");
    const char *error = sim_config_error(&engine.node->config);
    if (error)
        node_fail(error, path, "correct the node's description");
}

void node_open(void) {
    const HChar *folder = engine.folder ? engine.folder : VG_(getenv)(NODE_DIR_VARIABLE);
    if (!folder || !*folder)
        node_fail("not set", NODE_DIR_VARIABLE, "start the program with `assay vnode -- COMMAND`");
    HChar path[VG_(strlen)(folder) + sizeof NODE_FILE_NAME + 1];
    VG_(sprintf)(path, "%s/%s", folder, NODE_FILE_NAME);
    engine.folder = VG_(strdup)("assay.folder", folder);
    map_node(path);
    const struct sim_config *config = &engine.node->config;
    engine.cores = sim_cpus(config);
    void *memory = core_result(TABLE_WRAPPER(VG_PGROUNDUP(sim_bytes(config))));
    if (!memory)
        node_fail("no memory for the simulated caches", path, "choose a smaller node");
    take_slot();
    engine.sim = sim_init(memory, config, &engine.slot->live);
    engine.trace_end = engine.trace;
    sim_follow_stores(engine.sim, &engine.node->follows);
}

/* The slot for counts of processes that are not counted. */
static struct node_slot *apart(void) {
    static struct node_slot slot;
    return &slot;
}

static void slot_changed(void) {
    sim_set_counts(engine.sim, &engine.slot->live);
    node_core_changed();
}

void node_close(void) {
    if (engine.slot == apart())
        return;
    node_hold();
    fold((UInt)(engine.slot - engine.node->slot));
    node_release();
}

void node_forked(void) {
    take_slot();
    slot_changed();
}

void node_forked_apart(void) {
    static struct node_owner nobody;
    engine.slot = apart();
    engine.owner = &nobody;
    slot_changed();
}

void node_work(void) {
    __atomic_store_n(&engine.owner->steps, engine.owner->steps | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* The timeout is for a killed reader. */
static void await_reader(uint32_t *asked) {
    enum { READER_PATIENCE_MS = 100, LOOK_NS = 20000 };
    static const struct vki_timespec look = {0, LOOK_NS};
    UInt since = VG_(read_millisecond_timer)();
    while (__atomic_load_n(asked, __ATOMIC_ACQUIRE) && VG_(read_millisecond_timer)() - since < READER_PATIENCE_MS)
        VG_(do_syscall)(__NR_nanosleep, (UWord)&look, 0, 0, 0, 0, 0, 0, 0);
    __atomic_store_n(asked, 0, __ATOMIC_RELAXED);
}

void node_rest(void) {
    struct node_owner *owner = engine.owner;
    __atomic_store_n(&owner->steps, (owner->steps | 1) + 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(&owner->asked, __ATOMIC_RELAXED))
        await_reader(&owner->asked);
}

void node_publish(void) {
    struct node_slot *slot = engine.slot;
    struct counts_part part[COUNTS_PARTS];
    counts_find_parts(&engine.node->config, part);
    for (UInt i = 0; i < COUNTS_PARTS; i++) {
        uint64_t *to = counts_totals(&slot->published, &part[i]), *from = counts_totals(&slot->live, &part[i]);
        VG_(memcpy)(to, from, part[i].totals * sizeof *to);
    }
}

/* Adds the cycles to the thread that used them. */
static void account(void) {
    static const uint64_t *total;
    static uint64_t before;
    static ThreadId spender;
    if (!engine.totals) /* no thread has run yet */
        return;
    if (total) {
        engine.thread[spender].cpu += *total - before;
        engine.cpu += *total - before;
    }
    total = &engine.totals[CORE_CYCLES];
    before = *total;
    spender = engine.running;
}

ULong node_cpu_cycles(ThreadId tid) {
    account();
    return tid == VG_INVALID_THREADID ? engine.cpu : engine.thread[tid].cpu;
}

void node_core_changed(void) {
    UInt core = engine.thread[engine.running].core;
    engine.core = sim_core(engine.sim, core);
    engine.totals = engine.slot->live.core[core].total;
    account();
}
