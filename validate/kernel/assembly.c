/* assembly.c - writes a kernel as assembly text: frame, body with register names replaced, tables of object.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validate/kernel/assemble.h"

static const char *const general[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8",
                                      "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const argument[] = {"rdi", "rsi", "rdx", "rcx", "r8", "r9"};

enum { GENERALS = sizeof general / sizeof general[0], ARGUMENTS = sizeof argument / sizeof argument[0], VECTORS = 16 };

/* Writes the register for a register name of the format, any other word unchanged. */
static void write_word(FILE *out, const char *word, size_t length) {
    char name[8] = "", *end = name;
    if (length < sizeof name)
        memcpy(name, word, length);
    unsigned long number = length > 3 && isdigit((unsigned char)name[3]) ? strtoul(name + 3, &end, 10) : 0;
    int numbered = end != name && *end == '\0';
    if (strcmp(name, "SPTR") == 0)
        fputs("rsp", out);
    else if (strcmp(name, "BPTR") == 0)
        fputs("rbp", out);
    else if (numbered && strncmp(name, "GPR", 3) == 0 && number >= 1 && number <= GENERALS)
        fputs(general[number - 1], out);
    else if (numbered && strncmp(name, "FPR", 3) == 0 && number >= 1 && number <= VECTORS)
        fprintf(out, "xmm%lu", number - 1);
    else if (numbered && strncmp(name, "ARG", 3) == 0 && number >= 1 && number <= ARGUMENTS)
        fputs(argument[number - 1], out);
    else if (numbered && strncmp(name, "STR", 3) == 0 && number + 1 < ARGUMENTS)
        fputs(argument[number + 1], out);
    else
        fprintf(out, "%.*s", (int)length, word);
}

static void write_code(FILE *out, const char *text) {
    while (*text != '\0') {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        if (length > 0) {
            write_word(out, text, length);
            text += length;
        } else {
            fputc(*text++, out);
        }
    }
    fputc('\n', out);
}

/* Makes the assembler use the .ptt's lines from here on, in messages and debug information. */
static void write_line_marker(FILE *out, const char *path, unsigned line) {
    fprintf(out, "# %u \"", line);
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '\n') {
            fputs("\\n", out);
            continue;
        }
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        fputc(*c, out);
    }
    fputs("\"\n", out);
}

static void write_body(FILE *out, const struct ptt *ptt, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        fprintf(out, ".Lat%zu:\n", i);
        write_line_marker(out, ptt->path, ptt->code[i].line);
        write_code(out, ptt->code[i].text);
    }
}

static void write_kernel(FILE *out, const struct ptt *ptt) {
    unsigned loop_line = ptt->value[PTT_LOOP].line;
    fputs(".text\n"
          ".p2align 6\n"
          ".Lkernel:\n"
          "push rbp\n"
          "mov rbp, rsp\n"
          "push rbx\n"
          "push r12\n"
          "push r13\n"
          "push r14\n"
          "push r15\n",
          out);
    write_body(out, ptt, 0, ptt->preamble);
    write_line_marker(out, ptt->path, loop_line);
    fputs(".Lbefore_loop:\n"
          "xor rax, rax\n"
          ".p2align 4\n"
          ".Lloop_begin:\n",
          out);
    write_body(out, ptt, ptt->preamble, ptt->codes);
    write_line_marker(out, ptt->path, loop_line);
    fprintf(out,
            ".Lloop_step:\n"
            "add rax, %u\n"
            "cmp rax, rdi\n"
            "jl .Lloop_begin\n"
            ".Lloop_end:\n"
            "pop r15\n"
            "pop r14\n"
            "pop r13\n"
            "pop r12\n"
            "pop rbx\n"
            "mov rsp, rbp\n"
            "pop rbp\n"
            "ret\n"
            ".Lkernel_end:\n",
            ptt->value[PTT_LOOP].number);
}

/* assay_kernel_run(call): rbx is the call, rbp the number of sweeps left, r12 the caller's stack; the kernel
 * preserves them. A sweep uses one cache line of stack: a return address and the kernel's frame. */
static void write_run(FILE *out) {
    fputs(".p2align 6\n"
          ".globl " KERNEL_RUN_SYMBOL "\n"
          ".type " KERNEL_RUN_SYMBOL ", @function\n" KERNEL_RUN_SYMBOL ":\n"
          ".Lrun_begin:\n"
          "push rbx\n"
          "push rbp\n"
          "push r12\n"
          "mov r12, rsp\n"
          "and rsp, -64\n"
          "mov rbx, rdi\n",
          out);
    fprintf(out, "mov rbp, [rbx + %zu]\n", offsetof(struct kernel_call, sweeps));
    fputs(".Lsweep_begin:\n", out);
    fprintf(out, "mov rdi, [rbx + %zu]\n", offsetof(struct kernel_call, elements));
    for (int i = 0; i < KERNEL_STREAMS_MAX; i++)
        fprintf(out, "mov %s, [rbx + %zu]\n", argument[i + 1], offsetof(struct kernel_call, stream) + 8 * (size_t)i);
    fputs("call .Lkernel\n"
          "sub rbp, 1\n"
          "jnz .Lsweep_begin\n"
          ".Lsweep_end:\n"
          "sfence\n"
          "mov rsp, r12\n"
          "pop r12\n"
          "pop rbp\n"
          "pop rbx\n"
          "ret\n"
          ".Lrun_end:\n"
          ".size " KERNEL_RUN_SYMBOL ", .-" KERNEL_RUN_SYMBOL "\n",
          out);
}

static void write_ones(FILE *out) {
    static const char *const constant[][3] = {
        {"SCALAR", ".double", "1.0"}, {"SSCALAR", ".single", "1.0"}, {"ISCALAR", ".int", "1"}};
    fputs(".data\n", out);
    for (size_t i = 0; i < sizeof constant / sizeof constant[0]; i++) {
        int count = i == 0 ? 8 : 16;
        fprintf(out, ".p2align 6\n%s:\n", constant[i][0]);
        for (int n = 0; n < count; n++)
            fprintf(out, "%s %s\n", constant[i][1], constant[i][2]);
    }
}

static void write_line_row(FILE *out, const char *label, unsigned line) {
    fprintf(out, ".long %s - .Lkernel, %u\n", label, line);
}

static void write_body_rows(FILE *out, const struct ptt *ptt, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        char label[32];
        snprintf(label, sizeof label, ".Lat%zu", i);
        write_line_row(out, label, ptt->code[i].line);
    }
}

static void write_tables(FILE *out, const struct ptt *ptt) {
    enum { FRAME_ROWS = 3 };
    fprintf(out,
            ".section .rodata\n"
            ".p2align 3\n"
            ".globl " KERNEL_OBJECT_SYMBOL "\n"
            ".type " KERNEL_OBJECT_SYMBOL ", @object\n" KERNEL_OBJECT_SYMBOL ":\n"
            ".long %d, %d, %u, %u, %d, %u, %zu\n",
            KERNEL_OBJECT_VERSION, ptt->type, ptt->value[PTT_STREAMS].number, ptt->value[PTT_LOOP].number,
            ptt->type == KERNEL_DOUBLE ? 8 : 4, ptt->value[PTT_BYTES].number, ptt->codes + FRAME_ROWS);
    static const char *const offsets[] = {"loop_begin",  "loop_end",  "kernel_end", "run_begin",
                                          "sweep_begin", "sweep_end", "run_end"};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        fprintf(out, ".long .L%s - .Lkernel\n", offsets[i]);
    fputs(".long .Lkernel - .Lrun_begin\n"
          ".size " KERNEL_OBJECT_SYMBOL ", .-" KERNEL_OBJECT_SYMBOL "\n"
          ".globl " KERNEL_LINES_SYMBOL "\n"
          ".type " KERNEL_LINES_SYMBOL ", @object\n" KERNEL_LINES_SYMBOL ":\n",
          out);
    write_line_row(out, ".Lkernel", 0);
    write_body_rows(out, ptt, 0, ptt->preamble);
    write_line_row(out, ".Lbefore_loop", 0);
    write_body_rows(out, ptt, ptt->preamble, ptt->codes);
    write_line_row(out, ".Lloop_step", 0);
    fputs(".size " KERNEL_LINES_SYMBOL ", .-" KERNEL_LINES_SYMBOL "\n"
          ".section .note.GNU-stack,\"\",@progbits\n",
          out);
}

char *kernel_assembly(const struct ptt *ptt) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    fputs(".intel_syntax noprefix\n", out);
    write_ones(out);
    write_kernel(out, ptt);
    write_run(out);
    write_tables(out, ptt);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
