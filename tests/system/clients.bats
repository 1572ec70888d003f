#!/usr/bin/env bats
# Client processors: slices, arbiter and memory controller of an uncore that LIKWID cannot program as it does a server's.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# counted NODE EVENTS ARGUMENT...: "EVENT COUNTER COUNT" of likwid-bench ARGUMENT... on core 0.
counted() {
    "$assay" vnode --node "$1" -- likwid-perfctr -C 0 -g "$2" -m likwid-bench "${@:3}" 2>/dev/null |
        awk -F'|' 'NF == 5 && $4 + 0 == $4 && $3 ~ /[0-9]/ { print $2, $3, $4 }'
}

# sum EVENT LEAST MOST: the event's counts in the file counts add up to that.
sum() {
    awk -v event="$1" -v least="$2" -v most="$3" '$1 == event { sum += $3 } END { print event, sum; exit !(sum >= least && sum <= most) }' counts
}

# bats test_tags=architectures
@test "a copy of two arrays of 8 MB moves its lines through slices, arbiter and controller" {
    local node
    for node in $(nodes_here haswell-1x2 broadwell-1x2 skylake-1x2); do
        counted "$node" DRAM_READS:MBOX0C1,DRAM_WRITES:MBOX0C2,TRK_REQUESTS_ALL:UBOX0,TRK_REQUESTS_WRITES:UBOX1,$(
            )CACHE_LOOKUP_READ_MESI:CBOX0C0,CACHE_LOOKUP_READ_MESI:CBOX1C0,CACHE_LOOKUP_READ_I:CBOX0C1,CACHE_LOOKUP_READ_I:CBOX1C1 \
            -t copy -i 4 -W N:16MB:1 >counts
        cat counts
        # four times 125000 lines to load, to allocate and to write; what is in L3 at the start (4 MiB) may be written, too
        sum DRAM_READS 1000000 1015000
        sum CACHE_LOOKUP_READ_MESI 1000000 1015000
        sum CACHE_LOOKUP_READ_I 1000000 1015000
        sum DRAM_WRITES 492500 573000
        sum TRK_REQUESTS_WRITES 492500 573000
        sum TRK_REQUESTS_ALL 1492500 1588000
    done
}

@test "LIKWID's group CACHES of Haswell shows requests to L3 as traffic between L3 and the system" {
    counted haswell-1x2 CACHE_LOOKUP_READ_MESI:CBOX0C0,CACHE_LOOKUP_READ_MESI:CBOX1C0,CACHE_LOOKUP_READ_I:CBOX0C1,$(
        )CACHE_LOOKUP_READ_I:CBOX1C1,DRAM_READS:MBOX0C1 -t load -i 32 -W N:2MB:1 >counts
    cat counts
    # 31250 lines of L3, 32 times: the group adds up the first event
    sum CACHE_LOOKUP_READ_MESI 985000 1015000
    sum CACHE_LOOKUP_READ_I 0 15000
    sum DRAM_READS 0 15000
}

@test "a client has one socket, and says so where two are needed" {
    fails_with 2 "haswell-2x1: no such shape; haswell-SxC: S sockets (1) of C cores" "$assay" vnode --node haswell-2x1 -- true
    "$assay" validate page_placement --plan --node virtual:haswell-1x2 | tee plan
    grep -q "remote share of memory reads: there is one socket" plan
}
