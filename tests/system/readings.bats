#!/usr/bin/env bats
# readings.bats - counters that are read while another process counts: all of them show the same moment.
# SPDX-License-Identifier: GPL-3.0-or-later

load common

per_line=7 # instructions of tests/whole/lines.c

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    gcc -O1 "$root/tests/whole/lines.c" -o lines
}

# steady INSTRUCTIONS LINES: checks the quotient of these columns for the rows on stdin. Rows of less than 5000 lines are left
# out, and so are the start and end of the program: rows before the first and after the last right quotient. If a row between
# these is wrong, prints it and fails.
steady() {
    awk -v instructions="$1" -v lines="$2" -v per_line=$per_line '
        function wrong(row) { return value[row] < 0.99 * per_line || value[row] > 1.01 * per_line }
        $lines > 5000 || $instructions > 5000 * per_line { value[++rows] = $lines ? $instructions / $lines : 0 }
        END {
            for (first = 1; first <= rows && wrong(first); first++);
            for (last = rows; last > first && wrong(last); last--);
            for (row = first; row <= last; row++)
                if (wrong(row)) bad = bad " " value[row]
            print last - first + 1 " of " rows " rows; wrong:" bad
            exit bad != "" || last <= first
        }'
}

timeline() { # node set: instructions and lines first
    "$assay" vnode --node "$1" -- likwid-perfctr -C 0 -g "$2" -t 10ms ./lines 15 2>&1 | awk 'NF > 5 && /^1 /' >rows
    cat rows
    steady 5 6 <rows
}

# bats test_tags=elsewhere
@test "each sample of a timeline is one moment" {
    timeline haswellEP-1x1 INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0,BR_INST_RETIRED_ALL_BRANCHES:PMC1
    awk '{ print $7, $6 }' rows >branches # one a line
    per_line=1 steady 1 2 <branches
}

# bats test_tags=long
@test "the same on processors that cannot stop all counters together" {
    timeline zen3-1x1 RETIRED_INSTRUCTIONS:PMC0,DATA_CACHE_REFILLS_ALL:PMC1
}

# bats test_tags=long
@test "cores and boxes of a timeline are of one moment" {
    # misses of the last level, of which each is a line read by a channel
    "$assay" vnode --node skylakeX-1x1 -- likwid-perfctr -C 0 -t 10ms -g \
        INSTR_RETIRED_ANY:FIXC0,CAS_COUNT_RD:MBOX0C0,CAS_COUNT_RD:MBOX1C0,CAS_COUNT_RD:MBOX2C0,CAS_COUNT_RD:MBOX3C0,CAS_COUNT_RD:MBOX4C0,CAS_COUNT_RD:MBOX5C0 \
        ./lines 15 2>&1 | awk 'NF > 10 && /^1 / { print $5, $6 + $7 + $8 + $9 + $10 + $11 }' >rows
    cat rows
    steady 1 2 <rows
}

# bats test_tags=long
@test "two threads: their cores show one moment, except for one turn" {
    cat >pair.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static void *work(void *passes) {
    for (volatile long i = 0; i < (long)passes * 1000000; i++);
    return NULL;
}
int main(int argc, char **argv) {
    pthread_t other;
    long passes = atol(argv[argc - 1]);
    pthread_create(&other, NULL, work, (void *)passes);
    work((void *)passes);
    return pthread_join(other, NULL);
}
C
    gcc -O1 pair.c -o pair -lpthread
    "$assay" vnode --node haswellEP-1x2 -- likwid-perfctr -C 0,1 -g INSTR_RETIRED_ANY:FIXC0 -t 10ms ./pair 15 2>&1 |
        awk '/^1 / { print $5, $6 }' >rows
    cat rows
    # the threads' clocks differ by a turn of 16 000 instructions when a sample begins, and when it ends
    awk '$1 > 100000 && $2 > 100000 { n++; d = $1 > $2 ? $1 - $2 : $2 - $1; if (d > 2 * 16000 + 100) bad = 1 }
        END { exit bad || n < 3 }' rows
}

# watched COMMAND: runs while ./lines does on core 1 of the node.
watched() {
    "$assay" vnode --node "$1" -- sh -c "taskset -c 1 ./lines 100000 ready & lines=\$!; while [ ! -e ready ]; do sleep 0.01; done; $2; kill \$lines"
}

# bats test_tags=long
@test "a stethoscope's reading is one moment" {
    listen='likwid-perfctr -c 1 -g INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0 -S 200ms'
    watched haswellEP-1x2 "$listen; $listen; $listen; $listen" >said 2>&1
    awk -F'|' '/INSTR_RETIRED_ANY/ { instructions = $4 } /L1D_REPLACEMENT/ { print instructions, $4 }' said >rows
    cat rows
    steady 1 2 <rows
}

# What a monitoring daemon does, with LIKWID's C API in a process of its own.
monitor() { # node set
    gcc -O1 "$root/tests/whole/monitor.c" -o monitor -llikwid
    watched "$1" "./monitor $2 5" >rows
    cat rows
    steady 1 2 <rows
}

@test "a monitor in another process reads one moment" {
    monitor haswellEP-1x2 INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0
}

# bats test_tags=long
@test "the same in a monitor on processors that cannot stop all counters together" {
    monitor zen3-1x2 RETIRED_INSTRUCTIONS:PMC0,DATA_CACHE_REFILLS_ALL:PMC1
}
