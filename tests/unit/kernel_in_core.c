/* kernel_in_core.c - llvm-mca's predictions for loops whose cycles follow from a processor's latencies and units, and
 * how OSACA's report is read. SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"

#include <sys/stat.h>

#include "validate/kernel/function.h"
#include "validate/kernel/in_core.h"
#include "validate/kernel/osaca.h"

static struct in_core predict(const char *loop, const char *processor) {
    struct in_core in_core = {0};
    struct error error = {""};
    if (in_core_predict(loop, processor, &in_core, &error) != 0)
        fail_msg("%s", error.text);
    return in_core;
}

#define END "sub rdi, 1\njne loop\n"

/* Haswell adds in 3 cycles and multiplies in 5, with one addition per cycle; Skylake does both in 4, two per cycle. */
TEST(latencies_and_units) {
    static const char chain[] = "vmulpd ymm0, ymm0, ymm1\nvaddpd ymm0, ymm0, ymm2\n" END;
    static const char side[] = "vaddpd ymm0, ymm0, ymm8\nvaddpd ymm1, ymm1, ymm8\nvaddpd ymm2, ymm2, ymm8\n"
                               "vaddpd ymm3, ymm3, ymm8\nvaddpd ymm4, ymm4, ymm8\nvaddpd ymm5, ymm5, ymm8\n"
                               "vaddpd ymm6, ymm6, ymm8\nvaddpd ymm7, ymm7, ymm8\n" END;
    assert_float_equal(predict(chain, "haswell").cycles, 5 + 3, 1e-3);
    assert_float_equal(predict(chain, "skylake-avx512").cycles, 4 + 4, 1e-3);
    assert_float_equal(predict(side, "haswell").cycles, 8, 1e-3);
    assert_float_equal(predict(side, "skylake-avx512").cycles, 8 / 2,
                       0.3); /* the loop's own instructions need ports, too */
    struct in_core found = predict(chain, "znver3");
    assert_non_null(strstr(found.by, "llvm-mca "));
    assert_non_null(strstr(found.by, ", znver3"));
}

/* The text of a function's loop, with a jump to the loop's start; empty if passes differ or there is no loop. */
KERNEL_TEST(loops_as_text) {
    static const struct {
        const char *body, *loop;
    } cases[] = {
        {"nop\n1: mulsd %xmm1, %xmm0\ndec %rdi\njnz 1b\nret", "mulsd xmm0, xmm1\ndec rdi\njne loop\n"},
        {"1: cmpl $0, 4(%rdi)\nje 2f\nnop\n2: dec %rsi\njnz 1b\nret", ""},
        {"nop\nret", ""},
        {"1:\n.rept 400\naddpd %xmm0, %xmm1\n.endr\ndec %rdi\njnz 1b\nret", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024], object[128], command[256];
        struct function_counts counts;
        struct error error;
        snprintf(text, sizeof text, ".type f, @function\nf:\n%s\n.size f, .-f\n.section .note.GNU-stack\n",
                 cases[i].body);
        scratch_write(scratch, text);
        snprintf(object, sizeof object, "%s/f.o", scratch->folder);
        snprintf(command, sizeof command, "cc -c -x assembler %s -o %s", scratch->path, object);
        assert_int_equal(system(command), 0);
        assert_int_equal(function_count(object, "f", &counts, &error), 0);
        assert_string_equal(counts.loop, cases[i].loop);
    }
}

TEST(says_what_is_wrong) {
    struct in_core in_core;
    struct error error;
    assert_int_equal(in_core_predict("frobnicate ymm0\n" END, "haswell", &in_core, &error), -1);
    assert_error(&error, "llvm-mca");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    assert_int_equal(in_core_predict("nop\n" END, "haswell", &in_core, &error), -1);
    setenv("PATH", path, 1);
    free(path);
    assert_error(&error, "llvm-mca is not installed");
}

/* Puts a stand-in for OSACA in PATH: it prints the report if it is called with OSACA's arguments. */
static void stand_in(const struct scratch *scratch, const char *report) {
    char file[128], text[2048];
    snprintf(text, sizeof text,
             "#!/bin/sh\n[ \"$1 $2 $3 $4 $7\" = '--arch HSW --syntax Intel --yaml-out' ] || exit 2\n"
             "grep -qx loop: \"$9\" && grep -qx nop \"$9\" || exit 3\nprintf '%s' >\"$8\"\n",
             report);
    scratch_write(scratch, text);
    snprintf(file, sizeof file, "%s/osaca", scratch->folder);
    assert_int_equal(rename(scratch->path, file), 0);
    assert_int_equal(chmod(file, 0700), 0);
}

/* Cycles in OSACA's report; -1: an error, stored in `error`. */
static double reported(const struct scratch *scratch, const char *report, struct error *error) {
    char path[4096], *before = strdup(getenv("PATH"));
    struct in_core in_core = {0};
    stand_in(scratch, report);
    snprintf(path, sizeof path, "%s:%s", scratch->folder, before);
    setenv("PATH", path, 1);
    int status = osaca_predict("nop\n" END, "HSW", &in_core, error);
    setenv("PATH", before, 1);
    free(before);
    if (status == 0)
        assert_string_equal(in_core.by, "osaca 0.7.1");
    return status == 0 ? in_core.cycles : -1;
}

/* The larger of the dependency chain and the busiest port, for any wrapping of the line. */
KERNEL_TEST(reads_osaca) {
    struct error error;
#define REPORT(lcd, units, warnings)                                                                                   \
    "Header: {Architecture: hsw, Version: 0.7.1}\nKernel:\n- LCD: 99\n  PortPressure: {0: 77.0}\nSummary:\n"           \
    "  CriticalPath: 8\n  LCD: " lcd "\n  PortPressure: {0: 1.0, 0DV: 0.0, 1: " units                                  \
    ",\n    2: 0.5}\nWarnings: [" warnings "]\n"
    assert_float_equal(reported(scratch, REPORT("8.0", "1.25", ""), &error), 8, 1e-9);
    assert_float_equal(reported(scratch, REPORT("1", "4.33", ""), &error), 4.33, 1e-9);
    assert_float_equal(reported(scratch, REPORT("8.0", "1.0", "UnknownInstrWarning"), &error), -1, 0);
    assert_error(&error, "does not know all");
    assert_float_equal(reported(scratch, "Header: {Version: 0.7.1}\nWarnings: []\n", &error), -1, 0);
    assert_error(&error, "says nothing");
#undef REPORT
}

TEST(needs_osaca) {
    struct in_core in_core;
    struct error error;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    assert_int_equal(osaca_predict("nop\n" END, "HSW", &in_core, &error), -1);
    setenv("PATH", path, 1);
    free(path);
    assert_error(&error, "osaca is not installed");
}
