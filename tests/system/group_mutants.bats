#!/usr/bin/env bats
# Wrong group files that the campaign's codes detect (events, filters and boxes that few codes exercise), and those that they cannot.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# mutate GROUP OLD NEW: copied data with OLD replaced throughout that group of haswellEP.
mutate() {
    copy_data
    local file=data/groups/haswellEP/$1.txt
    grep -qF "$2" "$file"
    sed -i "s/$2/$3/g" "$file"
}

# classes METRIC ARGUMENT...: the classes of a metric in a campaign on a node with a small last cache, one a line
classes() {
    local metric=$1
    shift
    "$assay" validate "$@" --node "virtual:${NODE:-$root/tests/nodes/small_cache.lua}" --quick --out r.json >log 2>&1 || { cat log >&2; return 1; }
    jq -r --arg metric "$metric" '.metrics[] | select(.metric == $metric) | .class' r.json | sort -u
}

# bats test_tags=long
@test "memory reads of a core without reads for ownership: detected by a code that stores" {
    mutate ASSAY_CORE_MEM 0x01B3 0x01B1
    found=$(classes "Memory read volume of the core" bandwidth_saturation --only copy --level MEM)
    echo "$found"
    [ "$found" = unknown ] # of one size
}

@test "memory reads of a core with L3 hits instead of misses: detected with data in L3" {
    mutate ASSAY_CORE_MEM 0x63FC0 0x7803C
    found=$(NODE=haswellEP-1x2 classes "Memory read volume of the core" bandwidth_saturation --only load --level L3)
    echo "$found"
    [ "$found" != exact ]
}

# bats test_tags=long
@test "memory reads of a core without the snoop result of lines in no cache: detected with data in memory" {
    mutate ASSAY_CORE_MEM 0x63FC0 0x43FC0
    found=$(classes "Memory read volume of the core" bandwidth_saturation --only load --level MEM)
    echo "$found"
    [ "$found" = missing ]
}

# bats test_tags=long
@test "memory reads of a core without the snoop result of shared lines: not detected on one socket, as the group says" {
    mutate ASSAY_CORE_MEM 0x63FC0 0x23FC0
    found=$(classes "Memory read volume of the core" bandwidth_saturation --only load --level MEM)
    echo "$found"
    [ "$found" = exact ]
    grep -q "one socket no line .* 34 are not tested there" <(tr '\n' ' ' <"$build/groups/haswellEP/ASSAY_CORE_MEM.txt")
}

# bats test_tags=long
@test "reads that bypass the home agent's queue left out: the node has no such reads, as the group says" {
    mutate ASSAY_HA '+BBOX0C1+BBOX1C0+BBOX1C1' '+BBOX1C0'
    found=$(classes "HA read volume" bandwidth_saturation --only load --level MEM)
    echo "$found"
    [ "$found" = exact ]
    grep -q "virtual node.* BYPASS_IMC_TAKEN is 0" <(tr '\n' ' ' <"$build/groups/haswellEP/ASSAY_HA.txt")
}

# bats test_tags=long
@test "only full lines for all writes of the home agents: detected by writes of parts of lines" {
    mutate ASSAY_HA IMC_WRITES_ALL IMC_WRITES_FULL
    [ "$(classes "HA write volume" excess_volume --only whole)" = exact ]
    [ "$(classes "HA write volume" excess_volume --only partial)" = missing ]
}

# bats test_tags=long
@test "one channel twice and another never: not detected by codes with even traffic, but by lines of single channels" {
    mutate ASSAY_MEM MBOX3C1+ MBOX2C1+
    [ "$(classes "iMC write volume" bandwidth_saturation --only copy_nt --level L1)" = exact ]
    [ "$(classes "iMC write volume" excess_volume --only partial)" != exact ]
}

# bats test_tags=long
@test "one home agent twice and the other never: detected by lines of single channels" {
    mutate ASSAY_HA BBOX0C2+BBOX1C2 BBOX0C2+BBOX0C2
    [ "$(classes "HA write volume" excess_volume --only partial)" != exact ]
}
