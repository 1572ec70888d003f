/* timer_calls.c - system calls about timers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "answers.h"
#include "core_api.h"
#include "engine.h"
#include "timers.h"
#include "waits.h"

enum { NS_PER_S = 1000000000, NS_PER_US = 1000, US_PER_S = 1000000, ABSOLUTE = 1, CANCEL_ON_SET = 2 };
enum { REALTIME, MONOTONIC, OF_PROCESS, OF_THREAD, BOOTTIME = 7, REALTIME_ALARM, BOOTTIME_ALARM, TAI = 11 };
enum { OF_THREAD_0 = -2 };         /* the clock of the calling thread, by number 0 */
enum { EVENT_SIGNAL, EVENT_NONE }; /* SIGEV_ */
static const ULong SECONDS_MAX = 1ULL << 33;
enum { SEMAPHORE = 1 };                        /* EFD_SEMAPHORE */
enum { CLOSE_RANGE = 436, RANGE_CLOEXEC = 4 }; /* Linux' numbers, which older Valgrinds lack */

/* What a timer is set to, in ns. */
struct setting {
    ULong value, interval;
};

static struct setting setting_of(ThreadId tid, const struct timer *timer) {
    if (!timer || !timer->next)
        return (struct setting){0, timer ? timer->interval : 0};
    ULong now = time_of_clock(tid, timer->clock);
    return (struct setting){timer->next > now ? timer->next - now : 1, timer->interval};
}

static ULong least(ULong one, ULong other) {
    return one < other ? one : other;
}

/* Times are at most some 36 years from now, so that no sum or number of cycles overflows. Linux keeps the interval of a
 * stopped timer if it is a descriptor's. */
static void set_timer(ThreadId tid, struct timer *timer, struct setting to, Bool absolute) {
    const ULong most = 1ULL << 60;
    ULong now = time_of_clock(tid, timer->clock), passed = absolute ? least(now, to.value) : 0;
    Bool has_interval = to.value || timer->form == TIMER_FILE;
    timers_start(timer, to.value ? now + least(to.value - passed, most) : 0,
                 has_interval ? least(to.interval, most) : 0);
}

/* ---- setitimer(), getitimer(), alarm() ---- */

static struct timer *interval_timer(UWord which) {
    static const struct {
        Int clock, signal;
    } kinds[] = {{MONOTONIC, VKI_SIGALRM}, {OF_PROCESS, VKI_SIGVTALRM}, {OF_PROCESS, VKI_SIGPROF}};
    struct timer *timer = timers_find(TIMER_INTERVAL, (Int)which);
    return timer ? timer : timers_add(TIMER_INTERVAL, (Int)which, kinds[which].clock, kinds[which].signal);
}

/* At least 1 us, if it is not 0. */
static struct vki_timeval timeval_of(ULong ns) {
    ULong us = ns ? (ns + NS_PER_US - 1) / NS_PER_US : 0;
    return (struct vki_timeval){(long)(us / US_PER_S), (long)(us % US_PER_S)};
}

static Long tell_itimer(ThreadId tid, UWord which, Addr where) {
    struct vki_itimerval *told = (struct vki_itimerval *)where;
    if (!answer_writable(where, sizeof *told))
        return -VKI_EFAULT;
    struct setting now = setting_of(tid, timers_find(TIMER_INTERVAL, (Int)which));
    *told = (struct vki_itimerval){timeval_of(now.interval), timeval_of(now.value)};
    return 0;
}

static Bool is_valid(const struct vki_timeval *time) {
    return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < US_PER_S;
}

static ULong ns_of(const struct vki_timeval *time) {
    return least((ULong)time->tv_sec, SECONDS_MAX) * NS_PER_S + (ULong)time->tv_usec * NS_PER_US;
}

static const UWord WHICH_MAX = 2; /* ITIMER_PROF */

Long timers_getitimer(ThreadId tid, const UWord *arguments) {
    return arguments[0] > WHICH_MAX ? -VKI_EINVAL : tell_itimer(tid, arguments[0], arguments[1]);
}

Long timers_setitimer(ThreadId tid, const UWord *arguments) {
    const struct vki_itimerval *asked = (const struct vki_itimerval *)arguments[1];
    struct setting to = {0, 0};
    if (arguments[0] > WHICH_MAX)
        return -VKI_EINVAL;
    if (asked && !answer_readable(arguments[1], sizeof *asked))
        return -VKI_EFAULT;
    if (asked && (!is_valid(&asked->it_value) || !is_valid(&asked->it_interval)))
        return -VKI_EINVAL;
    if (asked)
        to = (struct setting){ns_of(&asked->it_value), ns_of(&asked->it_interval)};
    Long told = arguments[2] ? tell_itimer(tid, arguments[0], arguments[2]) : 0;
    if (told == 0)
        set_timer(tid, interval_timer(arguments[0]), to, False);
    return told;
}

/* Seconds are rounded, as Linux does, but never to 0. */
Long timers_alarm(ThreadId tid, const UWord *arguments) {
    struct timer *timer = interval_timer(0);
    ULong left = setting_of(tid, timer).value, seconds = (left + NS_PER_S / 2) / NS_PER_S;
    set_timer(tid, timer, (struct setting){(ULong)(UInt)arguments[0] * NS_PER_S, 0}, False);
    return left && seconds == 0 ? 1 : (Long)seconds;
}

HChar *timers_hand_on(ThreadId tid) {
    enum { OPTION_BYTES = 256 };
    HChar *text = VG_(malloc)("timers", OPTION_BYTES);
    Int length = VG_(sprintf)(text, "--timers=");
    for (UWord which = 0; which <= WHICH_MAX; which++) {
        struct setting now = setting_of(tid, timers_find(TIMER_INTERVAL, (Int)which));
        length += VG_(sprintf)(text + length, "%llu:%llu,", now.value, now.interval);
    }
    return text;
}

void timers_inherit(const HChar *text) {
    enum { FIRST_THREAD = 1 };
    HChar *end = (HChar *)text;
    for (UWord which = 0; which <= WHICH_MAX && *end; which++) {
        struct setting to;
        to.value = (ULong)VG_(strtoll10)(end, &end);
        to.interval = (ULong)VG_(strtoll10)(end + (*end == ':'), &end);
        end += *end == ',';
        set_timer(FIRST_THREAD, interval_timer(which), to, False);
    }
}

/* ---- what timer_settime() and timerfd_settime() have in common ---- */

static struct vki_timespec timespec_of(ULong ns) {
    return (struct vki_timespec){(long)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

static Long tell(ThreadId tid, const struct timer *timer, Addr where) {
    struct vki_itimerspec *told = (struct vki_itimerspec *)where;
    if (!timer)
        return -VKI_EINVAL;
    if (!answer_writable(where, sizeof *told))
        return -VKI_EFAULT;
    struct setting now = setting_of(tid, timer);
    *told = (struct vki_itimerspec){timespec_of(now.interval), timespec_of(now.value)};
    return 0;
}

static Bool is_time(const struct vki_timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NS_PER_S;
}

static ULong ns_of_time(const struct vki_timespec *time) {
    return least((ULong)time->tv_sec, SECONDS_MAX) * NS_PER_S + (ULong)time->tv_nsec;
}

/* arguments: of timer_settime(). */
static Long set_as_asked(ThreadId tid, struct timer *timer, const UWord *arguments) {
    const struct vki_itimerspec *asked = (const struct vki_itimerspec *)arguments[2];
    if (!answer_readable(arguments[2], sizeof *asked))
        return -VKI_EFAULT;
    if (!timer || !is_time(&asked->it_value) || !is_time(&asked->it_interval))
        return -VKI_EINVAL;
    struct setting to = {ns_of_time(&asked->it_value), ns_of_time(&asked->it_interval)};
    Long told = arguments[3] ? tell(tid, timer, arguments[3]) : 0;
    if (told == 0)
        set_timer(tid, timer, to, (arguments[1] & ABSOLUTE) != 0);
    return told;
}

/* ---- timer_create() and its relatives: the kernel gives the id, and never starts the timer ---- */

/* A clock of time_of_clock() for the caller's. */
static Int clock_of(Int clock) {
    switch (clock) {
    case OF_THREAD:
    case OF_THREAD_0:                                /* glibc's word for it */
        return (Int)(~(UInt)VG_(gettid)() << 3 | 6); /* a clock that names the thread */
    case REALTIME_ALARM:
    case TAI:
        return REALTIME;
    case BOOTTIME_ALARM:
        return BOOTTIME;
    default:
        return clock;
    }
}

Long timers_create(ThreadId tid, const UWord *arguments) {
    (void)tid;
    const vki_sigevent_t *event = (const vki_sigevent_t *)arguments[1];
    Int *id = (Int *)arguments[2];
    if ((event && !answer_readable(arguments[1], sizeof *event)) || !answer_writable(arguments[2], sizeof *id))
        return -VKI_EFAULT;
    Long made = core_call(__NR_timer_create, arguments[0], arguments[1], arguments[2], 0, 0, 0);
    if (made != 0)
        return made;
    Int signal = !event ? VKI_SIGALRM : event->sigev_notify == EVENT_NONE ? 0 : event->sigev_signo;
    struct timer *timer = timers_add(TIMER_POSIX, *id, clock_of((Int)arguments[0]), signal);
    timer->value = event ? (UWord)event->sigev_value.sival_ptr : (UWord)*id;
    timer->lwp = event && event->sigev_notify == VKI_SIGEV_THREAD_ID ? event->vki_sigev_notify_thread_id : 0;
    return 0;
}

Long timers_settime(ThreadId tid, const UWord *arguments) {
    return set_as_asked(tid, timers_find(TIMER_POSIX, (Int)arguments[0]), arguments);
}

Long timers_gettime(ThreadId tid, const UWord *arguments) {
    return tell(tid, timers_find(TIMER_POSIX, (Int)arguments[0]), arguments[1]);
}

Long timers_getoverrun(ThreadId tid, const UWord *arguments) {
    (void)tid;
    const struct timer *timer = timers_find(TIMER_POSIX, (Int)arguments[0]);
    return timer ? timer->overrun : -VKI_EINVAL;
}

Long timers_delete(ThreadId tid, const UWord *arguments) {
    (void)tid;
    timers_remove(TIMER_POSIX, (UInt)arguments[0], (UInt)arguments[0]);
    return core_call(__NR_timer_delete, arguments[0], 0, 0, 0, 0, 0);
}

/* ---- timerfd_create() and its relatives: an eventfd is read and awaited alike ---- */

Long timers_fd_create(ThreadId tid, const UWord *arguments) {
    (void)tid;
    Int clock = (Int)arguments[0];
    if (clock != REALTIME && clock != MONOTONIC && (clock < BOOTTIME || clock > BOOTTIME_ALARM))
        return -VKI_EINVAL;
    if (arguments[1] & SEMAPHORE) /* the kernel refuses the other flags that timerfd_create() does not know */
        return -VKI_EINVAL;
    Long fd = core_call(__NR_eventfd2, 0, arguments[1], 0, 0, 0, 0);
    if (fd < 0)
        return fd;
    timers_add(TIMER_FILE, (Int)fd, clock_of(clock), 0);
    return fd;
}

void timers_before(UWord number, const UWord *arguments) {
    UWord first = (UInt)arguments[0], last = first;
    if (!engine.timers)
        return;
    if (number == __NR_dup2 || number == __NR_dup3)
        first = last = arguments[0] == arguments[1] ? ~(UWord)0 : (UInt)arguments[1];
    else if (number == CLOSE_RANGE && !(arguments[2] & RANGE_CLOEXEC))
        last = (UInt)arguments[1];
    else if (number != __NR_close)
        return;
    timers_remove(TIMER_FILE, first, last);
}

/* A new setting forgets what has expired. */
Long timers_fd_settime(ThreadId tid, const UWord *arguments) {
    Int fd = (Int)arguments[0];
    ULong expired;
    if (arguments[1] & ~(UWord)(ABSOLUTE | CANCEL_ON_SET))
        return -VKI_EINVAL;
    Long result = set_as_asked(tid, timers_find(TIMER_FILE, fd), arguments);
    if (result == 0 && waits_has_input(fd))
        VG_(read)(fd, &expired, sizeof expired);
    return result;
}

Long timers_fd_gettime(ThreadId tid, const UWord *arguments) {
    return tell(tid, timers_find(TIMER_FILE, (Int)arguments[0]), arguments[1]);
}
