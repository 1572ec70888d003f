/* daemon_connect.c - redirects connections with access daemons to the node's folder (vnode/pmu/protocol.h). A
 * simulated process waits in a single system call until its daemon listens.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "helper.h"
#include "native_checks.h"
#include "shim.h"
#include "vnode/engine/requests.h"
#include "vnode/pmu/protocol.h"

enum { WAIT_MS = 10000 }; /* same as LIKWID */

/* `process`: the daemon's pid as text, never converted: the number of instructions would depend on its digits, which
 * are random. An existing pipe means that an earlier wait failed: LIKWID tries a thousand times. */
static void await_daemon(const char *process) {
    char path[4200];
    snprintf(path, sizeof path, READY_PIPE_PREFIX "%s", shim()->folder, process);
    int pipe = mkfifo(path, 0600) == 0 ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (pipe < 0)
        return;
    struct pollfd ready = {.fd = pipe, .events = POLLIN};
    int before = engine_set_measuring(1); /* host time: a daemon starts in zero node time */
    if (poll(&ready, 1, WAIT_MS) > 0)
        unlink(path);
    engine_set_measuring(before);
    close(pipe);
}

static int connect_to_daemon(int fd, const char *process, void *caller) {
    struct sockaddr_un address = {.sun_family = AF_LOCAL};
    if (shim()->simulated)
        await_daemon(process);
    else if (likwid_library_at(caller))
        native_checks_begin(caller);
    int folder = open(shim()->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    snprintf(address.sun_path, sizeof address.sun_path, NODE_SOCKET "%s", folder, process);
    int result = REAL(connect)(fd, (const struct sockaddr *)&address, sizeof address), why = errno;
    if (folder >= 0)
        close(folder);
    errno = why;
    return result;
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
    size_t prefix = strlen(PROTOCOL_SOCKET_PREFIX);
    const char *path = ((const struct sockaddr_un *)(const void *)address)->sun_path;
    if (shim()->active && length > offsetof(struct sockaddr_un, sun_path) + prefix && address->sa_family == AF_LOCAL &&
        strncmp(path, PROTOCOL_SOCKET_PREFIX, prefix) == 0)
        return connect_to_daemon(fd, shim()->simulated ? helper_digits(path + prefix) : path + prefix,
                                 __builtin_return_address(0));
    return REAL(connect)(fd, address, length);
}
