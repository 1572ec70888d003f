#!/usr/bin/env bats
# assay calibrate: the cost of measuring; assay show --oracles: the four counts side by side.
load common

one="bandwidth_saturation --node virtual --only triad --level L2"

@test "calibrate prints the cost of an empty region for every event" {
    run -0 --separate-stderr "$assay" calibrate $one
    [[ "${lines[0]}" == "Virtual node haswellEP-1x2"* ]]
    # LIKWID's own instructions between its two readings; an empty region moves no lines.
    read -r instructions < <(awk '$1 == "INSTR_RETIRED_ANY" { print $4; exit }' <<<"$output")
    [ "$instructions" -gt 1000 ]
    [ "$instructions" -lt 10000 ]
    [ "$(awk '$1 == "L1D_REPLACEMENT" { print $4; exit }' <<<"$output")" -lt 50 ]
    # One reading of the counters: less than starting and stopping a region, which read them once each.
    read -r reading < <(awk '$1 == "INSTR_RETIRED_ANY" { print $6; exit }' <<<"$output")
    [ "$reading" -gt 100 ]
    [ "$reading" -lt "$instructions" ]
    [ "$(awk '$1 == "CPU_CLK_UNHALTED_CORE" { print $6; exit }' <<<"$output")" -ge "$reading" ]
}

# bats test_tags=long
@test "validate --calibrate subtracts the cost of measuring" {
    "$assay" validate $one --out plain.json 2>/dev/null
    "$assay" validate $one --calibrate --out less.json 2>/dev/null
    plain=$(awk '/"measured": [0-9]/ { sum += $2 } END { printf "%.9f", sum }' plain.json)
    less=$(awk '/"measured": [0-9]/ { sum += $2 } END { printf "%.9f", sum }' less.json)
    echo "$plain $less"
    awk -v a="$plain" -v b="$less" 'BEGIN { exit !(b > 0 && b <= a) }'
}

# bats test_tags=long
@test "show --oracles shows reported, predicted and simulated counts next to each other; with a fault they differ" {
    echo 'L1D_REPLACEMENT scale 0.6' >fault
    "$assay" validate $one --fault fault --out r.json 2>/dev/null
    run -0 "$assay" show --oracles r.json
    # reported is 0.6 of what the clean node counts: -40 %; the evict volume has no fault: exactly as simulated
    [[ "$(grep -A 1 'load volume, data in L2, on S0:1' <<<"$output")" == *"(-40 %)"* ]]
    [[ "$(grep -A 1 'evict volume, data in L2, on S0:1' <<<"$output")" == *"(0 %)"* ]]
}
