#!/usr/bin/env bats
# Timers of programs (alarm, setitimer, timer_create, timerfd_create) run on the node's clocks.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# bats test_tags=elsewhere
@test "a timer ends a sleep, a wait and a computation at its time of the node" {
    run -142 --separate-stderr "$assay" vnode -- perl -e 'alarm 2; exec "sleep", 1000000'
    [ -z "$stderr" ]
    # the first signal is ignored, as the two sleeps show; the second one kills
    run -137 --separate-stderr "$assay" vnode -- timeout -k 1 2 bash -c 'trap "" TERM; sleep 100000; sleep 100000'
    run -124 --separate-stderr "$assay" vnode -- timeout 0.01 sh -c 'while :; do :; done'
    run -0 --separate-stderr "$assay" vnode -- timeout 100000 sleep 90000
    [ -z "$output$stderr" ]
}

# bats test_tags=long
@test "timers of all kinds do what they do on the machine itself, at the time that was asked for" {
    "$assay" vnode -- "$build/tests/engine/timers" checks >on_node
    # on a busy machine a program may come too late for a timer
    for try in 1 2 3 4 5; do
        "$build/tests/engine/timers" >on_machine
        diff on_machine on_node && break
    done
    [ -s on_node ]
    cmp on_machine on_node
}

@test "no time passes while likwid-perfctr starts its access daemon or cannot execute its program" {
    for program in true /tmp; do
        run --separate-stderr "$assay" vnode -- timeout 100 likwid-perfctr -C 0 -g INSTR_RETIRED_ANY:FIXC0 $program
        echo "$output$stderr"
        [ "$status" -ne 124 ]
    done
}

# bats test_tags=long
@test "gprof shows the node's processor time, and each run has the same profile" {
    cat >work.c <<'C'
#include <stdio.h>
#include <time.h>
static volatile double sum;
__attribute__((noinline)) static void once(void) {
    for (int i = 0; i < 10000000; i++)
        sum += i;
}
__attribute__((noinline)) static void thrice(void) {
    for (int i = 0; i < 30000000; i++)
        sum += i;
}
int main(void) {
    struct timespec time;
    once();
    thrice();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    printf("%ld\n", time.tv_sec * 1000 + time.tv_nsec / 1000000);
}
C
    gcc -O1 -pg -o work work.c
    for run in 1 2; do
        run -0 "$assay" vnode -- ./work
        mv gmon.out "profile$run"
    done
    cmp profile1 profile2
    gprof -b -p work profile1 >flat
    cat flat
    # samples of 10 ms: each function's time is right to one of them
    awk -v ms="$output" '
        NF >= 4 && $NF == "once" { once = 1000 * $3 }
        NF >= 4 && $NF == "thrice" { thrice = 1000 * $3 }
        END { exit !(once > ms / 4 - 10 && once < ms / 4 + 10 && thrice > 3 * ms / 4 - 10 && thrice < 3 * ms / 4 + 10) }' flat
}
