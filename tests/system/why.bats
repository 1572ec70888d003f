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

@test "lint's findings and past faults, of LIKWID's group as well; one that only LIKWID has gets no verdict" {
    run -0 "$assay" why haswellEP MEM
    grep -q "^Lint, of this group and LIKWID's of that name: no finding$" <<<"$output"
    grep -q "^- groups/haswellEP/MEM.txt: .*; fixed by LIKWID's commit 220c1024; lint's rule: unknown-counter$" <<<"$output"
    copy_data
    ln -s "$root/results" data/
    sed -i 's/\(iMC read volume.*\)+MBOX7C0/\1/' data/groups/haswellEP/ASSAY_MEM.txt
    mkdir haswellEP # is not taken for the architecture
    for path in "$PATH" /nowhere; do # without LIKWID
        env PATH="$path" "$assay" why haswellEP MEM --format json >page.json
        [ "$(jq -r '.findings[].rule' page.json)" = missing-box ]
    done
    "$assay" why haswellEP caches --format json >page.json
    [ "$(jq -r '.owner + " " + .group' page.json)" = "likwid CACHES" ]
    jq -e '[.findings[] | select(.rule == "missing-box" and .severity == "error")] | length == 4' page.json
    jq -e '.history[0].commit == "fc57c7fc" and ([.metrics[].judged[]] | length == 0)' page.json
}

@test "an event table's fault is told where its event is counted" {
    jq -e '.history | length == 1 and .[0].file == "src/includes/perfmon_icelakeX_events.txt"' <("$assay" why ICX MEM --format json)
    jq -e '.history == []' <("$assay" why ICX BRANCH --format json)
}

@test "the page has each line of the text, needs no network, and without a group has all groups" {
    "$assay" why haswellEP MEM | sed -n 's/^- //p; s/^  *\(shows\|events\|would\|error\)/\1/p' >lines
    [ "$(wc -l <lines)" -gt 20 ]
    "$assay" why haswellEP MEM --format html >page.html
    python3 -c 'import html, re, sys
page = html.unescape(re.sub("<[^>]*>", "\n", open("page.html").read())).split("\n")
sys.exit([line for line in open("lines").read().splitlines() if line not in page] or 0)'
    refute grep -nE '(src|href)="[^#]|url\(|@import|https?:' page.html
    grep -q "default-src 'none'" page.html
    "$assay" why haswellEP --format html >page.html
    [ "$(grep -c '<section id="ASSAY_' page.html)" -eq "$(find "$build/groups/haswellEP" -name 'ASSAY_*.txt' | wc -l)" ]
    [ "$("$assay" why haswellEP --format json | jq '.passports | length')" -eq "$(grep -c '<section id="ASSAY_' page.html)" ]
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
    fails_with 2 "--format xml: unknown; one of text, json, html" "$assay" why haswellEP MEM --format xml
    fails_with 2 "no architecture named" "$assay" why
}
