/* domains.c - memory policies, by raw system calls on a node with two domains: domains COMMAND.
 *
 * "promises" prints a line for each promise of Linux' manual that is broken. "policy" prints the thread's policy and
 * the domain of the first page of fresh memory. "given_back" prints the domain of a page that the program gives back in
 * part, and as a whole. The others place LINES lines with the policy or call of that name, and
 * read one word of each line from the core that the thread is on, in the marker region "read".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <likwid-marker.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "promise.h"

enum { PAGE = 4096, PAGES = 512, BYTES = PAGES * PAGE, LINE = 64 };
enum { DEFAULT, PREFERRED, BIND, INTERLEAVE, LOCAL, MODES }; /* Linux' policies */
enum { F_NODE = 1, F_ADDR = 2, F_ALLOWED = 4 };
enum { MF_STRICT = 1, MF_MOVE = 2 };

/* Memory at a never used address: the node's caches identify lines by address and may still hold lines of unmapped
 * memory. */
static char *fresh(void) {
    static uintptr_t unused = (uintptr_t)3 << 44;
    unused += BYTES;
    void *memory = mmap((void *)unused, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(2);
    return memory;
}

static void touch(char *memory) {
    for (int page = 0; page < PAGES; page++)
        memory[page * PAGE] = 1;
}

static int domain_of(const void *address) {
    int domain = -1;
    return syscall(SYS_get_mempolicy, &domain, NULL, 0, address, F_NODE | F_ADDR) == 0 ? domain : -1;
}

static int pages_in(const char *memory, int domain) {
    int count = 0;
    for (int page = 0; page < PAGES; page++)
        count += domain_of(memory + page * PAGE) == domain;
    return count;
}

static long set_policy(int mode, uint64_t domains) {
    return syscall(SYS_set_mempolicy, mode, &domains, 65);
}

static long bind_range(void *memory, size_t bytes, int mode, uint64_t domains, unsigned flags) {
    return syscall(SYS_mbind, memory, bytes, mode, &domains, 65, flags);
}

static void run_on(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static int far_core(void) {
    return (int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

/* ---- promises ---- */

static void thread_policy(void) {
    int mode = -1;
    uint64_t domains[2] = {7, 7};
    promise(syscall(SYS_get_mempolicy, &mode, domains, 128, NULL, 0) == 0 && mode == DEFAULT && !domains[0],
            "no policy at first");
    promise(syscall(SYS_get_mempolicy, &mode, domains, 65, NULL, F_ALLOWED) == 0 && domains[0] == 3,
            "two domains are allowed");
    promise(set_policy(INTERLEAVE, 3) == 0, "interleave");
    promise(syscall(SYS_get_mempolicy, &mode, domains, 65, NULL, 0) == 0 && mode == INTERLEAVE && domains[0] == 3,
            "the thread's policy is told");
    promise(set_policy(BIND, 6) == 0 && syscall(SYS_get_mempolicy, &mode, domains, 65, NULL, 0) == 0 && mode == BIND &&
                domains[0] == 2,
            "domains that are not there are ignored");
    promise(fails_with(set_policy(BIND, 4), EINVAL), "EINVAL: no domain that is there");
    promise(fails_with(set_policy(BIND, 0), EINVAL), "EINVAL: no domain");
    promise(fails_with(set_policy(DEFAULT, 1), EINVAL), "EINVAL: the default with a domain");
    promise(fails_with(set_policy(99, 1), EINVAL), "EINVAL: unknown policy");
    promise(fails_with(syscall(SYS_set_mempolicy, BIND, 8, 65), EFAULT), "EFAULT: the set is nowhere");
    promise(fails_with(syscall(SYS_get_mempolicy, &mode, domains, 1, NULL, 0), EINVAL), "EINVAL: no room for the set");
    promise(fails_with(syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 8), EINVAL), "EINVAL: unknown flag");
    promise(fails_with(syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, F_ADDR), EFAULT), "EFAULT: no such page");
    promise(set_policy(DEFAULT, 0) == 0, "the default again");
}

static void range_policy(void) {
    char *memory = fresh();
    int mode = -1;
    uint64_t domains = 0;
    promise(bind_range(memory, BYTES, BIND, 2, 0) == 0, "mbind");
    promise(bind_range(memory + PAGE, PAGE, PREFERRED, 1, 0) == 0, "a page of it otherwise");
    touch(memory);
    promise(domain_of(memory) == 1 && domain_of(memory + PAGE) == 0 && domain_of(memory + 2 * PAGE) == 1,
            "each page where its policy says");
    promise(syscall(SYS_get_mempolicy, &mode, &domains, 65, memory, F_ADDR) == 0 && mode == BIND && domains == 2,
            "the policy of an address");
    promise(fails_with(bind_range(memory, BYTES, BIND, 1, MF_STRICT), EIO), "EIO: pages lie elsewhere");
    promise(pages_in(memory, 0) == 1, "nothing has moved");
    promise(bind_range(memory, BYTES, BIND, 1, MF_STRICT | MF_MOVE) == 0 && pages_in(memory, 0) == PAGES, "all moved");
    promise(fails_with(bind_range(memory + 1, PAGE, BIND, 1, 0), EINVAL), "EINVAL: no start of a page");
    promise(fails_with(bind_range(memory, PAGE, BIND, 1, 64), EINVAL), "EINVAL: unknown flag of mbind");
    munmap(memory + PAGE, PAGE);
    promise(fails_with(bind_range(memory, BYTES, BIND, 1, 0), EFAULT), "EFAULT: a hole");
    munmap(memory, BYTES);
}

static void moved_pages(void) {
    char *memory = fresh();
    int status[3] = {7, 7, 7}, wanted[3] = {1, 1, 1};
    memory[0] = memory[2 * PAGE] = 1;
    void *pages[3] = {memory, memory + PAGE, memory + 2 * PAGE};
    promise(syscall(SYS_move_pages, 0, 3, pages, NULL, status, 0) == 0 && status[0] == 0 && status[1] == -ENOENT &&
                status[2] == 0,
            "where pages are, and that one is not there");
    promise(syscall(SYS_move_pages, 0, 3, pages, wanted, status, MF_MOVE) == 0 && status[0] == 1 &&
                domain_of(memory) == 1 && domain_of(memory + 2 * PAGE) == 1,
            "pages move");
    wanted[0] = 2;
    promise(fails_with(syscall(SYS_move_pages, 0, 1, pages, wanted, status, MF_MOVE), ENODEV), "ENODEV");
    promise(fails_with(syscall(SYS_move_pages, 1 << 30, 1, pages, NULL, status, 0), ESRCH), "ESRCH");
    uint64_t from = 2, to = 1;
    promise(syscall(SYS_migrate_pages, 0, 65, &from, &to) == 0 && domain_of(memory) == 0,
            "all of a domain's pages move");
    munmap(memory, BYTES);
}

static void *first_touch_there(void *memory) {
    run_on(far_core());
    touch(memory);
    return NULL;
}

static void first_touch(void) {
    pthread_t thread;
    char *memory = fresh();
    pthread_create(&thread, NULL, first_touch_there, memory);
    pthread_join(thread, NULL);
    promise(pages_in(memory, 1) == PAGES, "pages lie where they were touched first");
    madvise(memory, BYTES, MADV_DONTNEED);
    touch(memory);
    promise(pages_in(memory, 0) == PAGES, "a page that was given back is placed anew");
    bind_range(memory, BYTES, BIND, 2, 0);
    munmap(memory, BYTES);
    char *again = mmap(memory, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    touch(again);
    promise(pages_in(again, 0) == PAGES, "a policy ends with its memory");
    munmap(again, BYTES);
}

/* The domain of a page of 64 KiB on the other socket, after this core touched its first 4 KiB again, and then all. */
static void give_back(void) {
    pthread_t thread;
    char *memory = fresh();
    pthread_create(&thread, NULL, first_touch_there, memory);
    pthread_join(thread, NULL);
    madvise(memory, PAGE, MADV_DONTNEED);
    touch(memory);
    printf("a part %d", domain_of(memory));
    madvise(memory, BYTES, MADV_DONTNEED);
    touch(memory);
    printf(", all %d\n", domain_of(memory));
}

/* ---- placements ---- */

static int is_placed(const char *how, char *memory) {
    void *pages[PAGES];
    int wanted[PAGES], status[PAGES];
    if (strcmp(how, "mbind") == 0)
        return bind_range(memory, BYTES, BIND, 2, 0) == 0;
    if (strcmp(how, "mbind2") == 0) /* high-bandwidth memory of socket 0 on a node with two sockets */
        return bind_range(memory, BYTES, BIND, 4, 0) == 0;
    if (strcmp(how, "preferred") == 0)
        return set_policy(PREFERRED, 2) == 0;
    if (strcmp(how, "interleave") == 0)
        return set_policy(INTERLEAVE, 3) == 0;
    if (strcmp(how, "move") != 0)
        return strcmp(how, "inherited") == 0;
    touch(memory);
    for (int i = 0; i < PAGES; i++) {
        pages[i] = memory + i * PAGE;
        wanted[i] = 1;
    }
    return syscall(SYS_move_pages, 0, PAGES, pages, wanted, status, MF_MOVE) == 0;
}

static uint64_t read_lines(const char *memory) {
    uint64_t sum = 0;
    for (int i = 0; i < BYTES; i += LINE)
        sum += *(const volatile uint64_t *)(const void *)(memory + i);
    return sum;
}

int main(int argc, char **argv) {
    const char *command = argc == 2 ? argv[1] : "";
    LIKWID_MARKER_INIT;
    if (strcmp(command, "promises") == 0) {
        run_on(0);
        thread_policy();
        range_policy();
        moved_pages();
        first_touch();
        return broken;
    }
    if (strcmp(command, "given_back") == 0) {
        run_on(0);
        give_back();
        return 0;
    }
    char *memory = fresh();
    if (strcmp(command, "policy") == 0) {
        int mode = -1;
        uint64_t domains = 0;
        syscall(SYS_get_mempolicy, &mode, &domains, 65, NULL, 0);
        printf("policy %d of %#llx, pages %d + %d\n", mode, (unsigned long long)domains, pages_in(memory, 0),
               pages_in(memory, 1));
        return 0;
    }
    if (!is_placed(command, memory))
        return 2;
    LIKWID_MARKER_START("read");
    uint64_t sum = read_lines(memory);
    LIKWID_MARKER_STOP("read");
    printf("lines %d, remote %d\n", BYTES / LINE, pages_in(memory, 1) * (PAGE / LINE));
    LIKWID_MARKER_CLOSE;
    return sum > BYTES;
}
