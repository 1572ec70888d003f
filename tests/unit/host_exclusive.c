/* host_exclusive.c - locks: who gets them, and which files are refused. SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

#include "validate/host/exclusive.h"
#include "validate/host/fresh.h"

#define FOLDER_TEST(name) TEST_WITH(name, void *unused, folder_enter, folder_remove)

/* Starts a process that takes a lock, reports it, and waits to be killed. */
static pid_t hold(int (*take)(struct error *)) {
    int pipes[2];
    char taken = 0;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        struct error error;
        taken = take(&error) >= 0;
        if (write(pipes[1], &taken, 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(pipes[0], &taken, 1), 1);
    assert_true(taken);
    close(pipes[0]);
    close(pipes[1]);
    return child;
}

static void end(pid_t child) {
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static int take_file(struct error *error) {
    return exclusive_take("lock", "busy: wait", error);
}

FOLDER_TEST(a_file_is_locked_once_and_free_when_its_holder_is_killed) {
    struct error error;
    pid_t holder = hold(take_file);
    assert_int_equal(take_file(&error), -1);
    assert_string_equal(error.text, "busy: wait");
    end(holder);
    int lock = take_file(&error);
    assert_true(lock >= 0);
    exclusive_release("lock", lock);
    assert_int_equal(access("lock", F_OK), -1);
}

/* Takes the C library's place: a file system may have no locks. */
static int without_locks;
int flock(int file, int operation) {
    errno = ENOLCK;
    return without_locks ? -1 : (int)syscall(SYS_flock, file, operation);
}

FOLDER_TEST(a_file_system_without_locks_is_not_another_campaign) {
    struct error error;
    without_locks = 1;
    assert_int_equal(take_file(&error), -1);
    without_locks = 0;
    assert_string_equal(error.text, "lock: cannot lock: No locks available; use a folder on a file system with locks");
}

FOLDER_TEST(only_a_file_of_ones_own_is_a_lock) {
    struct error error;
    FILE *target = fopen("target", "w");
    assert_non_null(target);
    fclose(target);
    assert_int_equal(symlink("target", "lock"), 0);
    assert_int_equal(take_file(&error), -1);
    assert_non_null(strstr(error.text, "a link"));
    assert_int_equal(unlink("lock"), 0);
    assert_int_equal(mkfifo("lock", 0600), 0); /* opening it must not wait for a writer */
    assert_int_equal(take_file(&error), -1);
    assert_non_null(strstr(error.text, "no file of yours"));
    assert_int_equal(unlink("lock"), 0);
    if (geteuid() != 0)
        return;
    assert_int_equal(rename("target", "lock"), 0);
    assert_int_equal(chown("lock", 65534, 65534), 0);
    assert_int_equal(take_file(&error), -1);
    assert_non_null(strstr(error.text, "no file of yours"));
}

/* Uses another name than a real campaign on this machine. */
static int take_machine(struct error *error) {
    static char name[64];
    if (name[0] == '\0')
        snprintf(name, sizeof name, "assay-test-%d", (int)getpid());
    return exclusive_machine(name, error);
}

FOLDER_TEST(the_machine_is_locked_once_for_all_users) {
    struct error error;
    char who[64];
    int status;
    close(take_machine(&error));
    pid_t holder = hold(take_machine);
    pid_t other = fork();
    if (other == 0) {
        if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
            _exit(2);
        _exit(take_machine(&error) != -1);
    }
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
    assert_int_equal(take_machine(&error), -1);
    snprintf(who, sizeof who, "process %d of user %u", (int)holder, (unsigned)geteuid());
    assert_non_null(strstr(error.text, who));
    end(holder);
    int lock = take_machine(&error);
    assert_true(lock >= 0);
    close(lock);
}

FOLDER_TEST(a_fresh_file_replaces_a_link_and_leaves_its_target) {
    struct stat status;
    FILE *victim = fopen("victim", "w");
    assert_non_null(victim);
    fputs("precious", victim);
    fclose(victim);
    assert_int_equal(symlink("victim", "new"), 0);
    FILE *fresh = fresh_open("new");
    assert_non_null(fresh);
    fputs("x", fresh);
    fclose(fresh);
    assert_int_equal(stat("victim", &status), 0);
    assert_int_equal(status.st_size, strlen("precious"));
    assert_int_equal(lstat("new", &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_null(fresh_open("folder"));
}
