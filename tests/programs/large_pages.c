/* large_pages.c - memory in large or small pages, depending on the program's advice: large_pages COMMAND.
 *
 * "promises" prints a line for each promise of Linux' manual that is broken. The others make LARGE_PAGES large pages'
 * worth of memory by their means and read one word of each small page, in the marker region "read".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <likwid-marker.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "promise.h"

enum { PAGE = 4096, LARGE = 2 << 20, LARGE_PAGES = 8, BYTES = LARGE_PAGES * LARGE };
enum { DEFAULT, BIND = 2, INTERLEAVE = 3 }; /* Linux' policies */
enum { F_NODE = 1, F_ADDR = 2 };

/* Memory aligned to large pages, with an untouched large page on either side. */
static char *fresh(int flags, int file) {
    static uintptr_t unused = (uintptr_t)5 << 43;
    unused += BYTES + 2 * (uintptr_t)LARGE;
    void *memory = mmap((void *)unused, BYTES, PROT_READ | PROT_WRITE, flags, file, 0);
    if (memory != (void *)unused)
        exit(2);
    return memory;
}

static char *anonymous(void) {
    return fresh(MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static char *advised(void) {
    char *memory = anonymous();
    madvise(memory, BYTES, MADV_HUGEPAGE);
    return memory;
}

static char *in_file(void) {
    int file = memfd_create("pages", 0);
    if (file < 0 || ftruncate(file, BYTES) != 0)
        exit(2);
    char *memory = fresh(MAP_SHARED, file);
    madvise(memory, BYTES, MADV_HUGEPAGE);
    return memory;
}

static char *make(const char *command) {
    if (strcmp(command, "small") == 0)
        return anonymous();
    if (strcmp(command, "file") == 0)
        return in_file();
    char *memory = strcmp(command, "unaligned") == 0 ? anonymous() : advised();
    if (strcmp(command, "unaligned") == 0)
        madvise(memory + PAGE, BYTES - PAGE, MADV_HUGEPAGE);
    else if (strcmp(command, "withdrawn") == 0)
        madvise(memory + LARGE + PAGE, 2 * (size_t)LARGE - PAGE, MADV_NOHUGEPAGE);
    else if (strcmp(command, "hole") == 0)
        mmap(memory + LARGE + PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    else if (strcmp(command, "moved") == 0)
        memory = mremap(memory, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, memory + ((uintptr_t)1 << 42));
    else if (strcmp(command, "advised") != 0)
        exit(2);
    return memory;
}

static uint64_t read_pages(const char *memory) {
    uint64_t sum = 0;
    for (size_t page = 0; page < BYTES / PAGE; page++)
        sum += *(const volatile uint64_t *)(memory + page * PAGE);
    return sum;
}

/* ---- promises ---- */

static int domain_of(const void *address) {
    int domain = -1;
    return syscall(SYS_get_mempolicy, &domain, NULL, 0, address, F_NODE | F_ADDR) == 0 ? domain : -1;
}

static void set_policy(int mode, uint64_t domains) {
    syscall(SYS_set_mempolicy, mode, &domains, 65);
}

static void advice(void) {
    char *memory = anonymous();
    promise(madvise(memory, BYTES, MADV_HUGEPAGE) == 0, "MADV_HUGEPAGE is taken");
    promise(madvise(memory, BYTES, MADV_NOHUGEPAGE) == 0, "MADV_NOHUGEPAGE is taken");
    promise(madvise(memory, 0, MADV_HUGEPAGE) == 0, "of nothing, too");
    promise(fails_with(madvise(memory + 1, PAGE, MADV_HUGEPAGE), EINVAL), "EINVAL: where no page begins");
    promise(fails_with(madvise(memory, -1, MADV_HUGEPAGE), EINVAL), "EINVAL: a length below 0");
    promise(fails_with(madvise(memory, BYTES + LARGE, MADV_HUGEPAGE), ENOMEM), "ENOMEM: not all is mapped");
    memory[LARGE] = 1;
    promise(madvise(memory, BYTES, MADV_DONTNEED) == 0 && memory[LARGE] == 0, "other advice is the kernel's");
}

/* On a node with two NUMA domains: a whole large page is in the domain of its first user. */
static void placement(void) {
    char *large = advised(), *small = anonymous();
    set_policy(BIND, 2);
    large[LARGE + PAGE] = small[LARGE + PAGE] = 1;
    set_policy(BIND, 1);
    promise(domain_of(large + LARGE) == 1 && domain_of(large + 2 * LARGE - 1) == 1, "a large page lies in one domain");
    promise(domain_of(large + 2 * LARGE) == 0, "the next one elsewhere");
    promise(domain_of(small + LARGE) == 0 && domain_of(small + LARGE + PAGE) == 1,
            "each small page has its own domain");
    set_policy(INTERLEAVE, 3);
    large = advised();
    int domains[LARGE_PAGES];
    for (int page = 0; page < LARGE_PAGES; page++) {
        large[page * LARGE] = 1;
        domains[page] = domain_of(large + page * LARGE + LARGE / 2);
    }
    for (int page = 1; page < LARGE_PAGES; page++)
        promise(domains[page] == 1 - domains[page - 1], "large pages are interleaved, one after the other");
    set_policy(DEFAULT, 0);
}

int main(int argc, char **argv) {
    const char *command = argc == 2 ? argv[1] : "";
    LIKWID_MARKER_INIT;
    if (strcmp(command, "promises") == 0) {
        advice();
        placement();
        return broken;
    }
    const char *memory = make(command);
    LIKWID_MARKER_START("read");
    uint64_t sum = read_pages(memory);
    LIKWID_MARKER_STOP("read");
    LIKWID_MARKER_CLOSE;
    return sum != 0;
}
