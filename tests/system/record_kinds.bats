#!/usr/bin/env bats
# Records of every kind that a command writes (tests/records has one of each): shown, drawn, checked; broken ones are refused.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

records=$root/tests/records
kinds=(analysis configuration curves discovery events fleet laws noise sampling)

schema_of() {
    case $1 in
    matrix) echo "$root/docs/record.schema.json" ;;
    analysis | curves | sampling) echo "$root/docs/$1.schema.json" ;;
    *) echo "$root/docs/findings.schema.json" ;;
    esac
}

@test "a record of each kind satisfies its schema, is shown, and has a page" {
    for kind in "${kinds[@]}" matrix; do
        fits "$records/$kind.json" "$(schema_of "$kind")"
        run -0 --separate-stderr "$assay" show "$records/$kind.json"
        [ "${#lines[@]}" -ge 1 ]
        [ -z "$stderr" ]
        "$assay" report "$records/$kind.json" --html $kind.html >out
        grep -q '</html>' $kind.html
    done
    # a fleet's is printed by its own command
    "$assay" fleet report "$records/fleet.json" >own || [ $? -eq 1 ]
    "$assay" show "$records/fleet.json" | cmp - own
}

@test "a command that reads one kind says which kind it was given" {
    fails_with 2 "laws.json: kind is laws; a record of assay validate is read here" "$assay" diff "$records/laws.json" "$records/matrix.json"
    fails_with 2 "events.json: no analysis: its kind is events" "$assay" compare "$records/events.json" "$records/events.json"
    fails_with 2 "noise.json: no collection of a fleet" "$assay" fleet report "$records/noise.json"
    fails_with 2 "--why: for records of assay validate, this one's kind is sampling" "$assay" show "$records/sampling.json" --why x
    fails_with 2 "--svg: $records/noise.json is no record of curves or samples" "$assay" report "$records/noise.json" --svg d
    jq '.kind = "later"' "$records/laws.json" >later.json
    fails_with 2 "later.json: kind later is none that this program writes" "$assay" show later.json
}

@test "unusable numbers and dangling references are refused with record and key" {
    # the record, the change, and the message
    while IFS='|' read -r kind filter text; do
        jq "$filter" "$records/$kind.json" >bad.json
        fails_with 2 "bad.json: $text" "$assay" show bad.json
        fails_with 2 "bad.json: $text" "$assay" report bad.json --html page.html
    done <<'CASES'
analysis|.system[0].thread = 1e308|system[0].thread must be integer, not so large a number
analysis|.metrics[1].parent = 1e308|metrics[1].parent must be integer or null, not so large a number
analysis|.values[0].value = -1e308|values[0].value must be number, not so large a number
analysis|.values[0].metric = 99|values[0].metric is 99, there are
curves|.curves[0].lines[0].known = 1e308|curves[0].lines[0].known must be integer, not so large a number
fleet|.nodes[1].values[0] = 1e308|nodes[1].values[0] must be number or null, not so large a number
fleet|.nodes[1].values[0] = true|nodes[1].values[0] must be number or null, not true
fleet|.metrics[0].tolerance_pct = "1"|metrics[0].tolerance_pct must be number or null, not a text
fleet|del(.nodes[0].failures)|nodes[0].failures is missing
fleet|.nodes[0].verdicts = []|nodes[0].verdicts must be string, not an array
matrix|.matrix.cells[0].signature = "x"|matrix.cells[0].signature is x, which is none of matrix.signatures
matrix|.matrix.flips[0].signature = "x"|matrix.flips[0].signature is x, which is none of matrix.signatures
events|.cycles = {"costs": []}|cycles.event is missing
laws|.laws[0].status = "bent"|laws[0].status must be holds, broken or unmeasured, not bent
configuration|.parts[0].differs = ["age"]|parts[0].differs[0] must be unit, bytes
CASES
}

# bats test_tags=long
@test "no control character of a record of any kind reaches the terminal or a page" {
    for kind in "${kinds[@]}"; do
        python3 "$root/tests/system/hostile.py" spread "$records/$kind.json" hostile.json "$(schema_of $kind)"
        "$assay" show hostile.json --all >shown 2>&1 || [ $? -eq 2 ]
        "$assay" report hostile.json --html page.html >>shown 2>&1 || [ $? -eq 2 ]
        [ ! -e page.html ] || cat page.html >>shown
        rm -f page.html
        python3 "$root/tests/system/hostile.py" text shown
        grep -q evil shown
    done
}

# bats test_tags=long
@test "every command refuses or accepts each of 90 broken records of all kinds" {
    for kind in "${kinds[@]}" matrix; do
        python3 "$root/tests/system/mutate.py" "$assay" "$root/docs" "$records/$kind.json" 9 20260102
    done
}
