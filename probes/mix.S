/* mix.S - loops of a few instructions of one kind, with operands in registers and L1.
 *
 * One pass of each function is one run through its loop. Arguments: rdi, number of passes; rsi, two pages of memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
    .intel_syntax noprefix
    .text

.macro mix name, body
    .globl \name
    .type \name, @function
    .p2align 6
\name:
    \body
    dec rdi
    jnz \name
    ret
    .size \name, . - \name
.endm

    mix mix_nops, "nop; nop; nop; nop"
    mix mix_calls, "call mix_called; call mix_called"
    mix mix_avx_loads, "vmovapd ymm1, [rsi]; vmovapd ymm2, [rsi + 32]"
    mix mix_avx_stores, "vmovapd [rsi], ymm1; vmovapd [rsi + 32], ymm1"
    mix mix_scalar_sp, "addss xmm1, xmm0; mulss xmm2, xmm0"
    mix mix_scalar_dp, "addsd xmm1, xmm0; mulsd xmm2, xmm0; addsd xmm3, xmm0"
    mix mix_128_sp, "addps xmm1, xmm0; mulps xmm2, xmm0; addps xmm3, xmm0; mulps xmm4, xmm0"
    mix mix_128_dp, "addpd xmm1, xmm0; mulpd xmm2, xmm0"
    mix mix_256_sp, "vaddps ymm1, ymm1, ymm0; vmulps ymm2, ymm2, ymm0; vaddps ymm3, ymm3, ymm0"
    mix mix_256_dp, "vaddpd ymm1, ymm1, ymm0; vmulpd ymm2, ymm2, ymm0"
    mix mix_divide, "divsd xmm1, xmm0; sqrtsd xmm2, xmm0"
    mix mix_divide_wide, "vdivpd ymm1, ymm1, ymm0"
    mix mix_not_forwarded, "mov [rsi], al; mov r8, [rsi]"
    mix mix_forwarded, "mov [rsi], rax; mov r8, [rsi]"
    mix mix_aliased, "mov [rsi], rax; mov r8, [rsi + 4096]"
    mix mix_prefetches, "prefetcht0 [rsi]; prefetcht1 [rsi]; prefetcht2 [rsi]"
    mix mix_prefetches_write, "prefetchw [rsi]; prefetchw [rsi + 4096]"
    mix mix_prefetches_nt, "prefetchnta [rsi]"

/* Called by mix_calls. */
    .globl mix_called
    .type mix_called, @function
mix_called:
    ret
    .size mix_called, . - mix_called

    .section .note.GNU-stack, "", @progbits
