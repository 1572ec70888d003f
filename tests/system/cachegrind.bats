#!/usr/bin/env bats
# The simulator against an independent one, cachegrind, with the same geometry: instructions, L1 and last-level misses of the
# same program. Counts of n and of 2n sweeps are subtracted, so that start-up and end drop out of both.
#
# What can be compared. Cachegrind has two levels, each exact LRU, the last one asked by L1 misses and including nothing.
# - Instructions and L1 misses: exactly, whatever is below, as long as nothing below takes lines from L1.
# - An inclusive last level behind an L2: only streams. Its order is that of L2's misses, cachegrind's that of L1's.
# - An L2 and a victim last level of as many sets in all: a read that hits takes the line out of the last level, L2's victims
#   enter there, so both are one LRU list of as many ways as the two together, which is cachegrind's last level. Memory reads agree
#   exactly for loads. Stores change that where L1 writes back a line that L2 has lost: it comes to L2 as the most recent. An L2 of
#   eight times L1 never sees that on these walks.
# Not comparable: coherence, write-backs (cachegrind has none), several cores, code lines that cachegrind's own start-up leaves.
load common

events=INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0,CAS_COUNT_RD:MBOX0C0,CAS_COUNT_RD:MBOX1C0,CAS_COUNT_RD:MBOX2C0,CAS_COUNT_RD:MBOX3C0

# "instructions L1-misses last-level-misses" of one run on the virtual node.
simulated() {
    "$assay" vnode -- likwid-perfctr -C 0 -g "$events" -o out.csv "$build/patterns/stream" -c 0 "$@" >/dev/null 2>log
    awk -F, '/FIXC0|PMC0|MBOX.C0/ { if ($2 == "FIXC0") i = $3; else if ($2 == "PMC0") l1 = $3; else if ($2 ~ /MBOX/) ll += $3 }
             END { print i, l1, ll }' out.csv
}

# The same from cachegrind: Ir, D1mr + D1mw, ILmr + DLmr + DLmw.
cachegrind() {
    valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=5242880,20,64 --cachegrind-out-file=cg.out \
        "$build/patterns/stream" -c 0 "$@" >/dev/null 2>&1
    awk '/^events:/ { for (i = 2; i <= NF; i++) column[$i] = i }
         /^summary:/ { print $column["Ir"], $column["D1mr"] + $column["D1mw"], $column["ILmr"] + $column["DLmr"] + $column["DLmw"] }' cg.out
}

# compare KERNEL ELEMENTS SWEEPS: the three differences agree within 0.5 %.
compare() {
    object=$(ls "$build"/cache/"$1"-*.so | head -n 1)
    local ours1 ours2 other1 other2
    ours1=$(simulated r "$object" "$2" "$3")
    ours2=$(simulated r "$object" "$2" $((2 * $3)))
    other1=$(cachegrind r "$object" "$2" "$3")
    other2=$(cachegrind r "$object" "$2" $((2 * $3)))
    echo "$1: ours $ours1 -> $ours2; cachegrind $other1 -> $other2"
    awk -v a="$ours1" -v b="$ours2" -v c="$other1" -v d="$other2" 'BEGIN {
        split(a, a_); split(b, b_); split(c, c_); split(d, d_)
        for (k = 1; k <= 3; k++) {
            ours = b_[k] - a_[k]; other = d_[k] - c_[k]; off = ours - other; if (off < 0) off = -off
            if (a_[k] == "" || c_[k] == "" || other <= 0 || off > 0.005 * other) { print "column " k ": " ours " against " other; exit 1 }
        }
    }'
}

setup_file() {
    # The objects of kernels are there after any validation of them.
    cd "$BATS_FILE_TMPDIR" || return 1
    load common
    "$assay" validate bandwidth_saturation --node virtual --quick --only load,copy,triad --level L1 >/dev/null 2>&1 || true
}

# bats test_tags=long
@test "load in memory" {
    compare load 3000000 2
}

# bats test_tags=long
@test "copy in memory" {
    compare copy 1500000 2
}

# bats test_tags=long
@test "triad in memory" {
    compare triad 800000 2
}

# ---- random walks: tests/engine/random_walk.c ----

# walked NODE EVENTS ARGUMENTS...: the counts of the events in their order, those of MBOX as one sum at the end.
walked() {
    local node=$1 events=$2
    shift 2
    "$build/vnode/vnode-run" --node "$node" -- likwid-perfctr -C 0 -g "$events" -o walk.csv "$build/tests/engine/random_walk" "$@" \
        >/dev/null 2>log
    awk -F, -v events="$events" 'BEGIN { n = split(events, event, ","); for (i = 1; i <= n; i++) sub(/.*:/, "", event[i]) }
        NF > 2 { value[$2] = $3 }
        END { for (i = 1; i <= n; i++) if (event[i] ~ /MBOX/) sum += value[event[i]]; else printf "%s ", value[event[i]]
              print sum }' walk.csv
}

# ground LL ARGUMENTS...: cachegrind's instructions, L1 misses of data, last-level misses of data.
ground() {
    local last=$1
    shift
    valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL="$last" --cachegrind-out-file=walk.out \
        "$build/tests/engine/random_walk" "$@" >/dev/null 2>&1
    awk '/^events:/ { for (i = 2; i <= NF; i++) column[$i] = i }
         /^summary:/ { print $column["Ir"], $column["D1mr"] + $column["D1mw"], $column["DLmr"] + $column["DLmw"] }' walk.out
}

# same_walk NODE EVENTS LL COLUMNS LINES STORES: from 400000 to 800000 accesses, both tools' counts grow by exactly the same amounts.
same_walk() {
    local ours1 ours2 other1 other2
    ours1=$(walked "$1" "$2" 400000 "$5" "$6")
    ours2=$(walked "$1" "$2" 800000 "$5" "$6")
    other1=$(ground "$3" 400000 "$5" "$6")
    other2=$(ground "$3" 800000 "$5" "$6")
    echo "ours $ours1 -> $ours2; cachegrind $other1 -> $other2"
    awk -v columns="$4" -v a="$ours1" -v b="$ours2" -v c="$other1" -v d="$other2" 'BEGIN {
        split(a, a_); split(b, b_); split(c, c_); split(d, d_)
        for (k = 1; k <= columns; k++) {
            ours = b_[k] - a_[k]; other = d_[k] - c_[k]
            if (a_[k] == "" || c_[k] == "" || other <= 0 || ours != other) { print "column " k ": " ours " against " other; exit 1 }
        }
    }'
}

# A node whose L2 and last level have as many sets: 512 of 8 and 8 ways, with a snoop filter.
filtered() {
    echo 'return { arch = "skylakeX", sockets = 1, cores_per_socket = 1,
                   l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 256 << 10, ways = 8 } }' >filtered.lua
}

reads=CAS_COUNT_RD:MBOX0C0,CAS_COUNT_RD:MBOX1C0,CAS_COUNT_RD:MBOX2C0,CAS_COUNT_RD:MBOX3C0,CAS_COUNT_RD:MBOX4C0,CAS_COUNT_RD:MBOX5C0

@test "a random walk in front of an inclusive last level: instructions and L1 misses" {
    same_walk haswellEP-1x2 INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0 5242880,20,64 2 20000 3
}

@test "random loads, victim last level with a snoop filter: L1 misses and memory reads" {
    filtered
    same_walk ./filtered.lua "INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0,$reads" 524288,16,64 3 20000 0
}

# bats test_tags=long
@test "random loads and stores, victim last level with a snoop filter: L1 misses and memory reads" {
    filtered
    same_walk ./filtered.lua "INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0,$reads" 524288,16,64 3 20000 3
}

# 4096 sets of 2 ways, and 8 slices of 512 sets of 4 ways.
# bats test_tags=long
@test "random loads, victim last level of several slices with shadow tags: L1 misses and memory reads" {
    echo 'return { arch = "zen3", sockets = 1, cores_per_socket = 1,
                   l2 = { size = 512 << 10, ways = 2 }, l3 = { size = 128 << 10, ways = 4 } }' >shadowed.lua
    same_walk ./shadowed.lua RETIRED_INSTRUCTIONS:PMC0,L1_DC_REFILLS_ALL:PMC1,L1_DC_REFILLS_LOCAL_DRAM:PMC2 1572864,6,64 3 60000 0
}
