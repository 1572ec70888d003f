/* daemon_connect.c - a simulated process waits in one system call until its access daemon listens
 * (vnode/pmu/protocol.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/pmu/protocol.h"

enum { WAIT_MS = 10000 }; /* as long as LIKWID itself */

/* `process` is the daemon's number as text, and stays so: the instructions that convert a number depend on its digits,
 * and process numbers are chance. */
static void await_daemon(const char *process) {
    char path[4200];
    snprintf(path, sizeof path, READY_PIPE_PREFIX "%s", shim()->folder, process);
    mkfifo(path, 0600);
    int pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0)
        return;
    struct pollfd ready = {.fd = pipe, .events = POLLIN};
    poll(&ready, 1, WAIT_MS);
    close(pipe);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    if (shim()->active && shim()->simulated && length > sizeof(sa_family_t) && address->sa_family == AF_LOCAL) {
        const char *path = ((const struct sockaddr_un *)(const void *)address)->sun_path;
        size_t prefix = strlen(PROTOCOL_SOCKET_PREFIX);
        if (strncmp(path, PROTOCOL_SOCKET_PREFIX, prefix) == 0)
            await_daemon(path + prefix);
    }
    return REAL(connect)(fd, address, length);
}
