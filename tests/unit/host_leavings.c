/* host_leavings.c - files as they were before a program ran. SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "validate/host/text.h"
#include "validate/run/leavings.h"

static char *command[] = {"program", "-k", "given", "not-there", NULL};

static void write_file(const char *file, const char *text) {
    struct error error;
    assert_int_equal(text_write(file, text, &error), 0);
}

static void must_be(const char *file, const char *wanted) {
    struct error error;
    char *text = text_read(file, &error);
    assert_string_equal(text, wanted);
    free(text);
}

static int is_there(const char *file) {
    return access(file, F_OK) == 0;
}

static int enter(void **state) {
    static char folder[] = "/tmp/leavings-XXXXXX";
    *state = mkdtemp(folder);
    return *state == NULL || chdir(folder) != 0 || mkdir("work", 0700) != 0;
}

static int leave(void **state) {
    static char *const files[] = {"given", "given.old", "given.folder", "other", "givenlink", "work/given-2", "work"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(files[i]);
    return chdir("/") != 0 || rmdir(*state) != 0;
}

static void what_is_new_beside_a_file_goes_and_the_rest_stays(void **state) {
    (void)state;
    struct leavings leavings = {NULL};
    struct error error;
    write_file("given", "as it was");
    write_file("given.old", "mine");
    assert_int_equal(leavings_note(&leavings, command, "work", &error), 0);
    assert_int_equal(json_array_size(leavings.given), 1);
    write_file("given.new", "made");
    write_file("given.old", "changed");
    write_file("other", "made");
    assert_int_equal(mkdir("given.folder", 0700), 0);
    assert_int_equal(symlink("other", "givenlink"), 0);
    assert_int_equal(leavings_restore(&leavings, &error), 0);
    assert_false(is_there("given.new"));
    must_be("given.old", "changed"); /* it is not a word of the command */
    must_be("other", "made");
    assert_true(is_there("given.folder"));
    assert_true(is_there("givenlink")); /* no file of its own */
    leavings_release(&leavings);
}

static void a_file_that_is_changed_or_gone_is_put_back(void **state) {
    (void)state;
    struct leavings leavings = {NULL};
    struct error error;
    struct stat before, after;
    write_file("given", "as it was");
    assert_int_equal(chmod("given", 0640), 0);
    assert_int_equal(stat("given", &before), 0);
    assert_int_equal(leavings_note(&leavings, command, "work", &error), 0);
    unlink("given");
    assert_int_equal(leavings_restore(&leavings, &error), 0);
    must_be("given", "as it was");
    write_file("given", "as it is."); /* as long */
    assert_int_equal(leavings_restore(&leavings, &error), 0);
    must_be("given", "as it was");
    assert_int_equal(stat("given", &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    leavings_release(&leavings);
}

static void what_cannot_be_kept_is_said(void **state) {
    (void)state;
    struct leavings leavings = {NULL};
    struct error error;
    write_file("given", "as it was");
    assert_int_equal(leavings_note(&leavings, command, "no-folder", &error), -1);
    assert_non_null(strstr(error.text, "given: cannot be kept for the next run"));
    leavings_release(&leavings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_new_beside_a_file_goes_and_the_rest_stays),
        cmocka_unit_test(a_file_that_is_changed_or_gone_is_put_back),
        cmocka_unit_test(what_cannot_be_kept_is_said),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
