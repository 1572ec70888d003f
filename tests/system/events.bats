#!/usr/bin/env bats
# assay events on virtual nodes: what single events count, found from counts, and wrong events. tests/full/events.bats runs it without event
# names, tests/events/run.lua for all events.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

@test "events are named by what they count, faults by what is wrong, and cycles add up" {
    cat >"$BATS_TEST_TMPDIR/faults" <<'FAULTS'
BR_INST_RETIRED_NEAR_TAKEN scale 1.3
L1D_REPLACEMENT swap L2_TRANS_L1D_WB
MEM_LOAD_UOPS_RETIRED_L2_HIT stuck 7
ARITH_DIVIDER_UOPS add 50000
FAULTS
    # an event whose name contains LIKWID's word for errors does not spoil the other events of its run
    run --separate-stderr "$assay" events INSTR_RETIRED_ANY BR_INST_RETIRED_NEAR_TAKEN L1D_REPLACEMENT MEM_LOAD_UOPS_RETIRED_L2_HIT \
        ARITH_DIVIDER_UOPS MEM_UOPS_RETIRED_LOADS_SPLIT BR_MISP_RETIRED_ALL_BRANCHES CPU_CLK_UNHALTED_CORE ECC_CORRECTABLE_ERRORS --node virtual --fault "$BATS_TEST_TMPDIR/faults" --out "$BATS_TEST_TMPDIR/e.json"
    [ "$status" -eq 0 ]
    grep -q "^INSTR_RETIRED_ANY  *exact .* instructions$" <<<"$output"
    grep -q "^MEM_UOPS_RETIRED_LOADS_SPLIT  *exact .* split loads$" <<<"$output"
    grep -q "^BR_INST_RETIRED_NEAR_TAKEN  *multiplicative 1.3 .*; said: taken branches$" <<<"$output"
    grep -q "^L1D_REPLACEMENT  *other .* modified lines from L1; said: lines into L1$" <<<"$output"
    grep -q "^MEM_LOAD_UOPS_RETIRED_L2_HIT  *missing .* nothing; said: loads from L2$" <<<"$output"
    grep -Eq "^ARITH_DIVIDER_UOPS  *bias \+500[0-9][0-9] .* divider uops$" <<<"$output"
    grep -q "^ECC_CORRECTABLE_ERRORS  *untested .*nothing" <<<"$output"
    grep -q "^9 events: 3 exact, 1 bias, 1 multiplicative, 1 other, 1 missing, 1 unknown, 1 untested$" <<<"$output"
    grep -q "^  walk_loads 24 4096 64 .*1536$" <<<"$output" # the rows: a line of each place of a walk
    grep -q "^  walk_loads 4096 4096 64 " <<<"$output" # 16 MiB, which exceed the caches; and no much larger walk
    refute grep -q "^  walk_loads 1114112 " <<<"$output"
    shows_again "$BATS_TEST_TMPDIR/e.json" <(echo "$output")
    [ ! -e "$BATS_TEST_TMPDIR/e.json.part" ]
    grep -q "^Cycles (CPU_CLK_UNHALTED_CORE) come nearest to " <<<"$output"
    # cycles add up to the virtual node's own time: found and stated, in one order, each within 1 %
    awk '/^Cycles/ { sub(/^.* nearest to /, ""); count = split($0, found, ", ") }
         /the virtual node.s own time has/ { sub(/^.* has /, ""); stated = split($0, wanted, ", ") }
         /points each from the others: within/ { error = $(NF - 1) }
         END { for (i = 1; i <= count; i++) if (found[i] / wanted[i] > 1.01 || found[i] / wanted[i] < 0.99) bad = 1
               exit bad || count != stated || count < 5 || error > 2 }' <<<"$output"
}

# bats test_tags=long
@test "the branches of twelve loops are those of the two toolkits' tables" {
    only_probes branches mix # which also measures calls
    run --separate-stderr "$assay" events BR_INST_RETIRED_CONDITIONAL BR_INST_RETIRED_NOT_TAKEN BR_INST_RETIRED_NEAR_CALL \
        BR_INST_RETIRED_NEAR_RETURN BR_INST_RETIRED_ALL_BRANCHES BR_MISP_RETIRED_ALL_BRANCHES BR_INST_EXEC_ALL_CONDITIONAL BR_INST_EXEC_COND_TAKEN \
        BR_INST_EXEC_COND_NON_TAKEN --node virtual
    [ "$status" -eq 0 ]
    grep -q "^  T: BR_INST_RETIRED_CONDITIONAL - BR_INST_RETIRED_NOT_TAKEN$" <<<"$output"
    # figure 11, and nested_both_apart: benchmark 5 of the Counter Analysis Toolkit: conditional ones executed, retired, taken, direct, mispredicted
    awk -v wanted="halves 2 2 1.5 0 0, never 2 2 1 0 0, always 2 2 2 0 0, chance_apart 2 2 1.5 0 0.5, chance 2.5 2 1.5 0 0.5, direct 2 2 1 1 0, loop 1 1 1 0 0, nested_apart 2.75 2.5 1.5 0 0.5, nested_taken_apart 2.75 2.5 2 0 0.5, nested_both_apart 2.5 2.5 2 0 0.5, nested 3.25 2.5 1.5 0 0.5, nested_taken 3.25 2.5 2 0 0.5" '
        BEGIN { count = split(wanted, list, ", "); for (i = 1; i <= count; i++) { split(list[i], w, " "); of["branches_" w[1]] = list[i] } }
        /^Branches:/ { inside = 1 } /^$/ { inside = 0 }
        inside && $2 == 2 && ($1 in of) {
            split(of[$1], w, " "); seen++
            for (i = 1; i <= 5; i++) { off = $(i + 2) - w[i + 1]; if (off > 0.01 || off < -0.01) { print $0 ": not " of[$1]; bad = 1 } }
        }
        END { exit bad || seen != 12 }' <<<"$output"
    # figure 10: each misprediction executes the loop's jump once more on the wrong path, K = 2 .. 32
    awk '$1 == "branches_chance" && NF == 7 { off = $3 - $4 - $7; if (off > 0.002 || off < -0.002) bad = 1; seen++ }
         END { exit bad || seen != 5 }' <<<"$output"
    # executed: the masks of taken (0x81) and not taken (0x41) ones add up to that of all (0xC1), wrong paths included
    awk '$2 == "measured" { event = $1 }
         $1 == "branches_chance" && $2 == 2 { of[event] = $3 }
         END { sum = of["BR_INST_EXEC_COND_TAKEN"] + of["BR_INST_EXEC_COND_NON_TAKEN"] - of["BR_INST_EXEC_ALL_CONDITIONAL"]
               exit of["BR_INST_EXEC_COND_TAKEN"] < 1.98 || sum > 0.01 || sum < -0.01 }' <<<"$output"
}

# bats test_tags=long
@test "a walk exceeds the last level even if that is large" {
    only_probes walk
    run -0 --separate-stderr "$assay" events L1_DC_REFILLS_LOCAL_DRAM L1_DTLB_MISS_ANY_L2_MISS --node virtual:zen3-1x1
    grep -q "^L1_DC_REFILLS_LOCAL_DRAM  *exact " <<<"$output"
    grep -Eq "^  walk_loads 1114112 64 1  *1.11[0-9]*e.06  *1.11411e.06$" <<<"$output"
    grep -Eq "^  walk_loads 4608 4160 1  *46[0-9.]+  *4608$" <<<"$output" # more pages than the second TLB has
}

# bats test_tags=long
@test "lines of another core are distinguished by their place, and boxes that both cores share count more" {
    only_probes transfers chase
    run --separate-stderr "$assay" events MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HIT \
        MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_FWD MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_DRAM \
        LLC_LOOKUP_DATA_READ --node virtual:haswellEP-2x2
    [ "$status" -eq 0 ]
    grep -q "^MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HITM  *exact .* loads of lines modified elsewhere$" <<<"$output"
    grep -q "^MEM_LOAD_UOPS_L3_HIT_RETIRED_XSNP_HIT  *exact .* loads of lines clean elsewhere$" <<<"$output"
    grep -q "^MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_HITM  *exact .* loads of lines modified in another socket$" <<<"$output"
    grep -q "^MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_FWD  *exact .* loads of lines clean in another socket$" <<<"$output"
    grep -q "^MEM_LOAD_UOPS_L3_MISS_RETIRED_REMOTE_DRAM  *exact .* loads from far memory$" <<<"$output"
    grep -q "^LLC_LOOKUP_DATA_READ.*  exact .* data reads past L2$" <<<"$output"
    grep -Eq "^  transfers_modified_across 16 .* 1008$" <<<"$output" # 16 pages of 63 lines
}

@test "an event that the node does not model has no value, and says so" {
    only_probes mix
    run -0 --separate-stderr "$assay" events UOPS_ISSUED_ANY --node virtual
    grep -q "^UOPS_ISSUED_ANY  *absent .*not modelled" <<<"$output"
}

@test "events that cannot be measured are refused in one line" {
    fails_with 2 "NO_SUCH_EVENT: no event of haswellEP" "$assay" events NO_SUCH_EVENT --node virtual
    fails_with 2 "leave out the names or --all" "$assay" events INSTR_RETIRED_ANY --all --node virtual
}
