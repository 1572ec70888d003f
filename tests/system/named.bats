#!/usr/bin/env bats
# Number of events in LIKWID's own list that virtual nodes count.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# names ARCH SHAPE: the output of named.lua for the node's list.
names() {
    "$assay" vnode --node "$1-$2" -- likwid-perfctr -e 2>/dev/null | (cd "$root" && lua5.4 tests/system/named.lua "$1")
}

# bats test_tags=elsewhere
@test "five hundred events of Haswell-EP and Broadwell-EP count, under LIKWID's codes unless the vendor check names them" {
    for arch in haswellEP broadwellEP; do
        run -0 names "$arch" 2x2
        "$assay" list events "$arch" | awk '/ differs: /{ print $1 }' | sort >differ
        [ -z "$(comm -23 <(awk '/ is 0x/{ print $1 }' <<<"$output" | sort) differ)" ]
        [[ "${lines[-1]}" =~ ^([0-9]+)\ named,\ ([0-9]+)\ of\ them\ never\ happen$ ]]
        [ $((BASH_REMATCH[1] - BASH_REMATCH[2])) -ge 500 ]
    done
}

# inherited ARCH LIST: the output of likwid.lua, run in the project's folder.
inherited() {
    (cd "$root" && lua5.4 inherit/likwid.lua "$build/groups" "$1") <"$2"
}

# bats test_tags=architectures
@test "an event that an architecture inherits is in its own LIKWID table, under the same code or the vendor's" {
    local arch
    for arch in $(nodes_here $(cd "$root" && grep -l '^family ' groups/*/family | cut -d/ -f2)); do
        local node=$build/groups/$arch/listed.lua
        [ -e "$node" ] || node=$arch-2x1
        "$assay" vnode --node "$node" -- true 2>/dev/null || node=$arch-1x2 # clients have one socket
        "$assay" vnode --node "$node" -- likwid-perfctr -e 2>/dev/null >"$arch.list" || continue # LIKWID does not know it
        run -0 inherited "$arch" "$arch.list"
        [ "$output" = "" ] || [ "$output" = "groups/$arch: this LIKWID does not know the processor; nothing was compared" ]
    done
    arch=CLX
    [ -e $arch.list ] || "$assay" vnode --node $arch-2x1 -- likwid-perfctr -e 2>/dev/null >$arch.list
    sed '/^CAS_COUNT_RD,/d; s/^\(L1D_M_EVICT, 0x51, \)0x4/\10x2/' $arch.list >wrong
    run -1 inherited "$arch" wrong
    [ "${#lines[@]}" -eq 2 ]
    [ "${lines[0]}" = "groups/$arch: L1D_M_EVICT of PMC: LIKWID's table has it as 0x51 0x02; change the event, or leave it out" ]
    [ "${lines[1]}" = "groups/$arch: CAS_COUNT_RD of MBOX: LIKWID's table has no such event; change the event, or leave it out" ]
    run -2 inherited "$arch" /dev/null
    [[ "$output" == *"standard input has no events; "* ]]
}

# bats test_tags=long
@test "events of memory ranks and rows, and of transactions, count with LIKWID" {
    run --separate-stderr "$assay" vnode --node haswellEP-1x2 -- likwid-perfctr -f -C 0 -g \
        RD_CAS_RANK0_ALLBANKS:MBOX0C0,RD_CAS_RANK1_ALLBANKS:MBOX0C1,CAS_COUNT_RD:MBOX0C2,ACT_COUNT_RD:MBOX0C3,RTM_RETIRED_START:PMC0 \
        likwid-bench -t load -w S0:12MB:1
    [ "$status" -eq 0 ]
    refute grep -q "not counted" <<<"$stderr"
    # two of four ranks have half of the lines, within a row of each bank
    lua5.4 -e 'local counts = {}
        for line in io.lines() do
            local name, value = line:match "^|%s+([%u%d_]+)%s+|%s+%S+%s+|%s+(%d+) |$"
            counts[name or ""] = tonumber(value)
        end
        local half = (counts.RD_CAS_RANK0_ALLBANKS + counts.RD_CAS_RANK1_ALLBANKS) / counts.CAS_COUNT_RD
        assert(half > 0.45 and half < 0.55, half)
        assert(counts.ACT_COUNT_RD > 0 and counts.ACT_COUNT_RD < counts.CAS_COUNT_RD / 4)
        assert(counts.RTM_RETIRED_START == 0)' <<<"$output"
}
