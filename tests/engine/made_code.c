/* made_code.c - code that the program writes itself, on the virtual node: made_code CASE.
 *
 * A case is a place for code, and a way to write it. A loop is written there, run and written again with another body,
 * ROUNDS times; each run must add to the totals of its core what that loop has, by hand, beyond an empty function.
 * Prints a line for each wrong total; exit status 0 all right, 1 wrong counts, 2 no node or no such case.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "own_counts.h"

enum { PAGE = 4096, ROUNDS = 30, BODIES = 3, READABLE = PROT_READ | PROT_EXEC, ALL = READABLE | PROT_WRITE };

static struct {
    unsigned char *writable; /* NULL: written by pwrite() */
    void (*run)(int passes);
    int file;
    int late; /* `writable` is mapped after the first run */
} place;

static const enum sim_core_count counts[] = {CORE_INSTRUCTIONS, CORE_STORES, CORE_BRANCHES_CONDITIONAL,
                                             CORE_BRANCHES_NOT_TAKEN, CORE_BRANCHES_TAKEN};
static const char *const names[] = {"instructions", "stores", "conditional", "not_taken", "taken"};
enum { TOTALS = sizeof counts / sizeof counts[0] };

static void *check(void *memory) {
    if (memory == MAP_FAILED)
        exit(2);
    return memory;
}

/* ---- code ---- */

static size_t append(unsigned char *code, size_t at, const void *bytes, size_t size) {
    memcpy(code + at, bytes, size);
    return at + size;
}

/* mov rax, rsp; mov edx, edi; 1: push 0 (each of `pushes`); dec edx; jg 1b; mov rsp, rax; ret. Without pushes: ret. */
static size_t make_loop(unsigned char *code, int pushes) {
    size_t at = 0;
    if (pushes) {
        at = append(code, at, "\x48\x89\xe0\x89\xfa", 5);
        for (int i = 0; i < pushes; i++)
            at = append(code, at, "\x68\0\0\0\0", 5);
        at = append(code, at, "\xff\xca\x7f", 3);
        code[at++] = (unsigned char)-(5 * pushes + 4);
        at = append(code, at, "\x48\x89\xc4", 3);
    }
    return append(code, at, "\xc3", 1);
}

static void write_code(int pushes) {
    unsigned char code[64];
    size_t bytes = make_loop(code, pushes);
    if (place.writable)
        memcpy(place.writable, code, bytes);
    else if (pwrite(place.file, code, bytes, 0) != (ssize_t)bytes)
        exit(2);
}

/* ---- counts ---- */

static int sockets[2];

static void run_counted(int passes, uint64_t delta[TOTALS]) {
    static const volatile uint64_t *now;
    char records[64];
    uint64_t before[TOTALS];
    now = now ? now : own_totals();
    publish(sockets[0]);
    for (int i = 0; i < TOTALS; i++)
        before[i] = now[counts[i]];
    place.run(passes);
    publish(sockets[0]);
    for (int i = 0; i < TOTALS; i++)
        delta[i] = now[counts[i]] - before[i];
    if (recv(sockets[1], records, sizeof records, MSG_WAITALL) != sizeof records)
        exit(2);
}

static int compare(int round, const uint64_t expected[TOTALS], const uint64_t delta[TOTALS],
                   const uint64_t empty[TOTALS]) {
    int wrong = 0;
    for (int i = 0; i < TOTALS; i++)
        if (delta[i] - empty[i] != expected[i]) {
            printf("round %d: %s: expected %llu, counted %lld\n", round, names[i], (unsigned long long)expected[i],
                   (long long)(delta[i] - empty[i]));
            wrong++;
        }
    return wrong;
}

/* Runs the code written by `write`; returns the number of wrong totals. */
static int rounds(void (*write)(int pushes)) {
    uint64_t empty[TOTALS], delta[TOTALS];
    int wrong = 0;
    write(0);
    run_counted(0, empty);
    if (place.late)
        place.writable = check(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, place.file, 0));
    run_counted(0, empty);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t pushes = (uint64_t)(1 + round % BODIES), passes = (uint64_t)(1 + round % 7);
        write((int)pushes);
        run_counted((int)passes, delta);
        const uint64_t expected[TOTALS] = {3 + passes * (pushes + 2), passes * pushes, passes, 1, passes - 1};
        wrong += compare(round, expected, delta, empty);
    }
    return wrong;
}

/* ---- places ---- */

static void anonymous(void) {
    place.writable = check(mmap(NULL, PAGE, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    place.run = (void (*)(int))place.writable;
}

static int open_file(void) {
    int file = memfd_create("code", 0);
    if (file < 0 || ftruncate(file, PAGE) != 0)
        exit(2);
    return file;
}

static void in_file(void) {
    place.file = open_file();
    place.run = (void (*)(int))check(mmap(NULL, PAGE, READABLE, MAP_SHARED, place.file, 0));
}

static void two_mappings(void) {
    in_file();
    place.writable = check(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, place.file, 0));
}

/* The writable mapping appears only after the code has run. */
static void two_mappings_late(void) {
    char path[64];
    place.file = open_file();
    snprintf(path, sizeof path, "/proc/self/fd/%d", place.file);
    place.run = (void (*)(int))check(mmap(NULL, PAGE, READABLE, MAP_SHARED, open(path, O_RDONLY), 0));
    place.late = 1;
}

/* Code of the program itself, made writable. */
__attribute__((aligned(PAGE))) static void patched(int passes) {
    __asm__ volatile("ret\n .skip 4096, 0x90" : : "r"(passes));
}

static void own_text(void) {
    if (mprotect((void *)(uintptr_t)patched, PAGE, ALL) != 0)
        exit(2);
    place.writable = (unsigned char *)(uintptr_t)patched;
    place.run = patched;
}

/* ---- another thread writes ---- */

static pthread_barrier_t barrier;
static volatile int wanted;

static void *writer(void *unused) {
    for (int i = 0; i <= ROUNDS; i++) {
        pthread_barrier_wait(&barrier);
        write_code(wanted);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

static void let_write(int pushes) {
    wanted = pushes;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

static int by_another_thread(void) {
    pthread_t thread;
    two_mappings();
    if (pthread_barrier_init(&barrier, NULL, 2) != 0 || pthread_create(&thread, NULL, writer, NULL) != 0)
        exit(2);
    int wrong = rounds(let_write);
    pthread_join(thread, NULL);
    return wrong;
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*make)(void);
    } cases[] = {{"anonymous", anonymous},
                 {"in_file", in_file},
                 {"two_mappings", two_mappings},
                 {"two_mappings_late", two_mappings_late},
                 {"own_text", own_text}};
    if (count != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 2;
    if (strcmp(arguments[1], "by_another_thread") == 0)
        return by_another_thread() != 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(arguments[1], cases[i].name) == 0) {
            cases[i].make();
            return rounds(write_code) != 0;
        }
    return 2;
}
