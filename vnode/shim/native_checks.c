/* native_checks.c - likwid-perfctr's question whether a device exists, answered without its access daemon
 * (vnode/pmu/device_checks.h). Each message costs two switches of processes, most of what likwid-perfctr's start takes.
 *
 * LIKWID's library sends and receives messages by write() and read(). When it connects with a daemon, these are
 * redirected in that library alone: other code calls the C library as before, and so do simulated processes, which
 * would count the instructions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "native_checks.h"
#include "redirect.h"
#include "vnode/pmu/device_checks.h"

static struct device_checks checks; /* read() and write() have no argument that could carry it */
static __thread struct {
    int socket; /* of the answer that has not been read yet; 0: none */
    struct protocol_record answer;
} waiting;

static int is_check(const void *message, size_t bytes) {
    return bytes == sizeof(struct protocol_record) && ((const struct protocol_record *)message)->type == PROTOCOL_CHECK;
}

/* Only answers that give() has seen are known: so nothing is kept back unless both functions are called. */
static ssize_t ask(int socket, const void *message, size_t bytes) {
    const struct protocol_record *known = is_check(message, bytes) ? device_checks_find(&checks, message) : NULL;
    if (!known || socket <= 0 || waiting.socket)
        return write(socket, message, bytes);
    waiting.socket = socket;
    memcpy(&waiting.answer, message, bytes);
    waiting.answer.error = known->error;
    return (ssize_t)bytes;
}

static ssize_t give(int socket, void *message, size_t bytes) {
    if (waiting.socket == socket && socket && bytes == sizeof waiting.answer) {
        waiting.socket = 0;
        memcpy(message, &waiting.answer, bytes);
        return (ssize_t)bytes;
    }
    ssize_t result = read(socket, message, bytes);
    if (result == (ssize_t)sizeof waiting.answer && is_check(message, bytes))
        device_checks_learn(&checks, message);
    return result;
}

void native_checks_begin(void *caller) {
    static const struct redirected calls[] = {{"write", ask}, {"read", give}, {0}};
    waiting.socket = 0; /* the descriptor of an earlier daemon may be used again */
    redirect(caller, calls);
}
