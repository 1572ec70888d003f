#!/usr/bin/env bats
# What changed between two records; the virtual node must be as good as its reference record.
load common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    small_reference
}

# compare NODE ARGUMENT...: what differs between a new quick record and the same patterns and levels of the reference record. Status 1 if
# something is worse.
compare() {
    "$assay" validate "${@:2}" --node "virtual:$1" --quick --out new.json >/dev/null 2>&1 || return
    jq --slurpfile new new.json '($new[0].metrics | map([.pattern, .level])) as $kept | .metrics |= map(select([.pattern, .level] as $it | $kept | index([$it])))' \
        "$(reference "$1")" >old.json
    run --separate-stderr "$assay" diff old.json new.json
    echo "$output$stderr"
    [ "$status" -eq 0 ]
}

# bats test_tags=long
@test "no class or verdict of the virtual node is worse than in the reference record" { # all patterns: tests/full/diff.bats
    compare haswellEP-1x2 avx_flops bandwidth_saturation control_flow excess_volume instruction_overhead line_sharing --level L2,L3
    [ "$(jq '.metrics | length' old.json)" -gt 200 ]
}

# bats test_tags=long
@test "the reference records of other architectures have the metrics of today, and none is worse" {
    local known=0 file node what
    for file in "$root"/results/*/*/*.json.gz; do
        [ "$(gzip -dc "$file" | jq -r .node.kind)" = virtual ] || continue
        node=$(basename "$(dirname "$file")")
        "$assay" validate split_loads --plan --node "virtual:$node" 2>why || { grep "LIKWID .* does not know" why && continue; }
        what=(avx_flops control_flow split_loads)
        [[ $node != *-2x2 ]] || what=(false_sharing line_sharing --placement S0:1@S1:1)
        jq -e --arg pattern "${what[1]}" 'any(.metrics[]; .pattern == $pattern and .n > 0)' "$(reference "$node")" || continue
        compare "$node" "${what[@]}"
        [[ "${lines[-1]}" == *" 0 new, "* ]] || { echo "$node: make reference NODES=$node" && return 1; }
        known=$((known + 1))
    done
    [ "$known" -gt 0 ]
}

@test "a record does not differ from itself" {
    run -0 --separate-stderr "$assay" diff small_reference.json small_reference.json
    [[ "${lines[-1]}" == "0 worse, 0 better, 0 drifted, 0 new, "*" as before" ]]
    [ "${#lines[@]}" -le 5 ]
}

@test "a worse verdict gives exit status 1, a better one 0" {
    sed '0,/"verdict": "validated"/s//"verdict": "rejected"/' small_reference.json >worse.json
    run -1 --separate-stderr "$assay" diff small_reference.json worse.json
    [[ "$output" == *"validated -> rejected"* ]]
    [[ "${lines[-1]}" == "1 worse, 0 better"* ]]
    run -0 --separate-stderr "$assay" diff worse.json small_reference.json
    [[ "${lines[-1]}" == "0 worse, 1 better"* ]]
}

@test "a worse class gives exit status 1" {
    sed '0,/"class": "exact"/s//"class": "random"/' small_reference.json >worse.json
    run -1 --separate-stderr "$assay" diff small_reference.json worse.json
    [[ "$output" == *"exact -> random"* ]]
}

@test "a laxer judgement gives exit status 1, a stricter one 0" {
    sed '0,/"tolerance_pct": 0.18\b/s//"tolerance_pct": 2/' small_reference.json >laxer.json
    run -1 --separate-stderr "$assay" diff small_reference.json laxer.json
    grep -qE "tolerance +0.18 % -> 2 %" <<<"$output"
    [[ "${lines[-1]}" == "1 judged less strictly: "* ]]
    run -0 --separate-stderr "$assay" diff laxer.json small_reference.json
}

@test "lines fit into 100 columns" {
    sed 's/"verdict": "validated"/"verdict": "rejected"/; s/"class": "exact"/"class": "multiplicative"/' "$(reference)" >worse.json
    ln -s "$(reference)" old.json
    run -1 "$assay" diff old.json worse.json
    [ "${#lines[@]}" -gt 100 ]
    for line in "${lines[@]}"; do
        [ "${#line}" -le 100 ]
    done
}

@test "colour on a terminal only, and not with NO_COLOR" {
    sed '0,/"verdict": "validated"/s//"verdict": "rejected"/' small_reference.json >worse.json
    escape=$(printf '\033')
    command="'$assay' diff small_reference.json worse.json"
    run bash -c "$command"
    [[ "$output" == *"worse "* ]]
    [[ "$output" != *"$escape"* ]]
    run env TERM=xterm script -qc "$command" /dev/null
    [[ "$output" == *"$escape[31mworse"* ]]
    run env TERM=xterm NO_COLOR=1 script -qc "$command" /dev/null
    [[ "$output" == *"worse "* ]]
    [[ "$output" != *"$escape"* ]]
    run env TERM=dumb script -qc "$command" /dev/null
    [[ "$output" == *"worse "* ]]
    [[ "$output" != *"$escape"* ]]
}

@test "show colours verdicts on a terminal only, and not with NO_COLOR" {
    escape=$(printf '\033')
    command="'$assay' show '$(reference)'"
    run bash -c "$command"
    [[ "$output" != *"$escape"* ]]
    run env TERM=xterm script -qc "$command" /dev/null
    [[ "$output" == *"$escape[32mvalidated$escape[0m"* ]]
    [[ "$output" == *"$escape[33mcorrectable$escape[0m"* ]]
    run env TERM=xterm NO_COLOR=1 script -qc "$command" /dev/null
    [[ "$output" == *"validated"* ]]
    [[ "$output" != *"$escape"* ]]
}

@test "bad input is one line" {
    fails_with 2 "usage: assay diff OLD NEW" "$assay" diff
    fails_with 2 "usage: assay diff OLD NEW" "$assay" diff small_reference.json
    fails_with 2 "--frob: unknown option; see assay diff --help" "$assay" diff --frob small_reference.json
    fails_with 2 "no.json: cannot read" "$assay" diff small_reference.json no.json
    sed 's/"kind": "virtual"/"kind": "native"/' small_reference.json >native.json
    fails_with 2 "is of virtual, native.json of native: they are not comparable" "$assay" diff small_reference.json native.json
}
