/* launch_scratch.c - scratch folders: their owners, and who removes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

#include "vnode/launch/scratch.h"

static int setup(void **state) {
    return folder_make(state) != 0 || setenv("TMPDIR", test_folder, 1) != 0;
}

#define SCRATCH_TEST(name) TEST_WITH(name, void *unused, setup, folder_remove)

static void put(const char *folder, const char *name) {
    char path[SCRATCH_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

static struct scratch make(void) {
    struct scratch scratch;
    char error[512];
    assert_int_equal(scratch_make("assay-test", &scratch, error, sizeof error), 0);
    return scratch;
}

/* Starts a process that makes a folder and waits to be killed; stores the folder's path, sent through a pipe. */
static pid_t make_elsewhere(char folder[SCRATCH_PATH]) {
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        struct scratch scratch = make();
        if (write(pipes[1], scratch.folder, SCRATCH_PATH) == SCRATCH_PATH)
            pause();
        _exit(1);
    }
    assert_int_equal(read(pipes[0], folder, SCRATCH_PATH), SCRATCH_PATH);
    close(pipes[0]);
    close(pipes[1]);
    return child;
}

static void end(pid_t child) {
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

SCRATCH_TEST(a_folder_is_private_and_goes_with_all_in_it) {
    struct stat status;
    char inner[SCRATCH_PATH + 64];
    struct scratch scratch = make();
    assert_int_equal(strncmp(scratch.folder, test_folder, strlen(test_folder)), 0);
    assert_int_equal(stat(scratch.folder, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    put(test_folder, "outside");
    snprintf(inner, sizeof inner, "%s/inner", scratch.folder);
    assert_int_equal(mkdir(inner, 0700), 0);
    put(inner, "file");
    snprintf(inner, sizeof inner, "%s/inner/link", scratch.folder);
    assert_int_equal(symlink(test_folder, inner), 0);
    snprintf(inner, sizeof inner, "%s", scratch.folder);
    scratch_remove(&scratch);
    assert_int_equal(access(inner, F_OK), -1);
    snprintf(inner, sizeof inner, "%s/outside", test_folder);
    assert_int_equal(access(inner, F_OK), 0);
    scratch_remove(&scratch);
}

SCRATCH_TEST(folders_of_the_dead_are_removed_and_those_of_the_living_stay) {
    char dead[SCRATCH_PATH], living[SCRATCH_PATH];
    pid_t one = make_elsewhere(dead), two = make_elsewhere(living);
    end(one);
    struct scratch scratch = make();
    assert_int_equal(access(dead, F_OK), -1);
    assert_int_equal(access(living, F_OK), 0);
    scratch_remove(&scratch);
    end(two);
    scratch = make();
    assert_int_equal(access(living, F_OK), -1);
    scratch_remove(&scratch);
}

/* Folders that only look like stale ones. */
SCRATCH_TEST(nothing_else_is_removed) {
    char path[4][SCRATCH_PATH], file[SCRATCH_PATH + 64];
    pid_t maker[4];
    for (int i = 0; i < 4; i++)
        maker[i] = make_elsewhere(path[i]);
    for (int i = 0; i < 4; i++)
        end(maker[i]);
    snprintf(file, sizeof file, "%s/.owned", path[0]); /* not locked yet by its maker */
    assert_int_equal(unlink(file), 0);
    assert_int_equal(chmod(path[1], 0755), 0); /* other users may have written to it */
    snprintf(file, sizeof file, "%s/kept", test_folder);
    assert_int_equal(rename(path[2], file), 0); /* a link to a folder elsewhere */
    assert_int_equal(symlink(file, path[2]), 0);
    int other = geteuid() == 0 && chown(path[3], 65534, 65534) == 0; /* of another user */
    struct scratch scratch = make();
    for (int i = 0; i < 3; i++)
        assert_int_equal(access(path[i], F_OK), 0);
    assert_int_equal(access(path[3], F_OK), other ? 0 : -1);
    scratch_remove(&scratch);
}

SCRATCH_TEST(where_it_is_made) {
    struct scratch scratch;
    char error[512], longer[SCRATCH_PATH + 1], here[SCRATCH_PATH];
    memset(longer, 'x', sizeof longer - 1);
    longer[0] = '/';
    longer[sizeof longer - 1] = '\0';
    const char *const impossible[] = {"/nonexistent", "nonexistent", "/dev/null", longer};
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        assert_int_equal(setenv("TMPDIR", impossible[i], 1), 0);
        assert_int_equal(scratch_make("assay-test", &scratch, error, sizeof error), -1);
        assert_non_null(strstr(error, "TMPDIR=")); /* what, and what to do */
        assert_non_null(strstr(error, "set TMPDIR"));
        assert_string_equal(scratch.folder, "");
    }
    assert_int_equal(chdir(test_folder), 0);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    scratch = make();
    assert_int_equal(strncmp(scratch.folder, here, strlen(here)), 0);
    scratch_remove(&scratch);
}

SCRATCH_TEST(without_tmpdir_it_is_in_memory) {
    struct statvfs memory;
    int has_room = statvfs("/dev/shm", &memory) == 0 && memory.f_bavail * memory.f_frsize >= SCRATCH_MEMORY_LEAST;
    char session[64];
    snprintf(session, sizeof session, "/run/systemd/users/%lu", (unsigned long)geteuid());
    int is_emptied = geteuid() >= 1000 && access(session, F_OK) == 0; /* by logind, at the end of the session */
    const char *expected = has_room && !is_emptied && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    assert_int_equal(setenv("TMPDIR", "", 1), 0);
    struct scratch scratch = make();
    assert_int_equal(strncmp(scratch.folder, expected, strlen(expected)), 0);
    assert_int_equal(strspn(scratch.folder + strlen(expected), "/") + strlen(expected) + strlen("assay-test-XXXXXX"),
                     SCRATCH_LENGTH_STEP);
    assert_int_equal(strlen(scratch.folder), SCRATCH_LENGTH_STEP);
    scratch_remove(&scratch);
}
