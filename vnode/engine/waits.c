/* waits.c - what a system call waits for.
 *
 * During a wait that another thread of the process may end, other threads run. A wait that another process ends
 * (above all LIKWID's access daemon) takes host time, which must not show: other threads do not run either.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "waits.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "vnode/pmu/protocol.h"

enum { PEER_CREDENTIALS = 17, DESCRIPTORS_MAX = 1024 };                                     /* Linux' SO_PEERCRED */
enum { NOT_WAITING = 0x40, LOCK_NOW = 4 };                                                  /* MSG_DONTWAIT, LOCK_NB */
enum { FOR_ANY, FOR_ONE, FOR_GROUP, NO_HANG = 1, WAIT_EXITED = 4, WAIT_LEAVE = 0x1000000 }; /* waitid() */

static UWord call(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e) {
    SysRes result = VG_(do_syscall)(number, a, b, c, d, e, 0, 0, 0);
    return sr_isError(result) ? ~(UWord)0 : sr_Res(result);
}

static Int flags_of(Int fd) {
    return (Int)call(__NR_fcntl, (UWord)fd, VKI_F_GETFL, 0, 0, 0);
}

Bool waits_has_input(Int fd) {
    struct vki_pollfd asked = {.fd = fd, .events = VKI_POLLIN};
    SysRes ready = VG_(poll)(&asked, 1, 0);
    return !sr_isError(ready) && sr_Res(ready) > 0;
}

static Bool peer_is_outside(Int socket) {
    struct {
        Int process;
        UInt user, group;
    } peer = {0, 0, 0};
    Int length = sizeof peer;
    call(__NR_getsockopt, (UWord)socket, VKI_SOL_SOCKET, PEER_CREDENTIALS, (UWord)&peer, (UWord)&length);
    return peer.process != 0 && peer.process != VG_(getpid)();
}

/* Only access daemons' sockets have such names (vnode/pmu/protocol.h). */
Bool waits_is_daemon(Int socket) {
    struct {
        UShort family;
        HChar path[109];
    } peer = {0};
    Int length = sizeof peer - 1;
    if (call(__NR_getpeername, (UWord)socket, (UWord)&peer, (UWord)&length, 0, 0) != 0)
        return False;
    const HChar *name = VG_(strrchr)(peer.path, '/');
    return peer.family == VKI_AF_UNIX && name &&
           VG_(strncmp)(peer.path, NODE_SOCKET_FOLDER, sizeof NODE_SOCKET_FOLDER - 1) == 0 &&
           VG_(strncmp)(name + 1, NODE_SOCKET_PREFIX, sizeof NODE_SOCKET_PREFIX - 1) == 0;
}

/* Whether only other processes can write to the pipe. */
static Bool writer_is_outside(const struct vg_stat *pipe) {
    for (Int fd = 0; fd < DESCRIPTORS_MAX; fd++) {
        struct vg_stat status;
        if (VG_(fstat)(fd, &status) == 0 && status.ino == pipe->ino && status.dev == pipe->dev &&
            (flags_of(fd) & VKI_O_ACCMODE) != VKI_O_RDONLY)
            return False;
    }
    return True;
}

/* The origin of a descriptor's input, whether or not there is any now. */
static enum wait giver_of(Int fd) {
    struct vg_stat status;
    if (VG_(fstat)(fd, &status) != 0 || VKI_S_ISREG(status.mode) || VKI_S_ISDIR(status.mode))
        return WAIT_NONE;
    if (VKI_S_ISSOCK(status.mode) && waits_is_daemon(fd))
        return WAIT_DAEMON;
    if (VKI_S_ISSOCK(status.mode))
        return peer_is_outside(fd) ? WAIT_OUTSIDE : WAIT_INSIDE;
    if (VKI_S_ISFIFO(status.mode))
        return writer_is_outside(&status) ? WAIT_OUTSIDE : WAIT_INSIDE;
    return WAIT_INSIDE;
}

static enum wait wait_for_input(Int fd) {
    return waits_has_input(fd) ? WAIT_NONE : giver_of(fd);
}

/* The kernel overwrites this answer when the call is made. Input may arrive in a moment: the result must not depend
 * on which input is ready first. */
static enum wait wait_for_any(Addr address, UWord count, Int timeout_ms) {
    struct vki_pollfd *asked = (struct vki_pollfd *)address;
    if (timeout_ms == 0 || count > DESCRIPTORS_MAX || !answer_writable(address, count * sizeof *asked))
        return WAIT_NONE;
    SysRes ready = VG_(poll)(asked, (Int)count, 0);
    if (sr_isError(ready) || sr_Res(ready) > 0)
        return WAIT_NONE;
    Bool outside = count > 0;
    for (UWord i = 0; i < count && outside; i++)
        outside = asked[i].fd < 0 || giver_of(asked[i].fd) >= WAIT_OUTSIDE;
    return outside ? WAIT_OUTSIDE : WAIT_INSIDE;
}

/* There is no wait for a child that has already ended, or does not exist. Arguments: of waitid(). */
static enum wait wait_for_child(UWord kind, UWord id, Bool no_hang) {
    UWord info[16] = {0}; /* a siginfo_t, whose fifth number is the child */
    UWord result = call(__NR_waitid, kind, id, (UWord)info, NO_HANG | WAIT_EXITED | WAIT_LEAVE, 0);
    return no_hang || result != 0 || ((const Int *)info)[4] != 0 ? WAIT_NONE : WAIT_OUTSIDE;
}

/* pid: as wait4() takes it. */
static enum wait wait_for_pid(Int pid, Bool no_hang) {
    if (pid > 0)
        return wait_for_child(FOR_ONE, (UWord)pid, no_hang);
    return pid == -1 ? wait_for_child(FOR_ANY, 0, no_hang) : wait_for_child(FOR_GROUP, (UWord)-pid, no_hang);
}

enum wait waits_of(UInt number, const UWord *arguments) {
    switch (number) {
    case __NR_read:
    case __NR_readv:
    case __NR_recvfrom:
    case __NR_recvmsg:
        return flags_of((Int)arguments[0]) & VKI_O_NONBLOCK ? WAIT_NONE : wait_for_input((Int)arguments[0]);
    case __NR_poll:
    case __NR_ppoll:
        return wait_for_any(arguments[0], arguments[1], number == __NR_poll ? (Int)arguments[2] : -1);
    case __NR_wait4:
        return wait_for_pid((Int)arguments[0], (arguments[2] & NO_HANG) != 0);
    case __NR_waitid:
        return wait_for_child(arguments[0], arguments[1], (arguments[3] & NO_HANG) != 0);
    case __NR_select:
    case __NR_pselect6:
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
    case __NR_accept:
    case __NR_accept4:
    case __NR_pause:
    case __NR_flock:
    case __NR_rt_sigsuspend:
    case __NR_rt_sigtimedwait:
    case __NR_semop:
    case __NR_semtimedop:
    case __NR_msgrcv:
        return WAIT_INSIDE;
    default:
        return WAIT_NONE;
    }
}

/* Whether none of the signals has arrived; False if their set cannot be read. `mask`: they are those that the set, a
 * mask, lets through. */
static Bool awaits_signal(Addr set, Bool mask) {
    if (!answer_readable(set, sizeof(ULong)))
        return False;
    ULong asked = *(const ULong *)set;
    return !signals_pending(mask ? ~asked : asked, !mask);
}

static Bool is_zero_time(Addr time) {
    const struct vki_timespec *limit = (const struct vki_timespec *)time;
    return time && answer_readable(time, sizeof *limit) && !limit->tv_sec && !limit->tv_nsec;
}

/* timed.c has taken the calls with a time limit above zero out of these. */
Bool waits_certainly(UInt number, const UWord *arguments) {
    switch (number) {
    case __NR_recvfrom:
        return !(arguments[3] & NOT_WAITING);
    case __NR_recvmsg:
        return !(arguments[2] & NOT_WAITING);
    case __NR_ppoll:
        return !is_zero_time(arguments[2]);
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
        return (Int)arguments[3] != 0 && !waits_has_input((Int)arguments[0]);
    case __NR_accept:
    case __NR_accept4:
        return !(flags_of((Int)arguments[0]) & VKI_O_NONBLOCK) && !waits_has_input((Int)arguments[0]);
    case __NR_rt_sigsuspend:
        return awaits_signal(arguments[0], True);
    case __NR_rt_sigtimedwait:
        return !is_zero_time(arguments[2]) && awaits_signal(arguments[0], False);
    case __NR_select: /* what it asks for may have come */
    case __NR_pselect6:
    case __NR_flock:
    case __NR_semop:
    case __NR_semtimedop:
    case __NR_msgrcv:
        return False;
    default:
        return True;
    }
}

/* Whether the socket's own timeout ends a wait for input. */
static Bool has_timeout(Int socket) {
    enum { RECEIVE_TIMEOUT = 20 }; /* SO_RCVTIMEO */
    struct vki_timeval timeout = {0, 0};
    Int length = sizeof timeout;
    call(__NR_getsockopt, (UWord)socket, VKI_SOL_SOCKET, RECEIVE_TIMEOUT, (UWord)&timeout, (UWord)&length);
    return timeout.tv_sec || timeout.tv_usec;
}

/* Whether a pipe or socket has no room. */
static Bool is_full(Int fd) {
    enum { ROOM = 4 }; /* POLLOUT */
    struct vki_pollfd asked = {.fd = fd, .events = ROOM};
    SysRes ready = VG_(poll)(&asked, 1, 0);
    return !(flags_of(fd) & VKI_O_NONBLOCK) && !sr_isError(ready) && sr_Res(ready) == 0;
}

/* Whether somebody else has the lock that the call asks for without a wait. Otherwise this process has it now, and will
 * get it again. */
static Bool is_taken(UWord number, UWord fd, UWord operation, UWord lock) {
    Long result = core_call(number, fd, operation, lock, 0, 0, 0);
    return result == -VKI_EAGAIN || result == -VKI_EACCES;
}

Bool waits_still(UInt number, const UWord *arguments) {
    switch (number) {
    case __NR_write:
    case __NR_writev:
        return is_full((Int)arguments[0]);
    case __NR_sendto:
        return !(arguments[3] & NOT_WAITING) && is_full((Int)arguments[0]);
    case __NR_sendmsg:
        return !(arguments[2] & NOT_WAITING) && is_full((Int)arguments[0]);
    case __NR_fcntl:
        return arguments[1] == VKI_F_SETLKW && is_taken(number, arguments[0], VKI_F_SETLK, arguments[2]);
    case __NR_flock:
        return !(arguments[1] & LOCK_NOW) && is_taken(number, arguments[0], arguments[1] | LOCK_NOW, 0);
    case __NR_read:
    case __NR_readv:
    case __NR_recvfrom:
    case __NR_recvmsg:
    case __NR_accept:
    case __NR_accept4:
        if (has_timeout((Int)arguments[0]))
            return False;
        break;
    default:
        break;
    }
    enum wait wait = waits_of(number, arguments);
    return (wait == WAIT_INSIDE || wait == WAIT_OUTSIDE) && waits_certainly(number, arguments);
}

Bool waits_admits_signal(UInt number, const UWord *arguments) {
    Addr mask = number == __NR_ppoll ? arguments[3] : number == __NR_epoll_pwait ? arguments[4] : 0;
    if (number == __NR_pselect6 && arguments[5] && answer_readable(arguments[5], sizeof mask))
        mask = *(const Addr *)arguments[5];
    return mask && !awaits_signal(mask, True);
}

void waits_for_answer(Int socket) {
    struct vki_pollfd asked = {.fd = socket, .events = VKI_POLLIN};
    if (waits_is_daemon(socket))
        VG_(poll)(&asked, 1, PATIENCE_OUTSIDE_MS);
}

/* Reads a /proc file of a thread; empty if the thread is gone. */
static void read_of(Int lwp, const HChar *file, HChar *text, Int bytes) {
    HChar path[64];
    VG_(sprintf)(path, "/proc/self/task/%d/%s", lwp, file);
    Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0), length = 0;
    if (fd >= 0) {
        length = VG_(read)(fd, text, (SizeT)bytes - 1);
        VG_(close)(fd);
    }
    text[length > 0 ? length : 0] = '\0';
}

/* A thread may also sleep in the kernel for a lock of the process's memory. That is not the wait of the call; such
 * sleeps are uninterruptible, a different state. */
Bool waits_asleep(Int lwp, UInt number, UWord argument) {
    HChar text[256], *end;
    read_of(lwp, "syscall", text, sizeof text);
    if (text[0] == '\0')
        return True;
    Long asleep_in = VG_(strtoll10)(text, &end);
    if (end == text || asleep_in != (Long)number || VG_(strtoull16)(end + 1, NULL) != argument)
        return False;
    read_of(lwp, "stat", text, sizeof text);
    const HChar *name_end = VG_(strrchr)(text, ')');
    return !name_end || name_end[2] == 'S';
}
