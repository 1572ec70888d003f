/* native_perf.c - perf_event in a native LIKWID that is built for it.
 *
 * likwid-perfctr is not simulated, but the engine has the node's events. So the first perf_event_open() starts an agent
 * under the engine (perf_agent.c), which makes LIKWID's calls. The library's read(), ioctl() and close() are redirected
 * in its linkage table: if this library replaced them, simulated programs would execute more instructions.
 *
 * A descriptor of an event is a copy of the socket, so that no other file gets its number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "native_perf.h"

#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf_agent.h"
#include "redirect.h"
#include "shim.h"
#include "vnode/command.h"

enum { DESCRIPTORS = 4096 };
#define AGENT "/bin/assay-perf" /* in the node's tools folder */

extern char **environ;

struct events {
    pthread_mutex_t lock;
    int socket;          /* 0: no agent */
    int fd[DESCRIPTORS]; /* the agent's descriptor + 1, 0: the descriptor is no event's */
};

static struct events *self(void) {
    static struct events state = {.lock = PTHREAD_MUTEX_INITIALIZER};
    return &state;
}

/* The answer's result; errno is set if it is -1. */
static long ask_agent(const struct agent_call *call, struct agent_answer *answer) {
    struct events *events = self();
    pthread_mutex_lock(&events->lock);
    int answered = send(events->socket, call, sizeof *call, MSG_NOSIGNAL) == (ssize_t)sizeof *call &&
                   recv(events->socket, answer, sizeof *answer, 0) == (ssize_t)sizeof *answer;
    pthread_mutex_unlock(&events->lock);
    errno = answered ? answer->error : ENOSYS;
    return answered ? (long)answer->result : -1;
}

/* The agent's descriptor, -1: not an event's. */
static int of_agent(int fd) {
    return fd >= 0 && fd < DESCRIPTORS ? self()->fd[fd] - 1 : -1;
}

static ssize_t read_event(int fd, void *out, size_t size) {
    struct agent_call call = {.number = SYS_read, .fd = of_agent(fd)};
    struct agent_answer answer;
    if (call.fd < 0)
        return read(fd, out, size);
    call.arguments[0] = (int64_t)(size < AGENT_READS ? size : AGENT_READS);
    long result = ask_agent(&call, &answer);
    if (result > 0)
        memcpy(out, answer.bytes, (size_t)result);
    return result;
}

static int control_event(int fd, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    long argument = va_arg(list, long);
    va_end(list);
    struct agent_call call = {.number = SYS_ioctl, .fd = of_agent(fd), .arguments = {(int64_t)request, argument}};
    struct agent_answer answer;
    return call.fd < 0 ? ioctl(fd, request, argument) : (int)ask_agent(&call, &answer);
}

static int close_event(int fd) {
    struct agent_call call = {.number = SYS_close, .fd = of_agent(fd)};
    struct agent_answer answer;
    if (call.fd >= 0) {
        self()->fd[fd] = 0;
        ask_agent(&call, &answer);
    }
    return close(fd);
}

/* In a process group of its own: ^C, on which LIKWID reads its counters, must not end the agent. */
static void run_agent(const struct command *command, int socket) {
    const char *arguments[COMMAND_PREFIX_WORDS + 2];
    size_t n = 0;
    for (; command->prefix[n]; n++)
        arguments[n] = command->prefix[n];
    arguments[n++] = command->program;
    arguments[n] = NULL;
    setpgid(0, 0);
    if (socket == AGENT_SOCKET ? fcntl(socket, F_SETFD, 0) == 0 : dup2(socket, AGENT_SOCKET) == AGENT_SOCKET)
        REAL(execve)(command->engine, (char *const *)arguments, environ);
    _exit(127);
}

/* The user then hears of the node's time. */
static void leave_mark(void) {
    char path[sizeof shim()->folder + sizeof "/" AGENT_FILE];
    snprintf(path, sizeof path, "%s/" AGENT_FILE, shim()->folder);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        syscall(SYS_close, fd);
}

static int start_agent(void *caller) {
    struct command command;
    char program[sizeof shim()->tools + sizeof AGENT];
    const struct command_node node = {.folder = shim()->folder, .tools = shim()->tools, .beside = 1};
    const struct redirected calls[] = {{"read", read_event}, {"ioctl", control_event}, {"close", close_event}, {0}};
    int ends[2];
    snprintf(program, sizeof program, "%s" AGENT, shim()->tools);
    if (command_prepare(&command, &node, program, 0, NULL) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    pid_t agent = REAL(fork)();
    if (agent == 0)
        run_agent(&command, ends[1]);
    close(ends[1]);
    if (agent < 0) { /* the next call tries again */
        close(ends[0]);
        return -1;
    }
    redirect(caller, calls);
    self()->socket = ends[0];
    leave_mark();
    return 0;
}

long native_perf_open(void *caller, const long *arguments) {
    const struct perf_event_attr *attr = (const void *)arguments[0]; // NOLINT: an argument of a system call
    struct agent_call call = {.number = SYS_perf_event_open,
                              .fd = (int)arguments[3] < 0 ? -1 : of_agent((int)arguments[3]),
                              .arguments = {(int)arguments[1], (int)arguments[2]},
                              .flags = (uint64_t)arguments[4]};
    struct agent_answer answer;
    size_t size = attr->size ? attr->size : PERF_ATTR_SIZE_VER0;
    memcpy(call.attributes, attr, size < AGENT_ATTRIBUTES ? size : AGENT_ATTRIBUTES);
    if (!self()->socket && start_agent(caller) != 0) {
        errno = ENOSYS;
        return -1;
    }
    long event = ask_agent(&call, &answer);
    int fd = event < 0 ? -1 : fcntl(self()->socket, F_DUPFD_CLOEXEC, 0);
    if (fd < 0 || fd >= DESCRIPTORS)
        return -1;
    self()->fd[fd] = (int)event + 1;
    return fd;
}
