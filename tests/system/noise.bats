#!/usr/bin/env bats
# Spread of events over repetitions, on virtual nodes with injected noise.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# Gaussian noise of 2 % of the count; another event: three times the true count in 5 % of the regions.
make_faults() {
    printf '%s\n' "BR_INST_RETIRED_CONDITIONAL jitter 0.02" "MEM_UOPS_RETIRED_LOADS spike 3 0.05" "* seed 7" >"$BATS_TEST_TMPDIR/faults"
}

# bats test_tags=long
@test "the spread of added noise is found, and errors of 512 repetitions are right" {
    make_faults
    only_probes mix branches
    run --separate-stderr "$assay" events BR_INST_RETIRED_CONDITIONAL MEM_UOPS_RETIRED_LOADS INSTR_RETIRED_ANY --noise --node virtual \
        --fault "$BATS_TEST_TMPDIR/faults" --out "$BATS_TEST_TMPDIR/n.json"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "Virtual node haswellEP-1x2 (no evidence about silicon)"* ]]
    # A repetition is the difference of a region of a times and one of b: sqrt(a^2 + b^2) / (b - a) times the noise. Of 512 values a
    # standard deviation is known to 1 / sqrt(2 * 511); three times that to both sides. The median of 512 normal values is off by
    # 1.2533 / sqrt(512) of it, three times that at most; of a spike in 20 there is nothing left in it.
    jq -e '.events[] | select(.event == "BR_INST_RETIRED_CONDITIONAL")
        | .times as [$a, $b] | (.sd_pct / (2 * ($a * $a + $b * $b | sqrt) / ($b - $a)) | . > 0.906 and . < 1.094)
          and (.blocks[3].median_pct < 3 * 1.2533 * .sd_pct / (512 | sqrt)) and .blocks[3].least_pct > 2 and .repetitions == 512' "$BATS_TEST_TMPDIR/n.json"
    jq -e '.events[] | select(.event == "MEM_UOPS_RETIRED_LOADS")
        | .sd_pct > 30 and .mean_error_pct > 2 and .blocks[0].median_pct > 30 and .blocks[3].median_pct < 0.1 and .blocks[3].least_pct < 0.1' \
        "$BATS_TEST_TMPDIR/n.json"
    jq -e '.kind == "noise" and .node.kind == "virtual" and (.events[] | select(.event == "INSTR_RETIRED_ANY") | .sd_pct < 0.1)' "$BATS_TEST_TMPDIR/n.json"
    grep -Eq "^MEM_UOPS_RETIRED_LOADS  *[0-9.]+  *\+[0-9.]+ " <<<"$output"
}

# bats test_tags=long
@test "unsteady events are repeated, steady ones are not" {
    make_faults
    only_probes mix branches
    run --separate-stderr "$assay" events BR_INST_RETIRED_CONDITIONAL INSTR_RETIRED_ANY --reps 3 --node virtual --fault "$BATS_TEST_TMPDIR/faults" \
        --out "$BATS_TEST_TMPDIR/e.json"
    [ "$status" -eq 0 ]
    grep -q "^Repeats of unsteady events" <<<"$output"
    jq -e '.closer | length == 1 and .[0].event == "BR_INST_RETIRED_CONDITIONAL" and .[0].sd_pct > 2' "$BATS_TEST_TMPDIR/e.json"
    jq -e '.events[] | select(.event == "INSTR_RETIRED_ANY") | .sd_pct < 0.1 and .class == "exact"' "$BATS_TEST_TMPDIR/e.json"
    [ ! -e "$BATS_TEST_TMPDIR/e.json.part" ]
    [ ! -e "$BATS_TEST_TMPDIR/e.json.closer.part" ]
}

@test "requests that cannot be repeated are refused in one line" {
    fails_with 2 "not with --noise" "$assay" events --curves --noise --node virtual
    fails_with 2 "it is not known of any of these events how often a probe causes it" "$assay" events UOPS_ISSUED_ANY --noise --node virtual
    fails_with 2 "r*0: give REGION*N with a number from 1 to" "$build/patterns/probes" -c 0 "r*0" mix_nops 1
    fails_with 2 "r*2x: give REGION*N with a number from 1 to" "$build/patterns/probes" -c 0 "r*2x" mix_nops 1
}
