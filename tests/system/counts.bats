#!/usr/bin/env bats
# Counts of LIKWID's own programs on the virtual node, against closed forms.
load common

# count CSV REGION COUNTER [COLUMN]: the raw count from likwid-perfctr's CSV (column 3: the first hardware thread).
count() {
    awk -F, -v region="Region $2" -v counter="$3" -v column="${4:-3}" '
        $1 == "TABLE" { here = $2 == region && $3 ~ / Raw$/ }
        here && $2 == counter { print $column; exit }' "$1"
}

# metric CSV METRIC [COLUMN]: a derived metric of the first region.
metric() {
    awk -F, -v metric="$2" -v column="${3:-2}" '$1 == metric { print $column; exit }' "$1"
}

# near VALUE EXPECTED PERCENT
near() {
    echo "value $1, expected $2 within $3 %"
    awk -v v="$1" -v e="$2" -v p="$3" 'BEGIN { d = v - e; if (d < 0) d = -d; exit !(v != "" && d <= e * p / 100) }'
}

vnode() {
    run --separate-stderr "$assay" vnode --node "${NODE:-virtual}" -- "$@"
    [ "$status" -eq 0 ] || { echo "$output" "$stderr" && return 1; }
}

# bats test_tags=elsewhere
@test "100 more passes add exactly the instructions, loads and branches of 100 passes" {
    # One pass: add with a memory operand, dec, jnz. 3 instructions, 1 load, 1 branch.
    # Region B with 100 passes more against itself: what LIKWID does inside a region (it looks the name up, and allocates
    # from a heap that the first start of a name has changed) differs between regions, and not between runs.
    events=INSTR_RETIRED_ANY:FIXC0,MEM_UOPS_RETIRED_LOADS:PMC0,BR_INST_RETIRED_ALL_BRANCHES:PMC1
    vnode likwid-perfctr -C 0 -g $events -m -o more.csv "$build/tests/programs/passes" 1000 1100
    vnode likwid-perfctr -C 0 -g $events -m -o same.csv "$build/tests/programs/passes" 1000 1000
    [ $(($(count more.csv B FIXC0) - $(count same.csv B FIXC0))) -eq 300 ]
    [ $(($(count more.csv B PMC0) - $(count same.csv B PMC0))) -eq 100 ]
    [ $(($(count more.csv B PMC1) - $(count same.csv B PMC1))) -eq 100 ]
    for counter in FIXC0 PMC0 PMC1; do
        [ "$(count more.csv A $counter)" -eq "$(count same.csv A $counter)" ]
    done
}

# two_runs GROUP
two_runs() {
    local run
    for run in one two; do
        vnode likwid-perfctr -C 0 -g "$1" -m -o $run.csv likwid-bench -t triad_avx -w S0:100kB:1 -i 200
        grep -E '(FIXC|PMC|MBOX)[0-9]' $run.csv >$run.counts || return 2
    done
    cmp one.counts two.counts
}

# bats test_tags=long
@test "two runs of a single-threaded code give identical counts, all of them" {
    # Process numbers stand in the program's environment and in names of files, and the stack and the heap lie elsewhere when
    # one gets a digit more or less.
    for group in DATA MEM; do repeats two_runs $group; done
}

@test "likwid-bench triad_avx in L2, stock group L2: 3 loads, 1 store, 1 write allocate per element" {
    vnode likwid-perfctr -C 0 -g L2 -m -o out.csv likwid-bench -t triad_avx -w S0:100kB:1 -i 1000
    # likwid-bench prints the iterations that it really made and the data volume of 4 streams: 32 bytes an element.
    bytes=$(awk '$1 == "Data" && $2 == "volume" { print $NF }' <<<"${output}")
    near "$(metric out.csv 'L2D load data volume [GBytes]')" "$(awk -v b="$bytes" 'BEGIN { print b * 1e-9 }')" 1
    near "$(metric out.csv 'L2D evict data volume [GBytes]')" "$(awk -v b="$bytes" 'BEGIN { print b / 4 * 1e-9 }')" 1
}

# bats test_tags=long
@test "likwid-bench copy_avx in memory, stock group MEM: 2 lines read, 1 written per line copied" {
    NODE=$root/tests/nodes/small_cache.lua vnode likwid-perfctr -C 0 -g MEM -m -o out.csv likwid-bench -t copy_avx -w S0:4MB:1 -i 40
    bytes=$(awk '$1 == "Data" && $2 == "volume" { print $NF }' <<<"${output}")
    near "$(metric out.csv 'Memory read data volume [GBytes]')" "$(awk -v b="$bytes" 'BEGIN { print b * 1e-9 }')" 2
    near "$(metric out.csv 'Memory write data volume [GBytes]')" "$(awk -v b="$bytes" 'BEGIN { print b / 2 * 1e-9 }')" 2
}

@test "likwid-bench with two threads: each core shows its half" {
    vnode likwid-perfctr -C 0,1 -g L2 -m -o out.csv likwid-bench -t triad_avx -w S0:200kB:2 -i 1000
    bytes=$(awk '$1 == "Data" && $2 == "volume" { print $NF }' <<<"${output}")
    half=$(awk -v b="$bytes" 'BEGIN { print b / 2 * 1e-9 }')
    near "$(metric out.csv 'L2D load data volume [GBytes]' 2)" "$half" 1
    near "$(metric out.csv 'L2D load data volume [GBytes]' 3)" "$half" 1
}

# bats test_tags=long
@test "likwid-bench with two threads: both have their region, whatever the address of the stack" {
    for bytes in 0 16 48 80 400; do
        PADDING=$(printf '%*s' "$bytes" '') vnode likwid-perfctr -C 0,1 -g L2 -m -o out.csv likwid-bench -t triad_avx -w S0:100kB:2 -i 100
        [ "$(grep -c '^L1D_REPLACEMENT,PMC0,[1-9][0-9]*,[1-9]' out.csv)" -eq 1 ]
    done
}

# bats test_tags=long
@test "likwid-bench runs our own kernels from a .ptt" {
    mkdir -p home/.likwid/bench/x86-64
    cp "$root/kernels/x86-64-avx/triad_nt.ptt" home/.likwid/bench/x86-64/
    for sweeps in 100 200; do
        HOME=$PWD/home vnode likwid-perfctr -C 0 -g L2 -m -o $sweeps.csv likwid-bench -t triad_nt -w S0:100kB:1 -i $sweeps
    done
    # A sweep more loads three of the four streams' lines and writes nothing of them back. What else is written to is the
    # kernel's frame on the stack (return address and saved registers: at most two lines), pushed out by every sweep; the
    # lines that likwid-bench's initialisation left dirty are gone after the first and drop out of the difference.
    lines=$(($(awk '/^Size \(Byte\)/ { print $NF }' <<<"$output") / 64))
    [ "$lines" -gt 0 ]
    near $(($(count 200.csv bench PMC0) - $(count 100.csv bench PMC0))) $((100 * lines * 3 / 4)) 1
    [ $(($(count 200.csv bench PMC1) - $(count 100.csv bench PMC1))) -le $((100 * 2)) ]
}

# Cycles may differ by one misprediction: getenv() reads all variables, and glibc since 2.39 makes a text of each
# thread's number, so the branch predictor enters the region with another history.
same_counts() {
    local penalty
    penalty=$(sed -n 's/.*branch_penalty = \([0-9]*\).*/\1/p' "$build/groups/haswellEP/machine.lua")
    diff <(grep -v CLK expected) <(grep -v CLK found)
    paste -d, <(grep CLK expected) <(grep CLK found) |
        awk -F, -v p="$penalty" '$1 != $4 || ($3 != $6 && $3 != $6 + p && $3 != $6 - p) { print; bad = 1 } END { exit bad || NR == 0 || !p }'
}

# bats test_tags=long,elsewhere
@test "counts are the same in every environment" {
    load varied_environment
    counts_in FILLING= >expected
    [ "$(wc -l <expected)" -ge 5 ]
    for number in 20 33 59; do
        mapfile -t variables < <(varied_environment $number)
        counts_in "${variables[@]}" >found
        same_counts
    done
}

@test "counts do not depend on how many digits a process number has" {
    unshare -rpf --mount-proc true || skip "no name space for processes"
    printf 'int n;\nint main(void) {\n_Pragma("omp parallel")\n__sync_fetch_and_add(&n, 1);\nreturn n != 2; }\n' >threads.c
    cc -O1 -fopenmp threads.c -o threads
    for last in 300 20000; do
        unshare -rpf --mount-proc sh -ec 'echo $1 >/proc/sys/kernel/ns_last_pid
            OMP_WAIT_POLICY=passive "$2" vnode -- likwid-perfctr -C 0,1 -g L2 -o $1.csv ./threads' sh $last "$assay"
        grep -E '^[A-Z_0-9]+,(PMC|FIXC)' $last.csv >$last.counts
    done
    [ "$(wc -l <300.counts)" -ge 5 ]
    diff 300.counts 20000.counts
}

# bats test_tags=elsewhere
@test "a program gets all of its arguments, whatever their number" {
    for count in 10 440 450 3000; do # room for aligned texts ends between the second and the third
        # shellcheck disable=SC2046 # words
        "$assay" vnode --node haswellEP-1x1 -- sh -c 'echo "$@"' sh $(seq $count) >words
        [ "$(cat words)" = "$(seq -s ' ' $count)" ]
    done
}
