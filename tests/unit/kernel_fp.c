/* kernel_fp.c - floating-point arithmetic of kernels by width and precision, and that it adds up to their FLOPs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"

enum { WIDTHS = 6 };

static void by_width(const struct kernel_part *part, unsigned found[WIDTHS]) {
    found[0] = part->fp_scalar_sp;
    found[1] = part->fp_scalar_dp;
    found[2] = part->fp_128_sp;
    found[3] = part->fp_128_dp;
    found[4] = part->fp_256_sp;
    found[5] = part->fp_256_dp;
}

/* One instruction per pass: scalar, 128 and 256 bits, each in single and double precision. */
KERNEL_TEST(one_instruction_counts_once_or_twice) {
    static const struct {
        const char *text;
        unsigned wanted[WIDTHS];
    } cases[] = {
        {"addss xmm1, xmm2", {1, 0, 0, 0, 0, 0}},
        {"vmulsd xmm1, xmm2, [STR0+GPR1*8]", {0, 1, 0, 0, 0, 0}},
        {"sqrtps xmm1, xmm2", {0, 0, 1, 0, 0, 0}},
        {"vsubpd xmm1, xmm2, xmm3", {0, 0, 0, 1, 0, 0}},
        {"vdivps ymm1, ymm2, [STR0+GPR1*8]", {0, 0, 0, 0, 1, 0}},
        {"vmaxpd ymm1, ymm2, ymm3", {0, 0, 0, 0, 0, 1}},
        {"vhaddpd ymm1, ymm2, ymm3", {0, 0, 0, 0, 0, 1}},
        {"rsqrtss xmm1, xmm2", {1, 0, 0, 0, 0, 0}},
        {"dpps xmm1, xmm2, 255", {0, 0, 2, 0, 0, 0}},
        {"vfmadd231sd xmm1, xmm2, xmm3", {0, 2, 0, 0, 0, 0}},
        {"vfnmsub132ps xmm1, xmm2, xmm3", {0, 0, 2, 0, 0, 0}},
        {"vfmadd213pd ymm1, ymm2, [STR0+GPR1*8]", {0, 0, 0, 0, 0, 2}},
        {"vmovapd ymm1, [STR0+GPR1*8]", {0, 0, 0, 0, 0, 0}},
        {"vinsertf128 ymm1, ymm1, xmm2, 1", {0, 0, 0, 0, 0, 0}},
        {"vxorpd ymm1, ymm1, ymm1", {0, 0, 0, 0, 0, 0}},
        {"vcmppd ymm1, ymm1, ymm2, 0", {0, 0, 0, 0, 0, 0}},
        {"vpaddd ymm1, ymm1, ymm2", {0, 0, 0, 0, 0, 0}},
    };
    static const unsigned elements[WIDTHS] = {1, 1, 4, 2, 8, 4};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[128];
        struct kernel_counts counts;
        struct error error = {""};
        unsigned found[WIDTHS], flops = 0;
        snprintf(body, sizeof body, "LOOP 8\n%s\n", cases[i].text);
        if (count_body(scratch, 1, body, &counts, &error) != 0)
            fail_msg("%s", error.text);
        by_width(&counts.pass, found);
        for (size_t j = 0; j < WIDTHS; j++) {
            if (found[j] != cases[i].wanted[j])
                fail_msg("%s: width %zu counts %u, not %u", cases[i].text, j, found[j], cases[i].wanted[j]);
            flops += found[j] * elements[j];
        }
        assert_int_equal(counts.pass.flops, flops);
    }
}

/* Several instructions per pass, and one before the loop. */
KERNEL_TEST(passes_and_preambles_add_up) {
    struct kernel_counts counts;
    struct error error = {""};
    unsigned found[WIDTHS];
    const char *body =
        "mulsd xmm9, xmm9\nLOOP 8\nvaddpd ymm1, ymm1, ymm2\nvfmadd231pd ymm3, ymm1, ymm2\naddps xmm4, xmm4\n";
    if (count_body(scratch, 1, body, &counts, &error) != 0)
        fail_msg("%s", error.text);
    by_width(&counts.pass, found);
    assert_int_equal(found[2], 1);
    assert_int_equal(found[5], 3);
    assert_int_equal(found[1], 0);
    by_width(&counts.constant, found);
    assert_int_equal(found[1], 1);
}
