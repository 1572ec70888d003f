#!/usr/bin/env bats
# The resolution in a record is where the verdict changes: counters of the virtual node that are wrong by a little less and by a
# little more; both sides of all limits: tests/lua/resolution_spec.lua. SPDX-License-Identifier: GPL-3.0-or-later
load common

# measure RECORD FAULT: one kernel whose operations are countable exactly.
measure() {
    echo "$2" >faults.txt
    run -0 --separate-stderr "$assay" validate avx_flops --node virtual --quick --only addmul_registers --fault faults.txt --out "$1"
}

# say RECORD EXPRESSION: evaluates it for the metric `m`.
say() {
    lua5.4 "$root/tests/system/query.lua" "$1" "local m = one { metric = 'AVX operations' } print($2)"
}

# bats test_tags=long
@test "just below the stated resolution a metric is validated, just above it is not" {
    measure clean.json ""
    [ "$(say clean.json m.verdict)" = validated ]
    [ "$(say clean.json 'm.resolution.factor_up - 1 <= 2 * m.tolerance_pct / 100')" = true ]
    # a hundredth of the tolerance to each side: thousands of counts are one part in 100 000
    for side in -0.01 0.01; do
        factor=$(say clean.json "('%.9f'):format(m.resolution.factor_up * (1 + $side * m.tolerance_pct / 100))")
        measure up.json "AVX_INSTS_CALC scale $factor"
        [ "$(say up.json 'm.class .. " " .. m.verdict')" = "$([ $side = 0.01 ] && echo multiplicative correctable || echo exact validated)" ]
    done
    measure add.json "AVX_INSTS_CALC add $(say clean.json 'math.ceil(m.resolution.offset) + 1')"
    [ "$(say add.json m.class)" != exact ]
}

@test "the table, the catalogue and the group file show the resolution; --why shows the terms of an interval" {
    run -0 "$assay" validate bandwidth_saturation --node virtual --quick --only load --level L2 --out r.json
    [[ "$output" == *"detects %"* ]]
    run -0 "$assay" groups --record r.json
    [[ "$output" == *"detects %"* ]]
    run -0 "$assay" groups --record r.json --format likwid
    [[ "$output" == *"would have been noticed: a factor of 1.0"* ]]
    run -0 "$assay" groups --record r.json --format json
    jq -e '.architectures[0].groups[0].metrics[0].resolution.factor_up > 1' <<<"$output"
    run -0 "$assay" show r.json --why "L1-L2 load volume"
    [[ "$output" == *"L1-L2 load volume of ASSAY_L2, load, data in L2, on S0:1"* ]]
    fails_with 2 "no sample of 'no such' has an expectation" "$assay" show r.json --why "no such"
}
