/* pages.c - memory in large pages. SPDX-License-Identifier: GPL-3.0-or-later */
#include "patterns/program/pages.h"

#include <linux/mempolicy.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t whole_pages(size_t bytes) {
    return (bytes + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
}

static void unmap(char *memory, size_t bytes) {
    if (bytes > 0)
        munmap(memory, bytes);
}

void pages_forget_policy(void) {
    syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL);
}

void *pages_map(size_t bytes) {
    size_t whole = whole_pages(bytes);
    char *mapped = mmap(NULL, whole + LARGE_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    size_t before = whole_pages((uintptr_t)mapped) - (uintptr_t)mapped;
    unmap(mapped, before);
    unmap(mapped + before + whole, LARGE_PAGE_BYTES - before);
    /* Before the first touch, because the system decides then. Fails harmlessly on kernels without large pages. */
    madvise(mapped + before, whole, MADV_HUGEPAGE);
    return mapped + before;
}

void pages_unmap(void *memory, size_t bytes) {
    munmap(memory, whole_pages(bytes));
}
