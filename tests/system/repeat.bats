#!/usr/bin/env bats
# Threads that wait for each other busily have the same counts again, on every core and in every event, however busy
# the host is.
bats_require_minimum_version 1.5.0
load common

# counts COMMAND...: all counts of all cores
counts() {
    timeout 500 "$assay" vnode --node haswellEP-2x4 -- likwid-perfctr -c 0-7 -g L2 -m -o out.csv "$@" >log 2>&1 || {
        cat log
        return 1
    }
    grep -E ',(FIXC|PMC)[0-9],' out.csv | grep -v STAT
}

process_number_length() {
    sh -c 'number=$$; echo ${#number}'
}

five_runs() {
    local run busy
    counts "$@" >first
    cat first
    grep -q INSTR_RETIRED_ANY first || return 2
    for run in 2 3 4; do
        counts "$@" >again
        diff first again || return 1
    done
    (while :; do :; done) 3>&- &
    busy=$!
    counts "$@" >again || true
    kill $busy
    diff first again
}

# repeats COMMAND...: five runs, the last beside another process that keeps the host busy. LIKWID makes text of process
# numbers: they are made again if the numbers got a digit more or less meanwhile.
repeats() {
    local before try
    for try in 1 2 3; do
        before=$(process_number_length)
        five_runs "$@" && return 0
        [ "$before" -eq "$(process_number_length)" ] && return 1
    done
    return 1
}

@test "2 threads that spin on an atomic" {
    repeats "$build/tests/programs/spinning" 2 20 no
}

@test "8 threads that spin on an atomic" {
    repeats "$build/tests/programs/spinning" 8 5 no
}

@test "8 threads that spin and yield" {
    repeats "$build/tests/programs/spinning" 8 5 yes
}

@test "OpenMP threads that wait actively" {
    OMP_WAIT_POLICY=active OMP_NUM_THREADS=4 OMP_PROC_BIND=true OMP_PLACES='{0},{1},{2},{3}' \
        repeats "$build/tests/programs/bound"
}
