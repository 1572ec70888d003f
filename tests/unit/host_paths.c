/* host_paths.c - the folder of assembled kernels, which are executed. SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "validate/host/paths.h"

static char base[] = "/tmp/paths-test-XXXXXX";
static const struct paths nowhere = {.tools = "/nonexistent/tools", .data = "/nonexistent"};

static int make_folder(void **state) {
    (void)state;
    strcpy(base + sizeof base - 7, "XXXXXX");
    return mkdtemp(base) == NULL || setenv("XDG_CACHE_HOME", base, 1) != 0;
}

static int remove_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", base);
    return system(command);
}

static void nobody_else_may_write_there_whatever_the_umask(void **state) {
    char cache[PATH_MAX];
    struct error error;
    struct stat status;
    (void)state;
    mode_t before = umask(0);
    assert_int_equal(paths_cache(&nowhere, cache, &error), 0);
    umask(before);
    assert_int_equal(stat(cache, &status), 0);
    assert_int_equal(status.st_mode & 022, 0);
}

static void a_folder_that_others_can_write_is_refused(void **state) {
    char cache[PATH_MAX];
    struct error error;
    (void)state;
    assert_int_equal(paths_cache(&nowhere, cache, &error), 0);
    assert_int_equal(chmod(cache, 0777), 0);
    assert_int_equal(paths_cache(&nowhere, cache, &error), -1);
    assert_non_null(strstr(error.text, "others may write"));
    assert_int_equal(chmod(cache, 0755), 0);
    if (geteuid() != 0)
        return;
    assert_int_equal(chown(cache, 65534, 65534), 0);
    assert_int_equal(paths_cache(&nowhere, cache, &error), -1);
}

static void without_a_home_that_is_one_line(void **state) {
    char cache[PATH_MAX];
    struct error error;
    static const char *const homes[] = {NULL, "", "relative"};
    (void)state;
    unsetenv("XDG_CACHE_HOME");
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        if (homes[i] != NULL)
            setenv("HOME", homes[i], 1);
        else
            unsetenv("HOME");
        assert_int_equal(paths_cache(&nowhere, cache, &error), -1);
        assert_non_null(strstr(error.text, "set one"));
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(nobody_else_may_write_there_whatever_the_umask),
        TEST(a_folder_that_others_can_write_is_refused),
        TEST(without_a_home_that_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
