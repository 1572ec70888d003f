/* redirect.c - see redirect.h. A library calls others through a table of addresses, which is changed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "redirect.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The value of an entry of the library's dynamic section. */
static uintptr_t dynamic(const struct link_map *library, ElfW(Sxword) tag) {
    const ElfW(Dyn) *entry = library->l_ld;
    while (entry->d_tag != DT_NULL && entry->d_tag != tag)
        entry++;
    return entry->d_tag == tag ? entry->d_un.d_ptr : 0;
}

static void *replacement(const struct redirected *calls, const char *name) {
    while (calls->name && strcmp(calls->name, name) != 0)
        calls++;
    return calls->function;
}

/* The table may be read-only. */
static void redirect_slot(void **slot, void *function) {
    uintptr_t page = (uintptr_t)slot & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    if (mprotect((void *)page, sizeof *slot, PROT_READ | PROT_WRITE) == 0) /* NOLINT: an address of a page */
        *slot = function;
}

static void redirect_table(const struct link_map *library, const struct redirected *calls, ElfW(Sxword) table,
                           ElfW(Sxword) table_bytes) {
    const ElfW(Rela) *entry = (const void *)dynamic(library, table);
    const ElfW(Sym) *symbol = (const void *)dynamic(library, DT_SYMTAB);
    const char *names = (const char *)dynamic(library, DT_STRTAB);
    for (size_t left = entry ? dynamic(library, table_bytes) / sizeof *entry : 0; left > 0; left--, entry++) {
        unsigned long type = ELF64_R_TYPE(entry->r_info);
        void *function = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT
                             ? replacement(calls, names + symbol[ELF64_R_SYM(entry->r_info)].st_name)
                             : NULL;
        if (function)
            redirect_slot((void **)(library->l_addr + entry->r_offset), function); /* NOLINT */
    }
}

/* Both tables of a library can refer to functions: that of calls, and the other with -fno-plt. */
void redirect(void *caller, const struct redirected *calls) {
    Dl_info info;
    struct link_map *library = NULL;
    if (!dladdr1(caller, &info, (void **)&library, RTLD_DL_LINKMAP) || !library)
        return;
    redirect_table(library, calls, DT_JMPREL, DT_PLTRELSZ);
    redirect_table(library, calls, DT_RELA, DT_RELASZ);
}
