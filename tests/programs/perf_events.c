/* perf_events.c - what Linux promises of perf_event_open(2), on a processor with COUNTERS general counters, of which a
 * group of branches may use no more: perf_events [many] COUNTERS. Loops of known instructions make the counts exact.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "perf_open.h"

enum { PASSES = 100000, LONG = 200000000 };

/* Two instructions a pass, one of them a branch. */
static void spin(long passes) {
    __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(passes));
}

/* What the event counts in that many passes more than in none. */
static uint64_t counted(int fd, long passes) {
    uint64_t counts[2];
    for (int i = 0; i < 2; i++) {
        ioctl(fd, PERF_EVENT_IOC_RESET, 0);
        ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
        spin(i * passes + 1);
        ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
        counts[i] = value(fd);
    }
    return counts[1] - counts[0];
}

static void check_counts(void) {
    int instructions = open_own(counting(PERF_COUNT_HW_INSTRUCTIONS), NO_GROUP), taken = open_own(branches(), NO_GROUP);
    promise(counted(instructions, PASSES) == 2 * PASSES, "instructions are counted");
    promise(counted(taken, PASSES) == PASSES, "branches are counted");
    uint64_t before = value(taken);
    spin(PASSES);
    promise(value(taken) == before, "a disabled event counts nothing");
    int copy = dup(taken);
    close(taken);
    promise(counted(copy, PASSES) == PASSES, "a duplicated descriptor is the event");
    prctl(PR_TASK_PERF_EVENTS_ENABLE);
    spin(PASSES);
    prctl(PR_TASK_PERF_EVENTS_DISABLE);
    promise(value(copy) - before >= PASSES, "prctl() enables the thread's own events");
    close(copy);
    close(instructions);
}

static void check_group(void) {
    struct perf_event_attr attr = counting(PERF_COUNT_HW_INSTRUCTIONS), member = branches();
    attr.read_format = member.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
    member.disabled = 0;
    int leader = open_own(attr, NO_GROUP), second = open_own(member, leader);
    uint64_t id[2], words[6], small;
    spin(PASSES);
    promise(read(leader, words, sizeof words) == sizeof words && words[0] == 2, "a group is read as a whole");
    promise(words[1] == 0 && words[2] == 0 && words[4] == 0, "no member counts before the leader");
    promise(ioctl(leader, PERF_EVENT_IOC_ID, &id[0]) == 0 && ioctl(second, PERF_EVENT_IOC_ID, &id[1]) == 0 &&
                words[3] == id[0] && words[5] == id[1] && id[0] != id[1],
            "a group is read with its events' numbers");
    ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
    spin(PASSES);
    ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
    promise(read(leader, words, sizeof words) == sizeof words && words[2] - 2 * words[4] < PASSES / 100 &&
                words[4] >= PASSES && words[1] > 0,
            "the members count with the leader");
    promise(fails_with(read(leader, &small, sizeof small), ENOSPC), "ENOSPC for too small a buffer");
    ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    promise(read(leader, words, sizeof words) == sizeof words && words[2] == 0 && words[4] == 0, "a group is reset");
    promise(fails_with(open_own(member, second), EINVAL), "EINVAL for a leader that is none");
    close(second);
    close(leader);
}

static void *spins(void *none) {
    spin(PASSES);
    return none;
}

static void in_child(void) {
    if (fork() == 0) {
        spin(PASSES);
        _exit(0);
    }
    wait(NULL);
}

/* Branches that the event counts while `act` runs, in passes. */
static uint64_t passes_in(struct perf_event_attr attr, void (*act)(void)) {
    int fd = open_own(attr, NO_GROUP);
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    act();
    uint64_t count = value(fd);
    close(fd);
    return count / PASSES;
}

static void in_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spins, NULL);
    pthread_join(thread, NULL);
}

static void in_program(void) {
    if (fork() == 0) {
        execl("/proc/self/exe", "perf_events", "spin", (char *)NULL);
        _exit(1);
    }
    wait(NULL);
}

static void check_inheritance(void) {
    struct perf_event_attr alone = branches(), inherited = branches(), threads = branches();
    inherited.inherit = threads.inherit = threads.inherit_thread = 1;
    promise(passes_in(alone, in_child) == 0 && passes_in(alone, in_thread) == 0, "others are not counted");
    promise(passes_in(inherited, in_child) == 1, "an inherited event counts child processes");
    promise(passes_in(inherited, in_thread) == 1, "an inherited event counts threads");
    promise(passes_in(inherited, in_program) == 1, "an inherited event counts programs");
    promise(passes_in(threads, in_child) == 0 && passes_in(threads, in_thread) == 1,
            "inherit_thread counts threads only");
}

static void check_inherited_group(void) {
    struct perf_event_attr attr = branches();
    uint64_t words[3] = {0};
    attr.inherit = 1;
    attr.read_format = PERF_FORMAT_GROUP;
    int leader = open_own(attr, NO_GROUP);
    attr.disabled = 0;
    int member = open_own(attr, leader);
    ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
    in_child();
    in_thread();
    promise(read(leader, words, sizeof words) == sizeof words && words[1] / PASSES == 2 && words[2] / PASSES == 2,
            "an inherited group counts processes and threads");
    close(member);
    close(leader);
}

/* Passes an event's descriptor to another process, which reads and resets the event. */
static void check_passed_on(void) {
    int sockets[2], fd = open_own(branches(), NO_GROUP), status;
    char byte = 0, buffer[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = buffer, .msg_controllen = sizeof buffer};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    promise(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0, "socketpair()");
    pid_t child = fork();
    if (child == 0) {
        promise(close(fd) == 0 && recvmsg(sockets[1], &message, 0) == 1, "recvmsg()");
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
        spin(PASSES);
        promise(value(fd) / PASSES == 1 && ioctl(fd, PERF_EVENT_IOC_RESET, 0) == 0,
                "an event is read by another process");
        _exit(broken);
    }
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    spin(PASSES);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    *rights = (struct cmsghdr){CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    promise(sendmsg(sockets[0], &message, 0) == 1 && waitpid(child, &status, 0) == child && status == 0, "sendmsg()");
    promise(value(fd) == 0, "and reset by it");
    close(fd);
    close(sockets[0]);
    close(sockets[1]);
}

/* A child waits until it is let go; then it executes a program. */
static void check_exec(void) {
    int gate[2];
    char go = 0;
    promise(pipe(gate) == 0, "pipe()");
    pid_t child = fork();
    if (child == 0) {
        spin(read(gate[0], &go, 1) * PASSES);
        execl("/proc/self/exe", "perf_events", "spin", (char *)NULL);
        _exit(1);
    }
    struct perf_event_attr attr = branches();
    attr.enable_on_exec = 1;
    int of_program = open_as(&attr, child, ANY_CPU, NO_GROUP, PERF_FLAG_FD_CLOEXEC);
    attr.enable_on_exec = attr.disabled = 0;
    int of_all = open_as(&attr, child, ANY_CPU, NO_GROUP, PERF_FLAG_FD_CLOEXEC);
    promise(write(gate[1], &go, 1) == 1, "write()");
    waitpid(child, NULL, 0);
    promise(value(of_program) / PASSES == 1, "enable_on_exec begins with the program");
    promise(value(of_all) / PASSES == 2, "an event counts another process");
    close(of_program);
    close(of_all);
}

/* A tracer sees an execve() once, opens an event and lets the program go on. */
static void check_traced_exec(void) {
    struct perf_event_attr attr = branches();
    int status;
    attr.disabled = 0;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execl("/proc/self/exe", "perf_events", "spin", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    promise(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP, "an execve() stops a traced process");
    int fd = open_as(&attr, child, ANY_CPU, NO_GROUP, 0);
    ptrace(PTRACE_CONT, child, NULL, NULL);
    waitpid(child, &status, 0);
    promise(WIFEXITED(status) && WEXITSTATUS(status) == 0, "once");
    promise(value(fd) / PASSES == 1, "an event that its tracer opens counts the program");
    kill(child, SIGKILL);
    close(fd);
}

/* A tracer for which no execve() raises SIGTRAP. */
static void check_seized_exec(void) {
    int gate[2], status;
    char go = 1;
    promise(pipe(gate) == 0, "pipe()");
    pid_t child = fork();
    if (child == 0) {
        promise(read(gate[0], &go, 1) == 1, "read()");
        execl("/proc/self/exe", "perf_events", "mask", (char *)NULL);
        _exit(2);
    }
    promise(ptrace(PTRACE_SEIZE, child, NULL, NULL) == 0, "PTRACE_SEIZE");
    promise(write(gate[1], &go, 1) == 1, "write()");
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) /* the engine's SIGSEGV as the stack grows */
        ptrace(PTRACE_CONT, child, NULL, WSTOPSIG(status));
    promise(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a traced program starts with its own signal mask");
    close(gate[0]);
    close(gate[1]);
}

static int blocks_trap(void) {
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    return sigismember(&blocked, SIGTRAP);
}

static void check_cpus(void) {
    struct perf_event_attr attr = branches();
    attr.disabled = 0;
    unsigned here;
    syscall(SYS_getcpu, &here, NULL, NULL);
    int own = open_as(&attr, 0, (int)here, NO_GROUP, 0), all = open_as(&attr, -1, (int)here, NO_GROUP, 0);
    int elsewhere = open_as(&attr, 0, !here, NO_GROUP, 0);
    spin(PASSES);
    promise(value(own) / PASSES == 1 && value(all) / PASSES == 1, "events of a CPU count there");
    promise(value(elsewhere) == 0, "an event of another CPU does not");
    close(own);
    close(all);
    close(elsewhere);
}

static void check_errors(void) {
    struct perf_event_attr attr = branches(), bad = branches();
    char large[sizeof attr + 8] = {0};
    int fd = open_own(attr, NO_GROUP);
    bad.size = 32;
    promise(fails_with(open_own(bad, NO_GROUP), E2BIG), "E2BIG for an attribute that is too small");
    attr.size = sizeof large;
    memcpy(large, &attr, sizeof attr);
    int larger = open_as((void *)large, 0, ANY_CPU, NO_GROUP, 0);
    promise(larger >= 0, "unknown attributes of 0 are ignored");
    close(larger);
    large[sizeof large - 1] = 1;
    promise(fails_with(open_as((void *)large, 0, ANY_CPU, NO_GROUP, 0), E2BIG), "E2BIG for unknown attributes");
    promise(fails_with(open_as(NULL, 0, ANY_CPU, NO_GROUP, 0), EFAULT), "EFAULT");
    attr = branches();
    promise(fails_with(open_as(&attr, 0, ANY_CPU, NO_GROUP, 1 << 7), EINVAL), "EINVAL for unknown flags");
    promise(fails_with(open_as(&attr, -1, ANY_CPU, NO_GROUP, 0), EINVAL), "EINVAL for everybody everywhere");
    promise(fails_with(open_as(&attr, 0, 1 << 20, NO_GROUP, 0), EINVAL), "EINVAL for no CPU");
    promise(fails_with(open_as(&attr, 1 << 22, ANY_CPU, NO_GROUP, 0), ESRCH), "ESRCH for no process");
    promise(fails_with(open_as(&attr, -2, ANY_CPU, NO_GROUP, 0), ESRCH), "ESRCH for a number that no process has");
    promise(fails_with(open_own(attr, 0), EBADF), "EBADF for a group that is no event");
    bad = attr, bad.exclude_kernel = 0;
    promise(fails_with(open_own(bad, NO_GROUP), EACCES), "EACCES for the kernel");
    bad = attr, bad.sample_period = 1000, bad.sample_type = PERF_SAMPLE_BRANCH_STACK;
    bad.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
    promise(fails_with(open_own(bad, NO_GROUP), EOPNOTSUPP), "EOPNOTSUPP for samples of the branch stack");
    bad = attr, bad.sample_period = 1ULL << 63;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for a period that is no number");
    bad = attr, bad.freq = 1, bad.sample_freq = 1000000;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for a frequency above perf_event_max_sample_rate");
    bad = attr, bad.precise_ip = 2;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for precise counting");
    bad = attr, bad.type = PERF_TYPE_TRACEPOINT;
    promise(fails_with(open_own(bad, NO_GROUP), ENOENT), "ENOENT for a tracepoint");
    bad = attr, bad.type = PERF_TYPE_RAW, bad.config = 0xfefe;
    promise(fails_with(open_own(bad, NO_GROUP), ENOENT), "ENOENT for an event that is not simulated");
    bad = attr, bad.type = PERF_TYPE_RAW, bad.config = 0x1b7, bad.config1 = 1 << 16 | 1; /* reads, any response */
    int responses = open_own(bad, NO_GROUP);
    promise((responses >= 0) == !!__builtin_cpu_is("intel"), "Intel's offcore responses");
    close(responses);
    bad.config1 |= 1 << 12;
    promise(fails_with(open_own(bad, NO_GROUP), responses >= 0 ? EINVAL : ENOENT),
            "EINVAL for a reserved bit of their filter");
    bad = attr, bad.inherit = 1;
    promise(fails_with(open_own(bad, fd), EINVAL), "EINVAL for an inherited event in a group that is not");
    bad = attr, bad.pinned = 1;
    promise(fails_with(open_own(bad, fd), EINVAL), "EINVAL for a pinned member");
    promise(fails_with(ioctl(fd, _IO('$', 99), 0), ENOTTY), "ENOTTY");
    promise(ioctl(fd, FIOCLEX) == 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC, "ioctl() of any file");
    promise(fails_with(syscall(SYS_read, fd, NULL, 64), EFAULT), "EFAULT for a buffer");
    close(fd);
    promise(fails_with(read(fd, large, sizeof large), EBADF), "EBADF for a closed event");
}

static struct perf_event_attr recorded(uint64_t what) {
    struct perf_event_attr attr = branches();
    attr.sample_period = PASSES;
    attr.sample_type = what;
    return attr;
}

/* What Linux refuses, or a Linux that does not know it yet: never accepted without a word. */
static void check_refusals(void) {
    enum { NO_CLOCK = 99, REGISTER_DS = 12, UNKNOWN = 60 };
    struct perf_event_attr bad = branches();
    bad.context_switch = 1;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for records of switches");
    bad = branches(), bad.namespaces = 1;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for records of namespaces");
    bad = branches(), bad.write_backward = 1;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for a ring that is written backwards");
    bad = branches(), bad.sigtrap = bad.remove_on_exec = 1;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for SIGTRAP at an overflow");
    bad = branches(), bad.aux_output = 1;
    promise(fails_with(open_own(bad, NO_GROUP), EOPNOTSUPP), "EOPNOTSUPP for output of another PMU");
    bad = branches(), bad.use_clockid = 1, bad.clockid = NO_CLOCK;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for an unknown clock");
    promise(fails_with(open_own(recorded(PERF_SAMPLE_WEIGHT_STRUCT), NO_GROUP), EINVAL), "EINVAL for new fields");
    promise(fails_with(open_own(recorded(PERF_SAMPLE_PHYS_ADDR), NO_GROUP), EACCES), "EACCES for physical addresses");
    promise(fails_with(open_own(recorded(PERF_SAMPLE_BRANCH_STACK), NO_GROUP), EINVAL), "EINVAL for no branches");
    bad = recorded(PERF_SAMPLE_REGS_USER);
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for samples of no registers");
    bad.sample_regs_user = 1 << REGISTER_DS | 1;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for a segment that is not sampled");
    bad = recorded(PERF_SAMPLE_REGS_INTR), bad.sample_regs_intr = 1ULL << UNKNOWN;
    promise(fails_with(open_own(bad, NO_GROUP), EINVAL), "EINVAL for unknown registers");
}

/* Far more events than counters: all get their turn, and each shows the branches of an even loop. For a slow processor.
 */
static void check_many(int counters) {
    enum { EVENTS = 512 };
    struct perf_event_attr attr = branches();
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    int fd[EVENTS], ran = 0;
    for (int i = 0; i < EVENTS; i++)
        promise((fd[i] = open_own(attr, NO_GROUP)) >= 0, "512 events can be open");
    prctl(PR_TASK_PERF_EVENTS_ENABLE);
    spin(LONG);
    prctl(PR_TASK_PERF_EVENTS_DISABLE);
    double share = 0, least = 2, most = 0;
    for (int i = 0; i < EVENTS; i++) {
        uint64_t words[3];
        ran += read(fd[i], words, sizeof words) == sizeof words && words[2] > 0 && words[2] < words[1];
        double scaled = (double)words[0] * (double)words[1] / (double)words[2] / LONG;
        least = scaled < least ? scaled : least;
        most = scaled > most ? scaled : most;
        share += (double)words[2] / (double)words[1];
        close(fd[i]);
    }
    printf("512 events: scaled counts %.4f to %.4f of the branches, %.2f counters in use\n", least, most, share);
    promise(ran == EVENTS, "each of 512 events has its turn");
    promise(least > 0.99 && most < 1.01, "the scaled count of each of 512 events is right");
    promise(share > counters - 0.5 && share < counters + 0.5, "512 events use all counters all the time");
}

/* An exclusive event and another one take turns although there are counters for both. */
static void check_exclusive(void) {
    struct perf_event_attr attr = branches();
    uint64_t alone[3] = {0}, other[3] = {0};
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    int second = open_own(attr, NO_GROUP);
    attr.exclusive = 1;
    int first = open_own(attr, NO_GROUP);
    prctl(PR_TASK_PERF_EVENTS_ENABLE);
    spin(LONG);
    prctl(PR_TASK_PERF_EVENTS_DISABLE);
    promise(read(first, alone, sizeof alone) == sizeof alone && read(second, other, sizeof other) == sizeof other,
            "read()");
    promise(alone[2] > 0 && other[2] > 0 && alone[2] + other[2] <= alone[1] + PASSES,
            "an exclusive event counts alone");
    close(first);
    close(second);
}

/* More pinned events than counters: the last ones count nothing, and read() shows their end. */
static void check_pinned(int counters) {
    struct perf_event_attr attr = branches();
    int fd[16];
    attr.pinned = 1;
    for (int i = 0; i < counters + 2; i++)
        fd[i] = open_own(attr, NO_GROUP);
    prctl(PR_TASK_PERF_EVENTS_ENABLE);
    spin(PASSES);
    prctl(PR_TASK_PERF_EVENTS_DISABLE);
    for (int i = 0; i < counters; i++)
        promise(value(fd[i]) / PASSES == 1, "a pinned event has a counter");
    uint64_t word;
    for (int i = counters; i < counters + 2; i++)
        promise(read(fd[i], &word, sizeof word) == 0, "a pinned event without a counter is at its end");
    close(fd[0]);
    promise(counted(fd[counters], PASSES) == PASSES, "until it is enabled again");
    for (int i = 1; i < counters + 2; i++)
        close(fd[i]);
}

/* A group has as many counters as the processor; groups that do not fit together take turns. */
static void check_limits(int counters) {
    int fd[16], fits = 1;
    for (int i = 0; i < counters; i++)
        fits &= (fd[i] = open_own(branches(), i ? fd[0] : NO_GROUP)) >= 0;
    promise(fits && fails_with(open_own(branches(), fd[0]), EINVAL), "EINVAL for a group of too many events");
    for (int i = 0; i < counters; i++)
        close(fd[i]);
    struct perf_event_attr attr = branches();
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.disabled = 0;
    for (int i = 0; i < counters + 4; i++)
        fd[i] = open_own(attr, NO_GROUP);
    spin(LONG);
    double share = 0;
    for (int i = 0; i < counters + 4; i++) {
        uint64_t words[3];
        promise(read(fd[i], words, sizeof words) == sizeof words && words[2] > 0 && words[2] < words[1],
                "each of too many events runs for a part of the time");
        double scaled = (double)words[0] * (double)words[1] / (double)words[2];
        promise(scaled > 0.99 * LONG && scaled < 1.01 * LONG, "a scaled count is right for even work");
        share += (double)words[2] / (double)words[1];
        close(fd[i]);
    }
    promise(share > counters - 0.5 && share < counters + 0.5, "all counters are in use all the time");
    check_exclusive();
    check_pinned(counters);
    for (int i = 0; i < 3000; i++)
        close(open_own(attr, NO_GROUP));
    fd[0] = open_own(branches(), NO_GROUP);
    promise(counted(fd[0], PASSES) == PASSES, "an event counts after many were closed");
}

int main(int count, char **argument) {
    if (count > 1 && strcmp(argument[1], "spin") == 0) {
        spin(PASSES);
        return 0;
    }
    if (count > 1 && strcmp(argument[1], "mask") == 0)
        return blocks_trap();
    if (count > 2 && strcmp(argument[1], "many") == 0)
        return check_many(atoi(argument[2])), broken;
    check_counts();
    check_group();
    check_inheritance();
    check_inherited_group();
    check_passed_on();
    check_exec();
    check_traced_exec();
    check_seized_exec();
    check_cpus();
    check_errors();
    check_refusals();
    check_limits(count > 1 ? atoi(argument[1]) : 0);
    return broken;
}
