#!/usr/bin/env bats
# The virtual node's time is a model, and says so where a bandwidth or CPI is shown.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

note="the virtual node's own model"

@test "a measurement on the virtual node ends with one line on stderr, and none on stdout" {
    run -0 --separate-stderr "$assay" vnode -- likwid-perfctr -C 0 -g MEM likwid-bench -t load_avx -w S0:100kB:1 -i 1000
    [[ "$output" == *"Memory bandwidth"* ]]
    [ "$(grep -c "$note" <<<"$stderr")" -eq 1 ]
    [ "$(grep -c "$note" <<<"$output")" -eq 0 ]
}

@test "a command that measures nothing prints no such line" {
    run -0 --separate-stderr "$assay" vnode -- true
    [ -z "$stderr" ]
    run -0 --separate-stderr "$assay" vnode -- likwid-perfctr -a
    [ "$(grep -c "$note" <<<"$stderr")" -eq 0 ]
}

# bats test_tags=long
@test "a core reads a line in the latency of the node's description" {
    run -0 "$assay" vnode -- likwid-perfctr -C 0 -g MEM -m likwid-bench -t load_avx -w S0:20MB:1 -i 4
    measured=$(awk -F'|' '$2 ~ /Memory read bandwidth/ { print $3 + 0 }' <<<"$output")
    # the latency of each line, and a few cycles: its two loads, the loop, 30 / 64 of a page walk
    lua5.4 -e "local line, clock, latency = $(described haswellEP-1x2 'd.line .. "," .. d.clock_hz .. "," .. d.memory_latency')
        local function rate(cycles) return line / cycles * clock / 1e6 end
        local m = $measured print(m, rate(latency), rate(latency + 8))
        assert(m < rate(latency) and m > rate(latency + 8))"
}

# A program that sweeps over the lines of 8 MB with a loop of 7 instructions, and prints its own time.
write_programs() {
    cat >loop.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static volatile double a[1 << 20];
static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}
int main(int argc, char **argv) {
    double sum = 0;
    long begun = now();
    for (int pass = 0; pass < atoi(argv[argc - 1]); pass++)
        for (int i = 0; i < 1 << 20; i += 8)
            sum += a[i];
    printf("%g took %ld\n", sum, now() - begun);
}
C
    gcc -O1 -o loop loop.c
}

# bats test_tags=elsewhere
@test "without -m LIKWID shows the program's own time, which repeats to the last digit" {
    write_programs
    for run in 1 2; do
        "$assay" vnode -- likwid-perfctr -C 0 -g L2 -O ./loop 3 >"run.$run"
    done
    diff run.1 run.2
    # apart from the loop there is only the loader: less than 1 ms of 35; LIKWID rounds to 0.0001
    awk -F, '/ took / { split($0, word, " "); own = word[3] / 1e9 }
             /^Runtime \(RDTSC\)/ { seen = $2 } /^Runtime unhalted/ { unhalted = $2 } /^L2D load bandwidth/ { rate = $2 }
             /^L2D load data volume/ { volume = $2 }
             END { print own, seen, unhalted, rate, volume * 1000 / seen
                   exit !(seen > own && seen < own + 0.001 && seen - unhalted < 0.0002 &&
                        rate * seen > 0.998 * volume * 1000 && rate * seen < 1.002 * volume * 1000) }' run.1
}

# bats test_tags=long
@test "without -m likwid-bench's rate equals LIKWID's, except for its two sleeps of half a second" {
    run -0 "$assay" vnode -- likwid-perfctr -C 0 -g L2 likwid-bench -t load_avx -w S0:100kB:1 -i 2000
    # its start and end take 2 % of the time of its sweeps, at most
    awk -F'[:|]' '/^Time:/ { own = $2 + 0 } /Runtime \(RDTSC\)/ { seen = $3 + 0 }
                  END { print own, seen; exit !(own > 0.02 && seen - 1 > own && seen - 1 < own + 0.01) }' <<<"$output"
}

# bats test_tags=long
@test "a timeline's intervals, a sleep, a child and a timeout use the node's time" {
    write_programs
    "$assay" vnode -- likwid-perfctr -C 0 -g INSTR_RETIRED_ANY:FIXC0,CPU_CLK_UNHALTED_CORE:FIXC1 -t 20ms ./loop 12 2>line
    # each full interval but the first has 20 ms of cycles, to a look at the clock (20000 instructions) more or less
    awk '/^1 / && n++ > 0 { print; bad += $6 < 0.97 * 46e6 || $6 > 1.03 * 46e6 } END { exit bad || n < 5 }' line
}

# bats test_tags=long
@test "a sleeping neighbour sleeps for the requested time, and a program that works meanwhile is counted on its own core" {
    write_programs
    echo 'taskset -c 1 ./loop 100 & likwid-perfctr -c 0,1 -g CLOCK -O sleep 0.2; kill $!' >watch
    run "$assay" vnode --node haswellEP-1x2 -- sh watch
    # both columns of LIKWID's time, which the host's delays make longer (counted twice it is 0.4 s); cycles of the neighbour
    awk -F, '/^Runtime \(RDTSC\) \[s\],/ { a = $2; b = $3 } /^CPU_CLK_UNHALTED_CORE,/ { cycles = $4 }
             END { print a, b, cycles; exit !(a >= 0.2 && a < 0.3 && a == b && cycles > 0.98 * a * 2.3e9 && cycles < 1.02 * a * 2.3e9) }' <<<"$output"
}

# bats test_tags=elsewhere
@test "processor clocks stop during a sleep; children, pipes, timeouts, signals and joined threads use the node's time" {
    run "$assay" vnode -- "$build/tests/programs/clocks"
    echo "$output"
    [ "$status" -eq 0 ]
}

# bats test_tags=long
@test "a process that is stopped, or killed while it sleeps, blocks no other process" {
    # natively: 0 s and 1 s; if one blocks the other for ever, the test does not end
    run "$assay" vnode -- sh -c 'sleep 1000 & sleep 0.1; kill -9 $!; wait $! || true; sh -c "kill -STOP \$\$" & sleep 1; kill -9 $!; echo done'
    [ "$status" -eq 0 ]
    [[ "$output" == *done* ]]
}

# bats test_tags=long
@test "no timeout ends before a process that the host keeps waiting has answered" {
    cat >late.c <<'C'
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int go[2], back[2], answers = 0;
    char byte = 0;
    if (pipe(go) || pipe(back))
        return 1;
    if (fork() == 0) { /* the host runs it last */
        struct sched_param lowest = {0};
        close(go[1]);
        sched_setscheduler(0, SCHED_IDLE, &lowest);
        while (read(go[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1) {
        }
        _exit(0);
    }
    for (int i = 0; i < 10; i++) {
        struct pollfd asked = {.fd = back[0], .events = POLLIN};
        answers += write(go[1], &byte, 1) == 1 && poll(&asked, 1, 10000) == 1;
        if (read(back[0], &byte, 1) != 1)
            return 1;
    }
    printf("%d answers\n", answers);
}
C
    gcc -O1 -o late late.c
    local cpu busy
    cpu=$(taskset -cp $$ | grep -oE '[0-9]+$')
    taskset -c "$cpu" sh -c 'while :; do :; done' 3>&- &
    busy=$!
    run --separate-stderr taskset -c "$cpu" "$assay" vnode -- ./late
    kill "$busy"
    [ "$output" = "10 answers" ]
}

# bats test_tags=long
@test "a yield takes time, so that a thread that yields until a deadline has few instructions" {
    cat >yield.c <<'C'
#include <sched.h>
#include <x86intrin.h>
int main(void) {
    for (unsigned long begun = __rdtsc(); __rdtsc() - begun < 1 << 22;)
        sched_yield();
}
C
    gcc -O1 -o yield yield.c
    run "$assay" vnode -- likwid-perfctr -C 0 -g INSTR_RETIRED_ANY:FIXC0 -O ./yield
    # 500 ns each are 1150 cycles: 3648 yields of less than 50 instructions, and the start
    awk -F, '/^INSTR_RETIRED_ANY/ { print; n = $3 } END { exit !(n > 0 && n < 3648 * 50 + 400000) }' <<<"$output"
}
