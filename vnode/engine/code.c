/* code.c - which code is compared with memory each time before it runs, because it may change.
 *
 * Valgrind compares code that is not in a file. File code can change too: through a writable mapping, a second
 * mapping of the file, or write(), as just-in-time compilers do with a memfd. So code is also compared if its mapping
 * is writable, or if its file was mapped from a descriptor open for writing. Libraries and programs are not, and cost
 * nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "libvex.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "core_api.h"
#include "engine.h"

/* Of VgHashNode; keys are inode numbers. A file with the same number on another device is compared needlessly. */
static VgHashTable *written;

typedef UInt check_function(void *closure, VexRegisterUpdates *updates, const VexGuestExtents *code);
static check_function *valgrinds_check;

static Bool can_change(const NSegment *segment) {
    return segment && segment->kind == SkFileC && (segment->hasW || (written && VG_(HT_lookup)(written, segment->ino)));
}

/* Bits of the extents to compare. */
static UInt needs_check(void *closure, VexRegisterUpdates *updates, const VexGuestExtents *code) {
    UInt set = valgrinds_check(closure, updates, code);
    for (UInt i = 0; i < code->n_used; i++)
        set |= (UInt)can_change(VG_(am_find_nsegment)(code->base[i])) << i;
    return set;
}

VexTranslateResult TRANSLATE_WRAPPER(VexTranslateArgs *arguments) {
    VexTranslateResult result;
    valgrinds_check = arguments->needs_self_check;
    arguments->needs_self_check = needs_check;
    if (stored_find(arguments, &result))
        return result;
    engine.not_stored = False;
    result = TRANSLATE_WRAPPED(arguments);
    if (!engine.not_stored)
        stored_keep(arguments, &result);
    return result;
}

/* Discards translations of the file made without a check. */
static void discard(UWord inode) {
    Addr first;
    Int count = VG_(am_get_segment_starts)(SkFileC, &first, 1); /* negative if there is more than one */
    Addr starts[count < 0 ? -count : 1];
    count = VG_(am_get_segment_starts)(SkFileC, starts, sizeof starts / sizeof *starts);
    for (Int i = 0; i < count; i++) {
        const NSegment *segment = VG_(am_find_nsegment)(starts[i]);
        if (segment->hasT && segment->ino == inode)
            VG_(discard_translations)(segment->start, segment->end - segment->start + 1, "assay.code");
    }
}

static void note_written(UWord inode) {
    if (!written)
        written = VG_(HT_construct)("written files");
    if (VG_(HT_lookup)(written, inode))
        return;
    VgHashNode *node = VG_(malloc)("written file", sizeof *node);
    node->key = inode;
    VG_(HT_add_node)(written, node);
    discard(inode);
}

const HChar *code_file(Addr address, ULong *offset) {
    const NSegment *segment = VG_(am_find_nsegment)(address);
    const HChar *file = segment && segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
    *offset = file ? address - segment->start + (ULong)segment->offset : 0;
    return file;
}

void code_mapped(const UWord *arguments) {
    Int fd = (Int)arguments[4];
    struct vg_stat file;
    if (arguments[3] & VKI_MAP_ANONYMOUS)
        return;
    SysRes flags = VG_(do_syscall)(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0, 0, 0, 0);
    if (!sr_isError(flags) && (sr_Res(flags) & VKI_O_ACCMODE) != VKI_O_RDONLY && VG_(fstat)(fd, &file) == 0)
        note_written(file.ino);
}
