#!/usr/bin/env bats
# Ice Lake and related architectures at native stage (no virtual node): LIKWID's tables against Intel's codes, plans for such a machine, LIKWID's versions.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# plan_there PATTERN...: the plan for a machine with two sockets of 38 cores.
plan_there() {
    [ -e there.xml ] || lstopo-no-graphics -i "pack:2 numa:1 l3:1 l2:38 l1:1 core:1 pu:1" there.xml 2>/dev/null
    HWLOC_XMLFILE=$PWD/there.xml "$assay" validate --plan --quick --node native:ICX "$@"
}

# bats test_tags=architectures
@test "LIKWID's tables have the events of groups at native stage, with Intel's codes" {
    for arch in $(nodes_here ICL RKL TGL); do
        "$assay" list events "$arch" >list
        [ -z "$(awk '/ not in LIKWID$/{ print $1 }' list)" ]
        awk '/ differs: /{ print $1 }' list | sort >differ
        [ -s differ ]
        cut -d' ' -f5 "$build/groups/$arch/pmu.used" | sort | comm -12 - differ >used # registers that drop bits: below
        refute grep -v "^OFFCORE_RESPONSE_._OPTIONS$" used
    done
    "$assay" list events ICX | grep "^CAS_COUNT_RD  *MBOX  *0x04:0x0f  *0x04:0x0f .* same$"
}

# bats test_tags=architectures
@test "no group sets a bit of the offcore responses that LIKWID drops" {
    for arch in $(nodes_here ICX ICL RKL); do
        "$assay" list events "$arch" >list
        dropped=$(sed -n 's/^OFFCORE_RESPONSE_0.*never sets bits \(0x[0-9a-f]*\) of its register$/\1/p' list)
        [ $((dropped)) -ne 0 ]
        grep -ho "^PMC[0-9]:MATCH[^ ]*" "$build/groups/$arch"/*.txt | sort -u >options
        [ -s options ]
        while IFS=:= read -r _ _ requests _ answers; do
            [ $(((requests | answers << 16) & dropped)) -eq 0 ]
        done <options
    done
}

@test "a plan for a machine counts in every channel and slice, and says what cannot be counted" {
    plan_there line_sharing bandwidth_saturation --level MEM >plan
    grep -q "^2 sockets of 38 cores" plan
    grep -q "CAS_COUNT_WR:MBOX7C1" plan
    grep -q "LLC_LOOKUP_DATA_READ:CBOX37C1" plan
    refute grep -q CBOX38 plan
    grep "line_sharing: reads modified here: bit 21 .* LIKWID never sets it" plan
}

@test "a processor that the installed LIKWID may not know is planned, or skipped with the version that knows it" {
    lstopo-no-graphics -i "pack:2 numa:1 l3:1 l2:4 l1:1 core:1 pu:1" there.xml 2>/dev/null
    for known in SPR:5.3 zen4:5.3 GNR:5.4 EMR:5.5 zen5:5.5; do
        arch=${known%:*} since=${known#*:}
        HWLOC_XMLFILE=$PWD/there.xml "$assay" validate --plan --quick --node native:$arch split_loads >plan
        likwid_is $since.0 && grep "^  job split_loads" plan ||
            grep "split loads (ASSAY_SPLIT): LIKWID $version cannot count $arch; $since is the first that can$" plan
    done
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
    likwid_is 0.0.0 # sets `version`
    grep "L3-MEM modified victims (ASSAY_CHA): LIKWID $version cannot count CBOX; 9.1 is the first that can$" plan
    grep "control_flow: branches (ASSAY_BRANCH): LIKWID $version cannot count ASSAY_BRANCH; 1.2.3 is the last that can$" plan
    grep -q "CAS_COUNT_WR:MBOX7C1" plan
    grep -q "^  job split_loads" plan
    refute grep -q CBOX0C0 plan
}

# bats test_tags=long
@test "write-allocate evasion by a node's word: lines that are only written need not be read, and loads are judged as before" {
    for evasion in 4 0; do
        echo "return { arch = 'ICX', sockets = 1, cores_per_socket = 1, evasion = $evasion, l2 = { size = 256 << 10, ways = 8 },
            l3 = { size = 512 << 10, ways = 8 } }" >node.lua
        "$assay" validate bandwidth_saturation --quick --only load,triad --level MEM --node virtual:./node.lua --out $evasion.json
        verdict() { jq -r --arg code "$1" '.metrics[] | select(.code == $code and .metric == "iMC read volume") | .verdict' $evasion.json; }
        [ "$(verdict load)" = validated ]
        [ "$(verdict triad)" = "$([ $evasion = 0 ] && echo validated || echo unresolved)" ]
        [ "$(jq '[.metrics[] | select(.verdict == "rejected")] | length' $evasion.json)" -eq 0 ]
    done
    # Three of the triad's four streams are read, and nearly nothing of the fourth.
    jq -e '.metrics[] | select(.code == "triad" and .metric == "iMC read volume") | .error_pct.median | . > -25 and . < -24' 4.json
}
