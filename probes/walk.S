/* walk.S - walks through memory: accesses that are a stride apart, column after column.
 *
 * One pass of each function is one access. Arguments: rdi, address of the first access; rsi, stride; rdx, distance from
 * a column's end to the next one's start; rcx, the first column's end; r8, number of accesses; r9, column distance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
    .intel_syntax noprefix
    .text

.macro walk name, access
    .globl \name
    .type \name, @function
    .p2align 6
\name:
    \access
    add rdi, rsi
    lea rax, [rdi + rdx]
    mov r10d, 0
    cmp rdi, rcx
    cmovae rdi, rax
    cmovae r10, r9
    add rcx, r10
    dec r8
    jnz \name
    ret
    .size \name, . - \name
.endm

    walk walk_loads, "mov r11, [rdi]"
    walk walk_stores, "mov [rdi], r11"
    walk walk_updates, "add [rdi], r11"
    walk walk_locked, "lock add [rdi], r11"
    walk walk_splits, "mov r11, [rdi + 60]"
    walk walk_split_stores, "mov [rdi + 60], r11"
    walk walk_calls, "call rdi"

/* Stores a whole line. */
.macro nt_line
    .set place, 0
    .rept 8
    movnti [rdi + place], r11
    .set place, place + 8
    .endr
.endm
    walk walk_nt_stores, nt_line

/* Called by walk_calls. */
    .globl walk_called
    .type walk_called, @function
walk_called:
    ret
    .size walk_called, . - walk_called

    .section .note.GNU-stack, "", @progbits
