#!/usr/bin/env bats
# Processes that the virtual node counts, messages about those that it cannot count, and all exit statuses.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    # turns TURNS [STATUS]: that many loads in a loop
    cat >turns.c <<'C'
#include <stdlib.h>
static long place;
int main(int count, char **word) {
    long turns = count > 1 ? atol(word[1]) : 0;
    for (; turns > 0; turns--)
        __asm__ volatile("movq %0, %%rax" ::"m"(place) : "rax", "memory");
    return count > 2 ? atoi(word[2]) : 0;
}
C
    # threads: one thread more, that does nothing
    cat >threads.c <<'C'
#include <pthread.h>
static void *nothing(void *argument) { return argument; }
int main(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL);
}
C
    # children MEANS: starts ./turns 1000000 by fork, vfork, posix_spawn, system or popen and waits for it
    cat >children.c <<'C'
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
int main(int count, char **word) {
    char *command[] = {"./turns", "1000000", NULL};
    const char *means = count > 1 ? word[1] : "";
    pid_t child = -1;
    int status = 1;
    if (strcmp(means, "system") == 0)
        return system("./turns 1000000");
    if (strcmp(means, "popen") == 0)
        return pclose(popen("./turns 1000000", "r"));
    if (strcmp(means, "fork") == 0 && (child = fork()) == 0)
        execv(command[0], command);
    if (strcmp(means, "vfork") == 0 && (child = vfork()) == 0) {
        execve(command[0], command, environ);
        _exit(1);
    }
    if (strcmp(means, "posix_spawn") == 0)
        posix_spawn(&child, command[0], NULL, NULL, command, environ);
    waitpid(child, &status, 0);
    return status != 0;
}
C
    # filtered CALL: forbids itself system calls in one of three ways
    cat >filtered.c <<'C'
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int count, char **word) {
    struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {1, &all};
    const char *call = count > 1 ? word[1] : "";
    int failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (strcmp(call, "strict") == 0)
        failed |= prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    if (strcmp(call, "prctl") == 0)
        failed |= prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
    if (strcmp(call, "seccomp") == 0)
        failed |= (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
    syscall(SYS_exit, failed ? 1 : 6);
}
C
    gcc -O1 -o turns turns.c
    gcc -O1 -static -o turns-static turns.c
    gcc -O1 -o threads threads.c -lpthread
    gcc -O1 -o children children.c
    gcc -O1 -static -o children-static children.c
    gcc -O1 -o filtered filtered.c
    cp turns make
    cp turns env
    # 32-bit, without a C library: exit(7)
    printf '.globl _start\n_start: mov $1, %%eax\nmov $7, %%ebx\nint $0x80\n' >small.s
    as --32 -o small.o small.s && ld -m elf_i386 -o small small.o
    # the same for AArch64, as far as its ELF header goes
    cp small foreign
    printf '\x02' | dd of=foreign bs=1 seek=4 conv=notrunc status=none
    printf '\xb7' | dd of=foreign bs=1 seek=18 conv=notrunc status=none
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
}

# node COMMAND...: on the virtual node; sets status, output and stderr. (bats' own `run` warns of status 127.)
node() {
    status=0
    output=$("$assay" vnode -- "$@" 2>"$BATS_TEST_TMPDIR/stderr") || status=$?
    stderr=$(cat "$BATS_TEST_TMPDIR/stderr")
    echo "status $status"
    echo "$output"
    echo "$stderr" >&2
}

# refused STATUS TEXT COMMAND...: one line on stderr that contains TEXT
refused() {
    local wanted=$1 text=$2
    shift 2
    node "$@"
    [ "$status" -eq "$wanted" ]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/stderr")" -eq 1 ]
    [[ "$stderr" == *"$text"* ]]
}

loads=MEM_UOPS_RETIRED_LOADS:PMC0

# measured COMMAND...: its loads on core 0, in $count
measured() {
    node likwid-perfctr -C 0 -g $loads -o "$BATS_TEST_TMPDIR/out.csv" "$@"
    count=$(awk -F, '$2 == "PMC0" { print $3; exit }' "$BATS_TEST_TMPDIR/out.csv")
}

# about N: $count is N, or more by the cost of starting the processes
about() {
    echo "count $count, expected $1"
    [ "$count" -ge "$1" ] && [ "$count" -le $(($1 + ${2:-150000})) ]
}

@test "a program is counted, whatever its name" {
    for name in ./turns ./make ./env; do
        measured $name 1000000
        about 1000000
    done
}

# bats test_tags=elsewhere
@test "helpers that LIKWID's libraries start inside the program are not counted: nm at the first thread" {
    # alone it makes less than 150 000 loads; nm alone would add some millions
    node likwid-perfctr -C 0,1 -g $loads -o "$BATS_TEST_TMPDIR/out.csv" ./threads
    [ "$status" -eq 0 ]
    count=$(awk -F, '$2 == "PMC0" { print $3; exit }' "$BATS_TEST_TMPDIR/out.csv")
    about 1 150000
}

# bats test_tags=long
@test "shells, env, timeout, nice, make and scripts are counted, and the programs that they start" {
    printf '#!/bin/sh\n./turns 1000000\n' >script
    printf './turns 1000000\n' >plain
    printf 'all: one two\none two:\n\t@./turns 1000000\n' >Makefile
    printf '#!/bin/bash\n./turns 1000000 | ./turns 1000000 | ./turns 1000000\n' >pipeline
    chmod +x script plain pipeline
    measured bash -c true
    about 100000 1000000
    measured ./script
    about 1000000 500000
    measured ./plain
    about 1000000 500000
    measured ./pipeline
    about 3000000 2500000
    measured env -i PATH="$PATH" nice timeout 60 ./turns 1000000 3
    [ "$status" -eq 3 ]
    about 1000000 1000000
    measured make -s -f Makefile
    about 2000000 2500000
}

# bats test_tags=long,elsewhere
@test "children are counted, however they are started, also from a statically linked program" {
    for means in fork vfork posix_spawn; do
        measured ./children $means
        [ "$status" -eq 0 ]
        about 1000000 400000
    done
    for means in system popen; do
        measured ./children $means
        about 1000000 600000
    done
    measured ./turns-static 1000000
    about 1000000
    measured ./children-static fork
    about 1000000 400000
}

# bats test_tags=long
@test "a compiler is counted with the programs that it starts" {
    echo 'int f(int x) { return x + 1; }' >small.c
    measured gcc -c small.c -o "$BATS_TEST_TMPDIR/small.o"
    [ "$status" -eq 0 ]
    # its driver alone makes less than 2 million
    about 4000000 100000000
}

@test "commands next to likwid-perfctr are not part of what it measures" {
    # likwid-perfctr alone, and in a pipeline of a script whose reader runs on core 0 meanwhile
    measured ./turns 1000000
    alone=$count
    cat >beside <<'S'
#!/bin/bash
likwid-perfctr -C 0 -g MEM_UOPS_RETIRED_LOADS:PMC0 ./turns 1000000 5 | sed -n '/LOADS/p'
exit ${PIPESTATUS[0]}
S
    chmod +x beside
    node ./beside
    [ "$status" -eq 5 ]
    count=$(awk -F'|' '/LOADS *\| *PMC0/ { gsub(/ /, "", $4); print $4; exit }' <<<"$output")
    about "$alone" 1000
    [ "$(grep -c 'LOADS  *|' <<<"$output")" -eq 1 ]
}

# bats test_tags=long
@test "likwid-perfctr without a program counts programs that run at the same time" {
    node bash -c './turns 20000000000 & likwid-perfctr -C 0 -g MEM_UOPS_RETIRED_LOADS:PMC0 -S 3s; kill $!'
    count=$(awk -F'|' '/LOADS *\| *PMC0/ { gsub(/ /, "", $4); print $4; exit }' <<<"$output")
    [ "$count" -gt 100000 ]
}

# bats test_tags=long
@test "likwid-pin, and likwid-pin below likwid-perfctr" {
    node likwid-pin -q -c 1 ./turns 1000 4
    [ "$status" -eq 4 ]
    measured likwid-pin -q -c 0 ./turns 1000000 4
    [ "$status" -eq 4 ]
    about 1000000
}

# bats test_tags=elsewhere
@test "marker mode through a script" {
    printf '#!/bin/sh\nexec likwid-bench -t load -w S0:20kB:1 -i 100\n' >script
    chmod +x script
    node likwid-perfctr -C 0 -g $loads -m -o "$BATS_TEST_TMPDIR/out.csv" ./script
    [ "$status" -eq 0 ]
    count=$(awk -F, '$2 == "PMC0" { print $3; exit }' "$BATS_TEST_TMPDIR/out.csv")
    bytes=$(awk '$1 == "Data" && $2 == "volume" { print $NF }' <<<"$output")
    about $((bytes / 8)) 20000
}

# bats test_tags=long
@test "a user's program with the name of a LIKWID tool is counted" {
    mkdir -p own
    printf '#!/bin/sh\n./turns 1000000\n' >own/likwid-topology
    chmod +x own/likwid-topology
    measured own/likwid-topology
    about 1000000 500000
}

# bats test_tags=long
@test "an event that is not counted is named before the table, in every mode" {
    line="not counted here: L1D_ALL_M_REPLACEMENT (PMC1): event is not modelled; it and metrics that use it show -"
    for mode in "" "-t 50ms" "-m"; do
        run "$assay" vnode -- likwid-perfctr -C 0 $mode -g L1D_ALL_M_REPLACEMENT:PMC1,INSTR_RETIRED_ANY:FIXC0 \
            likwid-bench -t load -w S0:20kB:1 -i 10
        [ "$(grep -c "not counted" <<<"$output")" -eq 1 ]
        grep -qF "$line" <<<"$output"
        first=$(grep -nF "$line" <<<"$output" | cut -d: -f1)
        table=$(grep -nE '^\+---|^1 [0-9]+ 1 ' <<<"$output" | head -1 | cut -d: -f1)
        [ "$first" -lt "$table" ]
    done
    node likwid-perfctr -C 0 -g L1D_ALL_M_REPLACEMENT:PMC1 -S 100ms
    grep -qF "$line" <<<"$stderr"
}

# bats test_tags=long
@test "with several groups the line names the group, and files are unchanged" {
    node likwid-perfctr -C 0 -g BRANCH -g L3CACHE -g CLOCK -o "$BATS_TEST_TMPDIR/out.csv" ./turns 1000
    grep -qF "UOPS_RETIRED_ALL (PMC2 of group L3CACHE)" <<<"$stderr"
    grep -qF "PWR_PKG_ENERGY (PWR0 of group CLOCK)" <<<"$stderr"
    [ "$(grep -c 'not counted' <<<"$stderr")" -eq 2 ]
    [ "$(grep -c 'not counted' "$BATS_TEST_TMPDIR/out.csv")" -eq 0 ]
    node likwid-perfctr -C 0 -g L3CACHE -O ./turns 1000
    [ "$(grep -c 'not counted' <<<"$output")" -eq 0 ]
    grep -q '^UOPS_RETIRED_ALL,PMC2,-' <<<"$output"
}

# bats test_tags=long
@test "the event of a user's group is named" {
    mkdir -p home/.likwid/groups/haswellEP
    cat >home/.likwid/groups/haswellEP/MINE.txt <<'G'
SHORT Mine

EVENTSET
FIXC0 INSTR_RETIRED_ANY
PMC3  UOPS_RETIRED_ALL

METRICS
Uops PMC3

LONG
Mine
G
    HOME=$PWD/home node likwid-perfctr -C 0 -g MINE ./turns 1000
    grep -qF "not counted here: UOPS_RETIRED_ALL (PMC3)" <<<"$stderr"
}

# uncounted STATUS TEXT PROGRAM...: as the first command, of a shell, and under likwid-perfctr
uncounted() {
    local wanted=$1 text=$2
    shift 2
    run bash -c "$*"
    [ "$status" -eq "$wanted" ]
    refused "$wanted" "$text" "$@"
    node bash -c "$*"
    [ "$status" -eq "$wanted" ]
    [ "$(grep -cF "$text" <<<"$stderr")" -eq 1 ]
}

@test "a 32-bit program: one line, and its own exit status" {
    run ./small
    [ "$status" -eq 7 ] || skip "the host runs no 32-bit programs"
    uncounted 7 "./small: not counted: it is a 32-bit program" ./small
    node likwid-perfctr -C 0 -g $loads ./small
    [ "$status" -eq 7 ]
    grep -qF "./small: not counted: it is a 32-bit program" <<<"$stderr"
}

@test "a set-user-id program: one line, and its own exit status" {
    cp turns other
    chmod u+s other
    uncounted 3 "./other: not counted: it gets rights of its own" ./other 10 3
    node likwid-perfctr -C 0 -g $loads ./other 10 3
    [ "$status" -eq 3 ]
    grep -qF "./other: not counted: it gets rights of its own" <<<"$stderr"
}

@test "a program of another architecture: one line, 126" {
    uncounted 126 "./foreign: not counted: it is a program of another architecture" ./foreign
    node likwid-perfctr -C 0 -g $loads ./foreign
    [ "$status" -ne 0 ]
    grep -qF "./foreign: not counted: it is a program of another architecture" <<<"$stderr"
}

@test "a program that forbids itself system calls: one line, its own exit status, and counted" {
    for call in strict prctl seccomp; do
        run -6 ./filtered $call
        refused 6 "./filtered: runs without its filter of system calls" ./filtered $call
    done
}

@test "exit statuses are those of a shell: 126, 127, 128 + n" {
    printf 'true\n' >text
    printf '#!/nonexistent/interpreter\n' >lost
    chmod +x lost
    refused 127 "nowhere: no such program" nowhere
    refused 127 "lost" ./lost
    refused 126 "cannot be executed: Permission denied" ./text
    refused 126 "cannot be executed: Permission denied" /tmp
    node bash -c 'exit 127'
    [ "$status" -eq 127 ]
    [ -z "$stderr" ]
    node bash -c 'kill -KILL $$'
    [ "$status" -eq 137 ]
    node bash -c './lost'
    [ "$status" -eq 127 ]
    not_executed ./nowhere
}

not_executed() { # COMMAND: LIKWID says so
    run --separate-stderr timeout 120 "$assay" vnode -- likwid-perfctr -C 0 -g $loads "$1"
    [ "$status" -eq 1 ]
    grep -qF "Failed to execute command" <<<"$stderr"
}

# bats test_tags=long
@test "exit statuses of programs that likwid-perfctr cannot start, or that a signal ends" {
    printf 'true\n' >text
    printf '#!/nonexistent/interpreter\n' >lost
    chmod +x lost
    for command in /tmp ./lost ./text; do not_executed $command; done
    node likwid-perfctr -C 0 -g $loads bash -c 'kill -TERM $$'
    echo "$status"
    [ "$status" -ne 0 ]
}

@test "a parent that ignores the end of its children stops neither the node nor the search for LIKWID" {
    run timeout 60 bash -c 'trap "" CHLD; "$0" vnode -- ./turns 10 9' "$assay"
    echo "status $status: $output"
    [ "$status" -eq 9 ]
    run timeout 60 bash -c 'trap "" CHLD; "$0" doctor' "$assay"
    echo "status $status: $output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"LIKWID           version"* ]]
}

@test "no pipes for a debugger are created" {
    node bash -c 'ls /tmp "${TMPDIR:-/tmp}" | grep -c "vgdb-pipe.*-to-$$-by"'
    [ "$output" = 0 ]
}

# bats test_tags=long
@test "a process that starts while the command ends still finds its node, and ends with it" {
    for try in 1 2 3; do
        node bash -c './turns 5000000000 & exit 5'
        [ "$status" -eq 5 ]
        [[ "$stderr" != *"cannot be opened"* ]]
        grep -qF "bash has ended, and with it the node: 1 process that it left running was ended" <<<"$stderr"
    done
    node bash -c '(read -t 0.01 nothing </dev/null; echo late) & exit 5'
    [ "$status" -eq 5 ]
    [ "$output" = late ]
    [ -z "$stderr" ]
}

# bats test_tags=long
@test "a program does not run when likwid-perfctr has failed, however late it starts" {
    # LIKWID lets its child wait a moment before it executes the program: here until likwid-perfctr has ended, which fails when it
    # programs its counters.
    cat >late.c <<'C'
#include <unistd.h>
void timer_sleep(unsigned long us) {
    pid_t parent = getppid();
    for (int i = 0; us == 10 && i < 1000 && getppid() == parent; i++)
        usleep(10000);
}
int perfmon_setupCounters(int group) {
    _exit(group == 0);
}
C
    gcc -O1 -shared -fPIC late.c -o late.so
    node sh -c "LD_PRELOAD=\"$PWD/late.so:\$LD_PRELOAD\" exec likwid-perfctr -C 0 -m -g L2 likwid-bench -t load -w S0:20kB:1 -i 10"
    [ "$status" -eq 1 ]
    [[ "$output" != *"MICRO BENCHMARK"* ]]
    refute grep -q "signal 11" <<<"$output"
}
