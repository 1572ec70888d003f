/* exec_words.c FILE - executes the program named by FILE's first word; the other words are its argv. Each word ends
 * with a NUL.
 *
 * Needed because LIKWID splits a command at blanks, which breaks words that are empty or contain blanks. The
 * instructions before execve() are counted with the program, so this does not use the C library, whose start takes
 * 45000 instructions (on the virtual node).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/syscall.h>

enum { BYTES_MOST = 1 << 20, WORDS_MOST = 1 << 14, NOT_FOUND = 127, READ_ONLY = 0 };

static volatile char text[BYTES_MOST]; /* volatile: the compiler must not replace loops by C library calls */
static char *words[WORDS_MOST];

static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static long read_all(const char *name) {
    long file = call(SYS_open, (long)name, READ_ONLY, 0), length = 0, got = 1;
    while (file >= 0 && got > 0 && length < BYTES_MOST - 1) {
        got = call(SYS_read, file, (long)(text + length), BYTES_MOST - 1 - length);
        length += got > 0 ? got : 0;
    }
    call(SYS_close, file, 0, 0);
    return length;
}

/* `stack` as set up by the kernel: argc, the arguments, NULL, the environment. */
__attribute__((noreturn, used)) static void start(long *stack) {
    char **arguments = (char **)(stack + 1);
    long length = stack[0] == 2 ? read_all(arguments[1]) : 0, count = 0;
    for (long at = 0; at < length && count < WORDS_MOST - 1; at++) {
        words[count++] = (char *)(text + at);
        while (text[at] != '\0')
            at++;
    }
    if (count > 1)
        call(SYS_execve, (long)words[0], (long)(words + 1), (long)(arguments + stack[0] + 1));
    for (;;)
        call(SYS_exit_group, NOT_FOUND, 0, 0);
}

__asm__(".globl _start\n_start: mov %rsp, %rdi\n and $-16, %rsp\n call start\n");
