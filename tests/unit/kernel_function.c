/* kernel_function.c - functions of programs, counted by hand, and what cannot be counted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>

#include "kernel_fixture.h"
#include "validate/kernel/function.h"

/* Assembles the body as function f and counts the function `name`. */
static int count_function(const struct scratch *scratch, const char *body, const char *name,
                          struct function_counts *counts, struct error *error) {
    char text[1024], object[128], command[256];
    snprintf(text, sizeof text, ".type f, @function\nf:\n%s\n.size f, .-f\n.section .note.GNU-stack\n", body);
    scratch_write(scratch, text);
    snprintf(object, sizeof object, "%s/f.o", scratch->folder);
    snprintf(command, sizeof command, "cc -c -x assembler %s -o %s", scratch->path, object);
    assert_int_equal(system(command), 0);
    return function_count(object, name, counts, error);
}

/* The counts of function f with this body, which can be counted. */
static struct function_counts counted(const struct scratch *scratch, const char *body) {
    struct function_counts counts;
    struct error error;
    if (count_function(scratch, body, "f", &counts, &error) != 0)
        fail_msg("%s", error.text);
    return counts;
}

/* Once: xor and ret. Per pass: cmp (loads), je, add, cmp, jne; addss (loads) if je is not taken. Bytes from je to jne:
 * je 2, addss 4, add 4, cmp 3. */
KERNEL_TEST(counts_what_a_jump_guards) {
    struct function_counts counts =
        counted(scratch, "xorps %xmm0, %xmm0\n1: cmpl $0, 4(%rdi)\nje 2f\naddss (%rdi), %xmm0\n"
                         "2: add $8, %rdi\ncmp %rsi, %rdi\njne 1b\nret");
    assert_int_equal(counts.constant.instructions, 2);
    assert_int_equal(counts.constant.branches, 1);
    assert_int_equal(counts.pass.instructions, 5);
    assert_int_equal(counts.pass.branches, 2);
    assert_int_equal(counts.pass.loads, 1);
    assert_int_equal(counts.pass.flops, 0);
    assert_int_equal(counts.guarded.instructions, 1);
    assert_int_equal(counts.guarded.branches, 0);
    assert_int_equal(counts.guarded.loads, 1);
    assert_int_equal(counts.guarded.flops, 1);
    assert_int_equal(counts.jumps_apart, 2 + 4 + 4 + 3);
}

/* Per pass: test, je, dec, jnz; if je is not taken inc and jmp, else two addss. */
KERNEL_TEST(counts_either_of_two_parts) {
    struct function_counts counts =
        counted(scratch, "1: test %rsi, %rsi\nje 2f\ninc %rax\njmp 3f\n"
                         "2: addss %xmm1, %xmm0\naddss %xmm1, %xmm0\n3: dec %rdi\njnz 1b\nret");
    assert_int_equal(counts.pass.instructions, 4);
    assert_int_equal(counts.pass.branches, 2);
    assert_int_equal(counts.pass.conditional, 2);
    assert_int_equal(counts.guarded.instructions, 2);
    assert_int_equal(counts.guarded.branches, 1);
    assert_int_equal(counts.guarded.conditional, 0);
    assert_int_equal(counts.other.instructions, 2);
    assert_int_equal(counts.other.flops, 2);
    assert_int_equal(counts.constant.returns, 1);
}

/* Per pass: test, je, dec, jnz; if je is not taken cmp, jg, inc, and addss if jg is not taken either. */
KERNEL_TEST(counts_what_a_jump_in_a_part_guards) {
    struct function_counts counts =
        counted(scratch, "1: test %rsi, %rsi\nje 2f\ncmp %rdx, %rsi\njg 3f\naddss (%rdi), %xmm0\n"
                         "3: inc %rax\n2: dec %rdi\njnz 1b\nret");
    assert_int_equal(counts.pass.instructions, 4);
    assert_int_equal(counts.guarded.instructions, 3);
    assert_int_equal(counts.guarded.conditional, 1);
    assert_int_equal(counts.guarded.loads, 0);
    assert_int_equal(counts.nested.instructions, 1);
    assert_int_equal(counts.nested.loads, 1);
}

KERNEL_TEST(counts_a_loop_without_a_guarded_part) {
    struct function_counts counts =
        counted(scratch, "nop\n1: mulsd %xmm1, %xmm0\ndec %rdi\njnz 1b\nmovsd %xmm0, (%rsi)\nret");
    assert_int_equal(counts.constant.instructions, 3);
    assert_int_equal(counts.constant.stores, 1);
    assert_int_equal(counts.pass.instructions, 3);
    assert_int_equal(counts.pass.flops, 1);
    assert_int_equal(counts.guarded.instructions, 0);
    assert_int_equal(counts.jumps_apart, 0);
}

/* Per pass: push, call (both store), pop (loads), dec, jnz; the called f is not counted. */
KERNEL_TEST(counts_calls_but_not_what_they_call) {
    struct function_counts counts = counted(scratch, "1: push %rdi\ncall f\npop %rdi\ndec %rdi\njnz 1b\nret");
    assert_int_equal(counts.constant.instructions, 1);
    assert_int_equal(counts.pass.instructions, 5);
    assert_int_equal(counts.pass.branches, 2);
    assert_int_equal(counts.pass.loads, 1);
    assert_int_equal(counts.pass.stores, 2);
    counts = counted(scratch, "1: call *%rax\ndec %rdi\njnz 1b\nret");
    assert_int_equal(counts.pass.calls, 1);
    assert_int_equal(counts.pass.conditional, 1);
    assert_int_equal(counts.pass.stores, 1);
}

/* Refused: a jump over the loop's backward jump, which leaves the loop, and jumps before or after the loop. */
KERNEL_TEST(refuses_what_is_uncertain) {
    static const struct {
        const char *body, *reason;
    } cases[] = {
        {"1: je 2f\njmp 3f\n2: dec %rdi\njnz 1b\n3: ret", "jumps forward to what is not of its loop"},
        {"1: je 2f\njmp 3f\nnop\n2: nop\n3: dec %rdi\njnz 1b\nret", "how often it is run"},
        {"1: je 2f\nnop\njs 3f\nnop\n2: nop\n3: dec %rdi\njnz 1b\nret", "it is a second jump forward"},
        {"1: je 2f\njs 3f\nnop\n3: jg 2f\nnop\n2: dec %rdi\njnz 1b\nret", "it is a second jump forward"},
        {"1: je 2f\nnop\n2: js 3f\nnop\n3: dec %rdi\njnz 1b\nret", "it is a second jump forward"},
        {"1: dec %rdi\njnz 1b\n2: dec %rsi\njnz 2b\nret", "it is a second loop"},
        {"1: je 2f\ndec %rdi\njnz 1b\n2: ret", "jumps forward to what is not of its loop"},
        {"je 2f\n1: nop\n2: dec %rdi\njnz 1b\nret", "jumps forward to what is not of its loop"},
        {"1: dec %rdi\njnz 1b\nje 2f\nnop\n2: ret", "jumps forward to what is not of its loop"},
        {"je 2f\nnop\n2: ret", "jumps forward to what is not of its loop"},
        {"1: jmp 2f\nnop\n2: dec %rdi\njnz 1b\nret", "how often it is run cannot be told"},
        {"1: je 2f\nret\n2: dec %rdi\njnz 1b\nret", "how often it is run cannot be told"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct function_counts counts;
        struct error error;
        assert_int_equal(count_function(scratch, cases[i].body, "f", &counts, &error), -1);
        assert_error(&error, cases[i].reason);
    }
}

KERNEL_TEST(refuses_what_is_no_such_program) {
    struct function_counts counts;
    struct error error;
    assert_int_equal(function_count("/nonexistent", "f", &counts, &error), -1);
    assert_error(&error, "/nonexistent: cannot be read; run make");
    scratch_write(scratch,
                  "a text that is longer than the header of a program, and whose first letter is below that of one");
    assert_int_equal(function_count(scratch->path, "f", &counts, &error), -1);
    assert_error(&error, "no x86-64 program");
    /* Section headers smaller than struct Elf64_Shdr. */
    const Elf64_Ehdr header = {.e_ident = ELFMAG, .e_machine = EM_X86_64, .e_shentsize = sizeof(Elf64_Shdr) / 2};
    FILE *file = fopen(scratch->path, "wb");
    assert_int_equal(fwrite(&header, sizeof header, 1, file), 1);
    fclose(file);
    assert_int_equal(function_count(scratch->path, "f", &counts, &error), -1);
    assert_error(&error, "no x86-64 program");
    assert_int_equal(count_function(scratch, "ret", "g", &counts, &error), -1);
    assert_error(&error, "it has no function g; run make");
}
