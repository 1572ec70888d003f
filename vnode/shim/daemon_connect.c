/* daemon_connect.c - a simulated process waits in one system call until its access daemon listens
 * (vnode/pmu/protocol.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "shim.h"
#include "vnode/pmu/protocol.h"

enum { WAIT_MS = 10000 }; /* as long as LIKWID itself */

static void await_daemon(int process) {
    char path[4200];
    snprintf(path, sizeof path, READY_PIPE, shim()->folder, process);
    mkfifo(path, 0600);
    int pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0)
        return;
    struct pollfd ready = {.fd = pipe, .events = POLLIN};
    poll(&ready, 1, WAIT_MS);
    close(pipe);
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    int process;
    if (shim()->active && shim()->simulated && length > sizeof(sa_family_t) && address->sa_family == AF_LOCAL &&
        sscanf(((const struct sockaddr_un *)(const void *)address)->sun_path, PROTOCOL_SOCKET, &process) == 1)
        await_daemon(process);
    return REAL(connect)(fd, address, length);
}
