/* host_process.c - child processes: output, status, time limits. SPDX-License-Identifier: GPL-3.0-or-later */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "validate/host/process.h"

static void run_on(int is_simulated, struct process *process, const char *script, double seconds) {
    char *const argv[] = {"sh", "-c", (char *)script, NULL};
    struct error error;
    struct process *const all[] = {process};
    assert_int_equal(process_start(process, argv, environ, "/", seconds, &error), 0);
    process->is_simulated = is_simulated;
    while (process_wait_any(all, 1, 100) == 0) {
    }
}

static void run(struct process *process, const char *script, double seconds) {
    run_on(0, process, script, seconds);
}

TEST(keeps_output_and_status) {
    struct process process;
    run(&process, "pwd; echo oops >&2; exit 7", 10);
    assert_int_equal(process.status, 7);
    assert_string_equal(process.output, "/\n");
    assert_string_equal(process.messages, "oops\n");
    process_free(&process);
}

TEST(endless_output_is_stopped) {
    struct process process;
    run(&process, "exec yes", 300);
    assert_true(process.flooded);
    assert_false(process.timed_out);
    assert_int_equal(process.status, 125);
    assert_int_equal(process.output_length, PROCESS_OUTPUT_MOST);
    assert_int_equal(strlen(process.output), PROCESS_OUTPUT_MOST);
    process_free(&process);
}

TEST(output_below_the_limit_is_whole) {
    struct process process;
    run(&process, "head -c 4194304 /dev/zero | tr '\\0' x", 60);
    assert_false(process.flooded);
    assert_int_equal(process.status, 0);
    assert_int_equal(process.output_length, PROCESS_OUTPUT_MOST);
    process_free(&process);
}

/* The last 64 KiB are kept, and the time limit applies although the pipe is never empty. */
TEST(endless_messages_end_at_the_time_limit) {
    struct process process;
    run(&process, "exec yes >&2", 1);
    assert_true(process.timed_out);
    assert_int_equal(process.messages_length, 65536);
    assert_true(process.seconds < 20);
    process_free(&process);
}

TEST(a_signal_gives_status_128_plus_its_number) {
    struct process process;
    run(&process, "kill -TERM $$", 10);
    assert_int_equal(process.status, 128 + SIGTERM);
    process_free(&process);
}

TEST(a_hanging_tree_is_killed) {
    struct process process;
    run(&process, "sleep 1000 & echo $!; sleep 1000", 0.1);
    assert_true(process.timed_out);
    assert_int_equal(process.status, 124);
    assert_non_null(process.output);
    process_free(&process);
}

/* Works for more than two seconds, most of which it sleeps: as if on a busy host, in the child of a child. */
TEST(only_a_simulated_run_has_processor_time_as_its_limit) {
    static const char slow[] =
        "(for i in 1 2 3 4 5; do n=0; while [ $n -lt 30000 ]; do n=$((n + 1)); done; sleep 0.45; done; :)";
    struct process process;
    run_on(0, &process, slow, 1);
    assert_true(process.timed_out);
    process_free(&process);
    run_on(1, &process, slow, 1);
    assert_false(process.timed_out);
    assert_true(process.seconds > 2);
    process_free(&process);
}

TEST(a_simulated_run_ends_when_its_processor_time_is_used_or_when_it_hangs) {
    static const char *const endless[] = {"exec yes >/dev/null", "exec sleep 1000"};
    for (int i = 0; i < 2; i++) {
        struct process process;
        run_on(1, &process, endless[i], 0.5);
        assert_true(process.timed_out);
        assert_int_equal(process.status, 124);
        process_free(&process);
    }
}

TEST(a_missing_program_is_127) {
    struct process process;
    char *const argv[] = {"/nonexistent/program", NULL};
    struct error error;
    struct process *const all[] = {&process};
    assert_int_equal(process_start(&process, argv, environ, NULL, 10, &error), 0);
    while (process_wait_any(all, 1, 100) == 0) {
    }
    assert_int_equal(process.status, 127);
    assert_non_null(strstr(process.messages, "/nonexistent/program"));
    process_free(&process);
}

/* When a process is killed, its child must end, too: this closes a pipe that only the child holds. */
TEST(child_ends_with_its_parent) {
    int pipes[2], status;
    char byte;
    assert_int_equal(pipe(pipes), 0);
    pid_t starter = fork();
    if (starter == 0) {
        struct process process;
        struct error error;
        char *const argv[] = {"sleep", "1000", NULL};
        close(pipes[0]);
        if (process_start(&process, argv, environ, NULL, 2000, &error) != 0)
            _exit(1);
        close(pipes[1]);
        kill(getpid(), SIGKILL);
    }
    close(pipes[1]);
    assert_int_equal(waitpid(starter, &status, 0), starter);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    struct pollfd closed = {.fd = pipes[0], .events = POLLIN};
    assert_int_equal(poll(&closed, 1, 10000), 1);
    assert_int_equal(read(pipes[0], &byte, 1), 0);
    close(pipes[0]);
}
