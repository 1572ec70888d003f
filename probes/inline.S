/* inline.S - calls of code that is made at run time (inline.c). Arguments: rdi, the code, which changes no register; esi,
 * what it asks for; rdx, how many calls. A pass is one of them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
    .intel_syntax noprefix
    .text

    .globl inline_calls
    .type inline_calls, @function
    .p2align 6
inline_calls:
    call rdi
    dec rdx
    jnz inline_calls
    ret
    .size inline_calls, . - inline_calls

    .section .note.GNU-stack, "", @progbits
