/* undecoded.c - instructions that the engine lacks. The program gets SIGILL, as on a processor without them, and the
 * user one line instead of Valgrind's report.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsignal.h"
#include "pub_tool_vki.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "vnode/command.h"
#include "vnode/node_path.h"

enum { INSTRUCTION_MAX = 15 };

/* ud0, ud1, ud2 (__builtin_trap): invalid on every processor. */
static Bool is_meant(const UChar *code) {
    return code[0] == 0x0f && (code[1] == 0xff || code[1] == 0xb9 || code[1] == 0x0b);
}

/* The address, and its offset in its file, if any. */
static void name_place(Addr address, HChar *out, Int size) {
    ULong offset;
    const HChar *file = code_file(address, &offset);
    VG_(snprintf)(out, size, "0x%lx", address);
    if (file)
        VG_(snprintf)(out, size, "0x%lx (%s+0x%llx)", address, file, offset);
}

static void tell(Addr address) {
    HChar place[NODE_PATH_MAX + 64], bytes[2 * INSTRUCTION_MAX + 1] = "", path[NODE_PATH_MAX];
    const HChar *tools = VG_(getenv)(NODE_TOOLS_VARIABLE);
    for (Addr i = 0; i < INSTRUCTION_MAX && answer_readable(address + i, 1); i++)
        VG_(sprintf)(bytes + 2 * i, "%02x", ((const UChar *)address)[i]);
    name_place(address, place, sizeof place);
    VG_(snprintf)(path, sizeof path, "%s/bin/assay-instruction", tools ? tools : "");
    const HChar *arguments[] = {path, VG_(args_the_exename), place, bytes, NULL};
    Int status = 0, child = VG_(spawn)(path, arguments);
    if (child < 0 || VG_(waitpid)(child, &status, 0) != child || status != 0) {
        VG_(printf)
        ("assay: %s: illegal instruction at %s: the node does not have it (bytes %s)\n", VG_(args_the_exename), place,
         bytes);
    }
}

/* Whether SIGILL has its default action. Valgrind would then report it. */
static Bool ends_program(void) {
    vki_sigaction_fromK_t action;
    return !sr_isError(VG_(do_sys_sigaction)(VKI_SIGILL, NULL, &action)) && action.ksa_handler == VKI_SIG_DFL;
}

void ILLEGAL_WRAPPER(ThreadId tid, Addr address) {
    static Bool told;
    if (!answer_readable(address, 2) || !is_meant((const UChar *)address)) {
        if (!told)
            tell(address);
        told = True;
        if (ends_program())
            VG_(log_output_sink).fd = -1;
    }
    ILLEGAL_WRAPPED(tid, address);
}
