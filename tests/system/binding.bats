#!/usr/bin/env bats
# Threads and processes run on the cores of the node to which they are bound, by any means, and are counted there. The
# node has more cores than most hosts.
load common

passes=10000 # of bound.c

node() {
    run --separate-stderr timeout 300 "$assay" vnode --node haswellEP-2x4 -- "$@"
    echo "$* -> $status: $output" "$stderr"
    [ "$status" -eq 0 ]
}

# loads REGION CORE: counted there by the run that wrote out.csv
loads() {
    awk -F, -v region="Region $1" -v core="HWThread $2" '
        $1 == "TABLE" { here = $2 == region && $3 ~ / Raw$/ }
        here && $1 == "Event" { for (i = 3; i <= NF; i++) if ($i == core) column = i }
        here && $2 == "PMC0" { print column ? $column : "none"; exit }' out.csv
}

# sits PROGRAM CORE...: thread 0, 1, .. of the OpenMP program runs on that core, and is counted there: thread t makes t + 1
# times 10000 passes more in region B than in A, with one load each. LIKWID itself makes some loads more in one region
# than in another.
sits() {
    local program=$1 thread=0 core
    shift
    node likwid-perfctr -c 0-7 -g MEM_UOPS_RETIRED_LOADS:PMC0 -m -o out.csv "$build/tests/programs/$program"
    [ "${lines[-1]}" = "$*" ]
    for core in "$@"; do
        thread=$((thread + 1))
        local more=$(($(loads B "$core") - $(loads A "$core")))
        echo "thread on core $core: $more loads more"
        [ "$more" -gt $((passes * thread - passes / 50)) ]
        [ "$more" -lt $((passes * thread + passes / 50)) ]
    done
}

# placed PROGRAM CORE...: its threads run there. `sits` checks for each library that they are also counted there.
placed() {
    node "$build/tests/programs/$1"
    [ "$output" = "${*:2}" ]
}

needs_llvm() {
    [ -x "$build/tests/programs/bound-llvm" ] || skip "LLVM's OpenMP is not installed (packages clang, libomp-dev)"
}

# A library that looks for cores in /sys or /proc, not in its mask, must see the node there.
needs_sys() {
    "$assay" vnode --node haswellEP-2x4 -- sh -c 'read -r cores </sys/devices/system/cpu/online && echo "$cores"' >seen 2>/dev/null || true
    [ "$(cat seen)" = 0-7 ] || skip "/sys shows the host's cores here"
}

# bats test_tags=elsewhere
@test "raw system calls: Linux' promises, threads, attributes, children, programs executed" {
    node "$build/tests/programs/affinity" 8
    [ "$output" = "self 0xc 2
thread 0xc 3
attributes 0x8 3
waiting 0xff 0
next 0xff 1
child 0xc 2
executed 0xc 2" ]
}

@test "a process started by a bound process is bound, also through shells" {
    needs taskset util-linux
    node taskset -c 4-6 sh -c "taskset -c 5,6 '$build/tests/programs/affinity' 8 inherited"
    [ "$output" = "inherited 0x60 5" ]
}

# bats test_tags=long
@test "libgomp: places and orders" {
    OMP_NUM_THREADS=3 OMP_PROC_BIND=true OMP_PLACES='{0},{2},{7}' sits bound 0 2 7
    OMP_NUM_THREADS=2 OMP_PROC_BIND=spread OMP_PLACES='{0},{2},{4},{6}' sits bound 0 4
    OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES='{1},{2},{4},{6}' placed bound 1 2
}

# bats test_tags=elsewhere
@test "libgomp: all on the master's place" {
    OMP_NUM_THREADS=3 OMP_PROC_BIND=master OMP_PLACES='{6},{2}' placed bound 6 6 6
}

# bats test_tags=long
@test "libgomp: GOMP_CPU_AFFINITY" {
    OMP_NUM_THREADS=3 GOMP_CPU_AFFINITY=5,3,1 sits bound 5 3 1
    OMP_NUM_THREADS=4 GOMP_CPU_AFFINITY=0-7:2 placed bound 0 2 4 6
}

# bats test_tags=long
@test "libomp: places and orders" {
    needs_llvm
    OMP_NUM_THREADS=2 OMP_PROC_BIND=true OMP_PLACES='{0},{2}' sits bound-llvm 0 2
    OMP_NUM_THREADS=2 OMP_PROC_BIND=spread OMP_PLACES=threads sits bound-llvm 0 4
    OMP_NUM_THREADS=3 OMP_PROC_BIND=close OMP_PLACES=threads placed bound-llvm 0 1 2
}

# bats test_tags=long
@test "libomp: KMP_AFFINITY" {
    needs_llvm
    export OMP_NUM_THREADS=3
    KMP_AFFINITY='explicit,proclist=[5,3,1]' sits bound-llvm 5 3 1
    KMP_AFFINITY=compact placed bound-llvm 0 1 2
}

# bats test_tags=long
@test "both: OMP_PLACES=cores, threads, sockets" {
    needs_sys
    local program
    for program in bound bound-llvm; do
        [ -x "$build/tests/programs/$program" ] || continue
        OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=cores placed $program 0 1 2 3
        OMP_NUM_THREADS=4 OMP_PROC_BIND=close OMP_PLACES=threads placed $program 0 1 2 3
        OMP_NUM_THREADS=4 OMP_PROC_BIND=spread OMP_PLACES=cores placed $program 0 2 4 6
        OMP_NUM_THREADS=2 OMP_PROC_BIND=spread OMP_PLACES=sockets placed $program 0 4
    done
    OMP_NUM_THREADS=4 OMP_PROC_BIND=true OMP_PLACES=cores placed bound 0 1 2 3
    [ ! -x "$build/tests/programs/bound-llvm" ] || # to LLVM's, "true" means to spread
        OMP_NUM_THREADS=4 OMP_PROC_BIND=true OMP_PLACES=cores placed bound-llvm 0 2 4 6
}

@test "hwloc-bind" {
    needs hwloc-bind hwloc
    node hwloc-bind core:3 -- "$build/tests/programs/affinity" 8 bound
    [ "$output" = "bound 0x8 3" ]
    node hwloc-bind package:1 -- "$build/tests/programs/affinity" 8 bound
    [ "$output" = "bound 0xf0 4" ]
}

# bats test_tags=long,elsewhere
@test "mpirun --bind-to core, likwid-mpirun" {
    needs mpirun openmpi-bin
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    node mpirun --bind-to core -np 2 "$build/tests/programs/affinity" 8 rank
    [ "$(sort <<<"$output")" = "rank 0x1 0
rank 0x2 1" ]
    node mpirun --map-by socket --bind-to socket -np 2 "$build/tests/programs/affinity" 8 rank
    [ "$(sort <<<"$output")" = "rank 0xf 0
rank 0xf0 4" ]
    printf '%s\n' '#!/bin/sh' "exec '$build/tests/programs/affinity' 8 rank" >rank
    chmod +x rank
    node likwid-mpirun -mpi openmpi -np 2 ./rank
    [ "$(grep ^rank <<<"$output" | sort)" = "rank 0x1 0
rank 0x2 1" ]
}
