/* filter.c - system call filters (seccomp): they would reject the engine's own calls, so none reaches the kernel. The
 * call returns success, and the user gets a message.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_clientstate.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "engine.h"

Bool filter_is_installed(UWord number, const UWord *arguments) {
    enum { SECCOMP = 317, SET_STRICT = 0, SET_FILTER = 1, PRCTL_SET_SECCOMP = 22 };
    if (number == SECCOMP)
        return arguments[0] == SET_STRICT || arguments[0] == SET_FILTER;
    return number == __NR_prctl && arguments[0] == PRCTL_SET_SECCOMP;
}

Long filter_refuse(ThreadId tid, const UWord *arguments) {
    (void)tid, (void)arguments;
    if (!engine.refused_filter) {
        VG_(printf)
        ("assay: %s: runs without its filter of system calls (seccomp): the engine would not pass it\n",
         VG_(args_the_exename));
        engine.refused_filter = True;
    }
    return 0;
}
