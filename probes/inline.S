/* inline.S - calls of code that inline.c generates. Arguments: rdi, the code, which changes no register; esi, the value
 * that the code tests; rdx, number of calls. A pass is one call.
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
