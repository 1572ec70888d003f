/* branches.S - the loops of the branch probe: conditional jumps that go one way, the other, or either without a rule.
 *
 * Of each loop a pass is one iteration: the jump of its `if`, forward, and the loop's own, back. Arguments: rdi, how many
 * iterations; rsi, the seed of what is drawn; rdx, of how many drawn numbers one on average is 0 (by_chance ones).
 * Numbers are drawn by Knuth's linear congruential generator MMIX, of which the upper bits are the random ones.
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

/* So much that what stands behind it is out of reach before a branch that was thought wrongly is known to be. */
.macro far
    .rept 96
    lea r11, [r11 + r8 * 2 + 0x12345678]
    .endr
.endm

/* Sets the zero flag once in rdx draws. */
.macro draw_of_many
    draw
    mov r10, rax
    shr r10, 33
    imul r10, rdx
    shr r10, 31
.endm

/* The first half of the iterations goes one way, the second half the other. */
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

/* Between the two jumps of an iteration it is far. */
    begin branches_chance_apart
branches_chance_apart_loop:
    draw_of_many
    jnz 1f
    add r11, 2
1:  far
    finish branches_chance_apart

/* The loop's jump is the next one, and it is far to the one behind that. */
    begin branches_chance
branches_chance_loop:
    far
    draw_of_many
    jnz 1f
    add r11, 2
1:  finish branches_chance

/* Always the part that ends in a jump, over the other one. */
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

/* Half of the ways through the part have another jump in them, which goes one way. `is_apart`: the loop's jump, and
 * `part_is_apart`: the part's jump, are out of reach of the wrong path of the first jump. */
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
