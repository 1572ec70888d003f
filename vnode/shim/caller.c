/* caller.c - whether a function of this library was called by one of LIKWID's libraries.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "shim.h"

/* The file that is mapped at an address, NULL: none. glibc's _dl_find_object(), if available, takes no lock and few
 * instructions (which a simulated process counts); dladdr() also searches the library's symbols. */
static const char *file_at(void *address) {
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 35)
    struct dl_find_object found;
    return _dl_find_object(address, &found) == 0 ? found.dlfo_link_map->l_name : NULL;
#else
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fname : NULL;
#endif
}

const char *likwid_library_at(void *address) {
    static const char start[] = "liblikwid";
    const char *file = file_at(address), *slash = file ? strrchr(file, '/') : NULL;
    return file && strncmp(slash ? slash + 1 : file, start, sizeof start - 1) == 0 ? file : NULL;
}
