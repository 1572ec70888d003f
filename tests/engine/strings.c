/* strings.c - repeated string instructions on the virtual node: the expected number of lines, and the effect of
 * signals.
 *
 *   strings lines        1 MiB is copied and filled, by rep movsb and stosb and by the C library
 *   strings searched     1 MiB is searched and compared: an access for each element
 *   strings interrupted  a fill counts the same with and without signals of a timer that interrupt it
 *
 * Prints what was counted and, where it is wrong, what was expected; exit status 0 all right, 1 wrong, 2 no node.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "own_counts.h"

enum { PAGE = 4096, MEBIBYTE = 1 << 20, LINE = 64, GROUP = 16, FILL = 30 * MEBIBYTE };

/* Lines that measuring itself may add: lines of the stack and of this code displaced by the stream. */
enum { STRAY = 64 };

struct counts {
    uint64_t instructions, loads, stores, lines, branches;
};

struct counting {
    int sockets[2];
    const volatile uint64_t *now;
};

static struct counts read_counts(const struct counting *c) {
    publish(c->sockets[0]);
    return (struct counts){c->now[CORE_INSTRUCTIONS], c->now[CORE_LOADS], c->now[CORE_STORES],
                           c->now[CORE_L1D_REPLACEMENT], c->now[CORE_BRANCHES]};
}

static struct counts difference(struct counts a, struct counts b) {
    return (struct counts){b.instructions - a.instructions, b.loads - a.loads, b.stores - a.stores, b.lines - a.lines,
                           b.branches - a.branches};
}

/* 0 if `counted` is between `low` and `low` + `more`. */
static int check(const char *what, uint64_t counted, uint64_t low, uint64_t more) {
    int wrong = counted < low || counted > low + more;
    printf("%s: %llu", what, (unsigned long long)counted);
    if (wrong)
        printf(", expected %llu to %llu", (unsigned long long)low, (unsigned long long)(low + more));
    putchar('\n');
    return wrong;
}

/* ---- lines ---- */

typedef void string_function(void *to, const void *from, size_t bytes);

static void rep_movsb(void *to, const void *from, size_t bytes) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}

static void rep_stosb(void *to, const void *from, size_t bytes) {
    (void)from;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(1) : "memory");
}

static void c_copy(void *to, const void *from, size_t bytes) {
    memcpy(to, from, bytes);
}

static void c_fill(void *to, const void *from, size_t bytes) {
    (void)from;
    memset(to, 1, bytes);
}

/* `few`: number of C library instructions around the string instruction, each with at most three accesses. */
static int lines(const struct counting *c, const char *name, string_function *run, int copies, uint64_t few) {
    static _Alignas(PAGE) char from[MEBIBYTE], to[MEBIBYTE];
    char what[64];
    int wrong = 0;
    const uint64_t groups = MEBIBYTE / GROUP, strays = STRAY + 3 * few;
    memset(from, 1, sizeof from);
    run(to, from, MEBIBYTE); /* touches all pages */
    struct counts before = read_counts(c);
    run(to, from, MEBIBYTE);
    struct counts delta = difference(before, read_counts(c));
    snprintf(what, sizeof what, "%s: instructions", name);
    wrong += check(what, delta.instructions, 1, STRAY + few);
    snprintf(what, sizeof what, "%s: branches", name);
    wrong += check(what, delta.branches, 0, STRAY + few);
    snprintf(what, sizeof what, "%s: loads", name);
    wrong += check(what, delta.loads, copies ? groups : 0, strays);
    snprintf(what, sizeof what, "%s: stores", name);
    wrong += check(what, delta.stores, groups, strays);
    snprintf(what, sizeof what, "%s: lines into L1D", name);
    wrong += check(what, delta.lines, (copies ? 2 : 1) * MEBIBYTE / LINE, STRAY);
    return wrong;
}

/* ---- searched ---- */

/* Accesses of instructions that are no fast strings: one for each element. */
static int searched(const struct counting *c) {
    static char one[MEBIBYTE], other[MEBIBYTE];
    const char *first = one, *second = other, *found = one;
    uint64_t compared = MEBIBYTE, left = MEBIBYTE;
    memset(one, 1, sizeof one);
    memset(other, 1, sizeof other);
    struct counts before = read_counts(c);
    __asm__ volatile("repne scasb" : "+D"(found), "+c"(left) : "a"(0) : "cc", "memory");
    struct counts scanned = difference(before, read_counts(c));
    before = read_counts(c);
    __asm__ volatile("repe cmpsb" : "+S"(first), "+D"(second), "+c"(compared) : : "cc", "memory");
    struct counts both = difference(before, read_counts(c));
    return check("repne scasb: loads", scanned.loads, MEBIBYTE, STRAY) +
           check("repe cmpsb: loads", both.loads, 2 * MEBIBYTE, STRAY) +
           check("ends", (uint64_t)(found - one + first - one), 2 * MEBIBYTE, 0);
}

/* ---- interrupted ---- */

static volatile unsigned long handled;

/* A signal handler of two instructions. */
void on_signal(int);
__asm__(".text\n.globl on_signal\non_signal:\nincq handled(%rip)\nret\n");

/* Fills `bytes`. Signals are delivered only between its two system calls, which unblock and block them. */
void fill(void *to, long bytes, const uint64_t *unblocked, const uint64_t *blocked);
__asm__(".text\n.globl fill\nfill:\n"
        "push %rdi\npush %rsi\npush %rcx\n"
        "mov %rdx, %rsi\nmov $2, %edi\nxor %edx, %edx\nmov $8, %r10d\nmov $14, %eax\nsyscall\n"
        "pop %r9\npop %rcx\npop %rdi\nrep stosb\n"
        "mov %r9, %rsi\nmov $2, %edi\nxor %edx, %edx\nmov $8, %r10d\nmov $14, %eax\nsyscall\nret\n");

/* Sends itself `count` signals, 5 instructions each. */
void signal_self(long count, long pid);
__asm__(".text\n.globl signal_self\nsignal_self:\nmov %rdi, %r9\nmov %rsi, %rdi\nmov $12, %esi\n"
        "1: mov $62, %eax\nsyscall\nnop\ndec %r9\njnz 1b\nret\n");

static uint64_t signals_cost(const struct counting *c, long count) {
    struct counts before = read_counts(c);
    signal_self(count, getpid());
    return difference(before, read_counts(c)).instructions;
}

static uint64_t fill_cost(const struct counting *c, char *to) {
    const uint64_t unblocked = 0, blocked = UINT64_C(1) << (SIGALRM - 1);
    struct counts before = read_counts(c);
    fill(to, FILL, &unblocked, &blocked);
    return difference(before, read_counts(c)).instructions;
}

static int interrupted(const struct counting *c) {
    enum { ONE_SIGNAL = 5 };
    static char to[FILL];
    struct sigaction action = {.sa_handler = on_signal};
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, NULL);
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    fill_cost(c, to);
    uint64_t few = signals_cost(c, 10), more = signals_cost(c, 20);
    uint64_t handling = (more - few) / 10 - ONE_SIGNAL, alone = fill_cost(c, to);
    handled = 0;
    setitimer(ITIMER_REAL, &often, NULL);
    uint64_t disturbed = fill_cost(c, to);
    setitimer(ITIMER_REAL, &never, NULL);
    unsigned long times = handled;
    printf("%lu signals of %llu instructions\n", times, (unsigned long long)handling);
    return check("undisturbed", alone, 1, STRAY) + check("signals", times, 2, 1000000) +
           check("disturbed", disturbed, alone + times * handling, 0);
}

int main(int argc, char **argv) {
    struct counting c = {.now = own_totals()};
    if (argc != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, c.sockets) != 0)
        return 2;
    if (strcmp(argv[1], "interrupted") == 0)
        return interrupted(&c) != 0;
    if (strcmp(argv[1], "searched") == 0)
        return searched(&c) != 0;
    return lines(&c, "rep movsb", rep_movsb, 1, 0) + lines(&c, "rep stosb", rep_stosb, 0, 0) +
               lines(&c, "memcpy", c_copy, 1, 100) + lines(&c, "memset", c_fill, 0, 100) !=
           0;
}
