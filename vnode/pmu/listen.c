/* listen.c - the access daemon's socket, and its one client.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "parent_watch.h"
#include "protocol.h"

enum { CONNECT_TIMEOUT_MS = 30000 };

/* Tells a waiting client that the socket exists. -1: no such pipe (yet); otherwise the pipe must stay open until the
 * client has connected. Only the client creates the pipe, so that its existence does not depend on timing. */
static int announce(const char *folder) {
    char path[4200];
    snprintf(path, sizeof path, READY_PIPE, folder, (int)getpid());
    int pipe = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (pipe >= 0 && write(pipe, "", 1) != 1)
        fprintf(stderr, "likwid-accessD: %s: cannot write: %m\n", path);
    return pipe;
}

static int is_own(int connection) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

static int accept_client(int listener, const char *folder, int parent, pid_t client) {
    int pipe = -1, connection = -1;
    errno = ETIMEDOUT;
    for (int ms = 0; connection < 0 && ms < CONNECT_TIMEOUT_MS; ms++) {
        if (pipe < 0)
            pipe = announce(folder);
        int came = parent_await(parent, client, listener, 1);
        if (came < 0)
            break;
        if (came)
            connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0 && !is_own(connection)) {
            close(connection);
            connection = -1;
        }
    }
    if (pipe >= 0)
        close(pipe);
    return connection;
}

int listen_for_client(const char *folder, int parent, pid_t client) {
    struct sockaddr_un address = {.sun_family = AF_LOCAL};
    int connection = -1;
    int place = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int listener = socket(AF_LOCAL, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, NODE_SOCKET "%d", place, (int)getpid());
    unlink(address.sun_path); /* left by an earlier process with this number */
    mode_t before = umask(0177);
    int bound = bind(listener, (struct sockaddr *)&address, sizeof address) == 0;
    umask(before);
    if (bound && listen(listener, 1) == 0)
        connection = accept_client(listener, folder, parent, client);
    int why = errno;
    if (bound)
        unlink(address.sun_path);
    if (listener >= 0)
        close(listener);
    if (place >= 0)
        close(place);
    errno = why;
    return connection;
}
