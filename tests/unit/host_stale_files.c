/* host_stale_files.c - files as they were before a program ran. SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#include "validate/host/text.h"
#include "validate/run/stale_files.h"
#include "vnode/written_file.h"

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

/* Adds a virtual node's report about a file: 'm' created, 'w' opened for writing. */
static void add_written(json_t *written, const char *file, char how) {
    struct statx status;
    char key[WRITTEN_TEXT];
    assert_int_equal(statx(AT_FDCWD, file, AT_SYMLINK_NOFOLLOW, STATX_BTIME | STATX_INO, &status), 0);
    snprintf(key, sizeof key, WRITTEN_FORMAT, WRITTEN_ARGUMENTS(status));
    json_object_set_new(written, key, json_stringn(&how, 1));
}

static int enter(void **state) {
    static char folder[] = "/tmp/stale_files-XXXXXX";
    *state = mkdtemp(folder);
    return *state == NULL || chdir(folder) != 0 || mkdir("work", 0700) != 0;
}

static int leave(void **state) {
    static char *const files[] = {"given",      "given.old",  "given.folder", "other", "given.link",
                                  "given.mine", "given.\xe9", "work/given-2", "work"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(files[i]);
    return chdir("/") != 0 || rmdir(*state) != 0;
}

ALL_TESTS(enter, leave)

TEST(new_files_of_the_run_are_removed_others_stay) {
    struct stale_files stale_files = {0};
    struct error error;
    write_file("given", "as it was");
    write_file("given.old", "mine");
    write_file("given.\xe9", "mine");
    assert_int_equal(stale_files_note(&stale_files, command, "work", &error), 0);
    assert_int_equal(stale_files.count, 1);
    write_file("given.new", "made");
    write_file("given.\xe8", "made");
    write_file("given.mine", "another process's");
    write_file("given.old", "changed");
    write_file("other", "made");
    assert_int_equal(mkdir("given.folder", 0700), 0);
    assert_int_equal(symlink("other", "given.link"), 0);
    json_t *written = json_object();
    static const char *const made[] = {"given.new", "given.\xe8", "given.\xe9", "given.old", "other", "given.link"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        add_written(written, made[i], 'm');
    add_written(written, "given.mine", 'w'); /* written by the program, but it existed before */
    stale_files_learn(&stale_files, written);
    assert_int_equal(stale_files_restore(&stale_files, &error), 0);
    assert_false(is_there("given.new"));
    assert_false(is_there("given.\xe8"));
    must_be("given.mine", "another process's");
    must_be("given.\xe9", "mine");
    must_be("given.old", "changed"); /* not named in the command */
    must_be("other", "made");
    assert_true(is_there("given.folder"));
    assert_true(is_there("given.link")); /* not a regular file */
    stale_files_release(&stale_files);
}

TEST(unproven_new_files_stay) {
    struct stale_files stale_files = {0};
    struct error error;
    write_file("given", "as it was");
    remove("given.mine");
    assert_int_equal(stale_files_note(&stale_files, command, "work", &error), 0);
    write_file("given.mine", "somebody's");
    stale_files_learn(&stale_files, NULL); /* a native node */
    assert_int_equal(stale_files_restore(&stale_files, &error), 0);
    must_be("given.mine", "somebody's");
    stale_files_release(&stale_files);
}

TEST(a_later_file_with_the_same_inode_is_another_one) {
    struct stale_files stale_files = {0};
    struct error error;
    struct statx status;
    char key[WRITTEN_TEXT];
    write_file("given", "as it was");
    remove("given.mine");
    assert_int_equal(stale_files_note(&stale_files, command, "work", &error), 0);
    write_file("given.mine", "another process's");
    assert_int_equal(statx(AT_FDCWD, "given.mine", 0, STATX_BTIME | STATX_INO, &status), 0);
    status.stx_btime.tv_nsec ^= 1; /* the run's file with this inode number had another birth time */
    snprintf(key, sizeof key, WRITTEN_FORMAT, WRITTEN_ARGUMENTS(status));
    stale_files_learn(&stale_files, json_pack("{s:s}", key, "m"));
    assert_int_equal(stale_files_restore(&stale_files, &error), 0);
    assert_true(is_there("given.mine"));
    stale_files_release(&stale_files);
}

static void learn_written(struct stale_files *stale_files, const char *file) {
    json_t *written = json_object();
    add_written(written, file, 'w');
    stale_files_learn(stale_files, written);
}

TEST(a_file_that_the_run_changed_or_that_is_gone_is_put_back) {
    struct stale_files stale_files = {0};
    struct error error;
    struct stat before, after;
    write_file("given", "as it was");
    assert_int_equal(chmod("given", 0640), 0);
    assert_int_equal(stat("given", &before), 0);
    assert_int_equal(stale_files_note(&stale_files, command, "work", &error), 0);
    unlink("given");
    assert_int_equal(stale_files_restore(&stale_files, &error), 0);
    must_be("given", "as it was");
    write_file("given", "as it is."); /* same length */
    learn_written(&stale_files, "given");
    assert_int_equal(stale_files_restore(&stale_files, &error), 0);
    must_be("given", "as it was");
    assert_int_equal(stat("given", &after), 0);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
    stale_files_release(&stale_files);
}

TEST(files_changed_by_others_are_not_overwritten) {
    struct stale_files stale_files = {0};
    struct error error;
    write_file("given", "as it was");
    assert_int_equal(stale_files_note(&stale_files, command, "work", &error), 0);
    write_file("given", "an edit meanwhile");
    stale_files_learn(&stale_files, json_object());
    assert_int_equal(stale_files_restore(&stale_files, &error), -1);
    assert_non_null(strstr(error.text, "given was changed meanwhile, and nothing proves that the program did it"));
    must_be("given", "an edit meanwhile");
    stale_files_release(&stale_files);
}

TEST(files_that_cannot_be_kept_are_reported) {
    struct stale_files stale_files = {0};
    struct error error;
    write_file("given", "as it was");
    assert_int_equal(stale_files_note(&stale_files, command, "no-folder", &error), -1);
    assert_non_null(strstr(error.text, "given: cannot be kept for the next run"));
    stale_files_release(&stale_files);
}
