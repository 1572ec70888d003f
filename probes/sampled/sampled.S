/* sampled.S - the program that `assay sampling` samples: rounds of calls of five functions.
 *
 * sampled_rounds calls each of the others once per round. sampled_parts below holds the loop passes of each call, for
 * sampled.c to print. A round is always 10 000 instructions, padded at its end: a period that is a power of ten falls
 * on the same places in every round, other periods do not. sampled_walk and sampled_sweep each follow a ring of lines
 * that is too large for an L1 of up to 128 KiB. sampled_chance draws a random number and takes one of two branches
 * with the same number of instructions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
    .intel_syntax noprefix

    .equ LINE, 64
    .equ ADD, 936 /* passes per call */
    .equ WALK, 192
    .equ SWEEP, 128
    .equ HIT, 500
    .equ CHANCE, 250
    .equ CALLS, 8 /* calls until a ring has come round */
    .equ PADDING, 11

    .text
.macro begin name
    .globl \name
    .type \name, @function
    .p2align 6
\name:
.endm
.macro end name
    .size \name, . - \name
.endm

/* rdi: passes. */
begin sampled_add
1:  add rax, rdi
    xor rdx, rax
    lea rcx, [rax + rdx]
    dec rdi
    jnz 1b
    ret
end sampled_add

/* rdi: lines; rsi: the first one. */
begin sampled_walk
1:  mov rax, [rsi]
    add rsi, LINE
    dec rdi
    jnz 1b
    ret
end sampled_walk

/* The same with stores. */
begin sampled_sweep
1:  mov [rsi], rdi
    add rsi, LINE
    dec rdi
    jnz 1b
    ret
end sampled_sweep

/* rdi: passes; rsi: a line. */
begin sampled_hit
1:  add rax, [rsi]
    add rdx, [rsi + 8]
    dec rdi
    jnz 1b
    ret
end sampled_hit

/* rdi: passes; rsi: the latest draw. Returns the next one. */
begin sampled_chance
    mov rax, rsi
    movabs rcx, 6364136223846793005
    movabs rdx, 1442695040888963407
1:  imul rax, rcx
    add rax, rdx
    test rax, rax
    jns 2f
    inc r8
    jmp 3f
2:  inc r9
    nop
3:  dec rdi
    jnz 1b
    ret
end sampled_chance

/* rdi: rounds; rsi: the ring of sampled_walk; rdx: that of sampled_sweep; rcx: a line. */
begin sampled_rounds
    push rbx
    push r12
    push r13
    push r14
    push r15
    push rbp
    mov rbx, rdi
    mov r12, rsi
    mov r13, rdx
    mov rbp, rcx
    mov r14d, 1
    xor r15d, r15d
1:  mov edi, ADD
    call sampled_add
    imul rsi, r15, WALK * LINE
    mov edi, WALK
    add rsi, r12
    call sampled_walk
    imul rsi, r15, SWEEP * LINE
    mov edi, SWEEP
    add rsi, r13
    call sampled_sweep
    mov edi, HIT
    mov rsi, rbp
    call sampled_hit
    mov edi, CHANCE
    mov rsi, r14
    call sampled_chance
    mov r14, rax
    inc r15
    and r15, CALLS - 1
    .rept PADDING
    nop
    .endr
    dec rbx
    jnz 1b
    pop rbp
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbx
    ret
end sampled_rounds

    .section .rodata
    .p2align 3
    .globl sampled_parts
/* ADD, WALK, SWEEP, HIT, CHANCE, CALLS */
sampled_parts: .quad ADD, WALK, SWEEP, HIT, CHANCE, CALLS
    .type sampled_parts, @object
    .size sampled_parts, . - sampled_parts

    .section .note.GNU-stack, "", @progbits
