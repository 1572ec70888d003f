/* clock_file.c - the time of a node, shared by its processes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock_file.h"

enum { TEXT = 512 };

static uint64_t get(const uint64_t *value) {
    return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static enum clock_state state_of(const struct clock_member *member) {
    return (enum clock_state)__atomic_load_n(&member->state, __ATOMIC_ACQUIRE);
}

static int32_t pid_of(const struct clock_member *member) {
    return __atomic_load_n(&member->pid, __ATOMIC_ACQUIRE);
}

static void release(struct clock_member *member, int32_t pid) {
    __atomic_compare_exchange_n(&member->pid, &pid, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void clock_begin(struct clock_file *file, uint64_t monotonic, uint64_t real) {
    uint64_t none = 0;
    __atomic_compare_exchange_n(&file->origin_real, &none, real, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    none = 0;
    __atomic_compare_exchange_n(&file->origin_monotonic, &none, monotonic, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

struct clock_member *clock_find(struct clock_file *file, int32_t pid) {
    for (int i = 0; i < CLOCK_MEMBERS; i++)
        if (pid_of(&file->member[i]) == pid)
            return &file->member[i];
    return 0;
}

struct clock_member *clock_join(struct clock_file *file, int32_t pid) {
    struct clock_member *member = clock_find(file, pid);
    for (int i = 0; i < CLOCK_MEMBERS && !member; i++) {
        int32_t nobody = 0;
        struct clock_member *free = &file->member[i];
        if (!__atomic_compare_exchange_n(&free->pid, &nobody, -1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        free->in_kernel = 0;
        free->time = get(&file->latest);
        free->state = CLOCK_RUNS;
        __atomic_store_n(&free->pid, pid, __ATOMIC_RELEASE);
        member = free;
    }
    return member;
}

void clock_reach(struct clock_file *file, uint64_t time) {
    uint64_t latest = get(&file->latest);
    while (latest < time &&
           !__atomic_compare_exchange_n(&file->latest, &latest, time, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
}

void clock_set(struct clock_file *file, struct clock_member *member, enum clock_state state, uint64_t time) {
    __atomic_store_n(&member->time, time, __ATOMIC_RELEASE);
    __atomic_store_n(&member->state, state, __ATOMIC_RELEASE);
    if (state != CLOCK_AT) /* a deadline is not yet reached */
        clock_reach(file, time);
}

/* Whether `member` must wait for `other`. */
static int holds(const struct clock_member *other, const struct clock_member *member) {
    enum clock_state state = state_of(other);
    if (other == member || pid_of(other) <= 0 || state == CLOCK_WAITS)
        return 0;
    uint64_t time = get(&other->time);
    if (member->state == CLOCK_AT)
        return time < member->time;
    return state == CLOCK_AT ? time <= member->time : time + CLOCK_AHEAD_NS < member->time;
}

int clock_may_go(const struct clock_file *file, const struct clock_member *member) {
    for (int i = 0; i < CLOCK_MEMBERS; i++)
        if (holds(&file->member[i], member))
            return 0;
    return 1;
}

int clock_has_others(const struct clock_file *file, const struct clock_member *member) {
    for (int i = 0; i < CLOCK_MEMBERS; i++) {
        const struct clock_member *other = &file->member[i];
        if (other != member && pid_of(other) > 0 && state_of(other) != CLOCK_WAITS)
            return 1;
    }
    return 0;
}

static char *append(char *to, const char *text) {
    while (*text)
        *to++ = *text++;
    *to = '\0';
    return to;
}

static char *append_number(char *to, int32_t number) {
    char digits[12], *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return append(to, at);
}

/* Reads a thread's file in /proc; empty text if there is none. */
static void read_about(int32_t pid, int32_t thread, const char *name, char text[TEXT], clock_reader *read) {
    char path[64], *end = append_number(append(path, "/proc/"), pid);
    end = append_number(append(end, "/task/"), thread);
    append(append(end, "/"), name);
    long length = read(path, text, TEXT - 1);
    text[length > 0 ? length : 0] = '\0';
}

/* The kernel's state of the thread ('R': runs, 'S': sleeps, ...), 0: gone. */
static char host_state(int32_t pid, int32_t thread, clock_reader *read) {
    char text[TEXT], *end = 0;
    read_about(pid, thread, "stat", text, read);
    for (char *at = text; *at; at++)
        if (*at == ')')
            end = at;
    return end && end[1] ? end[2] : 0;
}

int clock_is_gone(int32_t pid, clock_reader *read) {
    char state = host_state(pid, pid, read);
    return state == 0 || state == 'Z' || state == 'X';
}

/* Number of times that the thread was scheduled: the last number of its schedstat. */
static uint64_t host_turns(int32_t pid, int32_t thread, clock_reader *read) {
    char text[TEXT];
    uint64_t number = 0;
    read_about(pid, thread, "schedstat", text, read);
    for (const char *at = text; *at && *at != '\n'; at++)
        number = *at == ' ' ? 0 : number * 10 + (uint64_t)(*at - '0');
    return number;
}

int clock_has_waking(const struct clock_file *file, const struct clock_member *member, clock_reader *read) {
    for (int i = 0; i < CLOCK_MEMBERS; i++) {
        const struct clock_member *other = &file->member[i];
        int32_t pid = pid_of(other), thread = __atomic_load_n(&other->in_kernel, __ATOMIC_ACQUIRE);
        if (other != member && pid > 0 && state_of(other) == CLOCK_WAITS &&
            host_state(pid, thread ? thread : pid, read) == 'R')
            return 1;
    }
    return !clock_may_go(file, member); /* one of them no longer waits */
}

static int is_stopped(int32_t pid, clock_reader *read) {
    char state = host_state(pid, pid, read);
    return state == 'T' || state == 't';
}

/* Whether the thread sleeps and has slept since the last check. */
static int has_slept(int32_t pid, int32_t thread, struct clock_watch *watch, clock_reader *read) {
    uint64_t turns = host_turns(pid, thread, read);
    int same = watch->pid == pid && watch->turns == turns;
    *watch = (struct clock_watch){pid, turns};
    return same && host_state(pid, thread, read) == 'S';
}

void clock_look_about(struct clock_file *file, const struct clock_member *member, struct clock_watch *watch,
                      clock_reader *read) {
    for (int i = 0; i < CLOCK_MEMBERS; i++) {
        struct clock_member *other = &file->member[i];
        int32_t pid = pid_of(other), thread = __atomic_load_n(&other->in_kernel, __ATOMIC_ACQUIRE);
        uint32_t state = state_of(other);
        if (!holds(other, member))
            continue;
        if (clock_is_gone(pid, read))
            release(other, pid);
        else if (is_stopped(pid, read) || (thread && watch && has_slept(pid, thread, watch, read)))
            __atomic_compare_exchange_n(&other->state, &state, CLOCK_WAITS, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
}
