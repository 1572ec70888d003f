#!/usr/bin/env bats
# Stages of architectures: native (not simulated), virtual, silicon (results/ has a record of a machine).
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# Assay's data with zen3 at stage native, without the blocks BLOCK of its machine file.
zen3_without() { # BLOCK...
    local block
    copy_data
    rm data/groups/zen3/pmu.events
    for block; do sed -i "/^    $block = .*{\$/,/^    },\$/d" data/groups/zen3/machine.lua; done
}

plan_here() { # PATTERN...
    lstopo-no-graphics -i "pack:2 numa:1 l3:1 l2:4 l1:1 core:1 pu:1" there.xml 2>/dev/null
    HWLOC_XMLFILE=$PWD/there.xml "$assay" validate --plan --quick --node native:zen3 "$@"
}

@test "an architecture at stage native is listed with it, has no nodes, and is no default" {
    zen3_without processor levels
    "$assay" list archs | tee archs
    grep -q "^zen3  *native  *AMD" archs
    grep -q "^haswellEP  *virtual  *Intel" archs
    refute grep -q zen3 <("$assay" list nodes)
    fails_with 2 "zen3: native stage: $PWD/data/groups/zen3/machine.lua has no processor to simulate; measure it on such a machine" \
        "$assay" vnode --node zen3-1x2 -- true
    for command in "validate --plan" "events X" "list events"; do
        fails_with 2 "zen3: native stage: " "$assay" $command --node virtual:zen3
    done
}

@test "a committed record of a machine raises its architecture to stage silicon" {
    zen3_without processor levels
    mkdir -p data/results/zen3/mine
    echo '{"node": {"kind": "virtual"}}' >data/results/zen3/mine/2026-01-01.json
    "$assay" list archs | grep -q "^zen3  *native  "
    echo '{"node": {"kind": "native"}}' >data/results/zen3/mine/2026-01-02.json
    "$assay" list archs | grep -q "^zen3  *silicon  "
}

@test "without processor and levels, metrics that need them are skipped with the reason, and the rest is planned" {
    zen3_without processor levels
    plan_here bandwidth_saturation split_loads latency_bound arithmetic_intensity >plan
    grep -q "bandwidth_saturation.*groups/zen3/machine.lua states no levels" plan
    grep -q "arithmetic_intensity: memory volume: groups/zen3/machine.lua states no levels" plan
    grep -q "latency_bound.*the TLBs' entries are not known" plan
    grep -q "^  job split_loads" plan
}

@test "with levels but no processor, the traffic between levels is also planned" {
    zen3_without processor
    plan_here bandwidth_saturation >plan
    refute grep "states no levels" plan
    grep -q "bandwidth_saturation.*L2" plan
}

@test "a machine file with a processor needs levels" {
    zen3_without levels
    fails_with 2 "zen3/machine.lua:9: machine.processor is there to be simulated, which needs machine.levels, too" plan_here split_loads
}
