#!/usr/bin/env bats
# perf and PAPI on the virtual node: perf_event as Linux has it.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# stat NODE EVENTS ARGUMENT...: counts of `perf stat`, in the order of the events.
stat() {
    local file=counts.$BASHPID
    "$assay" vnode --node "$1" -- perf stat -x, -o "$file" -e "$2" "${@:3}" >/dev/null && sed '/^#/d; /^$/d' "$file" | cut -d, -f1
}

setup_file() {
    # PASSES passes of two instructions, one of them a branch; then LOADS loads, each of another line of 4 MiB
    cat >"$BATS_FILE_TMPDIR/work.c" <<'C'
#include <stdlib.h>
static char lines[4 << 20];
int main(int count, char **argument) {
    long passes = atol(argument[1]), loads = count > 2 ? atol(argument[2]) : 0;
    __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(passes));
    for (long i = 0; i < loads; i++)
        ((volatile char *)lines)[i * 64 % sizeof lines];
    return 0;
}
C
    gcc -O1 -o "$BATS_FILE_TMPDIR/work" "$BATS_FILE_TMPDIR/work.c"
}

# more NODE EVENTS FROM TO: how much more the program counts with the second arguments than with the first ones.
more() {
    # shellcheck disable=SC2086 # words
    paste <(stat "$1" "$2" "$BATS_FILE_TMPDIR/work" $3) <(stat "$1" "$2" "$BATS_FILE_TMPDIR/work" $4) | awk '{ print $2 - $1 }' | xargs
}

# bats test_tags=architectures
@test "perf events behave as Linux documents it" {
    local node
    for node in $(nodes_here haswellEP-1x2:8 zen3-1x2:6); do # with the number of its general counters
        run "$assay" vnode --node "${node%:*}" -- "$build/tests/programs/perf_events" "${node#*:}"
        echo "$output"
        [ "$status" -eq 0 ]
        echo "return { arch = '${node%%-*}', cores_per_socket = 2, clock_hz = 1e8 }" >slow.lua
        run "$assay" vnode --node ./slow.lua -- "$build/tests/programs/perf_events" many "${node#*:}"
        echo "$output"
        [ "$status" -eq 0 ]
    done
}

# bats test_tags=architectures
@test "perf stat counts instructions, branches, loads and misses to the last one" {
    local node
    for node in $(nodes_here haswellEP-1x2 skylakeX-1x2 broadwell-1x2); do
        [ "$(more "$node" instructions,branches "100000 0" "200000 0")" = "200000 100000" ]
        found=$(more "$node" L1-dcache-loads,L1-dcache-load-misses "1 100000" "1 200000")
        echo "$node: $found"
        [ "$found" = "100000 100000" ]
    done
}

# counted_again FILE ARGUMENT...: whether `stat` shows the same counts twice.
counted_again() {
    local file=$1 run
    for run in once again; do stat "${@:2}" >"$file.$run"; done
    cmp "$file.once" "$file.again"
}

# bats test_tags=architectures
@test "perf stat shows the same counts in each run, of one thread and of four" {
    cat >threads.c <<'C'
#include <pthread.h>
#include <stdlib.h>
enum { THREADS = 4, LINES = 1 << 15 };
static volatile char own[THREADS][LINES][64], shared[LINES][64];
static void *work(void *lines) {
    for (int pass = 0; pass < 4; pass++)
        for (int i = 0; i < LINES; i++)
            ((volatile char(*)[64])lines)[i][0]++, shared[i][0]++;
    return NULL;
}
int main(int count, char **argument) {
    pthread_t thread[THREADS];
    int threads = atoi(argument[count - 1]);
    for (int i = 1; i < threads; i++)
        pthread_create(&thread[i], NULL, work, (void *)own[i]);
    work((void *)own[0]);
    for (int i = 1; i < threads; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
C
    gcc -O1 -o threads threads.c -lpthread
    local node threads events=instructions,branches,branch-misses,L1-dcache-load-misses,cache-misses,cycles # Zen 3 has six counters
    for node in $(nodes_here haswellEP-1x4 zen3-1x4); do
        for threads in 1 4; do
            repeats counted_again "$threads" "$node" $events ./threads "$threads"
            echo "$node, $threads threads: $(xargs <"$threads.once")"
        done
        awk 'FNR == NR { one[FNR] = $1; next } FNR == 1 { exit !($1 > 3.5 * one[FNR]) }' 1.once 4.once # instructions of all four
    done
}

@test "perf stat adds up threads and children, and shows time, CPUs and intervals of the node" {
    run -0 stat haswellEP-1x2 branches,task-clock sh -c "$BATS_FILE_TMPDIR/work 1000000 & $BATS_FILE_TMPDIR/work 1000000; wait"
    [ "${lines[0]}" -ge 2000000 ]
    [ "${lines[0]}" -lt 2500000 ]
    "$assay" vnode --node haswellEP-1x2 -- perf stat -x, -A -a -e branches -o all.csv taskset -c 1 "$BATS_FILE_TMPDIR/work" 10000000
    cat all.csv
    [ "$(awk -F, '$2 >= 10000000 { printf $1 }' all.csv)" = CPU1 ]
    "$assay" vnode --node haswellEP-1x2 -- perf stat -x, -I 1 -e branches -o each.csv "$BATS_FILE_TMPDIR/work" 20000000
    [ "$(grep -c branches each.csv)" -gt 5 ]
    # what all intervals show is what one shows
    [ "$(awk -F, '/branches/ { sum += $2 } END { print sum }' each.csv)" -eq \
        "$(stat haswellEP-1x2 branches "$BATS_FILE_TMPDIR/work" 20000000)" ]
}

# bats test_tags=long
@test "10000 perf events, and those of killed processes, leave nothing; a killed node neither" {
    mkdir temporary
    export TMPDIR=$PWD/temporary
    run "$assay" vnode --node haswellEP-1x2 -- "$build/tests/programs/perf_leaks"
    echo "$output"
    [ "$status" -eq 0 ]
    "$assay" vnode --node haswellEP-1x2 -- perf stat -e branches sh -c 'touch started; sleep 1000' 3>&- &
    until [ -e started ]; do sleep 0.1; done
    [ -n "$(ls temporary)" ]
    kill -KILL $!
    for _ in {1..100}; do
        [ -n "$(ls temporary)" ] || break
        sleep 0.1
    done
    [ -z "$(ls temporary)" ]
}

@test "a PMU of boxes has one type in both folders of Linux" {
    run -0 "$assay" vnode --node haswellEP-1x2 -- cat /sys/devices/uncore_cbox_0/type /sys/bus/event_source/devices/uncore_cbox_0/type
    [ "${#lines[@]}" -eq 2 ]
    [ "${lines[0]}" = "${lines[1]}" ]
    run ! "$assay" vnode --node haswellEP-1x2 -- cat /sys/devices/uncore_qpi_0/type # one socket has no link
}

# bats test_tags=architectures
@test "perf stat counts lines that memory and L3 serve, in all sockets' boxes" {
    local node loads counts
    for node in $(nodes_here haswellEP-1x2:uncore_imc/event=4,umask=3/ ICX-1x2:uncore_imc/event=4,umask=0xf/ zen3-1x4:amd_l3/event=4,umask=0xff/); do
        for loads in 2 4; do
            "$assay" vnode --node "${node%%:*}" -- perf stat -x, -a -o "$loads.csv" -e "${node#*:}" \
                likwid-bench -t load_avx -w S0:30MB:1 -i "$loads" >/dev/null
        done
        counts=$(sed -s '/^#/d; /^$/d' 2.csv 4.csv | cut -d, -f1 | xargs)
        echo "$node: $counts"
        awk '{ lines = 2 * 30e6 / 64; more = $2 - $1; exit !(more > 0.999 * lines && more < 1.001 * lines) }' <<<"$counts"
    done
}

@test "what the node does not simulate is not supported, never 0" {
    run -0 stat haswellEP-1x2 major-faults,page-faults,cpu/event=0xfe,umask=0xfe/,LLC-loads true
    [ "$(sort -u <<<"$output")" = "<not supported>" ]
}

@test "perf_event_paranoid in a node file refuses events of the kernel, of CPUs, and all, as Linux does" {
    opened() { # [-a] EVENT: whether perf counts it, and not user mode alone instead
        run "$assay" vnode --node ./node.lua -- perf stat -x, "${@:1:$#-1}" -e "${@: -1}" true
        [ "$status" -eq 0 ] && grep -q "^[0-9]*,,${*: -1}," <<<"$output" && echo yes || echo no
    }
    for value in 0 1 2 3; do
        echo "return { arch = 'haswellEP', sockets = 1, cores_per_socket = 2, perf_event_paranoid = $value }" >node.lua
        run -0 "$assay" vnode --node ./node.lua -- cat /proc/sys/kernel/perf_event_paranoid
        [ "$output" = "$value" ]
        echo "$value: $(opened instructions:u) $(opened instructions:uk) $(opened -a instructions:u)"
    done >opened.txt
    cat opened.txt
    run -0 diff opened.txt - <<<"0: yes yes yes
1: yes yes no
2: yes no no
3: no no no"
}

# bats test_tags=architectures
@test "context switches, migrations and page faults are those that a program's calls cause" {
    local node
    for node in $(nodes_here haswellEP:2:1 haswellEP:1:2 zen3:2:2); do
        IFS=: read -r arch sockets cores <<<"$node"
        echo "return { arch = '$arch', sockets = $sockets, cores_per_socket = $cores, perf_kernel = true }" >node.lua
        run "$assay" vnode --node ./node.lua -- "$build/tests/programs/perf_software" "$sockets"
        echo "$output"
        [ "$status" -eq 0 ]
    done
    # the events that perf counts by default, user mode only
    "$assay" vnode --node haswellEP-2x1 -- perf stat -x, -o default.csv "$BATS_FILE_TMPDIR/work" 1000
    cat default.csv
    [ "$(grep -cF '<not ' default.csv)" -eq 0 ]
    [ "$(awk -F, '$3 == "context-switches:u" || $3 == "cpu-migrations:u" { print $1 }' default.csv | xargs)" = "0 0" ]
}

# bats test_tags=architectures
@test "samples, signals, rings and rdpmc behave as Linux documents them" {
    local node
    for node in $(nodes_here haswellEP-1x2 zen3-1x2); do
        run "$assay" vnode --node "$node" -- "$build/tests/programs/perf_samples"
        echo "$output"
        [ "$status" -eq 0 ]
    done
}

# sampled OPTION...: records the program `hot_and_cold`, nine of whose ten branches are in hot(), and prints the share of
# each function.
sampled() {
    "$assay" vnode --node haswellEP-1x2 -- perf record -q -o data "$@" >&2 && perf report -q --stdio -i data --sort sym 2>report.err |
        awk '$NF == "hot" || $NF == "cold" { print $NF, int($1 + 0.5) }'
}

@test "perf record takes a sample of each period, and perf report names the hot function" {
    cat >hot_and_cold.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#define LOOP(passes) { long left = passes; __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(left)); }
static __attribute__((noinline)) void hot(long passes) LOOP(9 * passes)
static __attribute__((noinline)) void cold(long passes) LOOP(passes)
static void *both(void *passes) {
    hot(*(long *)passes);
    cold(*(long *)passes);
    return NULL;
}
int main(int count, char **argument) {
    long passes = atol(argument[1]);
    pthread_t thread[4];
    for (int i = 1; i < count; i++)
        pthread_create(&thread[i - 1], NULL, both, &passes);
    for (int i = 1; i < count; i++)
        pthread_join(thread[i - 1], NULL);
    return 0;
}
C
    gcc -O0 -o hot_and_cold hot_and_cold.c -lpthread # each function has a frame
    local period all passes=500000
    all=$(stat haswellEP-1x2 branches ./hot_and_cold $passes)
    for period in 1009 100003; do
        run -0 sampled -e branches -c "$period" ./hot_and_cold $passes
        echo "$output" # within a sample, and half a percent
        awk -v all="$all" -v passes=$passes -v period="$period" '{ wrong = $2 / 100 * all - ($1 == "hot" ? 9 : 1) * passes }
            wrong > period + all / 200 || wrong < -period - all / 200 { exit 1 } END { exit NR != 2 }' <<<"$output"
        run -0 perf script -i data -F ip
        echo "${#lines[@]} samples of $all branches"
        [ "$((all / period - ${#lines[@]}))" -le 1 ] # each of its two threads has a rest
        [ "$((all / period - ${#lines[@]}))" -ge 0 ]
    done
    # by frequency, of all CPUs, of several threads, with callers
    for options in "100000 -F 20000 -e task-clock" "20000 -a -e branches -c 1009" "20000 -g -e instructions -c 1009"; do
        # shellcheck disable=SC2086 # words
        run -0 sampled ${options#* } ./hot_and_cold "${options%% *}" 2 3
        echo "$options: $output"
        awk '{ share[$1] += $2 } END { ratio = share["hot"] / share["cold"]; exit !(ratio > 7.5 && ratio < 10.5) }' <<<"$output"
    done
    run -0 perf report -q --stdio -i data --sort sym
    [[ "$output" == *"both"* ]]
}

# Programs whose hot function is in a shared library, and recursive, in C++, in a thread of its own. Their argument is the passes of a cold loop.
write_hot_programs() {
    echo 'void hot(long left) { left *= 9; __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(left)); }' >hot.c
    cat >library.c <<'C'
#include <stdlib.h>
void hot(long passes);
static __attribute__((noinline)) void cold(long left) { __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(left)); }
int main(int count, char **argument) {
    hot(atol(argument[count - 1]));
    cold(atol(argument[count - 1]));
    return 0;
}
C
    cat >recursion.cpp <<'C'
#include <cstdlib>
#include <thread>
namespace tree {
__attribute__((noinline)) long leaves(long all) { return all < 2 ? all : leaves(all / 2) + leaves(all - all / 2); }
}
static __attribute__((noinline)) void cold(long left) { __asm__ volatile("1: dec %0\n jnz 1b" : "+r"(left)); }
int main(int count, char **argument) {
    const long all = atol(argument[count - 1]);
    std::thread walker([all] { if (tree::leaves(all) != all) std::abort(); });
    cold(all);
    walker.join();
}
C
    gcc -O0 -shared -fPIC -o libhot.so hot.c
    gcc -O0 -o library library.c -L. -lhot -Wl,-rpath,"$PWD"
    g++ -O0 -pthread -o recursion recursion.cpp
}

# bats test_tags=architectures
@test "perf report names the hot function of a library, and a recursive one of C++ in a thread" {
    local node program period all start passes=300000
    write_hot_programs
    for node in $(nodes_here haswellEP-1x2 zen3-1x2); do
        for program in libhot.so:hot:library recursion:tree::leaves:recursion; do
            all=$(stat "$node" branches "./${program##*:}" $passes)
            start=$(stat "$node" branches "./${program##*:}" 1)
            for period in 1009 100003; do
                "$assay" vnode --node "$node" -- perf record -q -o data -e branches -c $period "./${program##*:}" $passes >&2
                run -0 perf report -q --stdio -i data --sort dso,sym
                echo "$node, $program, period $period, $start of $all branches to start: ${lines[*]:0:3}"
                # first comes the hot function, with all but the start and the cold passes. Off by a sample, and by its share of two threads' rests
                awk -v all="$all" -v start="$start" -v cold=$passes -v period=$period -v name="${program%:*}" '
                    { off = $1 / 100 * all - (NR == 1 ? all - start - cold : cold); near = period * (1 + 2 * $1 / 100) + all / 10000 }
                    NR == 1 { hot = $2 ":" $4 == name && off < near && off > -near }
                    $4 == "cold" { found = off < near && off > -near }
                    END { exit !(hot && found) }' <<<"$output"
            done
        done
    done
}

@test "PAPI has its presets" {
    run -0 "$assay" vnode --node haswellEP-1x2 -- papi_avail -a
    [[ "$output" == *"PAPI_TOT_INS"* && "$output" == *"PAPI_L1_DCM"* ]]
    run -0 "$assay" vnode --node haswellEP-1x2 -- papi_command_line PAPI_TOT_INS PAPI_BR_INS
    [ "$(grep -c "Successfully added" <<<"$output")" -eq 2 ]
    # its loop has 20 000 000 passes, each with a branch
    awk '$1 == "PAPI_BR_INS" { found = 1; exit !($3 >= 20000000 && $3 < 20200000) } END { if (!found) exit 1 }' <<<"$output"
}

# parity ARCH COUNTERS PMU: counts each event of the architecture's cores that the node models and libpfm4 encodes by perf_event and by LIKWID.
parity() {
    (cd "$root" && tests/vendor/libpfm4.py "$3" | lua5.4 tests/vendor/compare.lua "$1" --selects) |
        awk 'FNR == NR { modelled[$5] = $2 == "PMC"; next } modelled[$1]' "$build/groups/$1/pmu.events" - >events
    run -0 "$assay" vnode --node "$1-1x2" -- "$build/tests/programs/perf_parity" "$2" <events
    echo "$1: $output"
    [[ "$output" =~ "0 of "([0-9]+)" events differ, "([0-9]+)" happen" ]]
    [ "${BASH_REMATCH[1]}" -eq "$(wc -l <events)" ]
    [ "${BASH_REMATCH[2]}" -gt $((BASH_REMATCH[1] / 5)) ] # the others need several threads or sockets, or wide vectors
}

# box_parity ARCH COUNTERS PMU: the same for the events of boxes, the first one of each kind, on two sockets.
box_parity() {
    local pmus=$3_unc_cbo0,$3_unc_cha0,$3_unc_imc0,$3_unc_ha0,$3_unc_m2m0,$3_unc_qpi0,$3_unc_upi0,$3_l3
    (cd "$root" && IFS=, && tests/vendor/libpfm4.py $pmus | lua5.4 tests/vendor/compare.lua "$1" --boxes) |
        awk -v node="$1-2x1" 'FNR == NR && $1 == "driver" { pmu[$2] = $3 } FNR == NR && $1 == "box" { counter[$2] = $3 }
            FNR == NR { modelled[$2, $5] = $1 == "event"; next }
            modelled[$3, $1] && pmu[$3] { name = counter[$3]; sub("%", "0", name); if ($4 != "") sub("@", $4, name)
                print $1, $2, name, pmu[$3], ($1 ~ /^LLC_LOOKUP/ ? "STATE=0x1f" : $1 ~ /OPCODE/ ? "OPCODE=0x182" : "") }' "$build/groups/$1/pmu.events" - >events
    "$assay" vnode --node "$1-2x1" -- ls /sys/bus/event_source/devices >devices
    awk -v most="${PARITY_MOST:-999}" 'FNR == NR { exists[$1] = 1; next } ++n[$4] <= most { $4 = exists[$4] ? $4 : $4 "_0"; print }' \
        devices events >boxes
    run -0 "$assay" vnode ${PARITY_FAULT:+--fault "$PARITY_FAULT"} --node "$1-2x1" -- "$build/tests/programs/perf_parity" "$2" <boxes
    echo "$1: $output"
    [[ "$output" =~ "0 of "([0-9]+)" events differ, "([0-9]+)" happen" ]]
    [ "${BASH_REMATCH[1]}" -eq "$(wc -l <boxes)" ]
    [ "${BASH_REMATCH[2]}" -gt $((BASH_REMATCH[1] / 5)) ]
}

# bats test_tags=architectures
@test "perf_event and LIKWID count the same in boxes" {
    local node
    for node in $(nodes_here "haswellEP:4:hswep zen3:4:amd64_fam19h_zen3" skylakeX:4:skx broadwellEP:4:bdx); do
        # shellcheck disable=SC2086 # words
        box_parity ${node//:/ }
    done
}

# bats test_tags=architectures
@test "perf_event and LIKWID count the same of the same code, with libpfm4's codes" {
    local node
    for node in $(nodes_here "haswellEP:4:hsw_ep zen3:6:amd64_fam19h_zen3" skylakeX:4:skx broadwellEP:4:bdw_ep); do
        # shellcheck disable=SC2086 # words
        parity ${node//:/ }
    done
}

@test "a LIKWID outside of the engine counts by perf_event what the node does, also after ^C, and keeps its other files" {
    mkdir bin
    ln -s "$(command -v likwid-perfctr)" bin/
    cat >counting.c <<'C'
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static long long counted(int event, char *program, char *passes) {
    char *const words[] = {program, passes, NULL};
    long long value = -1;
    int status = -1;
    ioctl(event, PERF_EVENT_IOC_RESET, 0);
    ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
    if (fork() == 0)
        _exit(execve(program, words, environ));
    wait(&status);
    ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
    return status == 0 && read(event, &value, sizeof value) == sizeof value ? value : -1;
}
void count(char *program) {
    struct perf_event_attr attr = {.size = sizeof attr, .config = PERF_COUNT_HW_INSTRUCTIONS, .disabled = 1, .exclude_kernel = 1};
    setpgid(0, 0);
    int event = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
    if (event == -1) { /* once, below */
        printf("%m\n");
        event = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
    }
    signal(SIGINT, SIG_IGN);
    kill(0, SIGINT); /* as ^C, on which likwid-perfctr reads its counters */
    long long once = counted(event, program, "100000"), twice = counted(event, program, "200000");
    printf("%lld more instructions\n", once > 0 ? twice - once : -1);
    int second = syscall(SYS_perf_event_open, &attr, -1, 7, -1, 0); /* a CPU that the node lacks */
    printf("second %d: %m\n", second);
    close(event);
    char byte = 1;
    int file = open("/dev/zero", O_RDONLY), bytes = read(file, &byte, 1);
    printf("%s number, %d byte, %d\n", file == event ? "same" : "other", bytes, byte);
    fflush(stdout);
}
C
    gcc -O1 -shared -fPIC -o liblikwid_counting.so counting.c
    printf '%s\n' '#!/usr/bin/python3' 'import ctypes, sys' \
        "ctypes.CDLL('$PWD/liblikwid_counting.so').count(sys.argv[1].encode())" >bin/likwid-counting
    chmod +x bin/likwid-counting
    run -0 "$assay" vnode --node haswellEP-1x1 -- bin/likwid-counting "$BATS_FILE_TMPDIR/work"
    echo "$output"
    [ "${lines[0]}" = "200000 more instructions" ]
    [ "${lines[1]}" = "second -1: Invalid argument" ]
    [ "${lines[2]}" = "same number, 1 byte, 0" ]
    [[ "${lines[3]}" == *"times, CPI and bandwidths here are the virtual node's own model"* ]]
    # the first fork() of LIKWID's process fails
    cat >failing.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
pid_t fork(void) {
    static int forks;
    pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
    errno = EAGAIN;
    return strstr(program_invocation_name, "python") && forks++ == 0 ? -1 : real();
}
C
    gcc -O1 -shared -fPIC -o failing.so failing.c
    run -0 env LD_PRELOAD="$PWD/failing.so" "$assay" vnode --node haswellEP-1x1 -- bin/likwid-counting "$BATS_FILE_TMPDIR/work"
    echo "$output"
    [ "${lines[0]}" = "Function not implemented" ]
    [ "${lines[1]}" = "200000 more instructions" ]
}

# tables PREFIX NODE ARGUMENT...: counts of the LIKWID in PREFIX of `work` with the arguments, lines "EVENT,COUNTER,COUNT".
tables() {
    env LIKWID_PREFIX="$1" PATH="$1/bin:$PATH" LIKWID_PERF_EXECPID=1 "$assay" vnode --node "$2" -- likwid-perfctr -C 0 -O "${@:3}" |
        grep -E '^[A-Z0-9_]+,[A-Z]+[0-9][^,]*,' | sort
}

@test "LIKWID built for perf_event shows the daemon's counts" {
    [ -n "${LIKWID_PERF:-}" ] && [ -n "${LIKWID_PREFIX:-}" ] || skip "LIKWID_PREFIX and LIKWID_PERF: builds of one version for daemon and perf_event"
    local set
    for set in haswellEP:INSTR_RETIRED_ANY:FIXC0,BR_INST_RETIRED_ALL_BRANCHES:PMC0,L1D_REPLACEMENT:PMC1,CAS_COUNT_RD:MBOX0C0,LLC_VICTIMS_M:CBOX0C1 \
        skylakeX:INSTR_RETIRED_ANY:FIXC0,CAS_COUNT_RD:MBOX0C0,CAS_COUNT_WR:MBOX0C1 zen3:RETIRED_INSTRUCTIONS:PMC0,DRAM_CHANNEL_0:DFC0; do
        tables "$LIKWID_PREFIX" "${set%%:*}-1x2" -g "${set#*:}" "$BATS_FILE_TMPDIR/work" 100000 400000 >daemon
        tables "$LIKWID_PERF" "${set%%:*}-1x2" -g "${set#*:}" "$BATS_FILE_TMPDIR/work" 100000 400000 >perf
        cat daemon
        [ "$(wc -l <daemon)" -ge 2 ]
        diff daemon perf
    done
}

# wrong NODE FAULT EVENTS OPTION...: counts of `perf stat` with the fault, in one line.
wrong() {
    echo "$2" >faults
    "$assay" vnode --node "$1" --fault faults -- perf stat -x, -o wrong.csv -e "$3" "${@:4}" "$BATS_FILE_TMPDIR/work" 100000 100000 >/dev/null &&
        sed '/^#/d; /^$/d' wrong.csv | cut -d, -f1 | xargs
}

@test "faults change counts of perf events" {
    local node=haswellEP-1x2 right found again events=branches,branch-misses,L1-dcache-loads,L1-dcache-load-misses # on PMC0 to PMC3
    read -ra right <<<"$(wrong $node "" $events)"
    [ "${right[0]}" -gt 200000 ]
    run -0 wrong $node $'BR_INST_RETIRED_ALL_BRANCHES scale 2\nPMC1 add 1000\nPMC2 spike 3 1\nPMC3 stuck 7' $events
    [ "$output" = "$((2 * right[0])) $((right[1] + 1000)) $((3 * right[2])) 7" ]
    read -ra found <<<"$(wrong $node $'PMC3 jitter 0.1\nPMC0 wrap 16 100\nBR_MISP_RETIRED_ALL_BRANCHES swap BR_INST_RETIRED_ALL_BRANCHES\nPMC2 wrap 16' $events)"
    echo "${right[*]}; ${found[*]}"
    [ "${found[*]:0:3}" = "$(((right[0] - 100) % 65536)) ${right[0]} $((right[2] % 65536))" ]
    [ "${found[3]}" -ne "${right[3]}" ]
    again=$(wrong $node "PMC3 jitter 0.1" $events)
    [ "${again##* }" -eq "${found[3]}" ]
    again=$(wrong $node $'PMC3 jitter 0.1\n* seed 2' $events)
    [ "${again##* }" -ne "${found[3]}" ]
    # two intervals of PMC0 and PMC1, each ended by an overflow
    printf 'PMC0 add 1000\nPMC1 add 1000\n' >faults
    run -0 "$assay" vnode --node $node --fault faults -- "$build/tests/programs/perf_samples" limit
    [ "$output" = "4018 4018" ] # 2 (1009 + 1000)
    [ "$(wrong $node "PMC0 deny" branches,branch-misses)" = "<not supported> <not supported>" ]
    again=$(wrong $node "* shuffle 1" $events)
    [ "$again" != "${right[*]}" ]
}

@test "faults of boxes change perf events" {
    # reads of two channels, and requests with an opcode that no program makes
    local node=haswellEP-1x2 right found events=uncore_imc_0/event=4,umask=3/,uncore_imc_1/event=4,umask=3/,uncore_cbox_0/event=0x35,umask=0x21,filter_opc=0x192/
    read -ra right <<<"$(wrong $node "" $events -a)"
    [ "${right[0]}" -gt 10000 ]
    [ "${right[2]}" -eq 0 ]
    [ "$(wrong $node $'MBOX0 nodevice\nMBOX1C0 deny' $events -a)" = "<not supported> <not supported> 0" ]
    read -ra found <<<"$(wrong $node $'MBOX1 scale 2\nMBOX0 mirror MBOX1\nTOR_INSERTS_LOCAL_OPCODE unfiltered' $events -a)"
    echo "${right[*]}; ${found[*]}"
    [ "${found[0]}" -eq "${right[1]}" ]
    [ "${found[1]}" -eq $((2 * right[1])) ]
    [ "${found[2]}" -gt "${right[0]}" ]
    node=haswellEP-2x1
    right=$(wrong $node "" uncore_imc_0/event=4,umask=3/ -C 0)
    [ "$(wrong $node "S0 mirror S1" uncore_imc_0/event=4,umask=3/ -C 0)" -lt $((right / 2)) ] # the program runs on socket 0
}

# bats test_tags=long
@test "faults change perf events and LIKWID's counts alike" {
    local fault node=haswellEP
    export PARITY_FAULT=$PWD/faults
    for fault in "* shuffle 3" "MBOX0 scale 2" "CAS_COUNT_RD swap CAS_COUNT_WR" "TOR_INSERTS_LOCAL_OPCODE unfiltered" "S0 mirror S1" \
        "MBOX0C0 jitter 0.2" "CAS_COUNT_RD spike 2 0.5"; do
        echo "$fault" >faults
        # random numbers depend on how often a counter has been started: each one once
        case $fault in *jitter* | *spike*) export PARITY_MOST=4 ;; esac
        box_parity $node 4 hswep
    done
}
