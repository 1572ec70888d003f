/* texts.c - makes counts independent of arguments and environment.
 *
 * Linux puts them above the first frame of the stack: words (argc, argv, envp, the auxiliary vector) and above these
 * their texts. Their size would decide where the stack begins, and their lines would take the program's from the
 * caches. String functions branch differently depending on a text's offset in its page (strncmp() on the offsets
 * of both texts). So each text gets pages of its own above the stack. The engine's start has left padding in the
 * environment (vnode/padding.h); without it the words move up to a page that is the same for every program. No cache
 * holds any of this.
 *
 *     before:  SP words | arguments, environment, ASSAY_NODE_PADDING=.......... | more texts
 *     after:            SP words |                ASSAY_NODE_PADDING=           | more texts | a text | a text | ...
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"

#include "core_api.h"
#include "engine.h"
#include "vnode/padding.h"

enum { AT_NULL = 0 };

/* The initial stack of a program. */
struct start {
    UWord *words, *end; /* argc, argv, envp, the auxiliary vector */
    Addr fill;          /* the padding variable's value, 0: none */
    UWord count;        /* number of strings */
};

static struct start read_start(Addr stack) {
    static const HChar name[] = PADDING_VARIABLE "=";
    struct start start = {.words = (UWord *)stack};
    UWord *at = start.words + 1 + start.words[0] + 1;
    for (; *at; at++)
        if (VG_(strncmp)((const HChar *)*at, name, sizeof name - 1) == 0)
            start.fill = *at + sizeof name - 1;
    start.count = (UWord)(at - start.words) - 2;
    for (at++; *at != AT_NULL; at += 2)
        ;
    start.end = at + 2;
    return start;
}

static SizeT pages_of(const HChar *text) {
    return VG_PGROUNDUP(VG_(strlen)(text) + 1);
}

/* Empties the padding, moves the texts to pages from `at` on, in the order of their words, and updates the words.
 * Returns the end of the last one, or `at` if there is no room: then they stay where they are. */
static Addr move_texts(const struct start *start, Addr at) {
    SizeT bytes = 0;
    *(HChar *)start->fill = '\0';
    for (UWord *word = start->words + 1; word <= start->words + start->count + 1; word++)
        bytes += *word ? pages_of((const HChar *)*word) : 0;
    if (sr_isError(VG_(am_mmap_anon_fixed_client)(at, bytes, VKI_PROT_READ | VKI_PROT_WRITE)))
        return at;
    for (UWord *word = start->words + 1; word <= start->words + start->count + 1; word++) {
        const HChar *text = (const HChar *)*word;
        if (!text)
            continue;
        *word = at;
        VG_(strcpy)((HChar *)at, text);
        at += pages_of(text);
    }
    return at;
}

static void set_stack_pointer(ThreadId tid, Addr stack) {
    VG_(set_shadow_regs_area)(tid, 0, offsetof(VexGuestAMD64State, guest_RSP), sizeof stack, (const UChar *)&stack);
}

static void place(ThreadId tid) {
    const NSegment *segment = VG_(am_find_nsegment)(VG_(get_SP)(tid));
    struct start start = read_start(VG_(get_SP)(tid));
    if (!segment || !start.fill || VG_(strlen)((const HChar *)start.fill) < PADDING_STEP)
        return;
    Addr stack = VG_ROUNDUP((Addr)start.words, PADDING_STEP), end = move_texts(&start, segment->end + 1);
    VG_(memmove)((void *)stack, start.words, (Addr)start.end - (Addr)start.words);
    Word moved = (Word)(stack - (Addr)start.words) / (Word)sizeof(UWord);
    VG_(client_envp) += moved;
    if (VG_(client_auxv))
        VG_(client_auxv) += moved;
    set_stack_pointer(tid, stack);
    sim_leave_out(engine.sim, stack, end);
}

static void before_first_instruction(ThreadId tid) {
    static Bool done;
    if (!done)
        place(tid);
    done = True;
}

void texts_install(void) {
    VG_(track_pre_thread_first_insn)(before_first_instruction);
}
