/* timers.c - what timers of all kinds do to a program, a line each, the same wherever it runs.
 *
 *     timers            prints the lines
 *     timers checks     the same; a line says so if it comes more than 1 ms early or late, on the clock of its timer
 *     timers inherited  exit status 1 if it has the timers that programs() sets before it executes this
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, SECOND = 1000000000 };

static int checks_times;
static clockid_t shown = CLOCK_MONOTONIC;
static double before;

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void begin(clockid_t clock) {
    shown = clock;
    before = now(clock);
}

/* ms: since the line before; negative: not known. */
static __attribute__((format(printf, 2, 3))) void line(double ms, const char *format, ...) {
    va_list values;
    double passed = now(shown) - before;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    if (checks_times && ms >= 0 && (passed < ms - 1 || passed > ms + 1))
        printf(", after %.3f ms instead of %.0f", passed, ms);
    puts("");
    fflush(stdout);
    before = now(shown);
}

static volatile sig_atomic_t calls, last_code, last_value;

static void on_signal(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    calls++;
    last_code = info->si_code;
    last_value = info->si_value.sival_int;
}

static void handle(int signal, int flags) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | flags};
    sigaction(signal, &action, NULL);
    calls = last_code = last_value = 0;
}

static void set_interval(int which, long first_ms, long ms) {
    struct itimerval to = {{ms / 1000, ms % 1000 * 1000}, {first_ms / 1000, first_ms % 1000 * 1000}};
    setitimer(which, &to, NULL);
}

static struct itimerspec every(long first_ms, long ms) {
    return (struct itimerspec){{ms / 1000, ms % 1000 * MS}, {first_ms / 1000, first_ms % 1000 * MS}};
}

static void compute_until(int count) {
    for (volatile unsigned long i = 0; calls < count; i++) {
    }
}

/* ---- calls without a timeout, which a signal ends ---- */

static int from_pipe, to_pipe, locked; /* nobody writes, reads or unlocks */

static long call_pause(void) {
    return pause();
}
static long call_sleep(void) {
    return -(long)(sleep(100) > 98);
}
static long call_read(void) {
    char byte;
    return read(from_pipe, &byte, 1);
}
static long call_poll(void) {
    struct pollfd asked = {.fd = from_pipe, .events = POLLIN};
    return poll(&asked, 1, -1);
}
static long call_poll_later(void) {
    struct pollfd asked = {.fd = from_pipe, .events = POLLIN};
    return poll(&asked, 1, 100000);
}
static long call_select(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(from_pipe, &set);
    return select(from_pipe + 1, &set, NULL, NULL, NULL);
}
static long call_epoll(void) {
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0), result;
    epoll_ctl(epoll, EPOLL_CTL_ADD, from_pipe, &event);
    result = epoll_wait(epoll, &event, 1, -1);
    int error = errno;
    close(epoll);
    errno = error;
    return result;
}
static long call_wait(void) {
    return waitpid(-1, NULL, 0);
}
static long call_wait_for_one(void) { /* another one has ended */
    pid_t one = fork();
    if (one == 0) {
        sleep(100);
        _exit(0);
    }
    pid_t other = fork();
    if (other == 0)
        _exit(0);
    siginfo_t info;
    waitid(P_PID, (id_t)other, &info, WEXITED | WNOWAIT);
    long result = waitpid(one, NULL, 0);
    int error = errno;
    kill(one, SIGKILL);
    waitpid(one, NULL, 0);
    waitpid(other, NULL, 0);
    errno = error;
    return result;
}
static long call_sigsuspend(void) {
    sigset_t all_but;
    sigfillset(&all_but);
    sigdelset(&all_but, SIGALRM);
    return sigsuspend(&all_but);
}
static long call_ppoll(void) {
    sigset_t all_but;
    sigfillset(&all_but);
    sigdelset(&all_but, SIGALRM);
    return ppoll(NULL, 0, NULL, &all_but);
}
static long call_flock(void) {
    return flock(locked, LOCK_EX);
}
static long call_lock(void) {
    struct flock all = {.l_type = F_WRLCK};
    return fcntl(locked, F_SETLKW, &all);
}
static long call_write(void) {
    fcntl(to_pipe, F_SETFL, O_NONBLOCK);
    while (write(to_pipe, "", 1) == 1) {
    }
    fcntl(to_pipe, F_SETFL, 0);
    return write(to_pipe, "", 1);
}

static const struct {
    const char *name;
    long (*call)(void);
} calls_that_wait[] = {
    {"pause", call_pause},
    {"sleep", call_sleep},
    {"read", call_read},
    {"poll", call_poll},
    {"poll 100 s", call_poll_later},
    {"select", call_select},
    {"epoll", call_epoll},
    {"wait", call_wait},
    {"wait for one", call_wait_for_one},
    {"flock", call_flock},
    {"lock", call_lock},
    {"write", call_write},
    {"sigsuspend", call_sigsuspend},
    {"ppoll", call_ppoll},
};

enum { MASKED = 2 }; /* so many of them, the last ones, have a mask of their own */

/* A child holds the locks, and lives until the test ends. */
static int lock_elsewhere(pid_t *holder) {
    static char name[] = "timers-lock-XXXXXX";
    int file = mkstemp(name), ready[2];
    if (file < 0 || pipe(ready) != 0)
        exit(1);
    *holder = fork();
    if (*holder == 0) {
        int own = open(name, O_RDWR);
        struct flock all = {.l_type = F_WRLCK};
        flock(own, LOCK_EX);
        fcntl(own, F_SETLK, &all);
        if (write(ready[1], "", 1) == 1)
            sleep(1000000);
        _exit(0);
    }
    char byte;
    if (read(ready[0], &byte, 1) != 1)
        exit(1);
    unlink(name);
    return file;
}

static void interrupted_calls(void) {
    int ends[2];
    pid_t holder;
    if (pipe(ends) != 0)
        exit(1);
    from_pipe = ends[0], to_pipe = ends[1];
    locked = lock_elsewhere(&holder);
    handle(SIGALRM, 0);
    begin(CLOCK_MONOTONIC);
    const size_t number = sizeof calls_that_wait / sizeof *calls_that_wait;
    for (size_t i = 0; i < number; i++) {
        sigset_t alarms;
        sigemptyset(&alarms);
        sigaddset(&alarms, SIGALRM);
        sigprocmask(i >= number - MASKED ? SIG_BLOCK : SIG_UNBLOCK, &alarms, NULL);
        calls = 0;
        set_interval(ITIMER_REAL, 200, 0);
        long result = calls_that_wait[i].call();
        line(200, "%s: %ld %s, %d signals, code %d", calls_that_wait[i].name, result, strerror(errno), calls,
             last_code);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
}

static void restarted_calls(void) {
    handle(SIGALRM, SA_RESTART);
    begin(CLOCK_MONOTONIC);
    set_interval(ITIMER_REAL, 50, 100);
    pid_t child = fork();
    if (child == 0) {
        struct itimerval left;
        getitimer(ITIMER_REAL, &left);
        usleep(330000);
        _exit(left.it_value.tv_sec || left.it_value.tv_usec || calls);
    }
    int status = -1;
    long result = waitpid(child, &status, 0);
    line(330, "restarted wait: %d, status %d, %d signals", result == child, status, calls);
    set_interval(ITIMER_REAL, 0, 0);
}

/* ---- interval timers ---- */

static void intervals(void) {
    struct itimerval left;
    handle(SIGALRM, 0);
    begin(CLOCK_MONOTONIC);
    set_interval(ITIMER_REAL, 100, 50);
    for (int i = 0; i < 3; i++) {
        pause();
        line(i == 0 ? 100 : 50, "tick %d", calls);
    }
    set_interval(ITIMER_REAL, 5400, 0);
    getitimer(ITIMER_REAL, &left);
    unsigned first = alarm(0), second = alarm(0);
    line(0, "interval %ld, %d, alarm %u, %u", (long)left.it_interval.tv_sec,
         left.it_value.tv_sec == 5 && left.it_value.tv_usec > 300000, first, second);
    alarm(1);
    unsigned slept = sleep(0) + alarm(0);
    line(0, "alarm left %u, %d signals", slept, calls);
    set_interval(ITIMER_REAL, 30, 0);
    compute_until(4);
    line(30, "computed until %d", calls);

    static const struct { int which, signal; } computing[] = {{ITIMER_VIRTUAL, SIGVTALRM}, {ITIMER_PROF, SIGPROF}};
    for (size_t i = 0; i < sizeof computing / sizeof *computing; i++) {
        handle(computing[i].signal, 0);
        begin(CLOCK_PROCESS_CPUTIME_ID);
        set_interval(computing[i].which, 20, 20);
        compute_until(3);
        line(60, "computing %d: %d signals, code %d", computing[i].which, calls, last_code);
        set_interval(computing[i].which, 0, 0);
    }
}

/* Timers that are far away, and waits that end before one. */
static void early_ends(void) {
    struct itimerval endless = {{0, 0}, {INT64_MAX, 0}}, left;
    int ends[2], sockets[2];
    char byte = 0;
    if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        exit(1);
    handle(SIGALRM, 0);
    begin(CLOCK_MONOTONIC);
    setitimer(ITIMER_REAL, &endless, NULL);
    usleep(50000);
    getitimer(ITIMER_REAL, &left);
    line(50, "endless: %d, %d signals", left.it_value.tv_sec > 1000000, calls);
    struct pollfd asked = {.fd = ends[0], .events = POLLIN};
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        usleep(100000);
        _exit(write(ends[1], &byte, 1) != 1);
    }
    int ready = poll(&asked, 1, 5000), slept = usleep(100000); /* the poll's end does not end the sleep */
    waitpid(child, NULL, 0);
    line(200, "poll %d, then a sleep %d", ready, slept);
    struct timeval soon = {0, 80000};
    setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
    alarm(5);
    long got = recv(sockets[0], &byte, 1, 0);
    int error = errno;
    unsigned then = alarm(0);
    line(-1, "receive: %ld %s, alarm in %u", got, strerror(error), then);
}

static void wrong_intervals(void) {
    struct itimerval wrong = {{0, 0}, {0, 1000000}}, old;
    struct itimerspec wrong_too = {{0, 0}, {-1, 0}};
    timer_t timer;
    long a = setitimer(ITIMER_REAL, &wrong, &old), b = setitimer(7, &wrong, NULL), c = getitimer(-1, &old);
    long d = timerfd_create(2, 0), e = timerfd_settime(0, 0, &wrong_too, NULL);
    line(0, "wrong: %ld %ld %ld %ld %ld", a, b, c, d, e);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 1000};
    a = timer_create(CLOCK_MONOTONIC, &event, &timer);
    event.sigev_signo = SIGALRM;
    b = timer_create(77, &event, &timer);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    c = timer_settime(timer, 0, &wrong_too, NULL);
    d = timer_delete(timer), e = syscall(SYS_timer_delete, 12345);
    line(0, "wrong: %ld %ld %ld %ld %ld, %s", a, b, c, d, e, strerror(errno));
}

/* ---- timer_create() ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int notified;

static void notify(union sigval value) {
    pthread_mutex_lock(&lock);
    notified += value.sival_int;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void posix_timers(void) {
    timer_t timer;
    struct itimerspec to, left;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 42};
    handle(SIGUSR1, 0);
    begin(CLOCK_MONOTONIC);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    to = every(100, 0);
    timer_settime(timer, 0, &to, NULL);
    pause();
    line(100, "signal of a timer: code %d, value %d, overrun %d", last_code, last_value, timer_getoverrun(timer));

    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    timer_delete(timer);
    timer_create(CLOCK_REALTIME, &event, &timer);
    at.tv_sec += 1;
    to = (struct itimerspec){{0, 0}, at};
    timer_settime(timer, TIMER_ABSTIME, &to, NULL);
    timer_gettime(timer, &left);
    pause();
    line(1000, "at a time: %d", left.it_value.tv_sec == 0 && left.it_value.tv_nsec > SECOND / 2);

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    siginfo_t info;
    to = every(200, 0);
    timer_settime(timer, 0, &to, NULL);
    struct timespec soon = {0, 100 * MS}, late = {100, 0};
    int early = sigtimedwait(&set, &info, &soon), error = errno;
    line(100, "too early: %d %s", early, strerror(error));
    int got = sigtimedwait(&set, &info, &late);
    line(100, "in time: %d, value %d", got == SIGUSR1, info.si_value.sival_int);
    to = every(50, 50);
    timer_settime(timer, 0, &to, NULL);
    usleep(275000);
    got = sigwaitinfo(&set, &info);
    line(275, "overrun: %d, %d, %d", got == SIGUSR1, info.si_overrun, timer_getoverrun(timer) == info.si_overrun);
    timer_delete(timer);
    while (sigtimedwait(&set, &info, &(struct timespec){0, 0}) > 0) {
    }
    sigprocmask(SIG_UNBLOCK, &set, NULL);

    struct sigevent by_thread = {
        .sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify, .sigev_value.sival_int = 1};
    timer_create(CLOCK_MONOTONIC, &by_thread, &timer);
    to = every(100, 100);
    timer_settime(timer, 0, &to, NULL);
    pthread_mutex_lock(&lock);
    while (notified < 3)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    line(300, "three notifications");
    timer_delete(timer);

    static const clockid_t computing[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    for (size_t i = 0; i < 2; i++) {
        handle(SIGUSR1, 0);
        begin(computing[i]);
        timer_create(computing[i], &event, &timer);
        to = every(20, 20);
        timer_settime(timer, 0, &to, NULL);
        compute_until(3);
        line(60, "computing: %d signals", calls);
        timer_delete(timer);
    }
}

/* ---- timerfd_create() ---- */

static void descriptors(void) {
    struct itimerspec to = every(100, 100), left;
    uint64_t times = 0;
    begin(CLOCK_MONOTONIC);
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    timerfd_settime(fd, 0, &to, NULL);
    long bytes = read(fd, &times, sizeof times);
    line(100, "read: %ld bytes, %llu", bytes, (unsigned long long)times);
    usleep(350000);
    struct pollfd asked = {.fd = fd, .events = POLLIN};
    int ready = poll(&asked, 1, 0);
    bytes = read(fd, &times, sizeof times);
    line(350, "after a while: %d, %llu", ready, (unsigned long long)times);
    ready = poll(&asked, 1, -1);
    line(50, "poll: %d", ready);
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    to = every(150, 0);
    timerfd_settime(fd, 0, &to, NULL); /* forgets what has expired */
    ready = epoll_wait(epoll, &event, 1, 50);
    line(50, "epoll too early: %d", ready);
    ready = epoll_wait(epoll, &event, 1, 10000);
    line(100, "epoll: %d", ready);
    bytes = read(fd, &times, sizeof times);
    timerfd_gettime(fd, &left);
    line(0, "stopped: %ld", (long)(left.it_value.tv_sec + left.it_value.tv_nsec));
    close(fd);
    close(epoll);
    fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    to = (struct itimerspec){{0, 0}, {at.tv_sec + 1, at.tv_nsec}};
    timerfd_settime(fd, TFD_TIMER_ABSTIME, &to, NULL);
    bytes = read(fd, &times, sizeof times);
    int error = errno;
    asked.fd = fd;
    ready = poll(&asked, 1, -1);
    line(1000, "at a time: %ld %s, %d", bytes, strerror(error), ready);
    to = every(20, 0);
    timerfd_settime(fd, 0, &to, NULL);
    close(fd);
    int other = eventfd(0, EFD_NONBLOCK); /* has that number now */
    usleep(50000);
    bytes = read(other, &times, sizeof times);
    line(50, "closed: %ld", bytes);
    close(other);
}

/* ---- threads and programs ---- */

static void *compute(void *end) {
    while (!__atomic_load_n((int *)end, __ATOMIC_RELAXED)) {
    }
    return NULL;
}

static volatile sig_atomic_t in_main;
static pthread_t main_thread;

static void note_thread(int signal) {
    (void)signal;
    calls++;
    in_main += pthread_equal(pthread_self(), main_thread) != 0;
}

/* A timer of processor time interrupts a thread that computes. */
static void threads(void) {
    pthread_t worker;
    int end = 0;
    handle(SIGPROF, 0);
    struct sigaction action = {.sa_handler = note_thread, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    main_thread = pthread_self();
    pthread_create(&worker, NULL, compute, &end);
    set_interval(ITIMER_PROF, 20, 20);
    usleep(300000);
    while (calls < 3)
        usleep(20000);
    set_interval(ITIMER_PROF, 0, 0);
    __atomic_store_n(&end, 1, __ATOMIC_RELAXED);
    pthread_join(worker, NULL);
    begin(CLOCK_MONOTONIC);
    line(0, "signals of a thread that computes: %d, in one that sleeps: %d", calls >= 3, in_main != 0);
}

static void *nothing(void *unused) {
    return unused;
}

static void *count_alarms(void *alarms) {
    int signal;
    for (;;) {
        sigwait(alarms, &signal);
        __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

/* Who gets the signal of a timer that does not count processor time: the first thread, or the one that waits for it. */
static void receivers(void) {
    pthread_t worker;
    int end = 0;
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    handle(SIGALRM, 0);
    pthread_create(&worker, NULL, compute, &end);
    begin(CLOCK_MONOTONIC);
    set_interval(ITIMER_REAL, 50, 0);
    pause();
    line(50, "the first thread has it: %d", calls);
    __atomic_store_n(&end, 1, __ATOMIC_RELAXED);
    pthread_join(worker, NULL);

    sigprocmask(SIG_BLOCK, &alarms, NULL);
    pthread_create(&worker, NULL, nothing, NULL); /* an ended thread gets none */
    pthread_join(worker, NULL);
    int signal;
    begin(CLOCK_MONOTONIC);
    set_interval(ITIMER_REAL, 50, 0);
    sigwait(&alarms, &signal);
    line(50, "it waits for %d", signal == SIGALRM);

    pthread_create(&worker, NULL, count_alarms, &alarms); /* waits before there is a timer */
    usleep(100000);
    calls = 0;
    set_interval(ITIMER_REAL, 50, 50);
    begin(CLOCK_MONOTONIC);
    usleep(225000);
    line(225, "another thread waits for it: %d", calls);
    set_interval(ITIMER_REAL, 0, 0);
    pthread_cancel(worker);
    pthread_join(worker, NULL);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
}

/* What a program finds of the timers of the one that executed it. */
static int inherited(void) {
    struct itimerval real, computing, none;
    getitimer(ITIMER_REAL, &real);
    getitimer(ITIMER_PROF, &computing);
    getitimer(ITIMER_VIRTUAL, &none);
    return real.it_value.tv_sec >= 4 && real.it_interval.tv_sec == 1 && computing.it_value.tv_sec >= 8 &&
           computing.it_interval.tv_sec == 2 && none.it_value.tv_sec == 0;
}

/* As `timeout` does, and as `perl -e 'alarm 1; exec ...'`. */
static void programs(const char *self) {
    int status;
    begin(CLOCK_MONOTONIC);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        set_interval(ITIMER_REAL, 300, 0);
        execlp("sleep", "sleep", "100", (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    line(300, "sleep with an alarm: ended by %d", WTERMSIG(status));
    child = fork();
    if (child == 0) {
        set_interval(ITIMER_REAL, 5000, 1000);
        set_interval(ITIMER_PROF, 9000, 2000);
        execl(self, self, "inherited", (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    line(-1, "timers of the executing program: %d", WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "inherited") == 0)
        return inherited();
    checks_times = argc > 1;
    interrupted_calls();
    restarted_calls();
    intervals();
    early_ends();
    wrong_intervals();
    posix_timers();
    descriptors();
    threads();
    receivers();
    programs(argv[0]);
    return 0;
}
