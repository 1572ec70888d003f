/* kernel_probes.c - probes in C have the operations that their models assume in every compilation: gcc and clang, -O1
 * to -O3. SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernel_fixture.h"
#include "validate/kernel/function.h"

static const char *const compilers[] = {"gcc", "clang", NULL};

/* The counts of a function of probes/products.c, compiled with these options. */
static struct function_counts count_compiled(const struct scratch *scratch, const char *compiler, int level,
                                             const char *name) {
    char object[128], command[512];
    struct function_counts counts;
    struct error error;
    snprintf(object, sizeof object, "%s/%s-O%d.o", scratch->folder, compiler, level);
    snprintf(command, sizeof command, "test -e %s || %s -std=c17 -D_GNU_SOURCE -I. -g -O%d -c probes/products.c -o %s",
             object, compiler, level, object);
    assert_int_equal(system(command), 0);
    if (function_count(object, name, &counts, &error) != 0)
        fail_msg("%s -O%d: %s", compiler, level, error.text);
    return counts;
}

/* Calls check(scratch, compiler, level) for each installed compiler. */
static void with_each(const struct scratch *scratch,
                      void (*check)(const struct scratch *scratch, const char *compiler, int level)) {
    int compiled = 0;
    for (const char *const *compiler = compilers; *compiler != NULL; compiler++) {
        char command[64];
        snprintf(command, sizeof command, "command -v %s >/dev/null", *compiler);
        for (int level = 1; system(command) == 0 && level <= 3; level++, compiled++)
            check(scratch, *compiler, level);
    }
    assert_true(compiled >= 3);
}

/* Two operations of one precision, two loads and the loop's branch. */
static void check_dots(const struct scratch *scratch, const char *compiler, int level) {
    struct kernel_part singles = count_compiled(scratch, compiler, level, "products_of_singles").pass;
    struct kernel_part doubles = count_compiled(scratch, compiler, level, "products_of_doubles").pass;
    const struct kernel_part *const both[] = {&singles, &doubles};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(both[i]->fp_scalar_sp, i == 0 ? 2 : 0);
        assert_int_equal(both[i]->fp_scalar_dp, i == 0 ? 0 : 2);
        assert_int_equal(both[i]->fp_128_sp + both[i]->fp_128_dp + both[i]->fp_256_sp + both[i]->fp_256_dp, 0);
        assert_int_equal(both[i]->branches, 1);
        assert_int_equal(both[i]->conditional, 1);
    }
}

KERNEL_TEST(have_two_operations_a_pass) {
    with_each(scratch, check_dots);
}

/* A pass is one call without other computation. */
static void check_calls(const struct scratch *scratch, const char *compiler, int level) {
    static const char *const names[] = {"products_of_vector", "products_of_matrix", "products_dot", "products_gemv",
                                        "products_gemm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct function_counts counts = count_compiled(scratch, compiler, level, names[i]);
        assert_int_equal(counts.pass.calls, 1);
        assert_int_equal(counts.pass.conditional, 1);
        assert_int_equal(counts.pass.flops, 0);
        assert_int_equal(counts.constant.calls, 0);
    }
}

KERNEL_TEST(call_once_a_pass) {
    with_each(scratch, check_calls);
}
