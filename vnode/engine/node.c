/* node.c - the node file: mapping it, this process's slot, folding ended processes, publishing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "core_api.h"
#include "engine.h"

void node_fail(const HChar *what, const HChar *where, const HChar *remedy) {
    VG_(fmsg)("%s: %s; %s\n", where, what, remedy);
    VG_(exit)(1);
}

static Bool is_alive(Int pid) {
    return VG_(kill)(pid, 0) != -1;
}

/* The holder is named in the lock, so that a lock left by a killed process can be taken over. */
static void lock(void) {
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

static void unlock(void) {
    __atomic_store_n(&engine.node->lock, 0, __ATOMIC_RELEASE);
}

/* A part of struct sim_counts, which is made of 64-bit totals alone. */
struct part {
    SizeT start, bytes;
};

enum { PARTS = 4 };

/* The parts for which this node has hardware; in all the others only 0 is counted. */
static void find_parts(struct part part[PARTS]) {
    const struct sim_config *config = &engine.node->config;
    const struct sim_counts *counts = NULL; /* for its sizes */
    part[0] = (struct part){offsetof(struct sim_counts, core), engine.cores * sizeof counts->core[0]};
    part[1] = (struct part){offsetof(struct sim_counts, domain), sim_domains(config) * sizeof counts->domain[0]};
    part[2] = (struct part){offsetof(struct sim_counts, memory), sim_numas(config) * sizeof counts->memory[0]};
    part[3] = (struct part){offsetof(struct sim_counts, socket), config->sockets * sizeof counts->socket[0]};
}

static uint64_t *totals_of(struct sim_counts *counts, const struct part *part) {
    return (uint64_t *)((HChar *)counts + part->start);
}

/* Call with the lock held. */
static void fold(UInt number) {
    struct node_file *node = engine.node;
    struct node_slot *slot = &node->slot[number];
    struct sim_counts *sum = node->owner[number].beside ? &node->ended_beside : &node->ended;
    struct part part[PARTS];
    find_parts(part);
    for (UInt i = 0; i < PARTS; i++) {
        uint64_t *to = totals_of(sum, &part[i]), *from = totals_of(&slot->live, &part[i]);
        for (SizeT total = 0; total < part[i].bytes / sizeof *from; total++)
            to[total] += from[total];
        VG_(memset)(from, 0, part[i].bytes);
        VG_(memset)(totals_of(&slot->published, &part[i]), 0, part[i].bytes);
    }
    __atomic_store_n(&node->owner[number].pid, 0, __ATOMIC_RELEASE);
}

/* What an earlier image of this process (exec) or a killed process has left is folded first. */
static void take_slot(void) {
    struct node_owner *owner = engine.node->owner;
    Int me = VG_(getpid)();
    engine.slot = NULL;
    lock();
    for (UInt i = 0; i < NODE_SLOTS; i++)
        if (owner[i].pid != 0 && (owner[i].pid == me || !is_alive(owner[i].pid)))
            fold(i);
    for (UInt i = 0; i < NODE_SLOTS && !engine.slot; i++) {
        int32_t nobody = 0;
        if (__atomic_compare_exchange_n(&owner[i].pid, &nobody, me, False, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            engine.slot = &engine.node->slot[i];
            owner[i].beside = engine.beside;
        }
    }
    unlock();
    if (!engine.slot)
        node_fail("all slots are taken", NODE_FILE_NAME, "run fewer processes at once on the node");
}

static void map_node(const HChar *path) {
    const HChar *remedy = "start the program with `assay vnode -- COMMAND`";
    SysRes opened = VG_(open)(path, VKI_O_RDWR, 0);
    if (sr_isError(opened) && sr_Err(opened) == VKI_ENOENT)
        node_fail("cannot be opened: it is not there (any more)", path, remedy);
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
    engine.cores = sim_cores(config);
    for (engine.line_bits = 0; (1u << engine.line_bits) < config->line;)
        engine.line_bits++;
    void *memory = CORE_SHADOW_ALLOC(VG_PGROUNDUP(sim_bytes(config)));
    if (!memory)
        node_fail("no memory for the simulated caches", path, "choose a smaller node");
    take_slot();
    engine.sim = sim_init(memory, config, &engine.slot->live);
    sim_watch_code(engine.sim, &engine.fetched_run);
    sim_follow_stores(engine.sim, &engine.node->follows);
}

/* Where the counts of a process go that is not counted. */
static struct node_slot *apart(void) {
    static struct node_slot slot;
    return &slot;
}

static void use_slot(struct node_slot *slot) {
    engine.slot = slot;
    sim_set_counts(engine.sim, &slot->live);
    node_core_changed();
}

void node_close(void) {
    if (engine.slot == apart())
        return;
    lock();
    fold((UInt)(engine.slot - engine.node->slot));
    unlock();
}

void node_forked(void) {
    take_slot();
    use_slot(engine.slot);
}

void node_forked_apart(void) {
    use_slot(apart());
}

void node_publish(void) {
    struct node_slot *slot = engine.slot;
    struct part part[PARTS];
    find_parts(part);
    for (UInt i = 0; i < PARTS; i++)
        VG_(memcpy)(totals_of(&slot->published, &part[i]), totals_of(&slot->live, &part[i]), part[i].bytes);
}

/* Cycles go to the thread that has spent them. */
static void account(void) {
    static const uint64_t *total;
    static uint64_t before;
    static ThreadId spender;
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
    engine.fetched_line = ~(Addr)0;
    engine.fetched_run = 0;
    account();
}
