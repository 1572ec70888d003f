/* run.c - runs a command on a virtual node.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orphans.h"
#include "vnode.h"
#include "vnode/parent.h"
#include "vnode_private.h"

/* Time that processes may outlive the command: access daemons end after their clients. */
enum { GRACE_MS = 1000 };
/* Time that a program may leave a fatal signal pending. */
enum { PATIENCE_S = 5 };

/* Time that the command, then its leftover processes, may run after SIGINT. */
enum { INTERRUPTED_MS = 300 };

enum { STATUS_SIGNAL = 128, STATUS_NOT_FOUND = 127, STATUS_CANNOT = 126 };

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { FORWARDED = sizeof forwarded / sizeof *forwarded };

/* The folders of the node's own PATH. */
static const char *search_path(const struct vnode *node) {
    for (char **entry = node->environment; *entry; entry++)
        if (strncmp(*entry, "PATH=", 5) == 0)
            return *entry + 5;
    return NULL;
}

char *const *vnode_command(struct vnode *node, char *const *argv) {
    size_t count = 0, n = 0;
    while (argv[count])
        count++;
    free(node->arguments);
    node->arguments = calloc(count + COMMAND_PREFIX_WORDS + 2, sizeof *node->arguments);
    if (!node->arguments)
        return NULL;
    struct command_node where = {.folder = node->folder, .tools = node->tools, .beside = 1};
    if (command_prepare(&node->command, &where, argv[0], 1, search_path(node)) != 0)
        return NULL;
    for (; program_uses_engine(node->command.kind) && node->command.prefix[n]; n++)
        node->arguments[n] = (char *)node->command.prefix[n];
    node->arguments[n++] = node->command.program;
    for (size_t i = 1; i < count; i++)
        node->arguments[n++] = argv[i];
    return node->arguments;
}

/* Whether a process has that signal pending: the engine, which takes signals between blocks of the program's code, is
 * stuck, or the program blocks it. */
static int is_pending(pid_t process, int signal) {
    char path[64], line[256];
    unsigned long long set, pending = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "SigPnd: %llx", &set) == 1 || sscanf(line, "ShdPnd: %llx", &set) == 1)
            pending |= set;
    if (file)
        fclose(file);
    return pending >> (signal - 1) & 1;
}

/* Forwards a signal to the child; one from the terminal has reached it already. */
static void forward(pid_t child, const siginfo_t *info) {
    if (info->si_code != SI_KERNEL)
        kill(child, info->si_signo);
}

static void end_stuck(pid_t child, int signal) {
    if (!is_pending(child, signal))
        return;
    dprintf(STDERR_FILENO, "assay vnode: killed: the program has not taken signal %d (%s) for %d s\n", signal,
            strsignal(signal), PATIENCE_S);
    kill(child, SIGKILL);
}

/* Waits for the child. After SIGINT it is killed if it keeps running, as a script's background process does; not if
 * the signal came from the terminal: then the child got it too and may handle it. After another signal it is killed
 * only if it does not take the signal. */
static int wait_for(pid_t child, const sigset_t *signals, int *interrupted) {
    static const struct timespec moment = {.tv_nsec = INTERRUPTED_MS * 1000000L}, patience = {.tv_sec = PATIENCE_S};
    int status, sent = 0;
    for (;;) {
        siginfo_t info;
        int signal = sigtimedwait(signals, &info, *interrupted ? &moment : sent ? &patience : NULL);
        int late = signal < 0 && errno == EAGAIN;
        if (signal > 0 && signal != SIGCHLD) {
            forward(child, &info);
            sent = signal;
            *interrupted |= signal == SIGINT && info.si_code != SI_KERNEL;
            continue;
        }
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child && *interrupted)
            return STATUS_SIGNAL + SIGINT;
        if (ended == child)
            return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
        if (ended < 0 && errno != EINTR)
            return STATUS_CANNOT;
        if (late && *interrupted)
            kill(child, SIGKILL);
        else if (late)
            end_stuck(child, sent);
    }
}

/* Reports why a program cannot start in one line, and returns a shell's status for it. */
static int cannot_start(const char *program, const char *file, int error) {
    char interpreter[COMMAND_LINE];
    if (error == ENOENT && command_lacks_interpreter(file, interpreter))
        dprintf(STDERR_FILENO, "assay vnode: %s: its interpreter %s is not there; correct the script's first line\n",
                file, interpreter);
    else if (error == ENOENT)
        dprintf(STDERR_FILENO, "assay vnode: %s: no such program; is it in PATH?\n", program);
    else
        dprintf(STDERR_FILENO, "assay vnode: %s: cannot be executed: %s\n", program, strerror(error));
    return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT;
}

int vnode_run(struct vnode *node, char *const *argv) {
    sigset_t signals, before;
    char *const *command = vnode_command(node, argv);
    if (!command)
        return cannot_start(argv[0], node->command.program, errno);
    if (!program_uses_engine(node->command.kind))
        command_explain(&node->command);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (int i = 0; i < FORWARDED; i++)
        sigaddset(&signals, forwarded[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    orphans_adopt();
    pid_t self = getpid(), child = fork();
    if (child == 0) {
        parent_end_with(self);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execve(command[0], command, node->environment);
        _exit(node->command.kind == PROGRAM_FOREIGN ? STATUS_CANNOT : cannot_start(command[0], command[0], errno));
    }
    int interrupted = 0;
    int status = child < 0 ? cannot_start(command[0], command[0], errno) : wait_for(child, &signals, &interrupted);
    int left = orphans_end(node->keeper, interrupted ? INTERRUPTED_MS : GRACE_MS);
    if (left > 0)
        dprintf(STDERR_FILENO,
                "assay vnode: %s has ended, and with it the node: %d process%s that it left running %s\n", argv[0],
                left, left > 1 ? "es" : "", left > 1 ? "were ended" : "was ended");
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
