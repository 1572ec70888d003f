#!/usr/bin/env bats
# Threads that wait for each other by spinning: a second run has the same counts, on every core and in every event, whatever
# the host's load.
load common

# counts COMMAND...: all counts of all cores
counts() {
    timeout 500 "$assay" vnode --node haswellEP-2x4 -- likwid-perfctr -c 0-7 -g L2 -m -o out.csv "$@" >log 2>&1 || {
        cat log
        return 1
    }
    grep -E ',(FIXC|PMC)[0-9],' out.csv | grep -v STAT
}

# twice_beside STRESS COMMAND...: two runs, the second while the function STRESS runs; its argument is the program.
twice_beside() {
    local stress=$1 beside
    shift
    counts "$@" >first
    grep -q INSTR_RETIRED_ANY first || return 2
    "$stress" "$1" 3>&- & beside=$!
    counts "$@" >again || true
    kill $beside
    wait $beside || true
    diff first again
}

keep_busy() {
    while :; do :; done
}

# bats test_tags=elsewhere
@test "2 threads that spin on an atomic" {
    repeats twice_beside keep_busy "$build/tests/programs/spinning" 2 20 no
}

# bats test_tags=long
@test "8 threads that spin on an atomic" {
    repeats twice_beside keep_busy "$build/tests/programs/spinning" 8 5 no
}

# bats test_tags=long
@test "8 threads that spin and yield" {
    repeats twice_beside keep_busy "$build/tests/programs/spinning" 8 5 yes
}

# bats test_tags=long
@test "OpenMP threads that wait actively" {
    OMP_WAIT_POLICY=active OMP_NUM_THREADS=4 OMP_PROC_BIND=true OMP_PLACES='{0},{1},{2},{3}' \
        repeats twice_beside keep_busy "$build/tests/programs/bound"
}

# slow_down PROGRAM: gives the access daemons of processes that run PROGRAM only idle time of the host, and uses up most of
# that, until killed.
slow_down() {
    local process daemon busy=()
    for ((i = 0; i < $(nproc); i++)); do
        (while :; do :; done) & busy+=($!)
    done
    trap 'kill "${busy[@]}"; exit' TERM
    while :; do
        for process in $(pgrep -f "assay-amd64-linux .*$1"); do
            for daemon in $(pgrep -P "$process" -x likwid-accessD); do renice -n 19 -p "$daemon" || true; done
        done
    done >/dev/null 2>&1
}

# bats test_tags=long
@test "8 threads that spin, with access daemons that are slow to answer" {
    cp "$build/tests/programs/spinning" ./slowed
    repeats twice_beside slow_down "$PWD/slowed" 8 5 no
}
