/* kernel_count.c - counts of hand-counted kernels, and what cannot be counted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"

/* y = s*x + y, FMA, two vectors per pass. By hand, per pass: load, fma (with a load), store, twice; add, cmp, jl.
 * instructions 3*2 + 3 = 9; loads 2*2; stores 2; FLOPs 2 instructions x 4 elements x 2 = 16.
 * uops: 2 loads + 2 fma x 2 + 2 stores x 2 + add + (cmp and jl) = 12.
 * Per call: 7 pushes and moves, vmovapd, xor, 8 to return = 17; loads: constant, 6 pops, return; stores: 6 pushes. */
KERNEL_TEST(counts_a_kernel_with_fma) {
    struct kernel_counts counts;
    struct error error;
    assert_int_equal(count_body(scratch, 2,
                                "vmovapd ymm7, [rip+SCALAR]\nLOOP 8\n"
                                "vmovapd ymm1, [STR0+GPR1*8]\nvfmadd213pd ymm1, ymm7, [STR1+GPR1*8]\n"
                                "vmovapd [STR1+GPR1*8], ymm1\n"
                                "vmovapd ymm2, [STR0+GPR1*8+32]\nvfmadd213pd ymm2, ymm7, [STR1+GPR1*8+32]\n"
                                "vmovapd [STR1+GPR1*8+32], ymm2\n",
                                &counts, &error),
                     0);
    assert_int_equal(counts.streams, 2);
    assert_int_equal(counts.elements, 8);
    assert_int_equal(counts.element_bytes, 8);
    assert_int_equal(counts.pass.instructions, 9);
    assert_int_equal(counts.pass.loads, 4);
    assert_int_equal(counts.pass.stores, 2);
    assert_int_equal(counts.pass.load_stores, 0);
    assert_int_equal(counts.pass.stores_nt, 0);
    assert_int_equal(counts.pass.bytes_loaded, 128);
    assert_int_equal(counts.pass.bytes_stored, 64);
    assert_int_equal(counts.pass.flops, 16);
    assert_int_equal(counts.pass.divides, 0);
    assert_int_equal(counts.pass.avx_loads, 2);
    assert_int_equal(counts.pass.avx_stores, 2);
    assert_int_equal(counts.pass.avx_calc, 2);
    assert_int_equal(counts.pass.branches, 1);
    assert_int_equal(counts.pass.uops, 12);
    assert_int_equal(counts.constant.instructions - counts.constant.padding, 17);
    assert_int_equal(counts.constant.loads, 8);
    assert_int_equal(counts.constant.stores, 6);
    assert_int_equal(counts.constant.branches, 1);
    assert_int_equal(counts.stream[0].loads, 2);
    assert_int_equal(counts.stream[0].stores, 0);
    assert_int_equal(counts.stream[1].loads, 2);
    assert_int_equal(counts.stream[1].stores, 2);
}

/* Transitions per pass after the first one, by hand. */
KERNEL_TEST(counts_transitions) {
    static const struct {
        const char *loop;
        unsigned avx_to_sse, sse_to_avx;
    } cases[] = {
        {"vaddpd ymm1, ymm1, ymm0\naddpd xmm8, xmm9\naddpd xmm8, xmm9\n", 1, 1},
        {"addpd xmm8, xmm9\nvaddpd ymm1, ymm1, ymm0\naddpd xmm8, xmm9\nvaddpd xmm1, xmm1, xmm0\n", 2, 2},
        {"vaddpd ymm1, ymm1, ymm0\nvzeroupper\naddpd xmm8, xmm9\n", 0, 0},
        {"vaddpd ymm1, ymm1, ymm0\naddpd xmm8, xmm9\nvzeroupper\n", 1, 0},
        {"vaddpd ymm1, ymm1, ymm0\nvaddpd xmm8, xmm8, xmm9\n", 0, 0},
        {"addpd xmm8, xmm9\nvaddpd xmm1, xmm1, xmm0\n", 0, 0},
        {"vaddpd ymm1, ymm1, ymm0\npaddb mm0, mm1\n", 0, 0},
        {"movsd xmm8, [STR0+GPR1*8]\nvmovapd ymm1, [STR0+GPR1*8]\ncvtsi2sd xmm9, r10\n", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kernel_counts counts;
        struct error error;
        char body[256];
        snprintf(body, sizeof body, "LOOP 4\n%s", cases[i].loop);
        assert_int_equal(count_body(scratch, 1, body, &counts, &error), 0);
        assert_int_equal(counts.pass.avx_to_sse, cases[i].avx_to_sse);
        assert_int_equal(counts.pass.sse_to_avx, cases[i].sse_to_avx);
        assert_int_equal(counts.constant.avx_to_sse + counts.constant.sse_to_avx, 0);
    }
}

/* assay_kernel_run, by hand. Once: 3 pushes, 4 instructions for the stack pointer and the arguments (one loads),
 * sfence, one to restore the stack pointer, 3 pops, return. Per sweep: 6 argument loads, call (stores the return
 * address), sub, jnz. */
KERNEL_TEST(counts_the_frame_of_a_run) {
    struct kernel_counts counts;
    struct error error;
    assert_int_equal(count_body(scratch, 1, "LOOP 2\nmovapd FPR1, [STR0+GPR1*8]\n", &counts, &error), 0);
    assert_int_equal(counts.once.instructions, 13);
    assert_int_equal(counts.once.loads, 5);
    assert_int_equal(counts.once.stores, 3);
    assert_int_equal(counts.once.branches, 1);
    assert_int_equal(counts.sweep.instructions, 9);
    assert_int_equal(counts.sweep.loads, 6);
    assert_int_equal(counts.sweep.stores, 1);
    assert_int_equal(counts.sweep.branches, 2);
}

/* One instruction per pass: its counts in addition to add, cmp and jl. */
KERNEL_TEST(counts_single_instructions) {
    enum { QUANTITIES = 12 };
    static const struct {
        const char *text;
        /* loads, stores, load_stores, stores_nt, bytes_loaded, bytes_stored; flops, divides, avx_loads, avx_stores,
         * avx_calc, uops */
        unsigned wanted[QUANTITIES];
    } cases[] = {
        {"movsd FPR1, [STR0+GPR1*8]", {1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1}},
        {"movsd [STR0+GPR1*8], FPR1", {0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 2}},
        {"movntpd [STR0+GPR1*8], FPR1", {0, 1, 0, 1, 0, 16, 0, 0, 0, 0, 0, 2}},
        {"movnti [STR0+GPR1*8], GPR10", {0, 1, 0, 1, 0, 8, 0, 0, 0, 0, 0, 2}},
        {"movntq [STR0+GPR1*8], mm0", {0, 1, 0, 1, 0, 8, 0, 0, 0, 0, 0, 2}},
        {"vmovntpd [STR0+GPR1*8], ymm1", {0, 1, 0, 1, 0, 32, 0, 0, 0, 1, 0, 2}},
        {"vmovntdqa ymm1, [STR0+GPR1*8]", {1, 0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 1}},
        {"add [STR0+GPR1*8], GPR10", {1, 1, 1, 0, 8, 8, 0, 0, 0, 0, 0, 3}},
        {"lock xadd [STR0+GPR1*8], GPR10", {1, 1, 1, 0, 8, 8, 0, 0, 0, 0, 0, 3}},
        {"cmp [STR0+GPR1*8], GPR10", {1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 2}},
        {"mov GPR10, [STR0+GPR1*8]", {1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1}},
        {"prefetcht0 [STR0+GPR1*8]", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
        {"lea GPR10, [STR0+GPR1*8]", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
        {"vaddpd ymm1, ymm1, [STR0+GPR1*8]", {1, 0, 0, 0, 32, 0, 4, 0, 0, 0, 1, 2}},
        {"vaddps ymm1, ymm1, ymm2", {0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1, 1}},
        {"vaddpd xmm1, xmm1, xmm2", {0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1}},
        {"mulsd FPR1, FPR2", {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
        {"vfnmadd231sd xmm1, xmm2, xmm3", {0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1}},
        {"vfmsubadd132ps ymm1, ymm2, ymm3", {0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 1}},
        {"vdivpd ymm1, ymm1, ymm2", {0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 1, 1}},
        {"sqrtsd FPR1, FPR2", {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1}},
        {"vinsertf128 ymm1, ymm1, [STR0+GPR1*8], 1", {1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 1, 2}},
        {"vinsertf128 ymm1, ymm1, xmm2, 1", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}},
        {"vextractf128 [STR0+GPR1*8], ymm1, 1", {0, 1, 0, 0, 0, 16, 0, 0, 0, 1, 0, 2}},
        {"vbroadcastsd ymm1, [STR0+GPR1*8]", {1, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 1}},
        {"vmovapd ymm1, ymm2", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
        {"vxorpd ymm1, ymm1, ymm1", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}},
        {"vpaddd ymm1, ymm1, ymm2", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}},
        {"vmovapd ymm1, [rip+SCALAR]", {1, 0, 0, 0, 32, 0, 0, 0, 1, 0, 0, 1}},
        {"vzeroupper", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[128];
        struct kernel_counts counts;
        struct error error = {""};
        snprintf(body, sizeof body, "LOOP 8\n%s\n", cases[i].text);
        if (count_body(scratch, 1, body, &counts, &error) != 0)
            fail_msg("%s", error.text);
        const struct kernel_part *pass = &counts.pass;
        const unsigned found[] = {pass->loads,        pass->stores,       pass->load_stores, pass->stores_nt,
                                  pass->bytes_loaded, pass->bytes_stored, pass->flops,       pass->divides,
                                  pass->avx_loads,    pass->avx_stores,   pass->avx_calc,    pass->uops - 2};
        assert_int_equal(pass->instructions, 4);
        for (size_t j = 0; j < QUANTITIES; j++) {
            if (found[j] != cases[i].wanted[j])
                fail_msg("%s: quantity %zu is %u, not %u", cases[i].text, j, found[j], cases[i].wanted[j]);
        }
    }
}

KERNEL_TEST(what_cannot_be_counted_is_refused) {
    static const struct {
        const char *body, *message;
    } cases[] = {
        {"LOOP 2\nnop\njz 1f\nnop\n1:\n", "x.ptt:13: 'je "},
        {"LOOP 2\nrep movsb\n", "x.ptt:12: 'rep movsb"},
        {"LOOP 2\nmovsq\n", "x.ptt:12: 'movsq"},
        {"LOOP 2\nfld qword ptr [STR0+GPR1*8]\n", "x.ptt:12: 'fld"},
        {"LOOP 2\nvgatherdpd ymm1, [STR0+xmm2*8], ymm3\n", "x.ptt:12: 'vgatherdpd"},
        {"LOOP 2\nvmaskmovpd ymm1, ymm2, [STR0+GPR1*8]\n", "x.ptt:12: 'vmaskmovpd"},
        {"LOOP 2\nvaddpd zmm1, zmm1, zmm2\n", "it is of AVX-512, which is not counted"},
        {"LOOP 2\nvaddps xmm17, xmm17, xmm2\n", "it is of AVX-512, which is not counted"},
        {"LOOP 2\nkmovw k1, k2\n", "it is of AVX-512, which is not counted"},
        {"LOOP 2\nmovsd FPR1, [STR0]\n", "its address does not move with the loop counter GPR1"},
        {"LOOP 2\nmovsd FPR1, [GPR10+GPR1*8]\n", "its address is no [STRn + GPR1*size + constant]"},
        {"LOOP 2\nmovsd FPR1, [STR0+GPR1*4]\n", "it scales GPR1 with another size than that of TYPE"},
        {"LOOP 2\nadd STR0, 8\n", "it changes a stream's pointer"},
        {"mov esi, 1\nLOOP 2\nnop\n", "x.ptt:11: 'mov esi, 1' cannot be counted: it changes a stream's pointer"},
        {"LOOP 2\ninc GPR1\n", "it changes the loop counter GPR1"},
        {"LOOP 2\nmul GPR10\n", "it changes the loop counter GPR1"},
        {"LOOP 2\nrdtsc\n", "it changes the loop counter GPR1"},
        {"LOOP 2\nxchg GPR1, GPR10\n", "it changes the loop counter GPR1"},
        {"LOOP 2\nmulx STR0, GPR10, GPR10\n", "it changes a stream's pointer"},
        {"LOOP 2\nlock cmpxchg [STR0+GPR1*8], GPR10\n", "x.ptt:12: 'lock cmpxchg"},
        {"LOOP 2\nxor ARG1, ARG1\n", "it changes the number of elements ARG1"},
        {"LOOP 2\n.byte 0x06\n", "x.ptt:12: the disassembler does not know this instruction"},
        {"LOOP 999999\nnop\n", "LOOP 999999 is more than a pass can hold"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct kernel_counts counts;
        struct error error = {""};
        if (count_body(scratch, 1, cases[i].body, &counts, &error) == 0)
            fail_msg("counted: %s", cases[i].body);
        assert_error(&error, cases[i].message);
        assert_error(&error, "; ");
    }
}

/* A kernel may use the registers of streams that it does not have. */
KERNEL_TEST(unused_argument_registers_are_free) {
    struct kernel_counts counts;
    struct error error;
    assert_int_equal(count_body(scratch, 1, "LOOP 2\nxor ARG3, ARG3\n", &counts, &error), 0);
    assert_int_equal(counts.pass.instructions, 4);
}

TEST(a_foreign_object_is_refused) {
    struct kernel_counts counts;
    struct error error;
    assert_int_equal(kernel_count("/nowhere/x.so", "x.ptt", &counts, &error), -1);
    assert_error(&error, "/nowhere/x.so");
    assert_int_equal(kernel_count("libm.so.6", "x.ptt", &counts, &error), -1);
    assert_error(&error, "libm.so.6: no kernel of version 1");
}
