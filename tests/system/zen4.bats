#!/usr/bin/env bats
# Zen 4: memory traffic by LIKWID's version, and virtual nodes, which need LIKWID 5.3 or newer.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# plan_with VERSION: the plan for a machine with four core complexes, as if LIKWID had this version.
plan_with() {
    [ -e there.xml ] || lstopo-no-graphics -i "pack:1 l3:4 l2:8 l1:1 core:1 pu:1" there.xml 2>/dev/null
    mkdir -p newer
    printf '#!/bin/sh\n[ "$1" = -v ] && echo "likwid-perfctr -- Version %s" && exit 0\nexec "%s" "$@"\n' \
        "$1" "$(command -v likwid-perfctr)" >newer/likwid-perfctr
    chmod +x newer/likwid-perfctr
    PATH=$PWD/newer:$PATH HWLOC_XMLFILE=$PWD/there.xml "$assay" validate --plan --quick --node native:zen4 \
        bandwidth_saturation --level MEM
}

@test "memory is counted in the data fabric from LIKWID 5.4 on, and at the controllers from 5.5.2 on" {
    plan_with 5.3.0 >old
    refute grep -E "DFC|UMC" <(grep "ASSAY_RUN" old)
    grep "ASSAY_DF_READ): LIKWID 5.3.0 cannot count DFC; 5.4 is the first that can$" old
    plan_with 5.5.1 >fabric
    grep -q "DRAM_WRITES_LOCAL_CHANNEL_11:DFC11" fabric
    grep "ASSAY_MEM): LIKWID 5.5.1 cannot count UMC; 5.5.2 is the first that can$" fabric
    refute grep -q "UMC[0-9]" fabric
    plan_with 5.5.2 >both
    grep -q "DRAM_WRITES_LOCAL_CHANNEL_11:DFC11" both
    grep -q "CAS_CMD_WR:UMC11C1" both
}

# bats test_tags=elsewhere
@test "a virtual node says which LIKWID it needs, or its counts are validated" {
    if likwid_is 5.3.0; then
        campaign splits split_loads --quick --node virtual:zen4-1x2
        [ "$(jq '[.metrics[] | select(.verdict == "validated")] | length' splits.json)" -gt 0 ]
    else
        fails_with 2 "zen4-1x2: LIKWID $version does not know zen4; install LIKWID 5.3.0 or later" "$assay" validate --node virtual:zen4-1x2
    fi
}

# bats test_tags=elsewhere
@test "likwid-perfctr lists four counters for each of the node's twelve memory channels" {
    likwid_is 5.5.2 || skip "LIKWID $version has no UMC counters"
    "$assay" vnode --node zen4-1x2 -- likwid-perfctr -e >listed 2>/dev/null
    [ "$(grep -cE '^UMC([0-9]|1[01])C[0-3], ' listed)" -eq 48 ]
}
