/* chase.S - follows a chain of pointers. Arguments: rdi, the first pointer; rsi, number of pointers; one per pass.
 * SPDX-License-Identifier: GPL-3.0-or-later */
    .intel_syntax noprefix
    .text

    .globl chase_pointers
    .type chase_pointers, @function
    .p2align 6
chase_pointers:
    mov rdi, [rdi]
    dec rsi
    jnz chase_pointers
    ret
    .size chase_pointers, . - chase_pointers

    .section .note.GNU-stack, "", @progbits
