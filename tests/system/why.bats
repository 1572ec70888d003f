#!/usr/bin/env bats
# `assay why`: what is known of a group, from groups/ and records alone.
load common

@test "a metric: its events with the vendor check, the record's verdict, and what would have been noticed" {
    run -0 "$assay" why haswellEP mem "iMC volume"
    [[ "${lines[0]}" == "ASSAY_MEM of "*": "* ]]
    grep -q '^iMC volume \[GBytes\] = ' <<<"$output"
    grep -q '^  events, vendor check: CAS_COUNT_RD same, CAS_COUNT_WR same$' <<<"$output"
    grep -q '^  virtual: validated (' <<<"$output"
    grep -q 'would have been noticed: a factor of ' <<<"$output"
    grep -q '^Silicon: no native record of haswellEP$' <<<"$output"
    refute grep -q '^iMC bandwidth' <<<"$output"
}

@test "the verdicts are those of the named record, on its kind of node" {
    jq '.node.kind = "native" | .node.name = "mine" | (.metrics[] | select(.group == "ASSAY_MEM") | .verdict) = "rejected"' \
        "$(reference)" >mine.json
    "$assay" why haswellEP ASSAY_MEM "iMC volume" --record mine.json --format json >page.json
    [ "$(jq -r '.metrics[].judged[] | .kind + " " + .verdict' page.json)" = "native rejected" ]
    [ "$(jq -r '.evidence[].node' page.json)" = mine ]
    fails_with 2 "a record of haswellEP, not of zen3" "$assay" why zen3 MEM --record mine.json
}

@test "the whole group in JSON: each metric of the file has a verdict or a reason" {
    "$assay" why haswellEP ASSAY_MEM --format json >page.json
    [ "$(jq '.metrics | length' page.json)" -eq "$(sed -n '/^METRICS/,/^$/p' "$build/groups/haswellEP/ASSAY_MEM.txt" | grep -c ' ')" ]
    [ "$(jq '[.metrics[] | select((.judged | length) == 0 and .reason == null)] | length' page.json)" -eq 0 ]
    [ "$(jq '.metrics[] | select(.name == "iMC volume") | .quantities | length' page.json)" -gt 0 ]
}

@test "published figures are listed as historical, apart from verdicts" {
    run -0 "$assay" why haswell L3
    grep -q "^- L3 bandwidth of L3 on heidi: 1 validated, 3 correctable, 2 rejected, errors -35.1 to +0.303 %; wiki/Haswell" <<<"$output"
    grep -q "^Silicon: no native record of haswell$" <<<"$output"
    "$assay" why haswell L3 --format json >page.json
    [ "$(jq -c '[.metrics[].judged[].kind] | unique' page.json)" = '["virtual"]' ]
}

@test "absences have their reasons" {
    run -0 "$assay" why haswellEP AVX
    grep -q '^- avx_flops: FLOPs DP: ' <<<"$output"
}

# bats test_tags=architectures
@test "every architecture answers" {
    # shellcheck disable=SC2046 # words
    for group in $(nodes_here $("$assay" list groups --names | sort -u -t/ -k1,1)); do
        "$assay" why "${group%/*}" "${group#*/}" >page.txt
        grep -q "^${group#*/} of " page.txt
    done
}

@test "an unknown name gets one line with near names" {
    fails_with 2 "haswelEP: unknown; near it: haswellEP, " "$assay" why haswelEP MEM
    fails_with 2 "MEN: unknown; near it: ASSAY_MEM, " "$assay" why haswellEP MEN
    fails_with 2 "iMC volumes: unknown; near it: iMC volume, " "$assay" why haswellEP MEM "iMC volumes"
    fails_with 2 "--format xml: unknown; one of text, json" "$assay" why haswellEP MEM --format xml
    fails_with 2 "no architecture and group named" "$assay" why haswellEP
}
