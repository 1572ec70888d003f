/* pages.c - large pages of the program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pages.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "engine.h"

enum { ADVICE_HUGEPAGE = 14, ADVICE_NOHUGEPAGE = 15 }; /* Linux' numbers */

static VgHashTable *large; /* of VgHashNode, keys are large page numbers */

static SizeT large_bytes(void) {
    return engine.node->config.large_page;
}

static int is_large(void *context, uint64_t large_page) {
    (void)context;
    return VG_(HT_lookup)(large, large_page) != NULL;
}

/* Lets the simulator ask only while there are large pages. */
static void tell(void) {
    sim_know_large_pages(engine.sim, VG_(HT_count_nodes)(large) ? is_large : NULL, NULL);
    sim_forget_translations(engine.sim);
}

void pages_start(void) {
    large = VG_(HT_construct)("large pages");
}

Bool pages_is_large(Addr address) {
    return VG_(HT_count_nodes)(large) != 0 && is_large(NULL, address / large_bytes());
}

Addr pages_large_start(Addr address) {
    return address / large_bytes() * large_bytes();
}

void pages_forget(Addr start, SizeT bytes) {
    UInt before = VG_(HT_count_nodes)(large);
    if (before == 0 || bytes == 0)
        return;
    for (UWord page = start / large_bytes(); page <= (start + bytes - 1) / large_bytes(); page++) {
        if (is_large(NULL, page))
            sim_leave_frames(engine.sim, page * large_bytes(), large_bytes());
        VG_(free)(VG_(HT_remove)(large, page));
    }
    if (VG_(HT_count_nodes)(large) != before)
        tell();
}

/* Whether the whole page is in one anonymous mapping. */
static Bool is_anonymous(Addr page) {
    const NSegment *segment = VG_(am_find_nsegment)(page);
    return segment && segment->kind == SkAnonC && segment->end - page >= large_bytes() - 1;
}

static void make_large(Addr start, Addr end) {
    for (Addr page = (start + large_bytes() - 1) / large_bytes(); (page + 1) * large_bytes() <= end; page++) {
        if (VG_(HT_lookup)(large, page) || !is_anonymous(page * large_bytes()))
            continue;
        sim_leave_frames(engine.sim, page * large_bytes(), large_bytes());
        VgHashNode *node = VG_(malloc)("large page", sizeof *node);
        node->key = page;
        VG_(HT_add_node)(large, node);
    }
    tell();
}

Bool pages_are_advised(UWord number, const UWord *arguments) {
    return number == __NR_madvise && (arguments[2] == ADVICE_HUGEPAGE || arguments[2] == ADVICE_NOHUGEPAGE) &&
           large_bytes() != 0;
}

Long pages_advise(ThreadId tid, const UWord *arguments) {
    Addr start = arguments[0], page = engine.node->config.page;
    SizeT bytes = VG_ROUNDUP(arguments[1], page);
    (void)tid;
    if (start % page || bytes < arguments[1] || start + bytes < start)
        return -VKI_EINVAL;
    if (bytes == 0)
        return 0;
    if (!VG_(am_is_valid_for_client)(start, bytes, VKI_PROT_NONE))
        return -VKI_ENOMEM;
    if (arguments[2] == ADVICE_HUGEPAGE)
        make_large(start, start + bytes);
    else
        pages_forget(start, bytes);
    return 0;
}
