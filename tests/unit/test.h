/* test.h - a unit test program: each TEST() defines a test and adds it to those that main() runs, in their order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   TEST(name) { ... }                                      a test
 *   TEST_WITH(name, struct x *x, setup, teardown) { ... }   x: what setup(void **state) left in *state; teardown may be
 * NULL ALL_TESTS(setup, teardown)                              cmocka's functions that are run before and after all
 * tests, or NULL */
#ifndef ASSAY_TESTS_UNIT_TEST_H
#define ASSAY_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TESTS_MAX = 32, FIRST_PRIORITY = 101 /* of an application's constructors */ };

static struct {
    struct CMUnitTest test[TESTS_MAX];
    size_t count;
    CMFixtureFunction setup, teardown;
} test_list;

static inline void test_add(struct CMUnitTest test) {
    if (test_list.count == TESTS_MAX)
        abort();
    test_list.test[test_list.count++] = test;
}

/* The priority keeps the order of the file, which compilers may change. */
#define TEST_ADDED(name, setup, teardown)                                                                              \
    static void name##_run(void **state);                                                                              \
    __attribute__((constructor(FIRST_PRIORITY + __COUNTER__))) static void name##_add(void) {                          \
        test_add((struct CMUnitTest){#name, name##_run, setup, teardown, NULL});                                       \
    }

#define TEST(name)                                                                                                     \
    static void name(void);                                                                                            \
    TEST_ADDED(name, NULL, NULL)                                                                                       \
    static void name##_run(void **state) {                                                                             \
        (void)state;                                                                                                   \
        name();                                                                                                        \
    }                                                                                                                  \
    static void name(void)

#define TEST_WITH(name, parameter, setup, teardown)                                                                    \
    static void name(parameter);                                                                                       \
    TEST_ADDED(name, setup, teardown)                                                                                  \
    static void name##_run(void **state) {                                                                             \
        name(*state);                                                                                                  \
    }                                                                                                                  \
    static void name(__attribute__((unused)) parameter)

#define ALL_TESTS(before, after)                                                                                       \
    __attribute__((constructor)) static void all_tests(void) {                                                         \
        test_list.setup = before;                                                                                      \
        test_list.teardown = after;                                                                                    \
    }

int main(void) {
    return _cmocka_run_group_tests("tests", test_list.test, test_list.count, test_list.setup, test_list.teardown);
}

#endif
