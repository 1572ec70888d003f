/* process.c - child processes with pipes and time limits. SPDX-License-Identifier: GPL-3.0-or-later */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stop.h"
#include "vnode/parent.h"

enum {
    MESSAGES_KEPT = 65536,
    STATUS_TIMEOUT = 124,
    STATUS_FLOODED = 125,
    STATUS_NOT_STARTED = 127,
    GLANCE_MILLISECONDS = 20,
    MOMENT_MILLISECONDS = 1000,
    DRAIN_ROUNDS = 64
};

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

/* Runs in the child and never returns. */
static void become(pid_t parent, char *const argv[], char *const environment[], const char *folder, const int out[2],
                   const int err[2]) {
    setpgid(0, 0);
    parent_end_with(parent);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (folder != NULL && chdir(folder) != 0) {
        dprintf(2, "%s: %s\n", folder, strerror(errno));
        _exit(STATUS_NOT_STARTED);
    }
    environ = (char **)environment;
    execvp(argv[0], argv);
    dprintf(2, "%s: %s\n", argv[0], strerror(errno));
    _exit(STATUS_NOT_STARTED);
}

int process_start(struct process *process, char *const argv[], char *const environment[], const char *folder,
                  double seconds, struct error *error) {
    int out[2], err[2];
    *process = (struct process){.out = -1, .err = -1};
    if (pipe2(out, O_CLOEXEC) != 0)
        return error_set(error, "%s: no pipe for it: %s", argv[0], strerror(errno));
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return error_set(error, "%s: no pipe for it: %s", argv[0], strerror(errno));
    }
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(parent, argv, environment, folder, out, err);
    close(out[1]);
    close(err[1]);
    if (pid < 0) {
        close(out[0]);
        close(err[0]);
        return error_set(error, "%s: cannot start: %s", argv[0], strerror(errno));
    }
    setpgid(pid, pid);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    process->pid = pid;
    process->out = out[0];
    process->err = err[0];
    clock_gettime(CLOCK_MONOTONIC, &process->started);
    process->limit = process->waited = seconds;
    process->deadline = process->started;
    process->deadline.tv_sec += (time_t)seconds + 1;
    return 0;
}

static void append(char **text, size_t *length, const char *data, size_t n) {
    char *grown = realloc(*text, *length + n + 1);
    if (grown == NULL)
        return;
    memcpy(grown + *length, data, n);
    *length += n;
    grown[*length] = '\0';
    *text = grown;
}

/* Reads the available output and closes the pipe at its end. Limited per call, because some processes never pause. */
static void drain(int *fd, char **text, size_t *length) {
    char buffer[16384];
    for (int rounds = 0; *fd >= 0 && rounds < DRAIN_ROUNDS; rounds++) {
        ssize_t n = read(*fd, buffer, sizeof buffer);
        if (n > 0) {
            append(text, length, buffer, (size_t)n);
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(*fd);
            *fd = -1;
        }
        return;
    }
}

static void drain_both(struct process *process) {
    drain(&process->out, &process->output, &process->output_length);
    drain(&process->err, &process->messages, &process->messages_length);
    if (process->is_ignored)
        process->output_length = 0;
    if (process->output_length > PROCESS_OUTPUT_MOST) {
        process->flooded = 1;
        process->output_length = PROCESS_OUTPUT_MOST;
        process->output[PROCESS_OUTPUT_MOST] = '\0';
    }
    if (process->messages_length > MESSAGES_KEPT) {
        size_t extra = process->messages_length - MESSAGES_KEPT;
        memmove(process->messages, process->messages + extra, MESSAGES_KEPT + 1);
        process->messages_length = MESSAGES_KEPT;
    }
}

static double seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void ended(struct process *process, int wait_status, const struct rusage *usage) {
    process->cpu_seconds = seconds_of(usage->ru_utime) + seconds_of(usage->ru_stime);
    process->context_switches = (int)usage->ru_nivcsw;
    drain_both(process);
    if (process->out >= 0)
        close(process->out);
    if (process->err >= 0)
        close(process->err);
    process->out = process->err = -1;
    process->pid = 0;
    process->seconds = seconds_since(&process->started);
    if (process->timed_out)
        process->status = STATUS_TIMEOUT;
    else if (process->flooded)
        process->status = STATUS_FLOODED;
    else
        process->status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

/* Processor time of a process and of the children it waited for; 0 if it is not in the group. */
static double cpu_seconds_in(pid_t group, const char *process) {
    char path[64], line[1024];
    long in = 0, ticks[4] = {0};
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "re");
    /* the name, in parentheses, may contain anything: continue after the last one */
    const char *end = file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    if (end == NULL || sscanf(end + 1, " %*c %*d %ld %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld", &in, &ticks[0],
                              &ticks[1], &ticks[2], &ticks[3]) != 5)
        in = 0;
    if (file != NULL)
        fclose(file);
    return in == group ? (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK) : 0;
}

static double group_cpu_seconds(pid_t group) {
    double sum = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry = processes != NULL ? readdir(processes) : NULL; entry != NULL;
         entry = readdir(processes)) {
        if (atoi(entry->d_name) > 0)
            sum += cpu_seconds_in(group, entry->d_name);
    }
    if (processes != NULL)
        closedir(processes);
    return sum;
}

/* Puts the deadline of a simulated processor off by the processor time that it has left. Returns 0 if it has none, or
 * used less than 1 % of the time since it was last asked: it hangs. */
static int put_off(struct process *process) {
    enum { IDLE_PERCENT = 1 };
    if (!process->is_simulated)
        return 0;
    double used = group_cpu_seconds(process->pid), left = process->limit - used;
    double more = used - process->used; /* less than 0 if one ended for which nobody waited: no sign of hanging */
    double least = process->limit / 10; /* not too often at the end */
    if (left <= 0 || (more >= 0 && more < process->waited * IDLE_PERCENT / 100))
        return 0;
    process->used = used;
    process->waited = left > least ? left : least;
    clock_gettime(CLOCK_MONOTONIC, &process->deadline);
    process->deadline.tv_sec += (time_t)process->waited + 1;
    return 1;
}

void process_wait(struct process *process) {
    while (process->pid != 0)
        process_wait_any(&process, 1, MOMENT_MILLISECONDS);
}

void process_wait_or_stop(struct process *process) {
    while (process->pid != 0) {
        process_wait_any(&process, 1, MOMENT_MILLISECONDS);
        if (stop_is_asked())
            process_kill(process);
    }
}

void process_kill(struct process *process) {
    if (process->pid == 0)
        return;
    kill(-process->pid, SIGKILL);
    int status = 0;
    struct rusage usage = {0};
    while (wait4(process->pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    ended(process, status, &usage);
}

/* Does not reap the process: until it is reaped, no other process or group can get its number. */
static int has_ended(pid_t process) {
    siginfo_t news = {0};
    return waitid(P_PID, (id_t)process, &news, WEXITED | WNOHANG | WNOWAIT) == 0 && news.si_pid == process;
}

int process_wait_any(struct process *const processes[], size_t count, int milliseconds) {
    struct pollfd fds[2 * count + 1];
    nfds_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (processes[i]->pid == 0)
            continue;
        if (processes[i]->out >= 0)
            fds[used++] = (struct pollfd){.fd = processes[i]->out, .events = POLLIN};
        if (processes[i]->err >= 0)
            fds[used++] = (struct pollfd){.fd = processes[i]->err, .events = POLLIN};
    }
    /* A process may close its pipes before it ends, and poll() does not report its end: never sleep long. */
    poll(fds, used, milliseconds < GLANCE_MILLISECONDS ? milliseconds : GLANCE_MILLISECONDS);

    int finished = 0;
    for (size_t i = 0; i < count; i++) {
        struct process *process = processes[i];
        if (process->pid == 0)
            continue;
        drain_both(process);
        if (has_ended(process->pid)) {
            process_kill(process); /* processes left in its group */
            finished++;
        } else if (process->flooded || (seconds_since(&process->deadline) > 0 && !put_off(process))) {
            process->timed_out = !process->flooded;
            process_kill(process);
            finished++;
        }
    }
    return finished;
}

void process_free(struct process *process) {
    process_kill(process);
    free(process->output);
    free(process->messages);
    process->output = process->messages = NULL;
    process->output_length = process->messages_length = 0;
}
