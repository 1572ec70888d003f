#!/usr/bin/env bats
# Ends of processes: together, by signals, and what they leave behind.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# Every process of a test has the test's folder in its command line, so that other processes are ignored.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir tmp
    export TMPDIR=$PWD/tmp
}

# Processes that a failed test has left running.
teardown() {
    local process
    for process in $(pgrep -f -- "$BATS_TEST_TMPDIR/"); do
        [ "$process" = $$ ] || kill -KILL "$process" || true
    done
}

# A program that computes or waits without end; its name makes it easy to find.
endless() { # name body
    echo "#include <unistd.h>
    int main(void) { for (volatile long i = 0;; i++) { $2; } }" >"$1.c"
    gcc -O1 -o "$PWD/$1" "$1.c"
}

# The process whose command line matches, once there is one; for thirty seconds.
find_process() {
    local found
    for _ in $(seq 600); do
        found=$(pgrep -f -- "$1" | head -1) && [ -n "$found" ] && echo "$found" && return 0
        sleep 0.05
    done
    echo "no process: $1" >&2
    return 1
}

# Waits until the condition holds, thirty seconds at most.
within_reason() {
    for _ in $(seq 600); do
        if "$@"; then return 0; fi
        sleep 0.05
    done
    ps -eo pid,ppid,args | grep -F "$PWD/" | cut -c1-150 >&2
    ls -lA tmp >&2
    return 1
}

in_session_of_its_own() {
    local process
    for process in "$@"; do
        if [ "$(ps -o sid= -p "$process" | tr -d ' ')" = "$process" ]; then echo "$process"; fi
    done
}

none_runs() { ! pgrep -f -- "$PWD/" >/dev/null; }
nothing_left() { [ -z "$(ls -A tmp)" ]; }

# One of the three is killed while a user's program is measured: the others end, and the folder is removed.
kill_one() { # victim program command...
    local victim=$1 program=$2
    shift 2
    "$assay" vnode -- "$@" >output 2>&1 3>&- &
    local launcher=$! engine
    engine=$(find_process "valgrind/assay-amd64-linux .* $PWD/$program\$") # not a script's, which is simulated as well
    case $victim in
    assay) kill -KILL "$launcher" ;;
    perfctr) kill -KILL "$(pgrep -f "^[^ ]*lua[^ ]* [^ ]*likwid-perfctr .*$PWD/$program" | head -1)" ;;
    engine) kill -KILL "$engine" ;;
    esac
    within_reason none_runs
    within_reason nothing_left
    wait "$launcher" || true
}

# bats test_tags=elsewhere
@test "when assay, likwid-perfctr or the engine is killed, the others end" {
    endless computes ""
    endless waits "pause()"
    for victim in assay perfctr engine; do
        for program in computes waits; do
            echo "$victim, the program $program"
            kill_one "$victim" $program likwid-perfctr -C 0 -g L2 "$PWD/$program"
        done
    done
}

# bats test_tags=long
@test "when a program that perf counts or samples is killed, or perf, in the middle, nothing is left" {
    endless computes ""
    local command victim
    for command in "stat -I 1 -e branches" "record -q -e branches -c 1009"; do
        for victim in engine perf assay; do
            echo "$victim, perf $command"
            rm -f data
            # shellcheck disable=SC2086 # words
            "$assay" vnode -- perf $command -o data "$PWD/computes" >output 2>&1 3>&- &
            local launcher=$! killed
            killed=$(find_process "valgrind/assay-amd64-linux .* -[^ ]* $PWD/computes\$")
            within_reason test -s data
            case $victim in
            assay) killed=$launcher ;;
            perf) killed=$(find_process "valgrind/assay-amd64-linux .* -o data $PWD/computes\$") ;;
            esac
            sleep 1
            kill -KILL "$killed"
            within_reason none_runs
            within_reason nothing_left
            wait "$launcher" || true
            # what was counted until then is kept
            [ $victim != engine ] || [ "${command%% *}" = stat ] || perf report -q --stdio -i data --sort sym | grep -q "main"
        done
    done
}

# bats test_tags=long
@test "the same with a script in between" {
    endless computes ""
    for victim in assay perfctr engine; do
        echo "$victim"
        kill_one "$victim" computes bash -c "likwid-perfctr -C 0 -g L2 '$PWD/computes'; true"
    done
    kill_one assay computes bash -c "'$PWD/computes'; true"
}

# bats test_tags=long
@test "a program that handles no signals, as in a stuck engine, is ended by SIGTERM, and when its parent ends" {
    endless computes ""
    for signal in TERM KILL; do
        "$assay" vnode -- "$PWD/computes" >output 2>&1 3>&- &
        launcher=$!
        engine=$(find_process "valgrind/assay-amd64-linux .* $PWD/computes\$")
        kill -STOP "$engine"
        stopped() { [[ "$(ps -o stat= -p "$engine")" == T* ]]; }
        within_reason stopped # until then SIGTERM would come first, and end an engine that is still starting
        kill -$signal "$launcher"
        status=0
        wait "$launcher" || status=$?
        [ "$status" -eq 137 ]
        within_reason none_runs
        within_reason nothing_left
        [ $signal = KILL ] || grep -q "killed: the program has not taken signal 15" output
    done
}

# bats test_tags=long
@test "a user's daemon in its own session is not killed" {
    endless daemon "pause()"
    "$assay" vnode -- bash -c "setsid '$PWD/daemon' & '$PWD/daemon'" >output 2>&1 3>&- &
    launcher=$!
    engine="valgrind/assay-amd64-linux .* $PWD/daemon\$" # not the shell, which is simulated as well
    both() { [ "$(pgrep -fc -- "$engine")" -eq 2 ] && daemon=$(in_session_of_its_own $(pgrep -f -- "$engine")) && [ -n "$daemon" ]; }
    only_one() { [ "$(pgrep -f -- "$PWD/daemon")" = "$daemon" ]; }
    within_reason both
    kill -KILL "$launcher"
    within_reason nothing_left
    within_reason only_one
    kill -KILL "$daemon"
    wait "$launcher" || true
}

@test "a campaign that is killed takes its runs with it" {
    fake_likwid 'sleep 999'
    "$assay" validate long_latency --node virtual --quick --out "$PWD/r.json" 3>&- >output 2>&1 &
    pid=$!
    find_process "$PWD/fake/bin/likwid-perfctr -C"
    kill -KILL "$pid"
    within_reason none_runs
    wait "$pid" || true
}

@test "the next command removes files of killed commands, and none of running ones" {
    endless waits "pause()"
    "$assay" vnode -- "$PWD/waits" >output 2>&1 3>&- &
    living=$!
    find_process "valgrind/assay-amd64-linux .*$PWD/waits"
    [ "$(ls tmp)" = "$(basename tmp/assay-node-*)" ]
    folder=$(echo tmp/assay-node-*)
    "$assay" vnode -- "$PWD/waits" again >output 2>&1 3>&- &
    killed=$!
    two_folders() { [ "$(ls -d tmp/assay-node-* | wc -l)" -eq 2 ]; }
    find_process "valgrind/assay-amd64-linux .*$PWD/waits again"
    within_reason two_folders
    kill -KILL $(pgrep -P "$killed" -f '^.*assay vnode') "$killed" # with the process that would clean up
    within_reason two_folders
    "$assay" vnode -- true
    [ "$(echo tmp/*)" = "$folder" ]
    kill "$living"
    wait "$living" || [ $? -eq 143 ]
    nothing_left
}

# bats test_tags=long
@test "every stop signal leaves no process or file: status 130, measured runs are kept" {
    fake_likwid 'case $* in *out.csv*) n=$(cat '"$PWD"'/count 2>/dev/null || echo 0); echo $((n + 1)) >'"$PWD"'/count; [ "$n" -lt 2 ] || sleep 999 ;; esac; exit 3'
    for signal in INT TERM HUP QUIT PIPE; do
        echo "SIG$signal"
        rm -f count r.json*
        "$assay" validate long_latency --node virtual --quick --reps 3 --jobs 1 --out "$PWD/r.json" >output 2>&1 3>&- &
        pid=$!
        third() { [ "$(cat count 2>/dev/null)" = 3 ]; }
        within_reason third
        kill -$signal "$pid"
        status=0
        wait "$pid" || status=$?
        [ "$status" -eq 130 ]
        grep -q "interrupted; 2 runs are kept" output
        within_reason none_runs
        nothing_left
        [ -e r.json.part ]
        [ ! -e r.json ]
        [ ! -e r.json.lock ]
    done
    fake_likwid 'exit 3'
    run -1 --separate-stderr "$assay" validate long_latency --node virtual --quick --reps 3 --jobs 1 --out r.json
    [[ "$stderr" == *"resuming: 2 runs"* ]]
}

# bats test_tags=long
@test "under nohup a campaign continues when the terminal hangs up" {
    fake_likwid 'case $* in *out.csv*) touch '"$PWD"'/started; until [ -e '"$PWD"'/hung_up ]; do sleep 0.05; done ;; esac; exit 3'
    nohup "$assay" validate long_latency --node virtual --quick --jobs 1 --out r.json >output 2>&1 3>&- &
    pid=$!
    started() { [ -e started ]; }
    within_reason started
    kill -HUP "$pid"
    touch hung_up
    status=0
    wait "$pid" || status=$?
    [ "$status" -eq 1 ]
    [ -e r.json ]
}

# bats test_tags=long
@test "a campaign whose output pipe is closed ends without leftovers" {
    fake_likwid 'exit 3'
    run bash -c '"$0" validate long_latency --node virtual --quick --reps 9 --jobs 1 --out r.json 2>&1 | head -1; exit "${PIPESTATUS[0]}"' "$assay"
    [ "$status" -eq 130 ]
    [ -e r.json.part ]
    [ ! -e r.json ]
    [ ! -e r.json.lock ]
    nothing_left
}

@test "SIGINT to assay vnode ends all processes of the node within a second, even if the program ignores it" {
    cat >stubborn.c <<'C'
#include <signal.h>
#include <unistd.h>
int main(void) {
    signal(SIGINT, SIG_IGN);
    fork();
    write(1, "x", 1);
    for (;;)
        ;
}
C
    gcc -o stubborn stubborn.c
    "$assay" vnode -- ./stubborn >began 2>err &
    node=$!
    until [ "$(wc -c <began)" -eq 2 ]; do sleep 0.05; done
    kill -INT $node
    wait $node || status=$?
    [ "$status" -eq 130 ]
    refute pgrep -f "$PWD/stubborn"
}
