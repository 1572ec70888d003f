#!/usr/bin/env bats
# Laws between counters on a program, on the virtual node. SPDX-License-Identifier: GPL-3.0-or-later
load common

# bats test_tags=long
@test "the counts of a program obey the laws exactly" {
    run -0 --separate-stderr "$assay" laws --node virtual:haswellEP-1x2 --jobs 2 --out l.json --all -- /bin/true
    [[ "${lines[0]}" == "Virtual node haswellEP-1x2 (no evidence about silicon)"* ]]
    grep -Eq "^[0-9]+ laws on [0-9]+ runs: [0-9]+ hold, 0 broken$" <<<"$output"
    grep -q "^5 % more would not be noticed of: .*BR_INST_RETIRED_NEAR_CALL" <<<"$output"
    jq -e '.kind == "laws" and .node.kind == "virtual" and (.laws | length >= 40) and .blame == [] and .failures == []
        and ([.laws[] | select(.status == "holds" and .rows > 0)] | length >= 40)' l.json
    [ ! -e l.json.part ]
    shows_again l.json <(echo "$output") --all
}

# bats test_tags=long
@test "a counter that is wrong breaks laws and is named with its factor" {
    echo "L2_RQSTS_ALL_DEMAND_DATA_RD scale 1.05" >faults
    run -0 --separate-stderr "$assay" laws --node virtual:haswellEP-1x2 --jobs 2 --fault faults --out l.json -- /bin/true
    grep -Eq "^L2_RQSTS_ALL_DEMAND_DATA_RD counts 1\.0(49|50|51) \(.*\) times: [0-9]+ laws are broken$" <<<"$output"
    grep -Fq "    L2_TRANS_DEMAND_DATA_RD = L2_RQSTS_ALL_DEMAND_DATA_RD" <<<"$output"
    jq -e '.faults == ["L2_RQSTS_ALL_DEMAND_DATA_RD scale 1.05"] and (.blame | length) == 1 and (.blame[0].causes | length) == 1
        and .blame[0].causes[0][0].event == "L2_RQSTS_ALL_DEMAND_DATA_RD"' l.json
}

# bats test_tags=long
@test "Zen 3: memory operands, mispredictions, requests to L2 by kind and hits by state obey laws, or are blamed" {
    local event
    for event in LS_DISPATCH_STORES RETIRED_MISP_BRANCH_INSTR_DIRECTION_MISMATCH REQUESTS_TO_L2_GRP1_RD_BLOCK_X \
        CORE_TO_L2_CACHE_REQUESTS_LD_READ_BLK_L_HIT_X IC_TAG_MISS; do
        echo "$event scale 1.5" >>faults
    done
    "$assay" laws --node virtual:zen3-1x4 --jobs 2 --fault faults -- /bin/true >found
    while read -r event _; do
        echo "$event"
        grep -q "$event counts 1\.[45].* times" found
    done <faults
}

# bats test_tags=elsewhere
@test "events of Zen 3's L3 count" { # (they did not: the box has no filter for states)
    local requests=L3_CACHE_REQ misses=L3_CACHE_REQ_MISS # newer versions of LIKWID have other names
    "$assay" vnode --node zen3-1x4 -- likwid-perfctr -e >events 2>/dev/null
    grep -q "^L3_CACHE_REQ," events || requests=L3_ACCESS_ALL_TYPES misses=L3_ACCESS_MISS
    "$assay" laws --node virtual:zen3-1x4 --plan -- /bin/true >plan
    grep -q "$requests" plan
    run -0 --separate-stderr "$assay" vnode --node zen3-1x4 -- likwid-perfctr -C 0 -g $requests:CPMC0,$misses:CPMC1 -o x.csv /bin/true
    requests=$(awk -F, '$2 == "CPMC0" { print $3; exit }' x.csv) misses=$(awk -F, '$2 == "CPMC1" { print $3; exit }' x.csv)
    echo "$requests requests, $misses misses"
    [ "$requests" -ge "$misses" ]
    [ "$misses" -gt 0 ]
}

@test "a wrong file of laws ends with one line" {
    printf 'each core\nfrom me\nsum: A + B\n  why so\n' >bad.laws
    fails_with 2 "bad.laws:3: law 'sum' has no =, <= or >=" "$assay" laws --laws bad.laws --node virtual -- true
    printf 'each core\nfrom me\nsum: A = B\n' >bad.laws
    fails_with 2 "bad.laws:3: law 'sum' has no reason: a line 'why ..' says why it must hold" "$assay" laws --laws bad.laws --node virtual -- true
    fails_with 2 "none.laws" "$assay" laws --laws none.laws --node virtual -- true
    fails_with 2 "no program" "$assay" laws --node virtual
}

@test "a user's laws are counted together with Assay's, and all are listed" {
    printf 'each core\nfrom me\nmine: INSTR_RETIRED_ANY <= CPU_CLK_UNHALTED_CORE\n  why the node makes one a cycle\n' >own.laws
    run -0 --separate-stderr "$assay" laws --plan --laws own.laws --node virtual:haswellEP-1x2 -- true
    [[ "${lines[-1]}" == *" events in "*" runs"* ]]
    run -0 "$assay" list laws
    grep -Eq "^haswellEP +[0-9]+ laws between counters, [0-9]+ of them on silicon, too$" <<<"$output"
}
