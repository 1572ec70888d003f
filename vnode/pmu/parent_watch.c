/* parent_watch.c - tells a process that its parent has ended.
 *
 * The kernel sends the signal when the thread that started this process ends, even if the parent process lives on;
 * only a changed parent id shows the parent's end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "parent_watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

int parent_watch(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0 || prctl(PR_SET_PDEATHSIG, SIGHUP) != 0)
        return -1;
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int parent_await(int watch, pid_t parent, int fd, int ms) {
    for (;;) {
        struct pollfd waiting[] = {{.fd = fd, .events = POLLIN}, {.fd = watch, .events = POLLIN}};
        struct signalfd_siginfo signal;
        if (getppid() != parent) {
            errno = ESRCH;
            return -1;
        }
        int ready = poll(waiting, 2, ms);
        if (ready == 0 || waiting[0].revents)
            return ready > 0;
        while (read(watch, &signal, sizeof signal) > 0) {
        }
    }
}
