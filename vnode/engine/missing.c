/* missing.c - Linux features that Valgrind lacks. Each is reported in at most one line instead of Valgrind's own
 * message.
 *
 * System calls without a wrapper return ENOSYS, as in an older kernel. Not reported: calls of Linux 5.1 and later
 * (clone3, openat2, ...), for which programs have a fallback, and unassigned numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"

enum { OLD_CALLS = 335 }; /* call numbers before Linux 5.1; newer ones start at 424 */

Bool missing_call(UWord number) {
    return number >= ~0u || CALL_ENTRY((UInt)number) == NULL;
}

Long missing_answer(UWord number) {
    static UChar told[OLD_CALLS];
    if (number < OLD_CALLS && !told[number]) {
        told[number] = True;
        VG_(printf)
        ("assay: %s: the node does not have Linux' system call %lu: it fails (ENOSYS)\n", VG_(args_the_exename),
         number);
    }
    return -VKI_ENOSYS;
}

/* Valgrind reads the arguments without checking their addresses. Only the kernel should. */
Long missing_bpf(ThreadId tid, const UWord *arguments) {
    (void)tid;
    SysRes result = VG_(do_syscall)(__NR_bpf, arguments[0], arguments[1], arguments[2], 0, 0, 0, 0, 0);
    return sr_isError(result) ? -(Long)sr_Err(result) : (Long)sr_Res(result);
}

/* Whether the arguments of an anonymous mmap() are valid, so that Linux could only fail for lack of memory. */
static Bool makes_sense(const UWord *arguments) {
    enum { MAP_HUGETLB = 0x40000 };
    UWord flags = arguments[3], type = flags & (VKI_MAP_SHARED | VKI_MAP_PRIVATE);
    return flags & VKI_MAP_ANONYMOUS && !(flags & MAP_HUGETLB) && (type == VKI_MAP_SHARED || type == VKI_MAP_PRIVATE) &&
           arguments[1] != 0 && arguments[0] % VKI_PAGE_SIZE == 0;
}

/* Programs have less address space than on Linux. When it is used up, Valgrind returns EINVAL, Linux ENOMEM. */
Long missing_room(const UWord *arguments, Long result) {
    static Bool told;
    if (result != -VKI_EINVAL || !makes_sense(arguments))
        return result;
    if (!told) {
        VG_(printf)
        ("assay: %s: no room for a mapping of %lu MiB: it fails (ENOMEM); programs have some 60 GiB of address space "
         "on "
         "the node\n",
         VG_(args_the_exename), (arguments[1] + (1UL << 20) - 1) >> 20);
    }
    told = True;
    return -VKI_ENOMEM;
}

void TOO_MANY_WRAPPER(const HChar *what) {
    (void)what;
    VG_(printf)
    ("assay: %s: ended: it has more mappings of memory than the engine can hold (30000); use fewer, larger ones\n",
     VG_(args_the_exename));
    VG_(exit)(1);
}
