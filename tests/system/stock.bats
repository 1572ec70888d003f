#!/usr/bin/env bats
# LIKWID's own groups on virtual nodes, with LIKWID's own kernels, against closed forms.
#
# likwid-bench prints D, the bytes of its loads and stores: each stream once per iteration. A stream of s = 1 / streams of that
#     read       comes in once an iteration
#     written    comes in as well (write allocate), and goes out once
# so that D comes in from wherever the data lie, and D * written / streams goes out of L1 and to memory. What leaves L2 goes to a victim
# L3, clean lines too: D; to an inclusive L3 only what is written. Where the data lie is chosen so that what caches hold at the ends of a region stays below the tolerance.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

TOLERANCE=1.5
KERNELS="store_avx:1 triad_avx:1/4" # with the share of the streams that is written: all of them, and some

# measure NODE GROUP KERNEL SIZE ITERATIONS: writes out.csv, and sets `bytes` to likwid-bench's data volume.
measure() {
    echo "$@"
    run --separate-stderr "$assay" vnode --node "$1" -- likwid-perfctr -C 0 -g "$2" -m -o out.csv \
        likwid-bench -t "$3" -w "S0:$4:1" -i "$5"
    [ "$status" -eq 0 ] || { echo "$output" "$stderr" && return 1; }
    bytes=$(awk '$1 == "Data" && $2 == "volume" { print $NF }' <<<"$output")
    flops=$(awk '$1 == "Number" && $3 == "Flops:" { print $NF }' <<<"$output")
}

# shows METRIC VALUE: the metric of the region is that, within the tolerance; 0 must be less than the tolerance of what the code names.
shows() {
    local found
    found=$(awk -F, -v metric="$1" '$1 == metric { print $2; exit }' out.csv)
    awk -v metric="$1" -v found="$found" -v wanted="$2" -v whole="$bytes" -v tolerance="$TOLERANCE" 'BEGIN {
        wanted += 0
        off = found - wanted
        bound = (wanted ? wanted : whole * 1e-9) * tolerance / 100
        printf "%s: %s, expected %s +- %s\n", metric, found, wanted, bound
        exit !(found != "" && found != "-" && off <= bound && -off <= bound) }'
}

# gigabytes FACTOR: FACTOR times D.
gigabytes() {
    awk -v bytes="$bytes" "BEGIN { print bytes * 1e-9 * ($1) }"
}

# Calls `check KERNEL WRITTEN` for all kernels.
each_kernel() {
    local one
    for one in $KERNELS; do
        check "${one%%:*}" "${one#*:}"
    done
}

# flops NODE GROUP KERNEL METRIC: the metric equals likwid-bench's own count divided by the region's time.
flops() {
    measure "$1" "$2" "$3" 20kB 10000 # in a shorter run LIKWID prints too few digits of the time
    shows "$4" "$(awk -F, -v flops="$flops" '$1 == "Runtime (RDTSC) [s]" { print flops / $2 * 1e-6; exit }' out.csv)"
}

@test "skylakeX, L2: lines into L1D, modified lines out of it" {
    check() {
        measure skylakeX-1x2 L2 "$1" 200kB 100
        shows 'L2D load data volume [GBytes]' "$(gigabytes 1)"
        shows 'L2D evict data volume [GBytes]' "$(gigabytes "$2")"
        shows 'L2 data volume [GBytes]' "$(gigabytes "1 + $2")"
    }
    each_kernel
}

# bats test_tags=long
@test "skylakeX, L3: lines into L2, and all of them evicted from it" {
    check() {
        measure "$root/tests/nodes/skylake_small.lua" L3 "$1" 600kB 60
        shows 'L3 load data volume [GBytes]' "$(gigabytes 1)"
        shows 'L3 evict data volume [GBytes]' "$(gigabytes 1)"
        shows 'L3|MEM evict data volume [GBytes]' "$(gigabytes 1)"
        shows 'Dropped CLs data volume [GBytes]' 0
        shows 'L3 data volume [GBytes]' "$(gigabytes 2)"
    }
    each_kernel
}

# bats test_tags=long
@test "skylakeX, MEM: lines read and written at the channels" {
    check() {
        measure "$root/tests/nodes/skylake_small.lua" MEM "$1" 4MB 32
        shows 'Memory read data volume [GBytes]' "$(gigabytes 1)"
        shows 'Memory write data volume [GBytes]' "$(gigabytes "$2")"
        shows 'Memory data volume [GBytes]' "$(gigabytes "1 + $2")"
    }
    each_kernel
}

# bats test_tags=long
@test "skylakeX, FLOPS_DP, FLOPS_SP and FLOPS_AVX: those of the code, in the time of the region" {
    flops skylakeX-1x2 FLOPS_DP triad_avx 'DP [MFLOP/s]'
    flops skylakeX-1x2 FLOPS_DP daxpy_avx_fma 'DP [MFLOP/s]'
    flops skylakeX-1x2 FLOPS_DP triad_sse 'DP [MFLOP/s]'
    flops skylakeX-1x2 FLOPS_SP triad_sp_avx 'SP [MFLOP/s]'
    flops skylakeX-1x2 FLOPS_AVX triad_avx 'Packed DP [MFLOP/s]'
    flops skylakeX-1x2 FLOPS_AVX triad_sp_avx 'Packed SP [MFLOP/s]'
}

# bats test_tags=long
@test "zen3, L2: requests to L2, which are the lines that L1D lacks" {
    check() {
        measure zen3-1x4 L2 "$1" 200kB 100
        shows 'L2 data volume [GBytes]' "$(gigabytes 1)"
        shows 'Prefetch data volume [GBytes]' 0
    }
    each_kernel
}

# bats test_tags=long
@test "zen3, L3: lines that L2 lacks" {
    check() {
        measure zen3-1x4 L3 "$1" 1500kB 40
        shows 'L3 data volume [GBytes]' "$(gigabytes 1)"
    }
    each_kernel
}

# bats test_tags=long
@test "zen3, MEM1 and MEM2: half of the reads and writes each" {
    check() {
        for group in MEM1:0-3 MEM2:4-7; do
            measure "$root/tests/nodes/zen3_mid.lua" "${group%%:*}" "$1" 4MB 40
            shows "Memory data volume (channels ${group#*:}) [GBytes]" "$(gigabytes "(1 + $2) / 2")"
        done
    }
    each_kernel
}

# bats test_tags=long
@test "zen3, FLOPS_DP and FLOPS_SP: those of the code, in the time of the region" {
    flops zen3-1x4 FLOPS_DP triad_avx 'DP [MFLOP/s]'
    flops zen3-1x4 FLOPS_DP daxpy_avx_fma 'DP [MFLOP/s]'
    flops zen3-1x4 FLOPS_DP triad 'DP [MFLOP/s]'
    flops zen3-1x4 FLOPS_SP triad_sp_sse 'SP [MFLOP/s]'
}

# Counters of the formula are not programmed: LIKWID 5.2 divides by 0, later ones print 0.
# bats test_tags=long
@test "zen3 and zen4, L3CACHE: no CPI" {
    local node nodes=zen3-1x4
    if likwid_is 5.5.2; then nodes+=" zen4-1x2"; fi
    for node in $nodes; do
        measure $node L3CACHE triad_avx 20kB 10
        grep -E "^CPI,(0|inf)," out.csv
    done
}

# volumes NODE GROUP SIZE ITERATIONS METRIC=FACTOR...: volumes of triad_avx in D.
volumes() {
    local shown
    measure "$1" "$2" triad_avx "$3" "$4"
    for shown in "${@:5}"; do shows "${shown%=*} [GBytes]" "$(gigabytes "${shown#*=}")"; done
}

# caches ARCH SIZE METRIC=FACTOR...: LIKWID's groups L2, and L3 with data of that size.
caches() {
    volumes "$1-1x2" L2 160kB 100 "${OF_L2[@]}"
    volumes "$1-1x2" L3 "$2" 40 "${@:3}"
}

# small_node ARCH [CORES]: writes ARCH.lua, a node with caches so small that 192 MB make their modified lines negligible.
small_node() {
    echo "return { arch = '$1', sockets = 1, cores_per_socket = ${2:-2}, l2 = { size = 128 << 10, ways = 8 }, l3 = { size = 128 << 10, ways = 4 } }" >"$1.lua"
}

# memory ARCH METRIC=FACTOR...: LIKWID's group MEM.
memory() {
    small_node "$1"
    volumes "$PWD/$1.lua" MEM 4MB 48 "${@:2}"
}

# floats ARCH GROUP:KERNEL:METRIC...: MFLOP/s in LIKWID's FLOPS groups.
floats() {
    local one group kernel metric
    for one in "${@:2}"; do
        IFS=: read -r group kernel metric <<<"$one"
        flops "$1-1x2" "$group" "$kernel" "$metric [MFLOP/s]"
    done
}

needs_likwid() { # VERSION
    likwid_is "$1" || skip "LIKWID $version is older than $1"
}

READ_WRITE=('Memory read data volume=1' 'Memory write data volume=1/4' 'Memory data volume=5/4')
LOAD_EVICT=('Memory load data volume=1' 'Memory evict data volume=1/4' 'Memory data volume=5/4')
OF_L2=('L2D load data volume=1' 'L2D evict data volume=1/4' 'L2 data volume=5/4')
INCLUSIVE=('L3 load data volume=1' 'L3 evict data volume=1/4' 'L3 data volume=5/4')
VICTIMS=('L3 load data volume=1' 'L3 evict data volume=1' 'Dropped CLs data volume=0' 'L3 data volume=2')
OF_AVX=('FLOPS_AVX:triad_avx:Packed DP' 'FLOPS_AVX:triad_sp_avx:Packed SP')
OF_FLOPS=(FLOPS_DP:triad_avx:DP FLOPS_DP:daxpy_avx_fma:DP FLOPS_DP:triad_sse:DP FLOPS_SP:triad_sp_avx:SP)

# bats test_tags=long
@test "haswellEP, L2, L3, MEM, HA and FLOPS" {
    caches haswellEP 1MB "${INCLUSIVE[@]}"
    memory haswellEP "${READ_WRITE[@]}"
    volumes "$PWD/haswellEP.lua" HA 4MB 48 "${READ_WRITE[@]}"
    floats haswellEP "${OF_AVX[@]}"
}

# What is written to memory has the misses' event, and the other way round: D instead of D / 4, and a quarter of the misses.
# bats test_tags=long
@test "haswellEP, CBOX: the events of its metrics are exchanged" {
    small_node haswellEP
    measure "$PWD/haswellEP.lua" CBOX triad_avx 4MB 48
    shows 'LLC data written to MEM [MBytes]' "$(gigabytes 1000)"
    shows 'LLC misses per instruction' "$(awk -F, -v bytes="$bytes" '$1 == "INSTR_RETIRED_ANY" { print bytes / 64 / 4 / $3; exit }' out.csv)"
}

# Its sums have 14 of 18 boxes, and its reads leave out the lines that stores allocate.
# bats test_tags=long
@test "haswellEP, CACHES: all but the boxes of L3 on a processor with 18 cores" {
    small_node haswellEP 18
    volumes "$PWD/haswellEP.lua" CACHES 4MB 48 'L2 to L1 load data volume=1' 'L1 to L2 evict data volume=1/4' \
        'L3 to L2 load data volume=1' 'L2 to L3 evict data volume=1/4' 'Memory read data volume=1' \
        'System to L3 data volume=3/4 * 14/18' 'L3 to/from system data volume=14/18'
}

# bats test_tags=long
@test "haswell, L2, L3, MEM and FLOPS" {
    caches haswell 1MB "${INCLUSIVE[@]}"
    memory haswell "${LOAD_EVICT[@]}"
    floats haswell "${OF_AVX[@]}"
}

# bats test_tags=long
@test "broadwell, L2, L3 and FLOPS" {
    caches broadwell 1MB "${INCLUSIVE[@]}"
    floats broadwell "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "broadwellEP, L2, L3, MEM and FLOPS" {
    caches broadwellEP 1MB "${INCLUSIVE[@]}"
    memory broadwellEP "${READ_WRITE[@]}"
    floats broadwellEP "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "skylake, L2, L3, MEM and FLOPS" {
    caches skylake 1MB "${INCLUSIVE[@]}"
    memory skylake "${LOAD_EVICT[@]}"
    floats skylake "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "CLX, L2, L3, MEM and FLOPS" {
    caches CLX 2300kB "${VICTIMS[@]}"
    memory CLX "${READ_WRITE[@]}"
    floats CLX "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "ICX, L2, L3, MEM and FLOPS" {
    caches ICX 2700kB "${VICTIMS[@]}"
    memory ICX "${READ_WRITE[@]}"
    floats ICX "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "zen2, L2, L3, MEM and FLOPS" {
    volumes zen2-1x2 L2 160kB 100 'L2D load data volume=1' 'L2 data volume=1'
    volumes zen2-1x2 L3 2MB 40 'L3 access data volume=1'
    memory zen2 'Memory data volume=5/4'
    floats zen2 "${OF_FLOPS[@]}"
}

# No lines written back to L2: SPR's group counts them with an event that Intel's list lacks, EMR's group has no such metric.
# bats test_tags=long
@test "SPR, L2, L3, MEM and FLOPS" {
    needs_likwid 5.3.0
    volumes SPR-1x2 L2 160kB 100 'L2 load data volume=1'
    volumes SPR-1x2 L3 4300kB 40 "${VICTIMS[@]}"
    memory SPR "${READ_WRITE[@]}"
    volumes "$PWD/SPR.lua" MEM_DP 4MB 48 "${READ_WRITE[@]}" # programs a 13th box, which the processor lacks, and does not sum it
    floats SPR "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "EMR, L2, L3, MEM and FLOPS" {
    needs_likwid 5.5.0
    volumes EMR-1x2 L2 160kB 100 'L2D load data volume=1'
    volumes EMR-1x2 L3 4300kB 40 "${VICTIMS[@]}"
    memory EMR "${READ_WRITE[@]}"
    floats EMR "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# No lines written back, to L2 or to L3: Intel's list lacks these events. MEM_DP programs the 13th of twelve boxes and does not sum it.
# bats test_tags=long
@test "GNR, L2, L3 and MEM" {
    needs_likwid 5.4.0
    volumes GNR-1x2 L2 160kB 100 'L2D load data volume=1'
    volumes GNR-1x2 L3 4300kB 40 'L3 load data volume=1' 'L3 evict data volume=1' 'Dropped CLs data volume=0'
    memory GNR "${READ_WRITE[@]}"
    volumes "$PWD/GNR.lua" MEM_DP 4MB 48 "${READ_WRITE[@]}"
}

# Its events are Sapphire Rapids'; LIKWID computes with 0.
# bats test_tags=long
@test "GNR, MEM_HP: no line is counted" {
    needs_likwid 5.4.0
    grep "CAS_COUNT_RD$" "$(groups_of_likwid)/GNR/MEM_HP.txt" || skip "this LIKWID names events of GNR"
    small_node GNR
    volumes "$PWD/GNR.lua" MEM_HP 4MB 4 'Memory read data volume=0' 'Memory write data volume=0' 'Memory data volume=0'
}

# The total of LIKWID's group sums one of two sub-channels of 8 of the 12 channels; reads and writes have all.
# bats test_tags=long
@test "GNR, MEM_SP: reads and writes are right, their total is a third" {
    needs_likwid 5.4.0
    refute grep "^Memory data volume.*MBOX8" "$(groups_of_likwid)/GNR/MEM_SP.txt" || skip "this LIKWID sums all channels"
    small_node GNR
    volumes "$PWD/GNR.lua" MEM_SP 4MB 48 'Memory read data volume=1' 'Memory write data volume=1/4' 'Memory data volume=5/4 * 8/24'
}

# bats test_tags=long
@test "GNR, FLOPS" {
    needs_likwid 5.4.0
    floats GNR "${OF_FLOPS[@]}" "${OF_AVX[@]}"
}

# bats test_tags=long
@test "zen4, L2, L3, MEM and FLOPS" {
    needs_likwid 5.5.2
    volumes zen4-1x2 L2 160kB 100 'L2 data volume=1' 'Prefetch data volume=0'
    volumes zen4-1x2 L3 4MB 30 'L3 data volume=1'
    memory zen4 "${READ_WRITE[@]}"
    floats zen4 "${OF_FLOPS[@]}"
}
