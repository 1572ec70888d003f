#!/usr/bin/env bats
# Ice Lake-SP at native stage: LIKWID's table for it against Intel's codes, plans for such a machine, and LIKWIDs that are too old or too new.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# plan_there PATTERN...: the plan for a machine with two sockets of 38 cores.
plan_there() {
    [ -e there.xml ] || lstopo-no-graphics -i "pack:2 l3:1 l2:38 l1:1 core:1 pu:1" there.xml 2>/dev/null
    HWLOC_XMLFILE=$PWD/there.xml "$assay" validate --plan --quick --node native:ICX "$@"
}

# The events in the group files.
events_used() { cut -d' ' -f5 "$build/groups/ICX/pmu.used" | sort; }

@test "LIKWID's table for Ice Lake has the events of the groups, with Intel's codes" {
    "$assay" list events ICX >list
    [ -z "$(awk '/ not in LIKWID$/{ print $1 }' list)" ]
    grep "^CAS_COUNT_RD  *MBOX  *-  *0x04:0x0f .* not compared$" list # boxes in memory, which no virtual node has
    [ "$(awk '/ differs: /{ print $1 }' list | sort | comm -12 - <(events_used))" = "$(echo OFFCORE_RESPONSE_{0,1}_OPTIONS | tr ' ' '\n')" ]
}

@test "no group of Ice Lake sets a bit of the offcore responses that LIKWID drops" {
    "$assay" list events ICX >list
    dropped=$(sed -n 's/^OFFCORE_RESPONSE_0.*never sets bits \(0x[0-9a-f]*\) of its register$/\1/p' list)
    [ $((dropped)) -ne 0 ]
    grep -ho "^PMC[0-9]:MATCH[^ ]*" "$build"/groups/ICX/*.txt | sort -u >options
    [ "$(wc -l <options)" -gt 3 ]
    while IFS=:= read -r _ _ requests _ answers; do
        [ $(((requests | answers << 16) & dropped)) -eq 0 ]
    done <options
}

@test "a plan for a machine counts in every channel and slice, and says what cannot be counted" {
    plan_there line_sharing bandwidth_saturation --level MEM >plan
    grep -q "^2 sockets of 38 cores" plan
    grep -q "CAS_COUNT_WR:MBOX7C1" plan
    grep -q "LLC_LOOKUP_DATA_READ:CBOX37C1" plan
    refute grep -q CBOX38 plan
    grep "line_sharing: reads modified here: bit 21 .* LIKWID never sets it" plan
}

@test "what LIKWID's version cannot count is skipped with the version that can" {
    copy_data
    cat >versions <<'LUA'
    versions = {
        version { names = { "CBOX" }, since = "9.1" },
        version { names = { "ASSAY_BRANCH" }, upto = "1.2.3" },
        version { names = { "MBOX", "MEM_INST_RETIRED_SPLIT_LOADS" }, since = "1.2", upto = "9.0" },
    },
LUA
    sed -i '/^    probe = /r versions' data/groups/ICX/machine.lua
    plan_there bandwidth_saturation control_flow split_loads --level MEM >plan
    version=$(likwid-perfctr -v | grep -o "[0-9]*\.[0-9]*\.[0-9]*" | head -1)
    grep "L3-MEM modified victims (ASSAY_CHA): LIKWID $version cannot count CBOX; 9.1 is the first that can$" plan
    grep "control_flow: branches (ASSAY_BRANCH): LIKWID $version cannot count ASSAY_BRANCH; 1.2.3 is the last that can$" plan
    grep -q "CAS_COUNT_WR:MBOX7C1" plan
    grep -q "^  job split_loads" plan
    refute grep -q CBOX0C0 plan
}
