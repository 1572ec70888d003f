/* page_placement.c - two threads chase along lists of their own. Their pages were first touched by their users, by one
 * thread, or by both in turn; or they lie in high-bandwidth memory, of the socket that uses them.
 *
 * A page lies in the memory of the socket whose thread touches it first. After that the user of a list links its
 * nodes, whoever touched the pages, and follows the list once, so that the caches are in the state in which each round
 * leaves them. Pages stay where they were touched: they are bound to that memory, or NUMA balancing would move them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "patterns/program/ring.h"

enum { BY_USERS, BY_ONE, IN_TURN, IN_HBM };
enum { PAGES, TIMES }; /* parameters */
enum { THREADS = 2 };

static const char *const codes[] = {"by_users", "by_one", "in_turn", "in_hbm", NULL};

struct lists {
    pthread_barrier_t barrier;
    struct ring_node *nodes[THREADS];              /* of each user */
    const struct ring_node *volatile end[THREADS]; /* of its last chase, so that it has a result */
};

static void release_lists(const struct program_point *point, struct lists *lists) {
    for (size_t user = 0; user < THREADS; user++)
        program_free(lists->nodes[user], point->parameter[PAGES] * RING_PAGE_BYTES);
    pthread_barrier_destroy(&lists->barrier);
    free(lists);
}

/* Whether the system moves pages to the socket of the threads that use them. */
static int is_balancing(void) {
    FILE *file = fopen("/proc/sys/kernel/numa_balancing", "re");
    int mode = 0, count = file != NULL ? fscanf(file, "%d", &mode) : 0;
    if (file != NULL)
        fclose(file);
    return count == 1 && mode != 0;
}

/* The NUMA nodes that a file of Linux lists ("0-1,4"), as a set of bits. */
static unsigned long listed(const char *path) {
    enum { NODES = 64 };
    unsigned long set = 0;
    unsigned first, last;
    FILE *file = fopen(path, "re");
    while (file != NULL && fscanf(file, "%u", &first) == 1) {
        if (fscanf(file, "-%u", &last) != 1)
            last = first;
        for (unsigned node = first; node <= last && node < NODES; node++)
            set |= 1UL << node;
        (void)fscanf(file, ",");
    }
    if (file != NULL)
        fclose(file);
    return set;
}

/* Binds pages to memory without cores; the system takes the nearest to the thread that touches them. */
static int bind_without_cores(void *memory, size_t bytes, struct error *error) {
    unsigned long nodes = listed("/sys/devices/system/node/has_memory") & ~listed("/sys/devices/system/node/has_cpu");
    if (nodes == 0)
        return error_set(error, "in_hbm: this machine has no NUMA node of memory without cores");
    if (syscall(SYS_mbind, memory, bytes, MPOL_BIND, &nodes, 8 * sizeof nodes + 1, 0UL) == 0)
        return 0;
    return error_set(error, "in_hbm: pages cannot be bound (mbind: %s); allow mbind (in a container: CAP_SYS_NICE)",
                     strerror(errno));
}

/* Binds pages to the memory of their first touch. The policy "local" names no node: a page is placed like with the
 * default policy, but NUMA balancing does not move memory that has a policy. A kernel without NUMA
 * moves no pages, and neither does one without balancing. */
static int bind_pages(void *memory, size_t bytes, struct error *error) {
    if (syscall(SYS_mbind, memory, bytes, MPOL_PREFERRED, NULL, 0UL, 0UL) == 0)
        return 0;
    int why = errno;
    if (!is_balancing())
        return 0;
    return error_set(error,
                     "pages cannot be bound (mbind: %s), and NUMA balancing moves them; allow mbind (in a container: "
                     "CAP_SYS_NICE) or sysctl kernel.numa_balancing=0",
                     strerror(why));
}

static int setup(struct program_point *point, struct error *error) {
    struct lists *lists = calloc(1, sizeof *lists);
    int (*bind)(void *, size_t, struct error *) = point->code == IN_HBM ? bind_without_cores : bind_pages;
    if (lists == NULL)
        return error_set(error, "no memory for lists; free some");
    pthread_barrier_init(&lists->barrier, NULL, THREADS);
    size_t pages = point->parameter[PAGES];
    for (size_t user = 0; user < THREADS; user++) {
        lists->nodes[user] = ring_allocate(pages, error);
        if (lists->nodes[user] == NULL || bind(lists->nodes[user], pages * RING_PAGE_BYTES, error) != 0) {
            release_lists(point, lists);
            return -1;
        }
    }
    point->data = lists;
    return 0;
}

static size_t toucher_of(size_t code, size_t user, size_t page) {
    if (code == IN_TURN)
        return page % THREADS;
    return code == BY_ONE ? 0 : user;
}

static void first_touch(const struct program_point *point, size_t thread) {
    struct lists *lists = point->data;
    for (size_t user = 0; user < THREADS; user++) {
        for (size_t page = 0; page < point->parameter[PAGES]; page++) {
            if (toucher_of(point->code, user, page) == thread)
                lists->nodes[user][page * RING_PAGE_NODES].next = NULL;
        }
    }
}

static void chase(struct lists *lists, size_t user, size_t links) {
    lists->end[user] = ring_chase(lists->nodes[user], links);
}

static void warm_up(const struct program_point *point, size_t thread) {
    struct lists *lists = point->data;
    ring_link(lists->nodes[thread], point->parameter[PAGES], RING_PAGE_NODES);
    chase(lists, thread, point->parameter[PAGES] * RING_PAGE_NODES);
}

/* A socket's counters run while its own thread is in the region, and also count the other thread's accesses. So both
 * threads stay in their regions as long as one of them works. */
static void work(const struct program_point *point, size_t thread) {
    struct lists *lists = point->data;
    pthread_barrier_wait(&lists->barrier);
    chase(lists, thread, point->parameter[PAGES] * RING_PAGE_NODES * point->parameter[TIMES]);
    pthread_barrier_wait(&lists->barrier);
}

static void release(struct program_point *point) {
    release_lists(point, point->data);
}

const struct pattern_program pattern_program = {
    .usage =
        "Two threads chase along lists through PAGES pages each, touched first by their users, by the first thread,\n"
        "or by both in turn, or placed in high-bandwidth memory: REGION by_users|by_one|in_turn|in_hbm PAGES TIMES\n",
    .codes = codes,
    .parameters = 2,
    .threads = THREADS,
    .setup = setup,
    .first_touch = first_touch,
    .warm_up = warm_up,
    .work = work,
    .release = release,
};
