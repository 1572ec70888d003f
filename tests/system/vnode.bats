#!/usr/bin/env bats
# The virtual node as LIKWID and users' programs see it.
# SPDX-License-Identifier: GPL-3.0-or-later

bats_require_minimum_version 1.5.0

setup_file() {
    export VNODE="${BUILD:-build}/vnode/vnode-run" SCRATCH="$BATS_FILE_TMPDIR"
    cat > "$SCRATCH/regions.c" <<'C'
#include <likwid-marker.h>
#include <stdio.h>
#include <stdlib.h>
static double a[8];
__attribute__((noinline)) static void pass(long n) {
    for (long i = 0; i < n; i++) /* 5 instructions, 1 load, 1 store, 1 branch */
        __asm__ volatile("movq (%0), %%rax\n movq %%rax, 8(%0)" ::"r"(a) : "rax", "memory");
}
int main(int argc, char **argv) {
    int passes = argc > 1 ? atoi(argv[1]) : 1000;
    printf("unwritten when LIKWID starts\n");
    LIKWID_MARKER_INIT;
    for (int i = 0; i < 2; i++) {
        LIKWID_MARKER_START("warm");
        pass(1);
        LIKWID_MARKER_STOP("warm");
    }
    LIKWID_MARKER_START("na");
    pass(passes);
    LIKWID_MARKER_STOP("na");
    LIKWID_MARKER_START("nb");
    pass(1100);
    LIKWID_MARKER_STOP("nb");
    LIKWID_MARKER_CLOSE;
    return 0;
}
C
    cat > "$SCRATCH/threads.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
static void *where(void *name) {
    cpu_set_t set;
    pthread_getaffinity_np(pthread_self(), sizeof set, &set);
    printf("%s on %d of %ld, may use %d\n", (char *)name, sched_getcpu(), sysconf(_SC_NPROCESSORS_ONLN), CPU_COUNT(&set));
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, where, "thread");
    pthread_join(thread, NULL);
    where("main");
    return 7;
}
C
    gcc -O1 -DLIKWID_PERFMON -o "$SCRATCH/regions" "$SCRATCH/regions.c" -llikwid -lpthread
    gcc -O1 -o "$SCRATCH/threads" "$SCRATCH/threads.c" -lpthread
}

# The number in the last column of a table's row for an event, of the N-th table.
event() { # output event table
    echo "$1" | awk -v e="$2" -v t="${3:-1}" -F'|' '$2 ~ "^ *"e" *$" && ++n == t { gsub(/ /, "", $(NF-1)); print $(NF-1); exit }'
}

within() { # measured expected percent
    awk -v m="$1" -v e="$2" -v p="$3" 'BEGIN { d = m - e; exit !(m != "" && (d < 0 ? -d : d) <= e * p / 100) }'
}

# bats test_tags=elsewhere
@test "likwid-topology shows the node" {
    run -0 "$VNODE" --node haswellEP-2x4 -- likwid-topology
    [[ "$output" == *"Haswell EN/EP/EX"* ]]
    [[ "$output" == *"Cores per socket:	4"* ]]
    [[ "$output" == *"Socket 1:		( 4 5 6 7 )"* ]]
}

@test "two threads; two runs of one give the same numbers" {
    run -0 "$VNODE" -- likwid-perfctr -C 0,1 -g L2 -m likwid-bench -t triad_avx -w S0:200kB:2 -i 200
    [[ "$output" == *"HWThread 1"* ]]
    within "$(event "$output" L1D_REPLACEMENT)" $((4 * 3120 * 200 / 8)) 1
    first=$("$VNODE" -- likwid-perfctr -C 1 -g DATA "$SCRATCH/regions" | grep -E "FIXC|PMC")
    second=$("$VNODE" -- likwid-perfctr -C 1 -g DATA "$SCRATCH/regions" | grep -E "FIXC|PMC")
    [ -n "$first" ]
    [ "$first" = "$second" ]
}

@test "likwid-perfctr asks its daemon once about each device, not 3000 times" {
    cat >"$BATS_TEST_TMPDIR/waits.py" <<'PYTHON'
import resource, subprocess, sys
before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw - before)
PYTHON
    run -0 python3 "$BATS_TEST_TMPDIR/waits.py" "$VNODE" -- likwid-perfctr -C 0 -g L2 true # a question and its answer are two switches
    [ "$output" -gt 0 ] && [ "$output" -lt 2000 ]
}

# bats test_tags=elsewhere
@test "100 more passes: exactly 100 more loads and stores" {
    # The same region in two runs: LIKWID's search for a region depends on its name.
    region() {
        "$VNODE" -- likwid-perfctr -C 0 -g DATA -m "$SCRATCH/regions" "$1" >"$SCRATCH/output"
        awk '/Region na, /,/Region nb, /' "$SCRATCH/output"
    }
    a=$(region 1000)
    b=$(region 1100)
    [ "$(grep -c "unwritten when LIKWID starts" "$SCRATCH/output")" -eq 1 ] # children that try rdpmc would write it, too
    [ $(($(event "$b" INSTR_RETIRED_ANY) - $(event "$a" INSTR_RETIRED_ANY))) -eq 500 ]
    [ $(($(event "$b" MEM_UOPS_RETIRED_LOADS) - $(event "$a" MEM_UOPS_RETIRED_LOADS))) -eq 100 ]
    [ $(($(event "$b" MEM_UOPS_RETIRED_STORES) - $(event "$a" MEM_UOPS_RETIRED_STORES))) -eq 100 ]
}

# bats test_tags=elsewhere
@test "wrapper mode counts the program" {
    run -7 "$VNODE" -- likwid-perfctr -C 0 -g BRANCH "$SCRATCH/threads"
    [ "$(event "$output" INSTR_RETIRED_ANY)" -gt 10000 ]
}

# bats test_tags=long
@test "timeline mode" {
    run -0 "$VNODE" -- likwid-perfctr -C 0 -g L2 -t 100ms likwid-bench -t triad_avx -w S0:100kB:1 -i 10000
    [ "$(echo "$output" | grep -cE '^1 10 1 ')" -ge 2 ]
}

# bats test_tags=elsewhere
@test "an event that is not modelled shows - and is named" {
    run "$VNODE" -- likwid-perfctr -C 0 -g L3CACHE "$SCRATCH/threads"
    [ "$(event "$output" UOPS_RETIRED_ALL)" = "-" ]
    [ "$(event "$output" MEM_LOAD_UOPS_RETIRED_L3_ALL)" -gt 0 ]
    [[ "$output" == *"not counted here: UOPS_RETIRED_ALL (PMC2)"* ]]
    [ "$(echo "$output" | grep -c 'CPU name')" -eq 1 ]
    run "$VNODE" -- likwid-perfctr -C 0 -g CLOCK "$SCRATCH/threads"
    [ "$(event "$output" PWR_PKG_ENERGY)" = "-" ]
    [[ "$output" == *"not counted here: PWR_PKG_ENERGY (PWR0)"* ]]
}

# bats test_tags=long,elsewhere
@test "LIKWID's stock groups count without a message about missing events" {
    for group in L2 L3 MEM HA CBOX L2CACHE DATA BRANCH FLOPS_AVX TLB_DATA FALSE_SHARE NUMA; do
        run "$VNODE" -- likwid-perfctr -C 0 -g "$group" "$SCRATCH/threads"
        echo "$group: $output"
        [ "$status" -eq 7 ]
        [[ "$output" != *"not counted"* ]]
        [[ "$output" != *ERROR* ]]
    done
}

@test "boxes that the node lacks show -" {
    run "$VNODE" -- likwid-perfctr -C 0 -g CBOX "$SCRATCH/threads"
    [ "$(echo "$output" | awk -F'|' '$3 ~ /CBOX17C0/ { gsub(/ /, "", $4); print $4 }')" = "-" ]
    [ "$(echo "$output" | awk -F'|' '$3 ~ /CBOX1C0/ { gsub(/ /, "", $4); print $4 }')" != "-" ]
}

# bats test_tags=elsewhere
@test "likwid-pin places threads on cores that the host may not have" {
    run -7 "$VNODE" --node haswellEP-2x4 -- likwid-pin -q -c 2,6 "$SCRATCH/threads"
    [[ "$output" == *"main on 2 of 8, may use 1"* ]]
    [[ "$output" == *"thread on 6 of 8, may use 1"* ]]
}

# bats test_tags=long
@test "memory accesses are counted on the socket of the memory" {
    run -0 "$VNODE" --node haswellEP-2x1 -- likwid-perfctr -C 0,1 -g MEM -m likwid-bench -t load_avx -w S0:20MB:1 -w S1:20MB:1 -i 3
    first=$(echo "$output" | awk -F'|' '$2 ~ /CAS_COUNT_RD *$/ { n += $4 } END { print n }')
    second=$(echo "$output" | awk -F'|' '$2 ~ /CAS_COUNT_RD *$/ { n += $5 } END { print n }')
    within "$first" $((20000000 / 64 * 3)) 3
    within "$second" $((20000000 / 64 * 3)) 3
}

@test "exit status, unknown node and program; nothing is left behind" {
    export TMPDIR="$BATS_TEST_TMPDIR"
    run -9 "$VNODE" -- bash -c 'exit 9'
    run -137 "$VNODE" -- bash -c 'kill -KILL $$'
    run -2 "$VNODE" --node nowhere -- true
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *nowhere* ]]
    run -127 "$VNODE" -- no-such-program
    "$VNODE" -- bash -c 'touch "$0"; while :; do :; done' "$BATS_TEST_TMPDIR.started" & pid=$!
    until [ -e "$BATS_TEST_TMPDIR.started" ]; do sleep 0.1; done
    kill -TERM $pid
    status=0; wait $pid || status=$?
    [ "$status" -eq 143 ]
    [ -z "$(ls -A "$TMPDIR")" ]
}

# bats test_tags=elsewhere
@test "a client that looks for the daemon's socket before it connects, as LIKWID 5.4 does, finds it at once" {
    cat > "$BATS_TEST_TMPDIR/looks.c" <<'C'
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char *none[] = {NULL};
    struct sockaddr_un address = {.sun_family = AF_LOCAL};
    int looks = 1, fd = socket(AF_LOCAL, SOCK_STREAM, 0);
    pid_t daemon = fork();
    if (daemon == 0)
        execve(argv[argc - 1], none, none);
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/likwid-%d", (int)daemon);
    while (looks < 1000 && access(address.sun_path, F_OK) != 0)
        looks++;
    printf("looks %d, connect %d\n", looks, connect(fd, (struct sockaddr *)&address, sizeof address));
    return 0;
}
C
    cc -o "$BATS_TEST_TMPDIR/looks" "$BATS_TEST_TMPDIR/looks.c"
    run "$VNODE" -- "$BATS_TEST_TMPDIR/looks" "${BUILD:-build}/vnode/bin/likwid-accessD"
    [ "$output" = "looks 1, connect 0" ]
}

# bats test_tags=elsewhere
@test "the stack's address hardly depends on the environment" {
    printf '#include <stdio.h>\nint main(void) { int here; printf("%%p\\n", (void *)&here); }\n' >"$BATS_TEST_TMPDIR/stack.c"
    cc -o "$BATS_TEST_TMPDIR/stack" "$BATS_TEST_TMPDIR/stack.c"
    for letters in 1 17 33 49 65 81; do
        LETTERS=$(printf "%${letters}s") "$VNODE" -- "$BATS_TEST_TMPDIR/stack" >>"$BATS_TEST_TMPDIR/places"
    done
    cat "$BATS_TEST_TMPDIR/places"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/places")" -eq 6 ]
    [ "$(uniq "$BATS_TEST_TMPDIR/places" | wc -l)" -le 2 ] # it moves in steps of 1024 bytes: the runs cross one at most
}

@test "two nodes at once do not see each other" {
    one() { "$VNODE" -- likwid-perfctr -C 0 -g DATA -m "$SCRATCH/regions" | grep -E 'FIXC0|PMC' > "$BATS_TEST_TMPDIR/$1"; }
    one a & first=$!
    one b & wait $first $!
    [ -s "$BATS_TEST_TMPDIR/a" ]
    cmp "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
}
