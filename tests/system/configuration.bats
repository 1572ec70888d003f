#!/usr/bin/env bats
# Caches and TLBs of virtual nodes, found from counts alone; odd geometries: tests/full/configuration.bats.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# A small last level, so that walks through it are short.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    echo 'return { arch = "haswellEP", l3 = { size = 512 << 10, ways = 16 } }' >small.lua
}

# bats test_tags=long
@test "caches and TLBs are found from counts, and agree with hwloc" {
    run -0 --separate-stderr "$assay" configuration --node "virtual:$PWD/small.lua" --out "$BATS_TEST_TMPDIR/c.json"
    grep -q "^Virtual node .*no evidence about silicon" <<<"$output"
    grep -q "^L1  *32 KiB, 8-way, lines of 64 B, 1 core  .*hwloc  *the same$" <<<"$output"
    grep -q "^L3  *1 MiB, 16-way, lines of 64 B, 2 cores  .*hwloc  *the same$" <<<"$output"
    grep -q "^STLB  *1024 entries, 8-way, pages of 4 KiB  .*machine file  *the same$" <<<"$output"
    [ "$(grep -c "the same$" <<<"$output")" -eq 8 ]
    grep -q "^pages  *next page 2868 B after the array's start  .*address  *the same$" <<<"$output" # 4096 - 0.3 * 4096
    shows_again "$BATS_TEST_TMPDIR/c.json" <(echo "$output")
}

# bats test_tags=long
@test "a wrong counter is reported, not a different cache" {
    printf 'MEM_LOAD_UOPS_RETIRED_L1_MISS scale 1.3\nL1D_REPLACEMENT scale 1.3\nL2_RQSTS_ALL_DEMAND_DATA_RD scale 1.3\n' >"$BATS_TEST_TMPDIR/faults"
    run -1 --separate-stderr "$assay" configuration --node "virtual:$PWD/small.lua" --fault "$BATS_TEST_TMPDIR/faults"
    grep -q "^L1  *a visit counts as 1.3 misses: assay events says what is wrong  .*not found$" <<<"$output"
    grep -q "^L2  *256 KiB, 8-way" <<<"$output"
}

@test "pairs of addresses that overlap the next pair are refused" {
    run -1 "$build/patterns/probes" -c 0 here pairs 8192 4096 4096 1
    [ "$output" = "probes: here: pairs reach the next one; give START and APART below STRIDE together" ]
}

@test "impossible requests are refused in one line" {
    fails_with 2 "usage" "$assay" configuration L1 --node virtual
    fails_with 2 "no-such" "$assay" configuration --node virtual:no-such
}
