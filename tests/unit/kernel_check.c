/* kernel_check.c - a header that disagrees with its body, key by key. SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"

/* a(i) = a(i) + s*b(i), one line per pass. By hand, per element: 2 FLOPs, 2 loads, 1 store, 24 bytes; per pass 2 x
 * (mul, add, store) + 3 instructions, 2 x (2 + 2 + 2) + 2 uops; per call 16 instructions and one of the preamble. */
#define STREAMS "STREAMS 2\n"
#define LINES_2_TO_12                                                                                                  \
    "TYPE DOUBLE\nFLOPS 2\nBYTES 24\nDESC x\nLOADSTORES 0\nLOADS 2\nSTORES 1\nBRANCHES 1\nINSTR_CONST 17\n"            \
    "INSTR_LOOP 9\nUOPS 14\n"
#define BODY                                                                                                           \
    "vmovapd ymm0, [rip+SCALAR]\nLOOP 8\n"                                                                             \
    "vmulpd ymm1, ymm0, [STR1+GPR1*8]\nvaddpd ymm1, ymm1, [STR0+GPR1*8]\nvmovapd [STR0+GPR1*8], ymm1\n"                \
    "vmulpd ymm2, ymm0, [STR1+GPR1*8+32]\nvaddpd ymm2, ymm2, [STR0+GPR1*8+32]\nvmovapd [STR0+GPR1*8+32], ymm2\n"

static const char right[] = STREAMS LINES_2_TO_12 BODY;

static int check_text(const struct scratch *scratch, const char *text, struct error *error) {
    struct kernel_counts counts;
    struct ptt ptt;
    if (count_text(scratch, text, &counts, error) != 0)
        fail_msg("%s", error->text);
    assert_int_equal(ptt_read(&ptt, scratch->path, error), 0);
    int status = kernel_check(&ptt, &counts, error);
    ptt_free(&ptt);
    return status;
}

KERNEL_TEST(a_right_header_passes) {
    struct error error = {""};
    assert_int_equal(check_text(scratch, right, &error), 0);
}

KERNEL_TEST(each_wrong_key_is_named) {
    static const struct {
        const char *line, *instead, *message;
    } cases[] = {
        {"STREAMS 2\n", "STREAMS 3\n", "x.ptt:1: header says STREAMS 3, the body does not touch STR2"},
        {"FLOPS 2\n", "FLOPS 4\n", "x.ptt:3: header says FLOPS 4, the body does 2; correct the header"},
        {"BYTES 24\n", "BYTES 32\n", "x.ptt:4: header says BYTES 32, the body does 24"},
        {"LOADSTORES 0\n", "LOADSTORES 1\n", "x.ptt:6: header says LOADSTORES 1, the body does 0"},
        {"\nLOADS 2\n", "\nLOADS 1\n", "x.ptt:7: header says LOADS 1, the body does 2"},
        {"\nSTORES 1\n", "\nSTORES 0\n", "x.ptt:8: header says STORES 0, the body does 1"},
        {"BRANCHES 1\n", "BRANCHES 2\n", "x.ptt:9: header says BRANCHES 2, the body does 1"},
        {"INSTR_CONST 17\n", "INSTR_CONST 16\n", "x.ptt:10: header says INSTR_CONST 16, the body does 17"},
        {"INSTR_LOOP 9\n", "INSTR_LOOP 6\n", "x.ptt:11: header says INSTR_LOOP 6, the body does 9"},
        {"UOPS 14\n", "UOPS 13\n", "x.ptt:12: header says UOPS 13, the body does 14"},
        {"LOOP 8\n", "LOOP 16\n", "x.ptt:3: header says FLOPS 2, the body does 1"},
        {"vmulpd ymm2", "vmovapd ymm2, ymm0\n#", "x.ptt:3: header says FLOPS 2, the body does 1.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        struct error error = {""};
        const char *at = strstr(right, cases[i].line);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - right), right, cases[i].instead, at + strlen(cases[i].line));
        assert_int_equal(check_text(scratch, text, &error), -1);
        assert_error(&error, cases[i].message);
    }
}

/* Arithmetic in registers uses no stream, but likwid-bench requires one. */
KERNEL_TEST(a_kernel_without_streams_may_have_one) {
    struct error error = {""};
    assert_int_equal(check_text(scratch,
                                "STREAMS 1\nTYPE DOUBLE\nFLOPS 1\nBYTES 0\nDESC x\nLOADS 0\nSTORES 0\nINSTR_CONST 16\n"
                                "INSTR_LOOP 4\nUOPS 3\nLOOP 4\nvmulpd ymm1, ymm1, ymm2\n",
                                &error),
                     0);
}
