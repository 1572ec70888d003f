#!/usr/bin/env bats
# assay validate --matrix and assay signatures with few patterns: controls are recognised, and thresholds are exported as data.
# bats file_tags=long
load common

# One record for all tests: false sharing and synchronisation, one of which looks like the other, and loads that split a line.
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    campaign "$BATS_FILE_TMPDIR/record" split_loads false_sharing synchronisation --node virtual --quick --matrix
    record=$BATS_FILE_TMPDIR/record.json
}

# cell ROW CONTROL SIGNATURE: its word.
cell() {
    jq -r --arg row "$1" --arg control "$2" --arg signature "$3" \
        '.matrix.cells[] | select(.pattern == $row and .control == $control and .signature == $signature) | .word' "$record"
}

@test "own controls are recognised, and others are not, except as declared" {
    for pattern in split_loads false_sharing synchronisation; do
        [ "$(cell "$pattern" present "$pattern")" = told ]
        [ "$(cell "$pattern" absent "$pattern")" = told ]
    done
    [ "$(cell synchronisation present false_sharing)" = declared ]
    [ "$(cell synchronisation absent false_sharing)" = dark ]
    [ "$(jq '[.matrix.cells[] | select(.word == "dark")] | length' "$record")" -eq 11 ]
    [ "$(jq '.matrix.cells | length' "$record")" -eq 18 ]
    grep -q '^2 false_sharing *+ *[.] *100 ' "$BATS_FILE_TMPDIR/record.txt"
    grep -q '^3 synchronisation *+ *[.] *(100) ' "$BATS_FILE_TMPDIR/record.txt"
    grep -q '^declared: false_sharing is seen in synchronisation present: ' "$BATS_FILE_TMPDIR/record.txt"
}

@test "only controls are measured, and each with the events of all signatures" {
    [ "$(jq -r '[.metrics[] | select(.n > 0) | .code] | unique | join(" ")' "$record")" = "aligned apart meeting shifted together" ]
    for point in shifted together meeting; do
        for event in MEM_UOPS_RETIRED_LOADS_SPLIT MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM AVX_INSTS_CALC INSTR_RETIRED_ANY; do
            jq -e --arg point "$point" --arg event "$event" '[.counts[] | select(.code == $point and .point == (.point | rtrimstr(".base")))
                | .counts | keys[] | select(startswith($event + "@"))] | length > 0' "$record"
        done
    done
}

@test "wrong counters: a stuck counter of the pattern's event makes the diagnosis wrong, a stuck one of instructions leaves none" {
    flip() {
        jq -c --arg signature "$1" --arg event "$2" '.matrix.flips[] | select(.signature == $signature and .event == $event)
            | .changes[] | select(.factor == 0) | [.n, .cannot_say, .wrong]' "$record"
    }
    [ "$(flip split_loads MEM_UOPS_RETIRED_LOADS_SPLIT)" = "[4,0,2]" ]
    [ "$(flip split_loads INSTR_RETIRED_ANY)" = "[4,4,0]" ]
}

@test "the record is valid by its schema, and its reports show the matrix" {
    fits "$record" "$root/docs/record.schema.json"
    run "$assay" show "$record"
    [[ $output == *"controls against signatures"*"wrong counters against diagnoses"* ]]
    "$assay" report "$record" --html page.html
    grep -q '<section id="matrix">' page.html
    "$assay" tables "$record" --out pages >log
    grep -q '^### Controls against signatures on haswellEP-1x2' pages/haswellEP.md
    grep -q '^| 2 false_sharing | .+ | [.] | 100 |' pages/haswellEP.md
}

@test "signatures are exported as rules and metrics, for validated metrics only" {
    run --separate-stderr "$assay" signatures "$record"
    echo "$output"
    [[ ${lines[0]} == *"no evidence about silicon"* ]]
    grep -q '^split_loads: Split loads / Instructions >= ' <<<"$output"
    grep -q '^false_sharing: not given: Loads of modified lines of ASSAY_SHARING: qualitative' <<<"$output"
    "$assay" signatures "$record" --format clustercockpit --install rules 2>notes
    [ "$(ls rules)" = assay_split_loads.json ]
    jq -e '.tag == "assay_split_loads" and .metrics == ["split_loads", "instructions"] and .assay.kind == "virtual"
        and (.name | contains("no evidence about silicon"))' rules/assay_split_loads.json
    grep -q '^assay signatures: false_sharing: not given' notes
    # the threshold is the upper end of the record's band
    high=$(jq -r '.matrix.signatures[] | select(.pattern == "split_loads") | .tests[0].band.high' "$record")
    "$assay" signatures "$record" --format perf 2>notes |
        jq -e --arg high "$high" '.[0].MetricExpr == "cpu@event\\=0xd0\\,umask\\=0x41@ / instructions"
            and ((.[0].MetricThreshold | ltrimstr("assay_split_loads > ") | tonumber) / ($high | tonumber) - 1 | fabs) < 1e-5'
    "$assay" signatures "$record" --format json 2>notes | jq -e '.signatures | map(.pattern) == ["split_loads"]'
}

@test "signatures that cannot be exported are refused in one line" {
    fails_with 2 "no record named" "$assay" signatures
    fails_with 2 "--format xml: unknown" "$assay" signatures "$record" --format xml
    fails_with 2 "--install: name what to write" "$assay" signatures "$record" --install rules
    jq 'del(.matrix)' "$record" >without.json
    fails_with 2 "no signatures in it" "$assay" signatures without.json
    jq '.faults = ["X scale 2"]' "$record" >faulty.json
    fails_with 2 "injected faults" "$assay" signatures faulty.json
}
