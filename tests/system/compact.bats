#!/usr/bin/env bats
# Records without samples are smaller. Every command shows the same for them, or reports what it cannot show.
# bats file_tags=long
load common

# Half of the divider's count, so that a correction must be checked over several codes.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    echo 'ARITH_DIVIDER_UOPS scale 2' >faults.txt
    "$assay" validate line_sharing long_latency avx_flops --quick --node virtual --fault faults.txt --out faulty.json
    jq '.faults = []' faulty.json >full.json
    "$assay" compact full.json --out kept.json
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$BATS_FILE_TMPDIR"/{full,kept}.json .
}

@test "metrics are unchanged, samples are reduced to the data for corrections, and a metric is one line" {
    cmp <(jq -S 'del(.samples, .counts)' full.json) <(jq -S 'del(.metrics[].extremes, .samples, .counts)' kept.json)
    [ "$(jq '.samples | length' kept.json)" -eq 0 ]
    [ "$(jq '[.metrics[] | select((.n > 0) != (.extremes != null))] | length' kept.json)" -eq 0 ]
    [ "$(grep -c '^ {.*"verdict"' kept.json)" -eq "$(jq '.metrics | length' full.json)" ]
    [ "$(wc -l <kept.json)" -lt "$(($(wc -l <full.json) / 20))" ]
    "$assay" compact kept.json --out again.json
    cmp kept.json again.json
    "$assay" compact kept.json --out again.json.gz
    cmp kept.json <(gzip -dc again.json.gz)
    [ "$(stat -c %s again.json.gz)" -lt "$(($(stat -c %s kept.json) / 8))" ]
}

@test "groups: the same verdicts, errors and constants, checked without samples" {
    [ "$(jq '[.metrics[] | select(.verdict == "correctable")] | length' full.json)" -gt 1 ]
    for record in full kept; do
        "$assay" groups --record $record.json --format json --verdict validated,correctable,qualitative,rejected |
            jq -S 'del(.. | .avg?, .record?) | walk(if type == "number" then . * 1e7 | round / 1e7 else . end)' >$record.groups
    done
    cmp full.groups kept.groups
    [ "$(jq '[.. | .correction? | select(. != null)] | length' kept.groups)" -ge 1 ]
    jq 'del(.metrics[].extremes)' kept.json >bare.json
    fails_with 2 "bare.json: metrics[0] has neither samples nor extremes" "$assay" groups --record bare.json
}

@test "show, diff and history print the same" {
    cmp <("$assay" show full.json --all) <("$assay" show kept.json --all)
    cmp <("$assay" show full.json --oracles) <("$assay" show kept.json --oracles)
    run -0 --separate-stderr "$assay" diff full.json kept.json
    [[ "${lines[-1]}" == "0 worse, 0 better, 0 drifted, 0 new,"* ]]
    folder=results/haswellEP/$(jq -r .node.name kept.json)
    mkdir -p "$folder"
    cp kept.json "$folder/2026-01-01.json"
    "$assay" history | grep -q "$(jq -r '.started[:10]' kept.json)"
}

@test "tables and report name what cannot be shown without samples" {
    "$assay" tables full.json --out full >/dev/null
    "$assay" tables kept.json --out kept >/dev/null
    cmp full/haswellEP.md kept/haswellEP.md
    grep -q '### Threads on one socket' full/haswellEP-line_sharing.md
    run ! grep -q '### Threads on one socket' kept/haswellEP-line_sharing.md
    grep -q 'Tables of single threads are missing for .*keep no samples' kept/haswellEP-line_sharing.md
    run ! grep -rq 'records keep no samples' full kept/haswellEP-avx_flops.md
    "$assay" report full.json --html full.html
    "$assay" report kept.json --html kept.html
    grep -q 'kept without its samples' kept.html
    run ! grep -q 'kept without its samples' full.html
}

@test "bad input: one line, status 2, and no file" {
    fails_with 2 "no record named; usage: assay compact" "$assay" compact
    fails_with 2 "no file named; usage: assay compact RECORD --out FILE" "$assay" compact full.json
    fails_with 2 "none.json: cannot read" "$assay" compact none.json --out x.json
    fails_with 2 "--out /nonexistent/x.json" "$assay" compact full.json --out /nonexistent/x.json
    jq '.samples[0].expected.min = 1e30' full.json >wrong.json
    fails_with 2 "is not inside its interval" "$assay" compact wrong.json --out x.json
    [ ! -e x.json ]
}
