#!/usr/bin/env bats
# validate --interface: counting by perf_event_open, by perf's metrics and by PAPI's presets, without LIKWID's daemon.
# SPDX-License-Identifier: GPL-3.0-or-later
load common
load rig

campaigns=(
    [branches]="control_flow --quick --interface perf --node virtual:haswellEP-1x2"
    [memory]="bandwidth_saturation --quick --level MEM --placement S0:2 --only daxpy --interface perf --node virtual:haswellEP-1x2"
    [metrics]="control_flow --quick --interface perf-metrics --node virtual:haswellEP-1x2"
    [presets]="control_flow avx_flops --quick --only sorted,ddot --interface papi --node virtual:haswellEP-1x2"
)

# judged RECORD: the groups that the record judges, and all verdicts
judged() {
    query "$1" 'local groups, verdicts = {}, {}
        for _, metric in ipairs(record.metrics) do
            if metric.n and metric.n > 0 then groups[metric.group], verdicts[metric.verdict] = true, true end
        end
        for _, list in ipairs { groups, verdicts } do
            local names = {}
            for name in pairs(list) do names[#names + 1] = name end
            table.sort(names)
            print(table.concat(names, " "))
        end'
}

@test "perf counts the events of a core as the models say, and record and table say who counted" {
    run -0 judged branches
    echo "$output"
    [ "${lines[0]}" = ASSAY_BRANCH ]
    [ "${lines[1]}" = "untested validated" ]
    [ "$(jq -r .node.interface "$BATS_FILE_TMPDIR/branches.json")" = perf ]
    fits "$BATS_FILE_TMPDIR/branches.json" "$root/docs/record.schema.json"
    grep "^haswellEP, .*, counted by perf, without LIKWID, " "$BATS_FILE_TMPDIR/branches.txt"
    jq -r .runs[0].command "$BATS_FILE_TMPDIR/branches.json" | grep "^LD_PRELOAD=tools/validate/marker.so LIKWID_EVENTS=counters tools/"
}

@test "a comparison with LIKWID's record names the interfaces, and perf's record is no evidence about groups" {
    query branches 'print(#record.metrics)'
    jq 'del(.node.interface)' "$BATS_FILE_TMPDIR/branches.json" >likwid.json
    run -0 "$assay" diff likwid.json "$BATS_FILE_TMPDIR/branches.json"
    [[ "$output" == *"interface likwid -> perf"* ]]
    while read -r words; do
        # shellcheck disable=SC2086 # words
        fails_with 2 "counted by perf, which is no evidence about LIKWID's groups" "$assay" ${words/RECORD/$BATS_FILE_TMPDIR/branches.json}
    done <<'COMMANDS'
groups --record RECORD
why haswellEP ASSAY_BRANCH --record RECORD
diagnose --node virtual:haswellEP-1x2 --record RECORD -- true
COMMANDS
}

# bats test_tags=long
@test "perf counts boxes of the uncore, with the opcode of a slice, once a socket" {
    run -0 judged memory
    echo "$output"
    for group in ASSAY_CBOX ASSAY_HA ASSAY_MEM; do [[ " ${lines[0]} " == *" $group "* ]]; done
    [ "${lines[1]}" = "untested validated" ] || [ "${lines[1]}" = validated ]
}

@test "PAPI's presets are judged, and one that the processor lacks is skipped with PAPI's reason" {
    run -0 query presets 'for _, metric in ipairs(record.metrics) do
            if metric.code then print(metric.code, metric.metric, metric.verdict, metric.reason or "") end
        end'
    echo "$output"
    for preset in BR_INS BR_TKN BR_NTK; do grep "^sorted	PAPI_$preset	validated" <<<"$output"; done
    grep "^ddot	PAPI_DP_OPS	skipped	.*not counted: PAPI: Event does not exist" <<<"$output"
}

@test "perf's metrics are judged by the expressions that perf lists, and a wrong expression is found" {
    run -0 judged metrics
    echo "$output"
    [ "${lines[0]}" = "BpTkBranch IpBranch IpMispredict IpTB" ]
    [ "${lines[1]}" = "untested validated" ]
    [ "$(jq -r .node.interface "$BATS_FILE_TMPDIR/metrics.json")" = perf-metrics ]
    fits "$BATS_FILE_TMPDIR/metrics.json" "$root/docs/record.schema.json"
    # IpTB with the conditional branches in place of those that are taken
    printf '%s\n' '#!/bin/sh' \
        "'$(command -v perf)' \"\$@\" | sed 's,INST_RETIRED.ANY / BR_INST_RETIRED.NEAR_TAKEN],INST_RETIRED.ANY / BR_INST_RETIRED.CONDITIONAL],'" >perf
    chmod +x perf
    PATH=$PWD:$PATH run "$assay" validate control_flow --quick --interface perf-metrics --node virtual:haswellEP-1x2 --out wrong.json
    echo "$output"
    [ "$(jq -c '[.metrics[] | select(.code) | select(.metric == "IpTB") | .verdict] | unique' wrong.json)" = '["rejected"]' ]
    [ "$(jq -c '[.metrics[] | select(.code) | select(.metric == "BpTkBranch") | .verdict] | unique' wrong.json)" = '["validated"]' ]
}

# The value that perf prints next to the counts of its events is the quotient of these.
@test "perf stat prints the metrics that validate counts" {
    run -0 "$assay" vnode --node haswellEP-1x2 -- perf stat -x, -M IpBranch true
    echo "$output"
    awk -F, '$3 ~ /^INST/ { all = $1 } $3 ~ /^BR/ { branches = $1 } $7 == "IpBranch" { shown = $6 }
        END { apart = shown - all / branches; exit !(shown > 0 && apart < 0.006 && apart > -0.006) }' <<<"$output"
}

@test "what the kernel does not offer is not counted, with one line each; what it offers is" {
    printf '%s\n' "PMC0 A cpu event=0xfe,umask=0xfe *" "PMC1 B cpu event=0xc4,frob=1 *" "MBOX9C0 C uncore_imc_9 event=0x4 0" \
        "PMC3 F cpu event=0xc4,umask=0x1c4 *" "PMC4 G cpu nobody *" \
        "MBOX0C1 H uncore_imc_0 cas_count_read 0" "PMC2 D cpu event=0xc4 *" "MBOX0C0 E uncore_imc_0 event=0x4,umask=0x3 0" >counters
    "$assay" vnode --node haswellEP-1x2 -- env LD_PRELOAD="$build/validate/marker.so" LIKWID_EVENTS=counters \
        "$build/patterns/control_flow" -c 0 region random 1024 1 2>messages >&2
    cat messages out.csv
    grep "^not counted: PMC0 perf_event_open: the kernel has no such event of PMU cpu here$" messages
    grep "^not counted: PMC1 the kernel's PMU cpu has no field frob for 1$" messages
    grep "^not counted: PMC3 the kernel's PMU cpu has no field umask for 0x1c4$" messages
    grep "^not counted: PMC4 the kernel's PMU cpu has no event nobody$" messages
    grep "^not counted: MBOX9C0 the kernel has no PMU uncore_imc_9; " messages
    [ "$(grep -c "^not counted" messages)" -eq 5 ]
    [ "$(awk -F, '$3 == "-" { printf $2 " " }' out.csv)" = "PMC0 PMC1 MBOX9C0 PMC3 PMC4 " ]
    awk -F, '$2 ~ /^MBOX0C/ { print $3 }' out.csv | uniq | wc -l | grep -x 1 # a name stands for its fields
    awk -F, '$2 == "PMC2" && $3 >= 1024 { found = 1 } END { exit !found }' out.csv
}

@test "an injected fault is found by each interface" {
    echo "BR_INST_RETIRED_ALL_BRANCHES scale 2" >faults
    for name in perf perf-metrics papi; do
        run "$assay" validate control_flow --quick --interface $name --node virtual:haswellEP-1x2 --fault faults --out $name.json
        echo "$output"
        grep -E "^correctable: control_flow S0:1 (Branches|IpBranch|PAPI_BR_INS): measured = 2 \* expected" <<<"$output"
    done
}

# bats test_tags=long
@test "a machine whose kernel shows no PMU: one line with the kernel's answer and the remedy" {
    perf stat -e instructions true 2>&1 | grep -q "not supported" || skip "this machine has counters"
    run --separate-stderr machine "$assay" validate control_flow --quick --node native --interface perf
    echo "$stderr"
    [ "$status" -eq 2 ]
    grep "probe: the instructions of a known loop have no count: perf_event_open: .*; remedy: let the hypervisor" <<<"$stderr"
}

@test "calibrate shows what a region and a reading cost with each interface" {
    for name in likwid perf; do
        "$assay" calibrate control_flow --quick --interface $name --node virtual:haswellEP-1x2 >$name
        awk '$1 == "INSTR_RETIRED_ANY" && $3 > $6 && $6 > 0 { print $3, $6 }' $name >>costs
    done
    cat costs
    awk 'NR == 1 { region = $1; reading = $2 } NR == 2 { found = $1 < region && $2 < reading } END { exit !found }' costs
}
