/* branches.S - the loops of the branch probe: conditional jumps that are taken always, never, every other time, or at
 * random.
 *
 * One pass of each loop is one iteration: the forward jump of its `if`, and the loop's own jump back. Arguments: rdi,
 * number of iterations; rsi, random seed; rdx, K, where one of K random numbers is 0 on average (random loops only).
 * Random numbers come from Knuth's linear congruential generator MMIX; only its upper bits are random.
 * SPDX-License-Identifier: GPL-3.0-or-later */
    .intel_syntax noprefix
    .text

.macro begin name
    .globl \name
    .type \name, @function
    .p2align 6
\name:
    movabs r8, 6364136223846793005
    movabs r9, 1442695040888963407
    mov rax, rsi
    mov rcx, rdi
    shr rcx
.endm

.macro finish name
    dec rdi
    jnz \name\()_loop
    ret
    .size \name, . - \name
.endm

.macro draw
    imul rax, r8
    add rax, r9
.endm

/* Padding: code behind it is out of a wrong path's reach, which ends when the misprediction is detected. */
.macro far
    .rept 96
    lea r11, [r11 + r8 * 2 + 0x12345678]
    .endr
.endm

/* Draws a random number; sets the zero flag with probability 1 / rdx. */
.macro draw_of_many
    draw
    mov r10, rax
    shr r10, 33
    imul r10, rdx
    shr r10, 31
.endm

/* Taken in one half of the iterations, not taken in the other half. */
    begin branches_halves
branches_halves_loop:
    cmp rdi, rcx
    jbe 1f
    add r11, 2
1:  draw
    finish branches_halves

    begin branches_never
branches_never_loop:
    add r11, 2
    test rdi, rdi
    jz 1f
    add r11, 2
1:  draw
    finish branches_never

    begin branches_always
branches_always_loop:
    add r11, 2
    test rdi, rdi
    jnz 1f
    add r11, 2
1:  draw
    finish branches_always

/* The two jumps of an iteration are far apart. */
    begin branches_chance_apart
branches_chance_apart_loop:
    draw_of_many
    jnz 1f
    add r11, 2
1:  far
    finish branches_chance_apart

/* The loop's jump follows closely; the jump after that is far away. */
    begin branches_chance
branches_chance_loop:
    far
    draw_of_many
    jnz 1f
    add r11, 2
1:  finish branches_chance

/* Always executes the part that ends in a direct jump over the other part. */
    begin branches_direct
branches_direct_loop:
    add r11, 2
    test rdi, rdi
    jz 1f
    add r11, 2
    jmp 2f
1:  draw
2:  draw
    finish branches_direct

/* Half of the iterations execute the part with a second jump, which always goes the same way. `is_apart`: the loop's jump
 * is out of reach of the first jump's wrong path; `part_is_apart`: so is the part's jump. */
.macro nested name, jump, is_apart, part_is_apart=0
    begin \name
\name\()_loop:
    .if !\is_apart
    far
    .endif
    draw_of_many
    jnz 1f
    add r11, 2
    .if \part_is_apart
    far
    .endif
    test rdi, rdi
    \jump 2f
    add r11, 2
2:  add r11, 2
1:  .if \is_apart
    far
    .endif
    finish \name
.endm

    nested branches_nested_apart, jz, 1
    nested branches_nested_taken_apart, jnz, 1
    nested branches_nested_both_apart, jnz, 1, 1
    nested branches_nested, jz, 0
    nested branches_nested_taken, jnz, 0

    begin branches_loop
branches_loop_loop:
    add r11, 2
    finish branches_loop

    .section .note.GNU-stack, "", @progbits
