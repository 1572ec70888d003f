/* kernel_ptt.c - reading .ptt files: what is kept, and every malformed file by name, line and remedy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"

#define HEADER                                                                                                         \
    "STREAMS 2\nTYPE SINGLE\nFLOPS 1\nBYTES 8\nDESC Two words\nLOADS 1\nSTORES 1\nINSTR_CONST 17\nINSTR_LOOP 5\nUOPS " \
    "6\n"

KERNEL_TEST(keeps_values_lines_and_code) {
    struct ptt ptt;
    struct error error;
    scratch_write(scratch, "# comment\n\n" HEADER "  first  \nLOOP 16\r\nsecond\n\n# no code\nTHIRD x\n");
    assert_int_equal(ptt_read(&ptt, scratch->path, &error), 0);
    assert_string_equal(ptt.name, "x");
    assert_string_equal(ptt.path, scratch->path);
    assert_string_equal(ptt.description, "Two words");
    assert_int_equal(ptt.type, KERNEL_SINGLE);
    assert_int_equal(ptt.value[PTT_STREAMS].number, 2);
    assert_int_equal(ptt.value[PTT_STREAMS].line, 3);
    assert_int_equal(ptt.value[PTT_UOPS].number, 6);
    assert_int_equal(ptt.value[PTT_LOOP].number, 16);
    assert_int_equal(ptt.value[PTT_LOOP].line, 14);
    assert_int_equal(ptt.value[PTT_BRANCHES].line, 0); /* may be left out */
    assert_int_equal(ptt.preamble, 1);
    assert_int_equal(ptt.codes, 3);
    assert_string_equal(ptt.code[0].text, "first");
    assert_int_equal(ptt.code[0].line, 13);
    assert_string_equal(ptt.code[1].text, "second");
    assert_string_equal(ptt.code[2].text, "THIRD x"); /* after LOOP a word in capitals is an instruction */
    assert_int_equal(ptt.code[2].line, 18);
    ptt_free(&ptt);
}

KERNEL_TEST(malformed_files_are_refused) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {HEADER "SPEED 1\nLOOP 4\nx\n", "x.ptt:11: unknown key 'SPEED'"},
        {HEADER "x\n", "x.ptt: no LOOP; add a line 'LOOP <number>'"},
        {HEADER "LOOP\nx\n", "x.ptt:11: LOOP has ''; give a whole number"},
        {HEADER "LOOP -4\nx\n", "x.ptt:11: LOOP has '-4'"},
        {HEADER "LOOP 4x\nx\n", "x.ptt:11: LOOP has '4x'"},
        {HEADER "LOOP 99999999999999999999\nx\n", "x.ptt:11: LOOP has '99999999999999999999'"},
        {HEADER "LOOP 0\nx\n", "x.ptt:11: LOOP 0 would never end"},
        {HEADER "LOOP 4\n", "x.ptt:11: nothing after LOOP"},
        {HEADER "LOOP 4\nx\nLOOP 4\n", "x.ptt:13: LOOP again, first in line 11"},
        {HEADER "FLOPS 1\nLOOP 4\nx\n", "x.ptt:11: FLOPS again, first in line 3"},
        {HEADER "TYPE INT\nLOOP 4\nx\n", "x.ptt:11: TYPE again, first in line 2"},
        {HEADER "DESC y\nLOOP 4\nx\n", "x.ptt:11: DESC again"},
        {HEADER "LOOP 4\nx\nBRANCHES 1\n", "x.ptt:13: 'BRANCHES' behind the header"},
        {HEADER "x\nBRANCHES 1\nLOOP 4\nx\n", "x.ptt:12: 'BRANCHES' behind the header"},
        {HEADER "LOOP 4\nmov [STR2], x\n", "x.ptt:12: uses STR2, but STREAMS is 2 (line 1)"},
        {HEADER "mov STR11, x\nLOOP 4\nx\n", "x.ptt:11: uses STR11, but STREAMS is 2"},
        {HEADER "LOADSTORES 1\nLOOP 4\nx\n", "x.ptt:11: LOADSTORES after LOADS would overwrite it"},
        {"TYPE QUAD\n", "x.ptt:1: TYPE is 'QUAD'; give DOUBLE, SINGLE or INT"},
        {"FLOPS 1\nTYPE INT\nLOOP 4\nx\n", "x.ptt: no STREAMS"},
        {"", "x.ptt: no STREAMS"},
        {"STREAMS 6\nTYPE INT\nFLOPS 1\nBYTES 1\nDESC x\nLOADS 1\nSTORES 1\nINSTR_CONST 1\nINSTR_LOOP 1\nUOPS 1\nLOOP "
         "1\nx\n",
         "x.ptt:1: STREAMS is 6; 1 to 5 streams can be run"},
        {"STREAMS 0\nTYPE INT\nFLOPS 1\nBYTES 1\nDESC x\nLOADS 1\nSTORES 1\nINSTR_CONST 1\nINSTR_LOOP 1\nUOPS 1\nLOOP "
         "1\nx\n",
         "x.ptt:1: STREAMS is 0"},
        {"STREAMS 1\nFLOPS 1\nBYTES 1\nDESC x\nLOADS 1\nSTORES 1\nINSTR_CONST 1\nINSTR_LOOP 1\nUOPS 1\nLOOP 1\nx\n",
         "x.ptt: no TYPE"},
        {"STREAMS 1\nTYPE INT\nFLOPS 1\nBYTES 1\nLOADS 1\nSTORES 1\nINSTR_CONST 1\nINSTR_LOOP 1\nUOPS 1\nLOOP 1\nx\n",
         "x.ptt: no DESC"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ptt ptt;
        struct error error;
        scratch_write(scratch, cases[i].text);
        assert_int_equal(ptt_read(&ptt, scratch->path, &error), -1);
        assert_error(&error, cases[i].message);
    }
}

KERNEL_TEST(unreadable_files_are_refused) {
    struct ptt ptt;
    struct error error;
    assert_int_equal(ptt_read(&ptt, "/nowhere/y.ptt", &error), -1);
    assert_error(&error, "/nowhere/y.ptt: No such file or directory");
    assert_int_equal(ptt_read(&ptt, "/etc/passwd", &error), -1);
    assert_error(&error, "/etc/passwd: does not end in .ptt");

    FILE *file = fopen(scratch->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite("LOOP\0 4\n", 1, 8, file), 8);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(ptt_read(&ptt, scratch->path, &error), -1);
    assert_error(&error, "x.ptt: holds a zero byte");

    assert_int_equal(truncate(scratch->path, 2 << 20), 0);
    assert_int_equal(ptt_read(&ptt, scratch->path, &error), -1);
    assert_error(&error, "x.ptt: larger than");
}
