/* pipeline_loops.c - cycles of loops whose time the pipeline alone decides, by rdtsc.
 *
 *     pipeline_loops          prints "NAME CYCLES" for each: cycles of a pass, of 20 000 passes less those of 10 000
 *     pipeline_loops NAME     prints the loop's instructions, for llvm-mca
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

/* rdi and rsi: 4096 bytes each; what is at rsi is the address itself. */
#define LOOPS(LOOP)                                                                                                    \
    LOOP(add, "add %rax, %rcx\n")                                                                                      \
    LOOP(add_three, "add %rax, %rcx\nadd %rax, %r8\nadd %rax, %r9\n")                                                  \
    LOOP(add_chain, "add %rcx, %rax\nadd %rax, %rcx\nadd %rcx, %rax\nadd %rax, %rcx\n")                                \
    LOOP(multiply, "imul %rax, %rcx\n")                                                                                \
    LOOP(multiply_three, "imul %rax, %rcx\nimul %rax, %r8\nimul %rax, %r9\n")                                          \
    LOOP(multiply_add, "imul %rax, %rcx\nadd %rax, %rcx\nand $0xffff, %rcx\n")                                         \
    LOOP(multiply_masked, "imul $0xf4243, %rcx, %rcx\nadd $5, %rcx\nand $0x7fffffff, %ecx\n")                          \
    LOOP(shift, "shl $3, %rax\nxor %rax, %rcx\nshr $2, %rcx\nxor %rcx, %rax\n")                                        \
    LOOP(move, "mov %rax, %rcx\nadd $1, %rcx\nmov %rcx, %rax\n")                                                       \
    LOOP(conditional_move, "cmp %rax, %rcx\ncmovb %rcx, %rax\nadd $7, %rax\n")                                         \
    LOOP(walk, "mov (%rsi), %rsi\n")                                                                                   \
    LOOP(load_four, "mov (%rsi), %rax\nmov 8(%rsi), %rcx\nmov 16(%rsi), %r8\nmov 24(%rsi), %r9\n")                     \
    LOOP(load_add, "add 8(%rsi), %rax\nadd 16(%rsi), %rcx\n")                                                          \
    LOOP(store_two, "mov %rax, (%rdi)\nmov %rax, 8(%rdi)\n")                                                           \
    LOOP(copy, "vmovupd (%rsi), %ymm0\nvmovupd %ymm0, (%rdi)\nvmovupd 32(%rsi), %ymm1\nvmovupd %ymm1, 32(%rdi)\n")     \
    LOOP(fp_add, "vaddpd %ymm1, %ymm0, %ymm0\n")                                                                       \
    LOOP(fp_add_scalar, "addsd %xmm1, %xmm0\n")                                                                        \
    LOOP(fp_add_eight, "vaddpd %ymm8, %ymm0, %ymm0\nvaddpd %ymm8, %ymm1, %ymm1\nvaddpd %ymm8, %ymm2, %ymm2\n"          \
                       "vaddpd %ymm8, %ymm3, %ymm3\nvaddpd %ymm8, %ymm4, %ymm4\nvaddpd %ymm8, %ymm5, %ymm5\n"          \
                       "vaddpd %ymm8, %ymm6, %ymm6\nvaddpd %ymm8, %ymm7, %ymm7\n")                                     \
    LOOP(fp_multiply, "vmulpd %ymm1, %ymm0, %ymm0\n")                                                                  \
    LOOP(fp_multiply_add, "vmulpd %ymm1, %ymm0, %ymm0\nvaddpd %ymm2, %ymm0, %ymm0\n")                                  \
    LOOP(fp_multiply_and_add, "vmulpd %ymm8, %ymm0, %ymm0\nvaddpd %ymm8, %ymm1, %ymm1\nvmulpd %ymm8, %ymm2, %ymm2\n"   \
                              "vaddpd %ymm8, %ymm3, %ymm3\nvmulpd %ymm8, %ymm4, %ymm4\nvaddpd %ymm8, %ymm5, %ymm5\n"   \
                              "vmulpd %ymm8, %ymm6, %ymm6\nvaddpd %ymm8, %ymm7, %ymm7\n")                              \
    LOOP(fused, "vfmadd231pd %ymm1, %ymm2, %ymm0\n")                                                                   \
    LOOP(fused_scalar, "vfmadd231sd %xmm1, %xmm2, %xmm0\n")                                                            \
    LOOP(fused_loads, "vmovupd (%rsi), %ymm1\nvfmadd231pd (%rdi), %ymm1, %ymm0\n")                                     \
    LOOP(fused_twelve, "vfmadd231pd %ymm14, %ymm15, %ymm0\nvfmadd231pd %ymm14, %ymm15, %ymm1\n"                        \
                       "vfmadd231pd %ymm14, %ymm15, %ymm2\nvfmadd231pd %ymm14, %ymm15, %ymm3\n"                        \
                       "vfmadd231pd %ymm14, %ymm15, %ymm4\nvfmadd231pd %ymm14, %ymm15, %ymm5\n"                        \
                       "vfmadd231pd %ymm14, %ymm15, %ymm6\nvfmadd231pd %ymm14, %ymm15, %ymm7\n"                        \
                       "vfmadd231pd %ymm14, %ymm15, %ymm8\nvfmadd231pd %ymm14, %ymm15, %ymm9\n"                        \
                       "vfmadd231pd %ymm14, %ymm15, %ymm10\nvfmadd231pd %ymm14, %ymm15, %ymm11\n")                     \
    LOOP(fused_memory, "vfmadd213ps (%rsi), %ymm1, %ymm0\nvfmadd213ps 32(%rsi), %ymm1, %ymm2\n"                        \
                       "vfmadd213ps 64(%rsi), %ymm1, %ymm3\nvfmadd213ps 96(%rsi), %ymm1, %ymm4\n")                     \
    LOOP(copy_kept, "vmovaps %ymm1, %ymm0\nvaddps %ymm0, %ymm3, %ymm3\nvmulps %ymm3, %ymm3, %ymm0\n")                  \
    LOOP(fp_load_add, "vaddpd (%rsi), %ymm0, %ymm0\n")                                                                 \
    LOOP(fp_divide, "divsd %xmm1, %xmm0\n")                                                                            \
    LOOP(fp_divide_two, "divsd %xmm1, %xmm0\ndivsd %xmm1, %xmm2\n")                                                    \
    LOOP(integers_of_vectors, "vpaddd %ymm1, %ymm0, %ymm0\nvpxor %ymm2, %ymm0, %ymm0\n")                               \
    LOOP(triad, "vmovupd (%rsi), %ymm0\nvmulpd %ymm8, %ymm0, %ymm0\nvaddpd 32(%rsi), %ymm0, %ymm0\n"                   \
                "vmovupd %ymm0, (%rdi)\n")                                                                             \
    LOOP(stencil, "vmovupd (%rsi), %ymm0\nvaddpd 8(%rsi), %ymm0, %ymm0\nvaddpd 16(%rsi), %ymm0, %ymm0\n"               \
                  "vmulpd %ymm8, %ymm0, %ymm0\nvmovupd %ymm0, 8(%rdi)\nadd $1, %rax\n")

#define DEFINE(name, body)                                                                                             \
    void name##_loop(void *to, void *from, long passes);                                                               \
    __asm__(".text\n.p2align 5\n" #name "_loop:\nxor %eax, %eax\nxor %ecx, %ecx\nvzeroall\n"                           \
            ".p2align 5\n1:\n" body "dec %rdx\njnz 1b\nret\n");
LOOPS(DEFINE)

static const struct {
    const char *name, *body;
    void (*run)(void *to, void *from, long passes);
} loops[] = {
#define ROW(name, body) {#name, body, name##_loop},
    LOOPS(ROW)};

static struct {
    void *self;
    char bytes[8192];
} data = {.self = &data};

/* One copy, whose code is in L1I from the second call on. */
static __attribute__((noinline)) uint64_t cycles_of(void (*run)(void *, void *, long), long passes) {
    uint64_t start = __rdtsc();
    run(data.bytes + 4096, &data, passes);
    return __rdtsc() - start;
}

int main(int argc, char **argv) {
    enum { PASSES = 10000 };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        if (argc > 1 && strcmp(argv[1], loops[i].name) == 0)
            printf("%sdec %%rdx\njnz 1b\n", loops[i].body);
        if (argc > 1)
            continue;
        cycles_of(loops[i].run, PASSES);
        uint64_t base = cycles_of(loops[i].run, PASSES), both = cycles_of(loops[i].run, 2 * PASSES);
        printf("%s %.3f\n", loops[i].name, ((double)both - (double)base) / PASSES);
    }
    return 0;
}
