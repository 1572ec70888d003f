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

#include "vnode.h"
#include "vnode/parent.h"
#include "vnode_private.h"

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
    errno = ENOENT;
    if (command_prepare(&node->command, node->folder, node->tools, argv[0], 1, search_path(node), 0) != 0)
        return NULL;
    for (; node->command.simulated && node->command.prefix[n]; n++)
        node->arguments[n] = (char *)node->command.prefix[n];
    node->arguments[n++] = node->command.program;
    for (size_t i = 1; i < count; i++)
        node->arguments[n++] = argv[i];
    return node->arguments;
}

/* Waits for the child; a signal for this process goes to it as well. */
static int wait_for(pid_t child, const sigset_t *signals) {
    int status;
    for (;;) {
        siginfo_t info;
        int signal = sigwaitinfo(signals, &info);
        if (signal > 0 && signal != SIGCHLD) {
            /* from the terminal it has reached the child already */
            if (info.si_code != SI_KERNEL)
                kill(child, signal);
            continue;
        }
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
        if (ended < 0 && errno != EINTR)
            return STATUS_CANNOT;
    }
}

int vnode_run(struct vnode *node, char *const *argv) {
    sigset_t signals, before;
    char *const *command = vnode_command(node, argv);
    if (!command)
        return STATUS_NOT_FOUND;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    for (int i = 0; i < FORWARDED; i++)
        sigaddset(&signals, forwarded[i]);
    sigprocmask(SIG_BLOCK, &signals, &before);
    pid_t self = getpid(), child = fork();
    if (child == 0) {
        parent_end_with(self);
        sigprocmask(SIG_SETMASK, &before, NULL);
        execve(command[0], command, node->environment);
        dprintf(STDERR_FILENO, "%s: cannot be executed: %s\n", argv[0], strerror(errno));
        _exit(STATUS_CANNOT);
    }
    if (child < 0)
        dprintf(STDERR_FILENO, "%s: no process for it: %s\n", argv[0], strerror(errno));
    int status = child < 0 ? STATUS_CANNOT : wait_for(child, &signals);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
