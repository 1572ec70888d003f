#!/usr/bin/env bats
# Pages that were touched first by their users, by one thread or in turn, on virtual nodes with two sockets.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="page_placement"
nodes="haswellEP-2x1 broadwellEP-2x1 skylakeX-2x1 zen3_two"

# bats test_tags=architectures
@test "page_placement: loads, reads, their remote share and each socket's memory are exact within 0.5 %" {
    on_each "$nodes" '
        local validated = 0
        for _, m in each { pattern = "page_placement" } do
            if m.verdict ~= "skipped" then
                check(m.class == "exact" and worst(m) <= 0.5, m.code .. " " .. m.metric)
                check(m.verdict ~= "validated" or m.resolution.factor_up < 1.01 and m.resolution.factor_down > 0.99, m.metric)
                validated = validated + (m.verdict == "validated" and 1 or 0)
            end
        end
        check(validated == (record.node.arch == "zen3" and 7 or 18), validated)'
}

# bats test_tags=architectures
@test "page_placement: the second thread's remote share distinguishes pages touched by one thread from pages touched by their users" {
    on_each "$nodes" '
        local zen3 = record.node.arch == "zen3"
        local t = one { code = "by_one", metric = "Remote share of " .. (zen3 and "lines" or "reads") }.threshold
        check(t.margin >= 100 and t.value > t.absent.max and t.value < t.present.min, t.margin)
        check(t.present.min > 0.99 and t.absent.max < 0.01, t.present.min)'
}

@test "page_placement: a socket's controllers serve both threads, and have no reads if no page lies there" {
    query haswellEP-2x1 '
        local lines = { ["by_one"] = { 2, 0 }, ["by_users"] = { 1, 1 }, ["in_turn"] = { 1, 1 } }
        local seen = 0
        for _, s in ipairs(record.samples) do
            if s.metric == "iMC read volume" and s.given.pages == 2048 then
                local volume = lines[s.code][s.thread + 1] * 2048 * 3 * 4096e-9
                check(s.measured >= volume and s.measured <= volume + 0.005 * 2048 * 3 * 4096e-9, s.point .. " " .. s.measured)
                seen = seen + 1
            end
        end
        check(seen == 6, seen)'
}

@test "page_placement: one socket is not enough" {
    query haswellEP-1x2 'check(one { pattern = "page_placement" }.reason:find "one socket", "reason")'
}

# bats test_tags=long
@test "page_placement: Zen 3 does not count loads by memory" {
    query zen3_two '
        local count = 0
        for _, m in each { pattern = "page_placement", verdict = "skipped" } do
            check(m.reason:find "^loads from" or m.reason:find "^L3%-MEM load volume", m.reason)
            count = count + 1
        end
        check(count == 3, count)'
}

# denied: the program, in which mbind prints its arguments, or fails if DENY is set; BALANCING is the state of NUMA balancing.
denied() {
    cat >deny.c <<'C'
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
long syscall(long number, ...) {
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_mbind && getenv("DENY") != NULL)
        return errno = EPERM, -1;
    if (number == SYS_mbind)
        return fprintf(stderr, "mbind %ld bytes, mode %ld, mask %ld, flags %ld\n", a[1], a[2], a[3], a[5]), 0;
    return ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
FILE *fopen(const char *path, const char *mode) {
    const char *file = strcmp(path, "/proc/sys/kernel/numa_balancing") == 0 ? getenv("BALANCING") : path;
    return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen"))(file, mode);
}
C
    cc -D_GNU_SOURCE -shared -fPIC deny.c -o deny.so
    echo 1 >on
    echo 0 >off
    LD_PRELOAD="$PWD/deny.so" "$build/patterns/page_placement" -c 0,1 r by_users 8 1
}

@test "page_placement: the pages of both lists are bound to the domain that touches them first" {
    [ "$(nproc)" -ge 2 ] || skip "needs two cores"
    run denied
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c "^mbind 32768 bytes, mode 1, mask 0, flags 0$" <<<"$output")" -eq 2 ]
}

@test "page_placement: if pages cannot be bound and NUMA balancing is on, it stops with the reason and a remedy" {
    [ "$(nproc)" -ge 2 ] || skip "needs two cores"
    DENY=1 BALANCING=off run denied
    [ "$status" -eq 0 ]
    DENY=1 BALANCING=on fails_with 1 "pages cannot be bound (mbind: Operation not permitted), and NUMA balancing moves them; allow mbind" denied
}
