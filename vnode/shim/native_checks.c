/* native_checks.c - likwid-perfctr's question whether a device exists, answered without its access daemon
 * (vnode/pmu/device_checks.h). Each message costs two switches of processes, most of what likwid-perfctr's start takes.
 *
 * LIKWID's library reads and writes messages by read() and write(), through its table of imported functions. When it
 * connects with a daemon, these two entries are changed, so that other code and simulated processes (which would count
 * the instructions) call the C library as before. An entry that was made read-only stays as it is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "native_checks.h"
#include "vnode/pmu/device_checks.h"

static struct device_checks checks; /* read() and write() have no argument that could carry it */
static __thread struct {
    int socket; /* of the answer that has not been read yet; 0: none */
    struct protocol_record answer;
} waiting;

static int is_check(const void *message, size_t bytes) {
    return bytes == sizeof(struct protocol_record) && ((const struct protocol_record *)message)->type == PROTOCOL_CHECK;
}

static ssize_t ask(int socket, const void *message, size_t bytes) {
    const struct protocol_record *known = is_check(message, bytes) ? device_checks_find(&checks, message) : NULL;
    if (!known || waiting.socket)
        return write(socket, message, bytes);
    waiting.socket = socket;
    memcpy(&waiting.answer, message, bytes);
    waiting.answer.error = known->error;
    return (ssize_t)bytes;
}

static ssize_t give(int socket, void *message, size_t bytes) {
    if (waiting.socket == socket && socket && bytes == sizeof waiting.answer) {
        waiting.socket = 0;
        memcpy(message, &waiting.answer, bytes);
        return (ssize_t)bytes;
    }
    ssize_t result = read(socket, message, bytes);
    if (result == (ssize_t)sizeof waiting.answer && is_check(message, bytes))
        device_checks_learn(&checks, message);
    return result;
}

/* The entry of the library's dynamic section; NULL: it has none. */
static const ElfW(Dyn) * entry(const struct link_map *library, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *i = library->l_ld; i->d_tag != DT_NULL; i++)
        if (i->d_tag == tag)
            return i;
    return NULL;
}

void native_checks_begin(void *caller) {
    Dl_info info;
    struct link_map *library;
    if (!dladdr1(caller, &info, (void **)&library, RTLD_DL_LINKMAP))
        return;
    const ElfW(Dyn) *imports = entry(library, DT_JMPREL), *bytes = entry(library, DT_PLTRELSZ),
                    *symbols = entry(library, DT_SYMTAB), *texts = entry(library, DT_STRTAB),
                    *flags = entry(library, DT_FLAGS);
    if (!imports || !bytes || !symbols || !texts || (flags && flags->d_un.d_val & DF_BIND_NOW))
        return;
    const ElfW(Rela) *import = (const ElfW(Rela) *)imports->d_un.d_ptr;
    for (size_t i = 0; i < bytes->d_un.d_val / sizeof *import; i++) {
        const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbols->d_un.d_ptr + ELF64_R_SYM(import[i].r_info);
        const char *name = (const char *)texts->d_un.d_ptr + symbol->st_name;
        ElfW(Addr) *address = (ElfW(Addr) *)(library->l_addr + import[i].r_offset);
        if (strcmp(name, "read") == 0)
            *address = (ElfW(Addr))give;
        else if (strcmp(name, "write") == 0)
            *address = (ElfW(Addr))ask;
    }
}
