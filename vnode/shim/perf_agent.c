/* perf_agent.c - makes calls for perf_event that a native LIKWID sends, until it ends. The engine answers them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "perf_agent.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int64_t make(struct agent_call *call, uint8_t *bytes) {
    switch (call->number) {
    case SYS_perf_event_open:
        return syscall(SYS_perf_event_open, call->attributes, call->arguments[0], call->arguments[1], call->fd,
                       call->flags);
    case SYS_ioctl:
        return ioctl(call->fd, (unsigned long)call->arguments[0], call->arguments[1]);
    case SYS_read:
        return read(call->fd, bytes, (size_t)call->arguments[0]);
    default:
        return close(call->fd);
    }
}

int main(void) {
    struct agent_call call;
    while (recv(AGENT_SOCKET, &call, sizeof call, 0) == (ssize_t)sizeof call) {
        struct agent_answer answer = {0};
        answer.result = make(&call, answer.bytes);
        answer.error = errno;
        if (send(AGENT_SOCKET, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer)
            break;
    }
    return 0;
}
