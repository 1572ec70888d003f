/* behaviour.c - small programs that the system test of the engine runs on the virtual node: behaviour COMMAND.
 *
 * Some print what they saw, others only cause counts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <cpuid.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include "vnode/engine/requests.h"
#include "vnode/node_file.h"

enum { NS_PER_MS = 1000000, INCREMENTS = 100000, ROUNDS = 50 };

static void start(pthread_t *thread, void *(*body)(void *), void *argument) {
    if (pthread_create(thread, NULL, body, argument) != 0) {
        fprintf(stderr, "behaviour: no thread\n");
        exit(2);
    }
}

/* ---- processor ---- */

static sigjmp_buf back;

static void jump_back(int number) {
    siglongjmp(back, number);
}

static void rdpmc(void) {
    signal(SIGSEGV, jump_back);
    signal(SIGILL, jump_back);
    int number = sigsetjmp(back, 1);
    if (number == 0)
        __asm__ volatile("rdpmc" : : "c"(0) : "eax", "edx");
    printf("%s\n", number == SIGSEGV ? "SIGSEGV" : number == SIGILL ? "SIGILL" : "nothing");
}

extern const char fault_begin[], fault_end[];

/* Shows where the instruction faults, and a register as it was then; goes on behind the code. */
static void show_fault(int number, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)number, (void)info;
    printf("%d: %d, ", (int)(registers[REG_RIP] - (greg_t)fault_begin), (int)registers[REG_RBX]);
    registers[REG_RIP] = (greg_t)fault_end;
}

#define FAULT(label, code)                                                                                             \
    label ": mov $1, %%ebx\n add $2, %%ebx\n " code "\n mov $9, %%ebx\n cmp $1, %%ebx\n jmp fault_end\n"

static char *guarded;

static void open_page(int number) {
    (void)number;
    mprotect(guarded, 4096, PROT_READ | PROT_WRITE);
}

/* The instruction behind the one that faults, and is executed again, reads flags of the one before it. */
static void retry(void) {
    uint64_t low = UINT64_MAX, high = 0;
    guarded = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, open_page);
    __asm__ volatile("xor %%ecx, %%ecx\n add $1, %0\n mov %0, (%2)\n adc $0, %1\n xor %%ecx, %%ecx"
                     : "+r"(low), "+r"(high)
                     : "r"(guarded)
                     : "ecx", "memory", "cc");
    printf("sum %" PRIu64 " %" PRIu64 "\n", high, low);
}

/* A load whose value is only in flags that are overwritten, another load, and a store, without access to the page; a
 * division by zero. */
static void faults(void) {
    const struct sigaction action = {.sa_sigaction = show_fault, .sa_flags = SA_SIGINFO};
    char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    retry();
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    for (long which = 0; which < 4; which++)
        __asm__ volatile(".globl fault_begin, fault_end\n"
                         "fault_begin: cmp $1, %1\n je 1f\n jb 0f\n cmp $2, %1\n je 2f\n jmp 3f\n" /* which */
                         FAULT("0", "test %%eax, (%0)") FAULT("1", "mov (%0), %%eax") FAULT("2", "mov %%eax, (%0)")
                             FAULT("3", "xor %%edx, %%edx\n xor %%ecx, %%ecx\n div %%ecx") "fault_end:"
                         :
                         : "r"(page), "r"(which)
                         : "eax", "ebx", "ecx", "edx", "memory", "cc");
}

static void cpuid(void) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid(1, &a, &b, &c, &d);
    printf("%#x\n", a);
}

/* Fused multiply-adds of random numbers with exponents near each other, of denormal ones and of sums that cancel, and
 * the signs of bytes: prints a hash of the results. */
__attribute__((target("avx,fma"))) static void operations(void) {
    enum { NUMBERS = 100000, LARGEST = 1043, SPREAD = 6 };
    uint64_t random = 88172645463325252, hash = 0;
    for (int i = 0; i < NUMBERS; i++) {
        union {
            uint64_t bits[2];
            __m128d doubles;
            __m128 singles;
            __m128i bytes;
        } of[3], sum[2];
        for (int k = 0; k < 6; k++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            uint64_t exponent = i % 4 == 0 ? 0 : (uint64_t)LARGEST - (random >> (64 - SPREAD));
            of[k / 2].bits[k % 2] = (random & 0x800fffffff7fffff) | exponent << 52; /* no single is a NaN */
        }
        if (i % 4 == 1)
            of[2].doubles = -(of[0].doubles * of[1].doubles);
        sum[0].doubles = _mm_fmadd_pd(of[0].doubles, of[1].doubles, of[2].doubles);
        sum[1].singles = _mm_fmadd_ps(of[0].singles, of[1].singles, of[2].singles);
        for (int k = 0; k < 4; k++)
            hash = hash * 31 + sum[k / 2].bits[k % 2];
        hash = hash * 31 + (uint64_t)_mm_movemask_epi8(of[0].bytes);
    }
    printf("%" PRIx64 "\n", hash);
}

/* Ends the process while another thread works. */
static void *work(void *started) {
    *(volatile int *)started = 1;
    for (volatile unsigned long i = 0;; i++) {
    }
    return NULL;
}

static void end_at_work(void) {
    static volatile int started;
    pthread_t thread;
    start(&thread, work, (void *)&started);
    while (!started) {
    }
    _exit(0);
}

/* ---- signals between threads ---- */

static volatile long worked, handled_at;
static volatile pid_t worker;

static void note_work(int number) {
    (void)number;
    handled_at = worked;
}

static void *work_until_handled(void *unused) {
    (void)unused;
    worker = gettid();
    while (!handled_at)
        worked++;
    return NULL;
}

/* How much a thread works on after another one has sent it the signal. Valgrind keeps SIGSEGV itself, the kernel
 * SIGUSR1. */
static long delay_of(int number) {
    pthread_t thread;
    worked = handled_at = worker = 0;
    signal(number, note_work);
    start(&thread, work_until_handled, NULL);
    while (worked < INCREMENTS) {
    }
    tgkill(getpid(), worker, number);
    long sent_at = worked;
    pthread_join(thread, NULL);
    return handled_at - sent_at;
}

static void signals(void) {
    printf("%ld %ld\n", delay_of(SIGSEGV), delay_of(SIGUSR1));
}

/* ---- clock ---- */

static uint64_t microseconds(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_usec;
}

static uint64_t monotonic_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Time stamp counter ticks per second, by each clock, during half a second of each kind of sleep. */
static void clock_rate(void) {
    struct timespec half = {0, 500 * NS_PER_MS};
    for (int kind = 0; kind < 2; kind++) {
        uint64_t tsc = __rdtsc(), us = microseconds(), ns = monotonic_ns(), engine_ns = engine_time_now();
        if (kind == 0)
            usleep(500000);
        else
            nanosleep(&half, NULL);
        tsc = __rdtsc() - tsc, us = microseconds() - us, ns = monotonic_ns() - ns;
        engine_ns = engine_time_now() - engine_ns;
        printf("%.0f %.0f %.0f\n", (double)tsc / (double)us * 1e6, (double)tsc / (double)ns * 1e9,
               (double)tsc / (double)engine_ns * 1e9);
    }
}

static char order[4];
static int woken;

static void *sleeper(void *seconds) {
    sleep((unsigned)(uintptr_t)seconds);
    order[woken++] = (uintptr_t)seconds > 1 ? 'L' : 'S';
    return NULL;
}

/* A long and a short sleeper, the long one started first: hours of virtual time, almost no real time. */
static void sleep_order(void) {
    pthread_t long_one, short_one;
    start(&long_one, sleeper, (void *)7200);
    start(&short_one, sleeper, (void *)1);
    pthread_join(long_one, NULL);
    pthread_join(short_one, NULL);
    printf("%s\n", order);
}

/* ---- affinity ---- */

static void *print_place(void *unused) {
    (void)unused;
    printf("%#" PRIx64 " %u\n", engine_get_affinity(0), engine_get_cpu());
    return NULL;
}

static void affinity(void) {
    pthread_t thread;
    print_place(NULL);
    printf("%d\n", engine_set_affinity(0, 0xc));
    print_place(NULL);
    start(&thread, print_place, NULL); /* inherits the mask; main is on core 2 already */
    pthread_join(thread, NULL);
    printf("%d\n", engine_set_affinity(0, 0xf0)); /* cores that do not exist */
    print_place(NULL);
    printf("%d\n", engine_set_affinity(getpid(), 0x2));
    print_place(NULL);
}

/* ---- threads ---- */

static void *add_vectors(void *is_wide) {
    for (int round = 0; round < ROUNDS; round++) {
        if (is_wide)
            __asm__ volatile("vaddpd %%ymm1, %%ymm1, %%ymm1" : : : "xmm1");
        else
            __asm__ volatile("addpd %%xmm1, %%xmm1" : : : "xmm1");
        sched_yield();
    }
    return NULL;
}

/* One thread adds 256-bit vectors, the other 128-bit vectors without VEX, in turns. */
static void vectors_apart(void) {
    pthread_t wide, narrow;
    start(&wide, add_vectors, (void *)1);
    start(&narrow, add_vectors, NULL);
    pthread_join(wide, NULL);
    pthread_join(narrow, NULL);
}

static _Alignas(64) struct { volatile long own; } shared[2];

static void *increment(void *own) {
    for (int i = 0; i < INCREMENTS; i++)
        ++*(volatile long *)own;
    return NULL;
}

/* Two threads write two words of one line. */
static void false_sharing(void) {
    pthread_t thread;
    start(&thread, increment, (void *)&shared[1].own);
    increment((void *)&shared[0].own);
    pthread_join(thread, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *alternate(void *mine) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (turn % 3 != (int)(uintptr_t)mine)
            pthread_cond_wait(&changed, &mutex);
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
        increment((void *)&shared[1].own);
    }
    return NULL;
}

/* Three threads pass the turn through a condition variable and block for it. */
static void hand_over(void) {
    pthread_t thread[2];
    for (uintptr_t i = 0; i < 2; i++)
        start(&thread[i], alternate, (void *)(i + 1));
    alternate(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

static volatile int hung_up;

static void *await_end(void *unused) {
    struct pollfd input = {.fd = STDIN_FILENO};
    poll(&input, 1, -1);
    hung_up = 1;
    return unused;
}

/* A thread waits until the writer closes standard input, even if there is data to read. The main thread counts steps
 * meanwhile and prints them. */
static void wait_outside(void) {
    pthread_t thread;
    long steps = 0;
    start(&thread, await_end, NULL);
    while (!hung_up)
        steps++;
    pthread_join(thread, NULL);
    printf("%ld\n", steps);
}

/* ---- processes ---- */

static void count_to(uint64_t n) {
    __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(n));
}

/* A million branches in the parent, two million in the child. */
static void forks(void) {
    pid_t child = fork();
    count_to(child == 0 ? 2000000 : 1000000);
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

/* A million branches before exec, two million after. */
static void execs(const char *self) {
    count_to(1000000);
    execl(self, self, "count", (char *)NULL);
}

static void endless(void) {
    for (;;)
        count_to(1000);
}

/* ---- the published counts ---- */

static const struct node_slot *own_slot(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv(NODE_DIR_VARIABLE), NODE_FILE_NAME);
    const struct node_file *node = mmap(NULL, sizeof *node, PROT_READ, MAP_SHARED, open(path, O_RDONLY), 0);
    for (int i = 0; node != MAP_FAILED && i < NODE_SLOTS; i++)
        if (node->owner[i].pid == getpid())
            return &node->slot[i];
    fprintf(stderr, "behaviour: %s: no slot of this process\n", path);
    exit(2);
}

static uint64_t branches(const struct sim_counts *counts) {
    uint64_t sum = 0;
    for (int core = 0; core < SIM_CORES_MAX; core++)
        sum += counts->core[core].total[CORE_BRANCHES];
    return sum;
}

/* Writing 32 bytes (LIKWID's daemon protocol) to a socket publishes the counts; no other write does. */
static void snapshot(void) {
    const struct node_slot *slot = own_slot();
    char record[33] = {0};
    int sockets[2], ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0 || pipe(ends) != 0)
        exit(2);
    if (write(ends[1], record, 32) != 32 || write(sockets[0], record, 33) != 33)
        exit(2);
    printf("%s\n", branches(&slot->published) == 0 ? "unpublished" : "published");
    count_to(1000000);
    if (write(sockets[0], record, 32) != 32)
        exit(2);
    uint64_t then = branches(&slot->published);
    count_to(1000000);
    printf("%s %s\n", then >= 1000000 && then == branches(&slot->published) ? "published" : "wrong",
           branches(&slot->live) >= then + 1000000 ? "live" : "wrong");
}

int main(int count, char **arguments) {
    const char *command = count > 1 ? arguments[1] : "";
    if (strcmp(command, "rdpmc") == 0)
        rdpmc();
    else if (strcmp(command, "faults") == 0)
        faults();
    else if (strcmp(command, "end_at_work") == 0)
        end_at_work();
    else if (strcmp(command, "signals") == 0)
        signals();
    else if (strcmp(command, "operations") == 0)
        operations();
    else if (strcmp(command, "cpuid") == 0)
        cpuid();
    else if (strcmp(command, "clock") == 0)
        clock_rate();
    else if (strcmp(command, "sleep_order") == 0)
        sleep_order();
    else if (strcmp(command, "affinity") == 0)
        affinity();
    else if (strcmp(command, "false_sharing") == 0)
        false_sharing();
    else if (strcmp(command, "vectors_apart") == 0)
        vectors_apart();
    else if (strcmp(command, "hand_over") == 0)
        hand_over();
    else if (strcmp(command, "wait_outside") == 0)
        wait_outside();
    else if (strcmp(command, "fork") == 0)
        forks();
    else if (strcmp(command, "exec") == 0)
        execs(arguments[0]);
    else if (strcmp(command, "count") == 0)
        count_to(2000000);
    else if (strcmp(command, "endless") == 0)
        endless();
    else if (strcmp(command, "snapshot") == 0)
        snapshot();
    else if (strcmp(command, "present") == 0)
        printf("%d\n", engine_present());
    else
        return 2;
    return 0;
}
