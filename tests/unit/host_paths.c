/* host_paths.c - the folder of assembled kernels, which are executed. SPDX-License-Identifier: GPL-3.0-or-later */
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"

#include "validate/host/paths.h"

static const struct paths nowhere = {.tools = "/nonexistent/tools", .data = "/nonexistent"};

static int setup(void **state) {
    return folder_make(state) != 0 || setenv("XDG_CACHE_HOME", test_folder, 1) != 0;
}

#define FOLDER_TEST(name) TEST_WITH(name, void *unused, setup, folder_remove)

FOLDER_TEST(nobody_else_may_write_there_whatever_the_umask) {
    char cache[PATH_MAX];
    struct error error;
    struct stat status;
    mode_t before = umask(0);
    assert_int_equal(paths_cache(&nowhere, cache, &error), 0);
    umask(before);
    assert_int_equal(stat(cache, &status), 0);
    assert_int_equal(status.st_mode & 022, 0);
}

FOLDER_TEST(a_folder_that_others_can_write_is_refused) {
    char cache[PATH_MAX];
    struct error error;
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

FOLDER_TEST(missing_home_is_reported_in_one_line) {
    char cache[PATH_MAX];
    struct error error;
    static const char *const homes[] = {NULL, "", "relative"};
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
