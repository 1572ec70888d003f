/* texts.c - makes counts independent of arguments and environment.
 *
 * Linux puts their strings above the first stack frame, above the words (argc, argv, envp, the auxiliary vector).
 * Their size would determine where the stack begins, and their lines would evict the program's from the caches. The
 * engine's start has padded the environment (vnode/padding.h). Here the strings move to the end of the padding and
 * the words to the start of a page, the same for every program; none of this memory is cached.
 *
 *     before:  SP words | arguments, environment, ASSAY_NODE_PADDING=.......... | more texts
 *     after:            SP words |     | arguments, environment, ASSAY_NODE_PADDING= | more texts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex_guest_amd64.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"

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

/* Moves the strings to the end of the padding, the last one first, and adjusts the words. Valgrind has laid out both
 * in the same order. String functions depend on a string's offset in its page: it is the same for all strings if
 * there is space. */
static void move_texts(const struct start *start) {
    SizeT length = VG_(strlen)((const HChar *)start->fill);
    Addr alignment = length >= padding_aligned(start->count) ? PADDING_ALIGNMENT : 1, end = start->fill + length;
    *(HChar *)start->fill = '\0';
    for (UWord *word = start->words + start->count + 1; word > start->words; word--) {
        if (*word == 0 || *word >= start->fill)
            continue;
        SizeT bytes = VG_(strlen)((const HChar *)*word) + 1;
        end = VG_ROUNDDN(end - bytes, alignment);
        VG_(memmove)((void *)end, (const void *)*word, bytes);
        *word = end;
    }
}

static void set_stack_pointer(ThreadId tid, Addr stack) {
    VG_(set_shadow_regs_area)(tid, 0, offsetof(VexGuestAMD64State, guest_RSP), sizeof stack, (const UChar *)&stack);
}

static void place(ThreadId tid) {
    const NSegment *segment = VG_(am_find_nsegment)(VG_(get_SP)(tid));
    struct start start = read_start(VG_(get_SP)(tid));
    if (!segment || !start.fill || VG_(strlen)((const HChar *)start.fill) < PADDING_STEP)
        return;
    Addr stack = VG_ROUNDUP((Addr)start.words, PADDING_STEP), end = segment->end + 1;
    move_texts(&start);
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
