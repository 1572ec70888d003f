#!/usr/bin/env bats
# Blame: faults injected into a quick campaign; the first line of the output names each with its constant.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# blamed FAULTS ARGUMENT...: a quick campaign with these faults, its record in r.json. The node's last cache is small, so that data in
# memory are swept quickly.
blamed() {
    printf '%s\n' "$1" >f
    shift
    run -0 "$assay" validate "$@" --quick --node "virtual:$root/tests/nodes/small_cache.lua" --fault f --out r.json
    echo "$output"
    [ "$(jq '.blame | length' r.json)" -eq 1 ]
    [ "$(jq '.blame[0].causes | length' r.json)" -eq 1 ]
    # it is the first line of the table, and no other line names a cause
    first=$("$assay" show r.json | sed -n 4p)
    [ "$first" = "$(jq -r '.blame[0].text' r.json | cut -c -${#first})" ]
}

# part EXPRESSION: evaluated for the only part that is blamed.
part() {
    jq -r ".blame[0].causes[0][0]$1" r.json
}

# near KEY VALUE: the constant is VALUE within 1 %, and its interval contains VALUE.
near() {
    jq -e --argjson v "$2" ".blame[0].causes[0][0] | (.$1 / \$v - 1 | fabs) < 0.01 and .${1}_ci[0] <= \$v and \$v <= .${1}_ci[1]" r.json
}

# bats test_tags=long
@test "add: the event and its offset, for all metrics that follow" {
    blamed "L2_TRANS_L1D_WB add 100000" bandwidth_saturation --level L2 --only copy,store
    [ "$(part .kind) $(part .event)" = "event L2_TRANS_L1D_WB" ]
    near offset 100000
    [ "$(jq '.blame[0].metrics' r.json)" -eq "$(jq '[.metrics[] | select(.class != "exact" and .verdict != "skipped")] | length' r.json)" ]
}

@test "swap: two events that count each other" {
    blamed "L1D_REPLACEMENT swap L2_TRANS_L1D_WB
L2_TRANS_L1D_WB swap L1D_REPLACEMENT" bandwidth_saturation --level L2 --only load,copy
    [ "$(part .kind) $(part .event) $(part .other)" = "swap L1D_REPLACEMENT L2_TRANS_L1D_WB" ]
}

# bats test_tags=long
@test "one box of many: distinguished from the event on all boxes" {
    blamed "MBOX3C0 scale 1.6" bandwidth_saturation --level MEM --only load
    [ "$(part .kind) $(part .event) $(part .box)" = "box CAS_COUNT_RD MBOX3" ]
    near factor 1.6
    [[ "$first" == "CAS_COUNT_RD on MBOX3 counts 1.6"* ]]
}

@test "a wrong formula: named with its metric, from a real campaign" {
    copy_data
    sed -i 's/^L1-L2 volume \[GBytes\] 1.0E-09\*(PMC0+PMC1)/L1-L2 volume [GBytes] 1.0E-09*(PMC0+2*PMC1)/' data/groups/*/ASSAY_L2.txt
    run "$assay" validate bandwidth_saturation --quick --node virtual --level L2 --only copy,daxpy,triad --out r.json
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(jq -c '[.blame[].causes[][] | [.kind, .metric]] | unique' r.json)" = '[["formula","L1-L2 volume"]]' ]
}

# bats test_tags=long
@test "a clean campaign blames nothing, and LIKWID's own values agree with its counts" {
    run -0 "$assay" validate bandwidth_saturation --quick --node virtual --level L2 --only copy --out r.json
    [ "$(jq -c '[.blame, .findings]' r.json)" = '[[],[]]' ]
    [ "$(jq '.counts | length' r.json)" -gt 0 ]
    "$assay" compact r.json --out c.json
    [ "$(jq '.counts | length' c.json)" -eq 0 ]
}

# bats test_tags=long
@test "a counter without a value: named, and LIKWID's value computed without it is a separate finding" {
    blamed "MBOX3 nodevice" bandwidth_saturation --level MEM --only load
    [ "$(part .kind) $(part .box)" = "absent MBOX3" ]
    [ "$(jq -r '.findings[] | select(.metric == "iMC volume") | .finding' r.json)" = formula ]
    "$assay" show r.json | grep -q "^formula: iMC volume of ASSAY_MEM: LIKWID shows"
}

# lines NODE FAULTS ARGUMENT...: the lines of blame.
lines() {
    printf '%b' "$2" >f
    run -0 "$assay" validate "${@:3}" --node "virtual:$root/tests/nodes/$1.lua" --fault f --out r.json
    jq -r '.blame[].text' r.json
}

load="bandwidth_saturation --quick --level MEM --only load"

# bats test_tags=long
@test "a ghost channel, a mirrored one and a wrong distance of registers: each named with its boxes" {
    [ -z "$(lines cluster_on_die "" $load)" ]
    [[ "$(lines small_cache "MBOX3 stuck 0" $load)" == "CAS_COUNT_RD on MBOX3 counts nothing: "* ]]
    [[ "$(lines small_cache "MBOX3 add $((1 << 47))" $load)" == "MBOX3 gives no value (wrapped): "* ]]
    for mirror in "MBOX2 mirror MBOX0" "MBOX0 mirror MBOX2"; do
        found=$(lines cluster_on_die "$mirror" bandwidth_saturation --quick --level MEM --only load,copy)
        [ "$(grep -cE '^CAS_COUNT_(RD|WR) on MBOX2 shows the counts of MBOX0, or the reverse: ' <<<"$found")" -eq 2 ]
        [ "$(wc -l <<<"$found")" -eq 2 ]
    done
    silent=$(lines cluster_on_die "MBOX3 stuck 0" bandwidth_saturation --quick --level MEM --only load,copy)
    [ "$(grep -cE '^CAS_COUNT_(RD|WR) on MBOX3 counts nothing: ' <<<"$silent")" -eq 2 ]
    [ "$(wc -l <<<"$silent")" -eq 2 ]
    # half the distance: the registers of box k are those of box k / 2
    stride="MBOX1 mirror MBOX0\nMBOX2 mirror MBOX1\nMBOX3 mirror MBOX1"
    [[ "$(lines cluster_on_die "$stride" $load)" == "CAS_COUNT_RD on MBOX1, MBOX3 shows the counts of MBOX0, MBOX2, as if registers were read with a wrong stride"* ]]
}

# bats test_tags=long
@test "a socket without uncore counts, and one that shows the other's: named by its CPU, for memory channels and home agents" {
    pages="page_placement --only by_one,by_users"
    [ -z "$(lines small_two "" $pages)" ]
    blind=$(lines small_two "S1 stuck 0" $pages)
    [ "$(grep -cE '^(CAS_COUNT_RD|IMC_READS_NORMAL) on the socket of CPU 1 counts nothing: ' <<<"$blind")" -eq 2 ]
    [ "$(wc -l <<<"$blind")" -eq 2 ]
    same=$(lines small_two "S1 mirror S0" $pages)
    [ "$(grep -c ' on the socket of CPU 1 shows the counts of the socket of CPU 0: ' <<<"$same")" -eq 2 ]
    [ "$(wc -l <<<"$same")" -eq 2 ]
}

# bats test_tags=long
@test "dropped options and an alias: named with the event" {
    reads="bandwidth_saturation --quick --level MEM --only load,copy,copy_nt"
    [ -z "$(lines small_cache "" $reads)" ]
    [[ "$(lines small_cache "TOR_INSERTS_LOCAL_OPCODE unfiltered" $reads)" == "TOR_INSERTS_LOCAL_OPCODE counts more than its options let pass"* ]]
    alias=$(lines small_cache "L1D_REPLACEMENT alias L2_TRANS_L1D_WB" bandwidth_saturation --quick --level L2 --only load,copy)
    [[ "$alias" == "L1D_REPLACEMENT counts what L2_TRANS_L1D_WB counts: "* ]]
}
