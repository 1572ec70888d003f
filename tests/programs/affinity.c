/* affinity.c - system calls about cores, made directly: affinity CORES [INHERITED]. Checks what Linux promises of them
 * on a machine with CORES cores. Prints a line for each broken promise, and the cores on which a thread, a child and
 * the same program executed again start. Linked statically, so that nothing stands between it and the system calls.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "promise.h"

static uint64_t own_mask(void) {
    uint64_t mask = 0;
    syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
    return mask;
}

static void print_own(const char *who) {
    unsigned core = 0;
    syscall(SYS_getcpu, &core, NULL, NULL);
    printf("%s %#llx %u\n", who, (unsigned long long)own_mask(), core);
    fflush(stdout);
}

static void *in_thread(void *who) {
    print_own(who);
    return NULL;
}

static void run_thread(const pthread_attr_t *attributes, const char *who) {
    pthread_t thread;
    if (pthread_create(&thread, attributes, in_thread, (void *)who) == 0)
        pthread_join(thread, NULL);
}

static void check_get(unsigned cores) {
    uint64_t words[4] = {7, 7, 7, 7};
    promise(syscall(SYS_sched_getaffinity, 0, sizeof words, words) == 8, "the answer is the bytes written");
    promise(words[0] == (UINT64_C(1) << cores) - 1, "at first all cores may be used");
    promise(words[1] == 7 && words[3] == 7, "nothing is written behind the kernel's own mask");
    promise(fails_with(syscall(SYS_sched_getaffinity, 0, 4, words), EINVAL), "EINVAL: half a word");
    promise(fails_with(syscall(SYS_sched_getaffinity, 0, 0, words), EINVAL), "EINVAL: no room");
    promise(fails_with(syscall(SYS_sched_getaffinity, 0, 8, NULL), EFAULT), "EFAULT: nowhere to write");
    promise(fails_with(syscall(SYS_sched_getaffinity, 1 << 30, 8, words), ESRCH), "ESRCH: no such thread");
}

static void check_set(unsigned cores) {
    uint64_t none = 0, beyond = UINT64_C(1) << cores, some = beyond | 4;
    uint8_t first = 2;
    promise(fails_with(syscall(SYS_sched_setaffinity, 0, 8, NULL), EFAULT), "EFAULT: no mask");
    promise(fails_with(syscall(SYS_sched_setaffinity, 0, 8, &none), EINVAL), "EINVAL: an empty mask");
    promise(fails_with(syscall(SYS_sched_setaffinity, 0, 8, &beyond), EINVAL), "EINVAL: cores that are not there");
    promise(fails_with(syscall(SYS_sched_setaffinity, 1 << 30, 8, &some), ESRCH), "ESRCH: no such thread to bind");
    promise(syscall(SYS_sched_setaffinity, 0, 8, &some) == 0 && own_mask() == 4,
            "cores that are not there are ignored");
    promise(syscall(SYS_sched_setaffinity, getpid(), 1, &first) == 0 && own_mask() == 2, "a mask of one byte");
}

/* Starts a thread that is bound by its attributes before it runs. */
static void with_attributes(void) {
    pthread_attr_t attributes;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    run_thread(&attributes, "attributes");
}

static void *until_posted(void *go) {
    print_own("waiting");
    sem_wait(go);
    return NULL;
}

/* Starts a thread while another one waits. */
static void while_waiting(void) {
    sem_t go;
    pthread_t thread;
    sem_init(&go, 0, 0);
    if (pthread_create(&thread, NULL, until_posted, &go) == 0) {
        usleep(1000);
        run_thread(NULL, "next");
        sem_post(&go);
        pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv) {
    uint64_t all = UINT64_MAX, two = 0xc;
    if (argc == 3) {
        print_own(argv[2]);
        return 0;
    }
    unsigned cores = argc == 2 ? (unsigned)atoi(argv[1]) : 0;
    if (cores < 4 || cores > 32)
        return 2;
    check_get(cores);
    check_set(cores);
    syscall(SYS_sched_setaffinity, 0, sizeof two, &two);
    print_own("self");
    run_thread(NULL, "thread");
    with_attributes();
    syscall(SYS_sched_setaffinity, 0, sizeof all, &all);
    while_waiting();
    syscall(SYS_sched_setaffinity, 0, sizeof two, &two);
    pid_t child = fork();
    if (child == 0) {
        print_own("child");
        execl(argv[0], argv[0], argv[1], "executed", (char *)NULL);
        _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return broken || status;
}
