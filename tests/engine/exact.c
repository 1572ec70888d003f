/* exact.c - runs short instruction sequences on the virtual node and compares its counts with counts by hand.
 *
 * Each CASE states what its code adds, beyond an empty function, to every total of its core; a total that a case does
 * not name must not change. The program reads its own slot of the node file; the code between two readings is the
 * same for all cases, and an empty case is subtracted. In the code rdi points to 4 KiB at a page's start, rsi to
 * another such page; all registers but rbx, rbp, rsp and r12 to r15 are free. Each line of the code that names a vector
 * register adds one SSE or AVX instruction; a case states only how many more run, in loops.
 *
 * Prints one line for each wrong total; exit status 0 all right, 1 wrong counts, 2 no node.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/socket.h>

#include "own_counts.h"

enum { PAGE = 4096 };

struct expected {
    uint64_t instructions, loads, stores, stores_nt, updates, loads_locked, loads_split, stores_split;
    uint64_t avx_loads, avx_stores, avx_calc, divider_uops, divisions, vectors;
    uint64_t prefetches, prefetches_write, prefetches_nt;
    uint64_t avx_to_sse, sse_to_avx;
    uint64_t scalar_sp, scalar_dp, sse_sp, sse_dp, avx_sp, avx_dp; /* floating-point arithmetic */
    uint64_t added, multiplied, divided, fused;                    /* its FLOPs */
    uint64_t branches, conditional, not_taken, taken, calls, returns, indirect, calls_indirect;
};

static const struct {
    const char *name;
    enum sim_core_count count;
} totals[] = {
    {"instructions", CORE_INSTRUCTIONS},
    {"loads", CORE_LOADS},
    {"stores", CORE_STORES},
    {"stores_nt", CORE_STORES_NT},
    {"updates", CORE_UPDATES},
    {"loads_locked", CORE_LOADS_LOCKED},
    {"loads_split", CORE_LOADS_SPLIT},
    {"stores_split", CORE_STORES_SPLIT},
    {"avx_loads", CORE_AVX_LOADS},
    {"avx_stores", CORE_AVX_STORES},
    {"avx_calc", CORE_AVX_CALC},
    {"divider_uops", CORE_DIVIDER_UOPS},
    {"divisions", CORE_DIVISIONS},
    {"vectors", CORE_VECTOR_INSTRUCTIONS},
    {"prefetches", CORE_PREFETCHES},
    {"prefetches_write", CORE_PREFETCHES_WRITE},
    {"prefetches_nt", CORE_PREFETCHES_NT},
    {"avx_to_sse", CORE_AVX_TO_SSE},
    {"sse_to_avx", CORE_SSE_TO_AVX},
    {"scalar_sp", CORE_FP_SCALAR_SP},
    {"scalar_dp", CORE_FP_SCALAR_DP},
    {"sse_sp", CORE_FP_128_SP},
    {"sse_dp", CORE_FP_128_DP},
    {"avx_sp", CORE_FP_256_SP},
    {"avx_dp", CORE_FP_256_DP},
    {"added", CORE_FLOPS_ADD},
    {"multiplied", CORE_FLOPS_MULTIPLY},
    {"divided", CORE_FLOPS_DIVIDE},
    {"fused", CORE_FLOPS_FUSED},
    {"branches", CORE_BRANCHES},
    {"conditional", CORE_BRANCHES_CONDITIONAL},
    {"not_taken", CORE_BRANCHES_NOT_TAKEN},
    {"taken", CORE_BRANCHES_TAKEN},
    {"calls", CORE_BRANCHES_CALL},
    {"returns", CORE_BRANCHES_RETURN},
    {"indirect", CORE_BRANCHES_INDIRECT},
    {"calls_indirect", CORE_BRANCHES_CALL_INDIRECT},
};
enum { TOTALS = sizeof totals / sizeof totals[0] };
_Static_assert(sizeof(struct expected) == TOTALS * sizeof(uint64_t), "one total for each member, in this order");

struct test_case {
    const char *name, *code;
    void (*run)(void *first, void *second);
    struct expected adds;
};

/* CASE(name, code, counts...) */
#define CASE(name, code, ...)                                                                                          \
    void case_##name(void *, void *);                                                                                  \
    __asm__(".text\n.balign 64\n.globl case_" #name "\ncase_" #name ":\n.intel_syntax noprefix\n" code                 \
            "\n.att_syntax\nret\n");
#include "exact_cases.def"
#undef CASE

static const struct test_case cases[] = {
#define CASE(name, code, ...) {#name, code, case_##name, {__VA_ARGS__}},
#include "exact_cases.def"
#undef CASE
};

/* Lines that name a vector register, and those that clear all of them. */
static uint64_t vectors_in(const char *code) {
    uint64_t found = 0;
    for (const char *line = code; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        char text[128] = "";
        memcpy(text, line, strcspn(line, "\n") < sizeof text ? strcspn(line, "\n") : sizeof text - 1);
        found += strstr(text, "xmm") != NULL || strstr(text, "ymm") != NULL || strstr(text, "vzero") != NULL;
    }
    return found;
}

/* Reads the records of two publish() calls, so that the socket does not fill up. */
static void drain(int socket) {
    char records[64];
    if (recv(socket, records, sizeof records, MSG_WAITALL) != sizeof records)
        exit(2);
}

static __attribute__((noinline)) void measure(int socket, const volatile uint64_t *now, void (*run)(void *, void *),
                                              void *first, void *second, uint64_t *delta) {
    uint64_t before[TOTALS];
    __asm__ volatile("vzeroupper"); /* each case starts with clean upper halves, and the next publish() does, too */
    publish(socket);
    for (int i = 0; i < TOTALS; i++)
        before[i] = now[totals[i].count];
    run(first, second);
    __asm__ volatile("vzeroupper");
    publish(socket);
    for (int i = 0; i < TOTALS; i++)
        delta[i] = now[totals[i].count] - before[i];
}

int main(void) {
    const volatile uint64_t *now = own_totals();
    unsigned char *memory = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sockets[2];
    if (memory == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 2;
    uint64_t empty[TOTALS], delta[TOTALS];
    int wrong = 0;
    measure(sockets[0], now, cases[0].run, memory, memory + PAGE, empty);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        memset(memory, 0, 4 * PAGE);
        measure(sockets[0], now, cases[c].run, memory, memory + PAGE, delta);
        drain(sockets[1]);
        const uint64_t *adds = (const uint64_t *)&cases[c].adds;
        for (int i = 0; i < TOTALS; i++) {
            uint64_t expected = adds[i] + (totals[i].count == CORE_VECTOR_INSTRUCTIONS ? vectors_in(cases[c].code) : 0);
            if (delta[i] - empty[i] == expected)
                continue;
            printf("%s: %s: expected %llu, counted %lld\n", cases[c].name, totals[i].name, (unsigned long long)expected,
                   (long long)(delta[i] - empty[i]));
            wrong++;
        }
    }
    printf("%zu cases, %d wrong totals\n", sizeof cases / sizeof cases[0], wrong);
    return wrong != 0;
}
