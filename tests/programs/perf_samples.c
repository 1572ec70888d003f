/* perf_samples.c - what Linux promises of sampled perf events: signals, rings, records, rdpmc. A loop of known branches
 * makes the numbers exact.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "perf_open.h"

enum { PASSES = 250000, PERIOD = 1009, THREADS = 4, LINE = 64 };
static size_t page;

static struct perf_event_attr sampled(uint64_t period) {
    struct perf_event_attr attr = branches();
    attr.sample_period = period;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ;
    attr.wakeup_events = 1;
    return attr;
}

/* ---- signals ---- */

static volatile sig_atomic_t signals, last_code, last_descriptor, inside;
static volatile int again; /* the event that the handler enables for one overflow more, 0: none */
extern const char loop_start[], loop_end[];
static const char *expected_start = loop_start, *expected_end = loop_end; /* of the code that is sampled */

static __attribute__((noinline)) void loop(long passes) {
    __asm__ volatile(".globl loop_start, loop_end\nloop_start: dec %0\n jnz loop_start\nloop_end:" : "+r"(passes));
}

static void handle(int number, siginfo_t *info, void *context) {
    const char *where = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    (void)number;
    signals++;
    last_code = info->si_code;
    last_descriptor = info->si_fd;
    inside += where >= loop_start && where <= loop_end;
    if (again)
        ioctl(again, PERF_EVENT_IOC_REFRESH, 1);
}

static void signal_to_this_thread(int fd, int number) {
    const struct f_owner_ex self = {F_OWNER_TID, gettid()};
    promise(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 && fcntl(fd, F_SETSIG, number) == 0 &&
                fcntl(fd, F_SETOWN_EX, &self) == 0,
            "fcntl() of an event");
}

static void run_event(int fd, long passes) {
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    loop(passes);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void check_signals(void) {
    const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN + 1, &action, NULL);
    static const uint64_t periods[] = {PERIOD, 100003};
    for (int i = 0; i < 2; i++) {
        int fd = open_own(sampled(periods[i]), NO_GROUP);
        signal_to_this_thread(fd, SIGRTMIN + 1);
        signals = inside = 0;
        run_event(fd, PASSES);
        uint64_t count = value(fd);
        promise((uint64_t)signals == count / periods[i], "a signal for each period");
        promise(inside >= signals - 1, "a signal interrupts the loop that counts");
        promise(last_code == POLL_IN && last_descriptor == fd, "the signal names the event");
        close(fd);
    }
}

static void *spin(void *ended) {
    while (!*(volatile int *)ended) {
    }
    return NULL;
}

/* No thread makes a system call between two signals. */
static void check_signals_beside_a_thread(void) {
    static volatile int ended;
    pthread_t thread;
    promise(pthread_create(&thread, NULL, spin, (void *)&ended) == 0, "a thread");
    check_signals();
    ended = 1;
    pthread_join(thread, NULL);
}

static void check_exec(void) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        int fd = open_own(sampled(PERIOD), NO_GROUP);
        signal_to_this_thread(fd, SIGRTMIN + 1);
        ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
        loop(PASSES);
        ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
        struct pollfd asked = {.fd = fd, .events = POLLIN};
        poll(&asked, 1, 0);
        execl("/proc/self/exe/nothing", "nothing", (char *)NULL);
        if (poll(&asked, 1, 0) != 0)
            _exit(2);
        execl("/proc/self/exe", "perf_samples", "nothing", (char *)NULL);
        _exit(1);
    }
    waitpid(child, &status, 0);
    promise(WIFEXITED(status), "a disabled event does not signal to a new program");
    promise(WEXITSTATUS(status) == 0, "a failed execve() does not end an event");
}

static void check_end_of_child(void) {
    int go[2];
    promise(pipe(go) == 0, "a pipe");
    pid_t child = fork();
    if (child == 0) {
        char word;
        if (read(go[0], &word, sizeof word) == sizeof word)
            loop(PASSES);
        _exit(0);
    }
    struct perf_event_attr attr = sampled(PASSES);
    int fd = open_as(&attr, child, ANY_CPU, NO_GROUP, 0);
    signal_to_this_thread(fd, SIGRTMIN + 1);
    signals = 0;
    promise(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0 && write(go[1], "", 1) == 1, "the child goes on");
    while (waitpid(child, NULL, 0) != child) {
    }
    promise(signals == 1 && value(fd) / PASSES == 1, "the end of a counted process is not signalled");
    close(fd);
    close(go[0]);
    close(go[1]);
}

static void limit_owned_by(pid_t owner, const char *text) {
    int fd = open_own(sampled(PERIOD), NO_GROUP);
    promise(fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 && fcntl(fd, F_SETSIG, SIGRTMIN + 1) == 0 &&
                fcntl(fd, F_SETOWN, owner) == 0,
            "F_SETOWN");
    signals = 0;
    ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
    loop(PASSES);
    promise(signals == 1 && last_code == POLL_HUP, text);
    close(fd);
}

/* The id of a thread names its process, too. */
static void *limit_in_thread(void *none) {
    limit_owned_by(gettid(), "the last overflow hangs up in another thread");
    return none;
}

static void *limit_without_first_thread(void *first) {
    pthread_join(*(pthread_t *)first, NULL);
    limit_owned_by(getpid(), "the last overflow hangs up after the end of the first thread");
    _exit(broken);
}

static void check_limit_without_first_thread(void) {
    static pthread_t first;
    pthread_t other;
    int status;
    pid_t child = fork();
    if (child == 0) {
        first = pthread_self();
        pthread_create(&other, NULL, limit_without_first_thread, &first);
        pthread_exit(NULL);
    }
    promise(waitpid(child, &status, 0) == child && status == 0, "a process without its first thread");
}

static void check_nobody(void) {
    int fd = open_own(sampled(PERIOD), NO_GROUP);
    signal_to_this_thread(fd, SIGRTMIN + 1);
    promise(fcntl(fd, F_SETOWN, 0) == 0, "F_SETOWN");
    signals = 0;
    ioctl(fd, PERF_EVENT_IOC_REFRESH, 2);
    loop(PASSES);
    promise(signals == 0 && value(fd) == 2 * PERIOD, "nobody is signalled");
    close(fd);
}

static void check_asynchronous_by_ioctl(void) {
    const int on = 1;
    int fd = open_own(sampled(PERIOD), NO_GROUP);
    promise(ioctl(fd, FIOASYNC, &on) == 0 && fcntl(fd, F_SETSIG, SIGRTMIN + 1) == 0 &&
                fcntl(fd, F_SETOWN, getpid()) == 0,
            "FIOASYNC");
    signals = 0;
    run_event(fd, PASSES);
    promise((uint64_t)signals == value(fd) / PERIOD, "FIOASYNC is O_ASYNC");
    close(fd);
}

static void check_limit(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, limit_in_thread, NULL);
    pthread_join(thread, NULL);
    check_limit_without_first_thread();
    int fd = open_own(sampled(PERIOD), NO_GROUP);
    signal_to_this_thread(fd, SIGRTMIN + 1);
    signals = 0;
    promise(ioctl(fd, PERF_EVENT_IOC_REFRESH, 3) == 0, "an event can be enabled for some overflows");
    loop(PASSES);
    promise(signals == 3 && last_code == POLL_HUP, "the last of them hangs up");
    promise(value(fd) == 3 * PERIOD, "it is disabled by its last overflow");
    signals = 0;
    again = fd;
    ioctl(fd, PERF_EVENT_IOC_REFRESH, 1);
    loop(PASSES);
    again = 0;
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    promise(signals > PASSES / PERIOD - PASSES / PERIOD / 20 && signals <= PASSES / PERIOD + 1,
            "the handler can enable it again");
    close(fd);
    fd = open_own(branches(), NO_GROUP);
    promise(fails_with(ioctl(fd, PERF_EVENT_IOC_REFRESH, 1), EINVAL), "EINVAL for an event without samples");
    close(fd);
}

/* Counts of a group that is enabled for one overflow, twice. On a node with faults each interval has its own. */
static void show_limited_group(void) {
    int leader = open_own(sampled(PERIOD), NO_GROUP);
    struct perf_event_attr attr = branches();
    attr.disabled = 0;
    int member = open_own(attr, leader);
    for (int i = 0; i < 2; i++) {
        ioctl(leader, PERF_EVENT_IOC_REFRESH, 1);
        loop(PASSES);
    }
    printf("%lu %lu\n", value(leader), value(member));
}

/* ---- rings ---- */

struct ring {
    int fd;
    size_t pages;
    volatile struct perf_event_mmap_page *facts;
};

struct sample {
    struct perf_event_header header;
    uint64_t ip;
    uint32_t process, thread;
    uint64_t period, count;
};

static struct ring map(struct perf_event_attr attr, size_t pages) {
    struct ring ring = {open_own(attr, NO_GROUP), pages, NULL};
    ring.facts = mmap(NULL, (1 + pages) * page, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
    promise(ring.facts != MAP_FAILED, "an event can be mapped");
    return ring;
}

static void unmap(struct ring *ring) {
    munmap((void *)ring->facts, (1 + ring->pages) * page);
    close(ring->fd);
}

static void copy_bytes(const struct ring *ring, uint64_t at, void *to, size_t bytes) {
    const char *data = (const char *)ring->facts + page;
    for (size_t i = 0; i < bytes; i++)
        ((char *)to)[i] = data[(at + i) % (ring->pages * page)];
}

struct seen {
    long samples, outside, foreign, others;
    uint64_t periods, lost, last_count;
    int ascending;
};

static struct seen consume(struct ring *ring) {
    struct seen seen = {.ascending = 1};
    uint64_t head = __atomic_load_n(&ring->facts->data_head, __ATOMIC_ACQUIRE), tail = ring->facts->data_tail;
    struct sample one;
    for (; tail < head; tail += one.header.size) {
        copy_bytes(ring, tail, &one, sizeof one.header);
        promise(one.header.size >= sizeof one.header && tail + one.header.size <= head, "records are whole");
        copy_bytes(ring, tail, &one, one.header.size < sizeof one ? one.header.size : sizeof one);
        if (one.header.type == PERF_RECORD_LOST)
            seen.lost += one.process | (uint64_t)one.thread << 32; /* where it has their number */
        if (one.header.type != PERF_RECORD_SAMPLE) {
            seen.others++;
            continue;
        }
        const char *where = (const char *)one.ip;
        seen.samples++;
        seen.outside += where < expected_start || where >= expected_end;
        seen.foreign += one.process != (uint32_t)getpid() || one.thread != (uint32_t)gettid();
        seen.periods += one.period;
        seen.ascending &= one.count > seen.last_count;
        seen.last_count = one.count;
    }
    __atomic_store_n(&ring->facts->data_tail, tail, __ATOMIC_RELEASE);
    return seen;
}

static void run(const struct ring *ring, long passes) {
    run_event(ring->fd, passes);
}

static void check_ring(void) {
    struct ring ring = map(sampled(PERIOD), 16);
    run(&ring, PASSES);
    uint64_t count = value(ring.fd);
    struct seen seen = consume(&ring);
    promise((uint64_t)seen.samples == count / PERIOD && seen.lost == 0, "a sample for each period");
    promise(seen.outside <= 1 && seen.foreign == 0, "samples name the instruction and the thread");
    promise(seen.periods == (uint64_t)seen.samples * PERIOD, "samples name their period");
    promise(seen.ascending && seen.last_count == (uint64_t)seen.samples * PERIOD, "samples show the count");
    uint64_t period = 2 * PERIOD;
    promise(ioctl(ring.fd, PERF_EVENT_IOC_PERIOD, &period) == 0, "the period can be changed");
    uint64_t before = value(ring.fd);
    run(&ring, PASSES);
    seen = consume(&ring);
    uint64_t counted = value(ring.fd);
    promise((uint64_t)seen.samples == (counted - before) / period, "the new period holds");
    promise(ioctl(ring.fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1) == 0, "output can be paused");
    run(&ring, PASSES);
    promise(consume(&ring).samples == 0, "a paused ring gets no records");
    uint64_t paused = value(ring.fd);
    ioctl(ring.fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
    run(&ring, PASSES);
    seen = consume(&ring);
    promise(seen.lost == (paused - before) / period - (counted - before) / period,
            "samples of the pause are lost ones");
    unmap(&ring);
}

/* Reads lines that L2 lacks: of the loop's instructions, the load alone misses. */
static __attribute__((noinline)) void read_lines(const char *line, long left) {
    __asm__ volatile(".globl load_start, load_end\nload_start: movb (%0), %%al\nload_end: add %2, %0\n"
                     "dec %1\n jnz load_start"
                     : "+r"(line), "+r"(left)
                     : "i"(LINE)
                     : "rax");
}

static void check_place(struct perf_event_attr attr, uint64_t period) {
    enum { LINES = 1 << 15 };
    extern const char load_start[], load_end[];
    static char lines[LINES * LINE];
    memset(lines, 1, sizeof lines);
    attr.sample_period = period;
    attr.sample_type = sampled(period).sample_type;
    struct ring ring = map(attr, 256);
    expected_start = load_start;
    expected_end = load_end;
    ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
    read_lines(lines, LINES);
    ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
    struct seen seen = consume(&ring);
    promise(seen.periods == value(ring.fd) / period * period,
            "samples have all periods of what counts with any amount");
    promise(seen.samples > 100 && seen.outside <= seen.samples / 8, "they name the instruction that counts most");
    unmap(&ring);
    expected_start = loop_start;
    expected_end = loop_end;
}

static struct perf_event_attr load_misses(void) {
    struct perf_event_attr attr =
        counting(PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
    attr.type = PERF_TYPE_HW_CACHE;
    return attr;
}

/* Polls until `woken` is 0; each loop of 2 periods makes 1 or 2 samples. */
static void check_waking(void) {
    struct perf_event_attr attr = sampled(PERIOD);
    attr.wakeup_events = 10;
    struct ring ring = map(attr, 1);
    struct pollfd asked = {.fd = ring.fd, .events = POLLIN};
    run(&ring, 9 * PERIOD);
    promise(poll(&asked, 1, 0) == 0, "fewer samples than wakeup_events do not wake");
    run(&ring, PERIOD + 100);
    promise(poll(&asked, 1, 0) == 1 && asked.revents == POLLIN, "so many do");
    promise(poll(&asked, 1, 0) == 0, "once");
    consume(&ring);
    run(&ring, PASSES);
    promise(poll(&asked, 1, -1) == 1, "a full ring wakes");
    struct seen full = consume(&ring);
    run(&ring, 2 * PERIOD);
    struct seen after = consume(&ring);
    uint64_t all = value(ring.fd) / PERIOD - 10;
    promise(full.samples > 0 && after.lost > 0 && (uint64_t)full.samples + after.lost + (uint64_t)after.samples == all,
            "what a full ring loses is told");
    unmap(&ring);
}

static int selected(int fd) {
    struct timeval none = {0, 0};
    fd_set input;
    FD_ZERO(&input);
    FD_SET(fd, &input);
    return select(fd + 1, &input, NULL, NULL, &none);
}

/* select() and epoll_wait() show a wake-up once, as poll() does. */
static void check_waking_once(void) {
    struct ring ring = map(sampled(PERIOD), 16);
    struct epoll_event event = {.events = EPOLLIN};
    int all = epoll_create1(0);
    promise(epoll_ctl(all, EPOLL_CTL_ADD, ring.fd, &event) == 0 && event.events == EPOLLIN, "epoll_ctl()");
    for (int i = 0; i < 2; i++) {
        run(&ring, 2 * PERIOD);
        promise(epoll_wait(all, &event, 1, 0) == 1 && epoll_wait(all, &event, 1, 0) == 0, "epoll_wait() wakes once");
        promise(selected(ring.fd) == 1 && selected(ring.fd) == 0, "select() wakes once");
    }
    close(all);
    unmap(&ring);
}

/* A reader that unwinds the stack itself asks for no callers. */
static void check_callers(void) {
    for (int without = 0; without < 2; without++) {
        struct perf_event_attr attr = sampled(PERIOD);
        struct {
            struct perf_event_header header;
            uint64_t callers;
        } first = {0};
        attr.sample_type = PERF_SAMPLE_CALLCHAIN;
        attr.exclude_callchain_user = without;
        struct ring ring = map(attr, 16);
        run(&ring, PASSES);
        copy_bytes(&ring, 0, &first, sizeof first);
        promise(first.header.type == PERF_RECORD_SAMPLE && (first.callers == 0) == without,
                "callers are sampled or not");
        unmap(&ring);
    }
}

static int hangs_up(int fd, int limit_ms) {
    struct pollfd asked = {.fd = fd, .events = POLLIN};
    return poll(&asked, 1, limit_ms) == 1 && asked.revents == POLLHUP;
}

/* A child starts another one, which ends, reports that and ends when it is told to. */
static void check_end_of_counted(void) {
    enum { LIMIT_MS = 10000 };
    int ready[2], go[2];
    char byte = 0;
    promise(pipe(ready) == 0 && pipe(go) == 0, "pipes");
    pid_t child = fork();
    if (child == 0) {
        if (read(go[0], &byte, 1) == 1 && fork() == 0)
            _exit(0);
        wait(NULL);
        _exit(write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1);
    }
    struct perf_event_attr attr = branches();
    attr.inherit = 1;
    attr.disabled = 0;
    int fd = open_as(&attr, child, 0, NO_GROUP, 0);
    void *facts = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    promise(facts != MAP_FAILED && write(go[1], &byte, 1) == 1 && read(ready[0], &byte, 1) == 1, "the child goes on");
    promise(!hangs_up(fd, 0), "an event goes on with one of its processes");
    promise(write(go[1], &byte, 1) == 1 && hangs_up(fd, LIMIT_MS), "the end of the last one wakes its reader");
    waitpid(child, NULL, 0);
    munmap(facts, 2 * page);
    close(fd);
}

static void check_output(void) {
    struct ring ring = map(sampled(PERIOD), 16);
    struct perf_event_attr attr = sampled(PERIOD);
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    int other = open_own(attr, NO_GROUP);
    promise(ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, ring.fd) == 0, "another event writes to the ring");
    ioctl(other, PERF_EVENT_IOC_ENABLE, 0);
    run(&ring, PASSES / 4);
    ioctl(other, PERF_EVENT_IOC_DISABLE, 0);
    promise((uint64_t)consume(&ring).samples == value(other) / PERIOD + value(ring.fd) / PERIOD,
            "both are in the ring");
    promise(fails_with(ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, other), EINVAL), "EINVAL for itself");
    close(other);
    unmap(&ring);
}

static void check_errors(void) {
    struct perf_event_attr attr = sampled(PERIOD);
    attr.sample_type &= ~(uint64_t)PERF_SAMPLE_READ;
    attr.inherit = 1;
    int fd = open_own(attr, NO_GROUP), plain = open_own(branches(), NO_GROUP);
    uint64_t none = 0;
    promise(mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == EINVAL,
            "EINVAL for a ring of a thread and its children");
    promise(mmap(NULL, 4 * page, PROT_READ, MAP_SHARED, plain, 0) == MAP_FAILED && errno == EINVAL,
            "EINVAL for 3 pages of records");
    promise(mmap(NULL, 2 * page, PROT_READ, MAP_PRIVATE, plain, 0) == MAP_FAILED && errno == EINVAL,
            "EINVAL for a private mapping");
    promise(fails_with(ioctl(fd, PERF_EVENT_IOC_PERIOD, &none), EINVAL), "EINVAL for no period");
    promise(fails_with(ioctl(plain, PERF_EVENT_IOC_PERIOD, &none), EINVAL), "EINVAL for the period of a count");
    promise(fails_with(ioctl(plain, PERF_EVENT_IOC_PAUSE_OUTPUT, 1), EINVAL), "EINVAL without a ring");
    close(plain);
    close(fd);
}

/* ---- threads, records of programs, rdpmc ---- */

static void *sample_thread(void *unused) {
    struct ring ring = map(sampled(PERIOD), 16);
    (void)unused;
    run(&ring, PASSES);
    struct seen seen = consume(&ring);
    promise((uint64_t)seen.samples == value(ring.fd) / PERIOD && seen.foreign == 0, "each thread has its own samples");
    unmap(&ring);
    return NULL;
}

static void check_threads(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, sample_thread, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

static void *nothing(void *unused) {
    return unused;
}

static void check_records(void) {
    struct perf_event_attr attr = branches();
    attr.mmap = attr.mmap2 = attr.task = attr.comm = 1;
    struct ring ring = map(attr, 1);
    pthread_t thread;
    ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    promise(consume(&ring).others == 1, "a thread that starts is told");
    munmap(mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), page);
    promise(consume(&ring).others == 1, "a mapping of code is told");
    ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
    unmap(&ring);
}

static uint64_t rdpmc(uint32_t counter) {
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
    return low | (uint64_t)high << 32;
}

static uint64_t read_here(const volatile struct perf_event_mmap_page *facts) {
    int unused = 64 - facts->pmc_width;
    return (uint64_t)(facts->offset + ((int64_t)(rdpmc(facts->index - 1) << unused) >> unused));
}

static void check_rdpmc(void) {
    struct ring ring = map(branches(), 1);
    promise(ring.facts->cap_user_rdpmc && ring.facts->index == 0, "a disabled event has no counter");
    ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
    promise(ring.facts->index != 0, "an enabled one has");
    uint64_t before = read_here(ring.facts);
    loop(PASSES);
    uint64_t after = read_here(ring.facts);
    promise(after - before >= PASSES && after - before < PASSES + 20, "rdpmc counts");
    uint64_t kernels = value(ring.fd);
    promise(kernels >= after && kernels - after < 20, "rdpmc and read() agree");
    unmap(&ring);
}

/* Stops twice, with a loop between. */
static void stop_loop_stop(void) {
    raise(SIGSTOP);
    loop(PASSES);
    raise(SIGSTOP);
    _exit(0);
}

static void check_mapped_elsewhere(void) {
    struct perf_event_attr attr = branches();
    pid_t child = fork();
    attr.disabled = 0;
    if (child == 0)
        stop_loop_stop();
    waitpid(child, NULL, WUNTRACED);
    int fd = open_as(&attr, child, ANY_CPU, NO_GROUP, 0);
    volatile struct perf_event_mmap_page *facts = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);
    kill(child, SIGCONT);
    waitpid(child, NULL, WUNTRACED);
    promise(facts->index == 0, "a stopped thread's event has no counter");
    promise((uint64_t)facts->offset == value(fd) && value(fd) >= PASSES, "its page has the value");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap((void *)facts, page);
    close(fd);
}

int main(int count, char **argument) {
    if (count > 1 && strcmp(argument[1], "nothing") == 0)
        return 0;
    if (count > 1 && strcmp(argument[1], "limit") == 0)
        return show_limited_group(), broken;
    page = (size_t)sysconf(_SC_PAGESIZE);
    check_signals();
    check_signals_beside_a_thread();
    check_exec();
    check_end_of_child();
    check_limit();
    check_nobody();
    check_asynchronous_by_ioctl();
    check_ring();
    check_place(counting(PERF_COUNT_HW_CPU_CYCLES), PERIOD);
    check_place(load_misses(), 97);
    check_waking();
    check_waking_once();
    check_end_of_counted();
    check_callers();
    check_output();
    check_errors();
    check_threads();
    check_records();
    check_rdpmc();
    check_mapped_elsewhere();
    return broken;
}
