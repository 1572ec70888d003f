/* pmu_listen.c - the access daemon's socket: who may connect, and that it does not wait for dead processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"

#include "vnode/pmu/client.h"
#include "vnode/pmu/listen.h"
#include "vnode/pmu/parent_watch.h"
#include "vnode/pmu/protocol.h"

static int released[2]; /* a pipe; its end tells the holder of a connection to close it */

enum { CAME = 10, PARENT_GONE, FAILED, PATIENCE = 2000 };

#define FOLDER_TEST(name) TEST_WITH(name, void *unused, folder_make, folder_remove)

/* Starts a daemon; its exit status is the result of waiting for a client. */
static pid_t start_daemon(void) {
    pid_t client = getpid(), child = fork();
    if (child != 0)
        return child;
    umask(0);
    int watch = parent_watch(), connection = listen_for_client(test_folder, watch, client);
    if (connection < 0)
        _exit(errno == ESRCH ? PARENT_GONE : FAILED);
    char byte;
    int more = parent_await(watch, client, connection, -1);
    _exit(more == 1 && read(connection, &byte, 1) == 1 ? CAME : PARENT_GONE);
}

/* Waits for the daemon's socket and finds it. */
static int find_socket(pid_t daemon, struct stat *status) {
    char path[128];
    snprintf(path, sizeof path, "%s/" NODE_SOCKET_PREFIX "%d", test_folder, (int)daemon);
    for (int i = 0; i < PATIENCE; i++) {
        if (stat(path, status) == 0)
            return 0;
        usleep(1000);
    }
    return -1;
}

static int connect_to(pid_t daemon) {
    struct sockaddr_un address = {.sun_family = AF_LOCAL};
    int place = open(test_folder, O_PATH | O_DIRECTORY), client = socket(AF_LOCAL, SOCK_STREAM, 0), result = -1;
    snprintf(address.sun_path, sizeof address.sun_path, NODE_SOCKET "%d", place, (int)daemon);
    for (int i = 0; i < PATIENCE && result != 0; i++) {
        result = connect(client, (struct sockaddr *)&address, sizeof address);
        if (result != 0)
            usleep(1000);
    }
    close(place);
    return result == 0 ? client : -1;
}

static int status_of(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

FOLDER_TEST(the_socket_is_private_whatever_the_umask) {
    struct stat status;
    pid_t daemon = start_daemon();
    assert_int_equal(find_socket(daemon, &status), 0);
    assert_true(S_ISSOCK(status.st_mode));
    assert_int_equal(status.st_mode & 0777, 0600);
    int client = connect_to(daemon);
    assert_true(client >= 0);
    assert_int_equal(write(client, "x", 1), 1);
    assert_int_equal(status_of(daemon), CAME);
    close(client);
    assert_int_equal(rmdir(test_folder), 0); /* the socket's name is removed */
    assert_int_equal(mkdir(test_folder, 0700), 0);
}

FOLDER_TEST(another_user_is_not_served) {
    struct stat status;
    if (geteuid() != 0)
        skip();
    pid_t daemon = start_daemon();
    assert_int_equal(find_socket(daemon, &status), 0);
    assert_int_equal(chmod(test_folder, 0755), 0); /* as another user, but with write permission on the folder */
    pid_t other = fork();
    if (other == 0) {
        char path[128], byte;
        snprintf(path, sizeof path, "%s/" NODE_SOCKET_PREFIX "%d", test_folder, (int)daemon);
        int client = chmod(path, 0666) == 0 && setresuid(65534, 65534, 65534) == 0 ? connect_to(daemon) : -1;
        _exit(client >= 0 && read(client, &byte, 1) == 0 ? 0 : 1); /* closed without an answer */
    }
    assert_int_equal(status_of(other), 0);
    int client = connect_to(daemon);
    assert_int_equal(write(client, "x", 1), 1);
    assert_int_equal(status_of(daemon), CAME);
    close(client);
}

/* Runs `parent` in a new process, which starts a daemon and ends; returns the daemon's exit status. */
static int outlived_by_daemon(void (*parent)(int report)) {
    int report[2], result = 0;
    assert_int_equal(pipe(report), 0);
    pid_t child = fork();
    if (child == 0) {
        parent(report[1]);
        _exit(0);
    }
    assert_int_equal(status_of(child), 0);
    close(report[1]);
    assert_int_equal(read(report[0], &result, sizeof result), sizeof result);
    close(report[0]);
    return result;
}

/* Starts a daemon whose parent ends; `connected`: another process keeps a connection open. */
static void daemon_of(int report, int connected) {
    struct stat status;
    pid_t client = getpid(), daemon = fork();
    if (daemon == 0) {
        int watch = parent_watch(), connection = listen_for_client(test_folder, watch, client), result = FAILED;
        if (connection < 0)
            result = errno == ESRCH ? PARENT_GONE : FAILED;
        else if (parent_await(watch, client, connection, -1) < 0)
            result = PARENT_GONE;
        _exit(write(report, &result, sizeof result) != sizeof result);
    }
    if (find_socket(daemon, &status) != 0)
        _exit(1);
    if (connected && connect_to(daemon) < 0)
        _exit(1);
    if (connected && fork() == 0) {
        char byte;
        close(report);
        close(released[1]);
        _exit((int)read(released[0], &byte, 1));
    }
}

static void ends_before_connecting(int report) {
    daemon_of(report, 0);
}

static void ends_while_another_holds_the_connection(int report) {
    daemon_of(report, 1);
}

FOLDER_TEST(a_client_that_has_ended_is_not_waited_for) {
    assert_int_equal(pipe(released), 0);
    assert_int_equal(outlived_by_daemon(ends_before_connecting), PARENT_GONE);
    assert_int_equal(outlived_by_daemon(ends_while_another_holds_the_connection), PARENT_GONE);
    close(released[0]);
    close(released[1]);
}

static void *start_in_thread(void *daemon) {
    *(pid_t *)daemon = start_daemon();
    return NULL;
}

FOLDER_TEST(the_thread_that_started_the_daemon_may_end) {
    pthread_t thread;
    pid_t daemon;
    assert_int_equal(pthread_create(&thread, NULL, start_in_thread, &daemon), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    int client = connect_to(daemon);
    assert_true(client >= 0);
    assert_int_equal(write(client, "x", 1), 1);
    assert_int_equal(status_of(daemon), CAME);
    close(client);
}

FOLDER_TEST(nearest_process_with_the_variable_gives_its_value) {
    char value[64];
    pid_t outer = fork();
    if (outer == 0) { /* HERE and ONLY are set here, another HERE in the child, neither in the grandchild */
        char *const script[] = {"sh", "-c", "env -i HERE=inner /bin/sh -c 'env -i sleep 20; :'; :", NULL};
        char *const environment[] = {"PATH=/usr/bin:/bin", "HERE=outer", "ONLY=outer", NULL};
        setpgid(0, 0);
        execve("/bin/sh", script, environment);
        _exit(1);
    }
    char line[64] = "";
    for (int i = 0; i < PATIENCE && line[0] == '\0'; i++) {
        char command[128];
        snprintf(command, sizeof command, "pgrep -g %d -x sleep", (int)outer);
        FILE *found = popen(command, "r");
        assert_non_null(found);
        if (fgets(line, sizeof line, found) == NULL)
            usleep(10000);
        pclose(found);
    }
    pid_t sleeping = (pid_t)atoi(line);
    assert_true(sleeping > 0);
    pid_t member = client_member(sleeping, "HERE", value, sizeof value);
    assert_string_equal(value, "inner");
    assert_int_equal(client_variable(member, "ONLY", value, sizeof value), -1);
    assert_int_not_equal(client_member(sleeping, "ONLY", value, sizeof value), 0);
    assert_int_equal(client_member(sleeping, "NEITHER", value, sizeof value), 0);
    kill(-outer, SIGKILL);
    waitpid(outer, NULL, 0);
}
