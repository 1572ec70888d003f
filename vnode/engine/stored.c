/* stored.c - translations that outlive the process: a file in the user's cache folder, which the node's folder has a
 * link to. Most of a short run's time is the translation of the linker and of LIKWID's library, always the same code
 * at the same addresses.
 *
 * A translation depends on the program's code, which is compared, on the engine, which the file names, and on the few
 * settings in name_file(). All engines start at the same fixed address, so stored code refers to the engine's functions
 * and variables as new code does. Code that changes, and code with calls for sampling, perf events or pipelines, is not
 * stored.
 *
 * The file is a head, a table of places by the code's address, and the translations. It only grows, in one piece at
 * the end of a process, under a lock; what a reader has mapped stays as it is. A full one, or one of another engine, is
 * replaced by a new file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"
#include "sampling.h"
#include "vnode/node_file.h"

enum { PLACES = 1 << 16, PLACES_USED = PLACES / 4 * 3, PENDING_FIRST = 1 << 20, PENDING_MAX = 16 << 20 };
enum { FILE_MAX = 64 << 20, ALIGNMENT = 16, OTHERS_WRITE = 022 };
enum { LOCK_EXCLUSIVE_AT_ONCE = 2 | 4, LIMIT_FILE_SIZE = 1 }; /* of Linux, which the headers lack */

/* Where a translation is in the file, in units of ALIGNMENT, 0: none; a check of its code. */
struct place_of_code {
    Addr address;
    UInt check, at;
};

struct store {
    ULong engine[5]; /* its file: device, inode, size, time of its last change */
    ULong used;      /* bytes of the file */
    ULong places;    /* that are taken */
    ULong unused;
    struct place_of_code place[PLACES];
};

/* Followed by the program's code and the translation. */
struct stored {
    Addr address;
    ULong sum;  /* of what follows: sum_of() */
    UInt bytes; /* of the whole entry, a multiple of ALIGNMENT */
    UInt translated;
    Int offs_profInc;
    UInt instructions;
    UShort code, jumps, branches, unused;
};

struct stored_state {
    Bool opened;
    Bool apart; /* a forked process: stores nothing */
    HChar *path;
    ULong engine[5];
    const struct store *store; /* NULL: none */
    SizeT size;                /* of its mapping */
    UChar *pending;            /* translations of this process */
    SizeT used, room;
};

static struct stored_state *state(void) {
    static struct stored_state only;
    return &only;
}

static ULong mix(ULong hash, const void *bytes, SizeT count) {
    enum { SHIFT = 29 };
    const ULong factor = 0x9e3779b97f4a7c15;
    const UChar *at = bytes;
    for (; count >= sizeof hash; at += sizeof hash, count -= sizeof hash) {
        hash = (hash ^ *(const ULong *)at) * factor;
        hash ^= hash >> SHIFT;
    }
    for (; count > 0; at++, count--)
        hash = (hash ^ *at) * factor;
    return hash ^ hash >> SHIFT;
}

static const UChar *code_of(const struct stored *one) {
    return (const UChar *)(one + 1);
}

static UInt check_of(const struct stored *one) {
    return (UInt)mix(one->code, code_of(one), one->code);
}

/* A file that was not written to its end, or was damaged, has other sums. */
static ULong sum_of(const struct stored *one) {
    return mix(one->translated, code_of(one), one->code + one->translated);
}

static SizeT first_place(Addr address) {
    return mix(0, &address, sizeof address) % PLACES;
}

/* Everything besides the program's code and the engine that a translation depends on is in the file's name. */
static void name_file(struct stored_state *s, const VexTranslateArgs *arguments) {
    const struct sim_config *config = &engine.node->config;
    const UInt settings[] = {config->line, config->prefetchers & SIM_L1_STRIDE, engine.slowness > 1,
                             arguments->archinfo_guest.hwcaps, arguments->archinfo_host.hwcaps};
    ULong hash = mix(mix(0, settings, sizeof settings), &VG_(clo_vex_control), sizeof VG_(clo_vex_control));
    s->path = VG_(malloc)("assay.stored", VG_(strlen)(engine.folder) + sizeof STORED_LINK_NAME + 64);
    VG_(sprintf)(s->path, "%s/" STORED_LINK_NAME "/translations.%016llx", engine.folder, hash);
}

static Bool is_own_file(Int fd, struct vg_stat *file) {
    return VG_(fstat)(fd, file) == 0 && VKI_S_ISREG(file->mode) && file->uid == (UInt)VG_(geteuid)() &&
           (file->mode & OTHERS_WRITE) == 0 && file->size >= (Long)sizeof(struct store);
}

static Bool is_of_engine(const struct store *store) {
    return VG_(memcmp)(store->engine, state()->engine, sizeof store->engine) == 0;
}

/* Maps what the file has now. */
static void open_store(struct stored_state *s, const VexTranslateArgs *arguments) {
    struct vg_stat file;
    s->opened = True;
    if (sr_isError(VG_(stat)("/proc/self/exe", &file)))
        return;
    const ULong itself[] = {file.dev, file.ino, (ULong)file.size, file.mtime, file.mtime_nsec};
    VG_(memcpy)(s->engine, itself, sizeof itself);
    name_file(s, arguments);
    SysRes opened = VG_(open)(s->path, VKI_O_RDONLY, 0);
    if (sr_isError(opened))
        return;
    Int fd = VG_(safe_fd)((Int)sr_Res(opened));
    if (is_own_file(fd, &file)) {
        s->size = (SizeT)file.size;
        s->store = core_result(VG_(am_shared_mmap_file_float_valgrind)(VG_PGROUNDUP(s->size), VKI_PROT_READ, fd, 0));
        if (s->store && !is_of_engine(s->store))
            s->store = NULL;
    }
    VG_(close)(fd);
}

/* The entry at a place, NULL: it is not (yet) one. */
static const struct stored *entry_at(const struct stored_state *s, const struct place_of_code *place) {
    SizeT at = (SizeT)place->at * ALIGNMENT;
    const struct stored *one = (const struct stored *)((const HChar *)s->store + at);
    if (at < sizeof *s->store || at + sizeof *one > s->size || one->bytes > s->size - at || one->code == 0 ||
        sizeof *one + one->code + one->translated > one->bytes)
        return NULL;
    return one;
}

/* Whether the program's code is that of the translation, and needs no comparison each time it runs. */
static Bool is_same_code(const VexTranslateArgs *arguments, const struct stored *one) {
    VexRegisterUpdates updates = VG_(clo_vex_control).iropt_register_updates_default;
    const VexGuestExtents code = {.base = {one->address}, .len = {one->code}, .n_used = 1};
    if (VG_PGROUNDDN(one->address) != VG_PGROUNDDN(one->address + one->code - 1) &&
        !VG_(am_is_valid_for_client)(one->address, one->code, VKI_PROT_READ))
        return False;
    return VG_(memcmp)(arguments->guest_bytes, code_of(one), one->code) == 0 &&
           arguments->needs_self_check(arguments->callback_opaque, &updates, &code) == 0;
}

static Bool is_plain(const VexTranslateArgs *arguments) {
    return !arguments->preamble_function && !arguments->traceflags && !arguments->addProfInc &&
           !engine.perf_instruments && !sampling_is_on() && !engine.node->config.has_pipeline;
}

Bool stored_find(const VexTranslateArgs *arguments, VexTranslateResult *result) {
    struct stored_state *s = state();
    if (!s->opened)
        open_store(s, arguments);
    if (!s->store || !is_plain(arguments))
        return False;
    Addr address = arguments->guest_bytes_addr;
    const struct place_of_code *place = s->store->place;
    SizeT i = first_place(address);
    for (UInt seen = 0; seen < PLACES && place[i].at; seen++, i = (i + 1) % PLACES) {
        const struct stored *one = place[i].address == address ? entry_at(s, &place[i]) : NULL;
        if (!one || one->address != address || (Int)one->translated > arguments->host_bytes_size ||
            !is_same_code(arguments, one) || one->sum != sum_of(one))
            continue;
        VG_(memcpy)(arguments->host_bytes, code_of(one) + one->code, one->translated);
        *arguments->host_bytes_used = (Int)one->translated;
        *arguments->guest_extents = (VexGuestExtents){.base = {address}, .len = {one->code}, .n_used = 1};
        *result = (VexTranslateResult){.status = VexTransOK,
                                       .offs_profInc = one->offs_profInc,
                                       .n_guest_instrs = one->instructions,
                                       .n_uncond_in_trace = one->jumps,
                                       .n_cond_in_trace = one->branches};
        return True;
    }
    return False;
}

/* Room for an entry among the pending ones; NULL: none. */
static struct stored *add_pending(struct stored_state *s, SizeT bytes) {
    if (s->used + bytes > s->room) {
        SizeT room = s->room ? 2 * s->room : PENDING_FIRST;
        if (room > PENDING_MAX)
            return NULL;
        s->pending = VG_(realloc)("assay.stored", s->pending, room);
        s->room = room;
    }
    struct stored *one = (struct stored *)(s->pending + s->used);
    s->used += bytes;
    return one;
}

void stored_keep(const VexTranslateArgs *arguments, const VexTranslateResult *result) {
    struct stored_state *s = state();
    const VexGuestExtents *code = arguments->guest_extents;
    if (!s->path || s->apart || !is_plain(arguments) || result->status != VexTransOK || result->n_sc_extents ||
        code->n_used != 1 || code->base[0] != arguments->guest_bytes_addr || code->len[0] == 0)
        return;
    SizeT translated = (SizeT)*arguments->host_bytes_used;
    SizeT bytes = VG_ROUNDUP(sizeof(struct stored) + code->len[0] + translated, ALIGNMENT);
    struct stored *one = add_pending(s, bytes);
    if (!one)
        return;
    *one = (struct stored){.address = code->base[0],
                           .bytes = (UInt)bytes,
                           .translated = (UInt)translated,
                           .offs_profInc = result->offs_profInc,
                           .instructions = result->n_guest_instrs,
                           .code = code->len[0],
                           .jumps = result->n_uncond_in_trace,
                           .branches = result->n_cond_in_trace};
    UChar *to = (UChar *)(one + 1);
    VG_(memcpy)(to, arguments->guest_bytes, one->code);
    VG_(memcpy)(to + one->code, arguments->host_bytes, translated);
    one->sum = sum_of(one);
}

void stored_forked(void) {
    struct stored_state *s = state();
    s->apart = True;
    s->used = 0;
}

/* ---- writing ---- */

/* Takes a place for the entry, which will be at `at`. False: the file has it already, or no place is left. */
static Bool take_place(struct store *store, const struct stored *one, ULong at) {
    UInt check = check_of(one);
    SizeT i = first_place(one->address);
    if (store->places >= PLACES_USED)
        return False;
    for (UInt seen = 0; store->place[i].at; seen++, i = (i + 1) % PLACES)
        if (seen == PLACES || (store->place[i].address == one->address && store->place[i].check == check))
            return False;
    store->places++;
    store->place[i] = (struct place_of_code){one->address, check, (UInt)(at / ALIGNMENT)};
    return True;
}

/* Moves the entries that the file lacks to the beginning of the pending ones. Returns their bytes. */
static SizeT sort_out(struct stored_state *s, struct store *store) {
    SizeT kept = 0;
    for (SizeT at = 0, bytes; at < s->used; at += bytes) {
        const struct stored *one = (const struct stored *)(s->pending + at);
        bytes = one->bytes;
        if (!take_place(store, one, store->used + kept))
            continue;
        VG_(memmove)(s->pending + kept, one, bytes);
        kept += bytes;
    }
    return kept;
}

static Bool write_at(Int fd, const void *from, SizeT bytes, ULong at) {
    SysRes written = VG_(do_syscall)(__NR_pwrite64, (UWord)fd, (UWord)from, bytes, at, 0, 0, 0, 0);
    return !sr_isError(written) && sr_Res(written) == bytes;
}

static Bool read_store(Int fd, struct store *store) {
    SysRes got = VG_(do_syscall)(__NR_pread64, (UWord)fd, (UWord)store, sizeof *store, 0, 0, 0, 0, 0);
    return !sr_isError(got) && sr_Res(got) == sizeof *store && is_of_engine(store);
}

/* Opens the file and locks it; `store`: its head and table. -1: there is none that can be added to. */
static Int open_locked(const struct stored_state *s, struct store *store) {
    struct vg_stat file;
    SysRes opened = VG_(open)(s->path, VKI_O_RDWR | VKI_O_CREAT, 0600);
    if (sr_isError(opened))
        return -1;
    Int fd = (Int)sr_Res(opened);
    if (!sr_isError(VG_(do_syscall)(__NR_flock, (UWord)fd, LOCK_EXCLUSIVE_AT_ONCE, 0, 0, 0, 0, 0, 0)) &&
        VG_(fstat)(fd, &file) == 0) {
        if (file.size == 0) {
            VG_(memset)(store, 0, sizeof *store);
            VG_(memcpy)(store->engine, s->engine, sizeof store->engine);
            store->used = sizeof *store;
            return fd;
        }
        if (is_own_file(fd, &file) && read_store(fd, store) && store->used + s->used <= FILE_MAX &&
            store->places < PLACES_USED)
            return fd;
        VG_(unlink)(s->path); /* the next process begins a new one */
    }
    VG_(close)(fd);
    return -1;
}

/* A program's limit on files would end it with a signal. */
static Bool may_write(void) {
    struct vki_rlimit limit;
    return VG_(getrlimit)(LIMIT_FILE_SIZE, &limit) == 0 && limit.rlim_cur > FILE_MAX;
}

void stored_write(void) {
    struct stored_state *s = state();
    if (s->used == 0 || !may_write())
        return;
    struct store *store = VG_(malloc)("assay.stored", sizeof *store);
    Int fd = open_locked(s, store);
    if (fd >= 0) {
        SizeT bytes = sort_out(s, store);
        ULong at = store->used;
        store->used += bytes;
        if (bytes > 0 && write_at(fd, s->pending, bytes, at))
            write_at(fd, store, sizeof *store, 0);
        VG_(close)(fd);
    }
    VG_(free)(store);
}
