#!/usr/bin/env bats
# Counts estimated from samples, on virtual nodes: against closed forms, callgrind and LIKWID's counts; samples in step with the program;
# counters made wrong on purpose.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    "$assay" sampling --node virtual --out sampling.json >text 2>log
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
}

# of EVENT FILTER [FILE]: the jq filter is true for that event of FILE.
of() {
    jq -e --arg event "$1" ".events[] | select(.event == \$event) | $2" "${3:-sampling.json}" >/dev/null && return
    jq -c --arg event "$1" '.events[] | select(.event == $event)' "${3:-sampling.json}"
    return 1
}

@test "totals are right within one period, and functions have the counts of their code" {
    grep -q "^Virtual node haswellEP-1x2 (no evidence about silicon)" text
    shows_again sampling.json text
    jq -e '[.events[].class] == ["exact", "exact", "exact", "exact"] and .lost == 0 and .unfinished == 0' sampling.json
    jq -e 'all(.events[].rows[]; .samples == (.counted / .period | floor))' sampling.json
    # six functions in three runs each
    of INSTR_RETIRED_ANY '.closed == 18 and .differing == []'
    of MEM_UOPS_RETIRED_LOADS '.closed == 18 and .differing == []'
    # the rings are larger than L1, so each line misses: 192 and 128 lines a round, 2000 rounds
    of L1D_REPLACEMENT '(.functions[0] | .function == "sampled_walk" and .counted == 192 * 2000)'
    of L1D_REPLACEMENT '(.functions[1] | .function == "sampled_sweep" and .counted == 128 * 2000) and .round == 320'
}

# bats test_tags=long
@test "a branch's events belong to it, not to the next instruction" {
    events="BR_INST_RETIRED_NEAR_RETURN MEM_UOPS_RETIRED_STORES"
    "$assay" sampling $events --node virtual --periods 97 --out branches.json >/dev/null 2>&1
    for event in $events; do
        of "$event" '.class == "exact" and .closed == 18 and .differing == []' branches.json
    done
    of BR_INST_RETIRED_NEAR_RETURN '[.functions[] | select(.counted == 2000) | .function] | sort
        == ["sampled_add", "sampled_chance", "sampled_hit", "sampled_sweep", "sampled_walk"]' branches.json
}

@test "samples in step with the program's rounds miss functions, others do not" {
    of INSTR_RETIRED_ANY '.round == 10000'
    row='.rows | map(select(.run == 3)) | map({ key: .period | tostring, value: . }) | from_entries'
    of INSTR_RETIRED_ANY "$row | .[\"10000\"] | .places == 1 and .sweep == null and .beyond and .misplaced_pct > 50"
    of INSTR_RETIRED_ANY "$row | .[\"1000\"] | .places == 10 and .sweep == 10 and .beyond and .misplaced_pct > 2"
    of INSTR_RETIRED_ANY "$row | .[\"997\"] | .places == 10000 and (.beyond | not) and .misplaced_pct < .chance_pct"
    # each sample is 27 earlier in a round of 10 000: a sweep takes 371 samples, 200 rounds give fewer
    of INSTR_RETIRED_ANY '.rows | map(select(.run == 2 and .period == 9973)) | .[0] | .sweep == 371 and .samples < 371 and .beyond'
}

@test "callgrind counts the same instructions in each function" {
    valgrind --tool=callgrind --callgrind-out-file=cg "$build/patterns/sampled" 000002000 2>/dev/null
    callgrind_annotate --threshold=100 --auto=no cg >annotated
    for function in sampled_add sampled_walk sampled_sweep sampled_hit sampled_chance sampled_rounds; do
        other=$(awk -v f="$function" '$0 ~ "[?]:" f "('"'"'2)? " { gsub(",", "", $1); sum += $1 } END { print sum + 0 }' annotated)
        ours=$(jq --arg f "$function" '.events[0].functions[] | select(.function == $f) | .counted' sampling.json)
        echo "$function: $ours, callgrind $other"
        [ "$ours" -eq "$other" ]
    done
}

@test "sampling does not change LIKWID's counts" {
    for rounds in 000000200 000002000; do
        "$assay" vnode -- likwid-perfctr -C 0 -g INSTR_RETIRED_ANY:FIXC0,L1D_REPLACEMENT:PMC0,MEM_UOPS_RETIRED_LOADS:PMC1 -o "$rounds.csv" \
            "$build/patterns/sampled" "$rounds" >/dev/null 2>&1
    done
    for event in INSTR_RETIRED_ANY L1D_REPLACEMENT MEM_UOPS_RETIRED_LOADS; do
        counted=$(awk -F, -v e="$event" '$1 == e { print $3 }' 000000200.csv 000002000.csv | paste -sd- | awk -F- '{ print $2 - $1 }')
        sampled=$(jq --arg e "$event" '.events[] | select(.event == $e) | [.rows[] | select(.period == 97)] | .[2].counted - .[1].counted' sampling.json)
        echo "$event: counted $counted, sampled $sampled"
        [ "$counted" -eq "$sampled" ]
    done
}

# bats test_tags=long
@test "a wrong counter gives wrong samples" {
    printf '%s\n' "INSTR_RETIRED_ANY scale 1.5" "L1D_REPLACEMENT swap MEM_UOPS_RETIRED_STORES" "BR_MISP_RETIRED_ALL_BRANCHES stuck 7" \
        "MEM_UOPS_RETIRED_LOADS add 50000" >faults
    "$assay" sampling --node virtual --periods 97,997 --fault faults --out wrong.json >wrong 2>&1
    of INSTR_RETIRED_ANY '.class == "multiplicative" and .factor.min <= 1.5 and .factor.max > 1.5 and .factor.max - .factor.min < 1e-5' wrong.json
    of MEM_UOPS_RETIRED_LOADS '.class == "bias" and .offset.min <= 50000 and .offset.max > 50000' wrong.json
    of L1D_REPLACEMENT '.class == "other"' wrong.json
    of BR_MISP_RETIRED_ALL_BRANCHES '.class == "missing"' wrong.json
    # faults do not change true counts
    of INSTR_RETIRED_ANY '.closed == 18' wrong.json
    of L1D_REPLACEMENT '.round == 320' wrong.json
    printf '%s\n' "INSTR_RETIRED_ANY jitter 0.1" "L1D_REPLACEMENT wrap 9" "PMC0 add 0" >faults
    "$assay" sampling INSTR_RETIRED_ANY L1D_REPLACEMENT --node virtual --periods 97,997 --fault faults --out wrong.json >wrong 2>&1
    of INSTR_RETIRED_ANY '.class == "random"' wrong.json
    of L1D_REPLACEMENT '.class == "absent" and .reason == "its counter has 9 bits: no period of 997"' wrong.json
    echo "PMC0 deny" >faults
    fails_with 2 "L1D_REPLACEMENT cannot be sampled: its counter may not be used" \
        "$assay" sampling L1D_REPLACEMENT --node virtual --fault faults -- true
}

# bats test_tags=long
@test "skid moves samples to other functions, but loses none" {
    "$assay" sampling MEM_UOPS_RETIRED_LOADS --node virtual --periods 997 --skid 400 --out late.json >/dev/null 2>&1
    of MEM_UOPS_RETIRED_LOADS '.class == "exact" and (.rows[2] | .beyond and .misplaced_pct > 5)' late.json
    of MEM_UOPS_RETIRED_LOADS '.rows | map(select(.run == 3 and .period == 997)) | .[0] | (.beyond | not) and .misplaced_pct < 1'
    [ "$(jq .skid late.json)" -eq 400 ]
}

# bats test_tags=long
@test "any program: its processes, its exit status, and events of another architecture" {
    "$assay" sampling INSTR_RETIRED_ANY --node virtual --periods 997 --out any.json -- sh -c 'ls / | sort | wc -l; exec true' >any 2>&1
    of INSTR_RETIRED_ANY '.class == "exact" and (.functions | length > 3)' any.json
    jq -e 'all(.events[].rows[]; .rounds == null and .places == null)' any.json >/dev/null
    run -1 --separate-stderr "$assay" sampling INSTR_RETIRED_ANY --node virtual --periods 997 -- sh -c 'exit 3'
    [ "$stderr" = "assay sampling: sh ended with a status other than 0" ]
    "$assay" sampling --node virtual:zen3-1x2 --periods 997 --out zen3.json >zen3 2>&1
    of RETIRED_INSTRUCTIONS '.class == "exact" and .closed == 18 and .round == 10000' zen3.json
    of L1_DC_REFILLS_ALL '.class == "exact" and .round == 320' zen3.json
}

@test "the record has a page and drawings, and says on both that the node is virtual" {
    "$assay" report sampling.json --html page.html --svg drawings
    grep -q "no evidence about silicon" page.html
    [ "$(grep -c '<svg ' page.html)" -eq 8 ]
    [ "$(ls drawings | wc -l)" -eq 8 ]
    grep -q ">virtual node haswellEP-1x2<" drawings/INSTR-RETIRED-ANY-functions.svg
    fits sampling.json "$root/docs/sampling.schema.json"
    jq 'del(.events[0].rows[2].samples)' sampling.json >broken.json
    fails_with 2 "events[0].rows[2].samples is missing" "$assay" report broken.json --html no.html
}

# bats test_tags=long
@test "SIGINT ends the command and its program" {
    run --separate-stderr timeout --preserve-status -s INT 3 "$assay" sampling --node virtual -- sh -c 'while :; do :; done' "$BATS_TEST_TMPDIR"
    [ "$status" -eq 130 ]
    [ "$stderr" = "assay sampling: interrupted; nothing is kept" ]
    refute pgrep -f "done $BATS_TEST_TMPDIR"
}

@test "a refusal to sample is reported in one line" {
    fails_with 2 "FOO: no event of haswellEP; likwid-perfctr -e lists them" "$assay" sampling FOO --node virtual
    fails_with 2 "CAS_COUNT_RD cannot be sampled: cores do not count it" "$assay" sampling CAS_COUNT_RD --node virtual -- true
    fails_with 2 "UOPS_ISSUED_ANY cannot be sampled: the node does not model it" "$assay" sampling UOPS_ISSUED_ANY --node virtual -- true
    fails_with 2 "--: no program behind it" "$assay" sampling --node virtual --
    fails_with 2 "--periods 3,x: whole numbers from 1 to" "$assay" sampling --node virtual --periods 3,x
    fails_with 2 "--periods 0: whole numbers from 1 to" "$assay" sampling --node virtual --periods 0
    fails_with 2 "--skid 1001: a whole number from 1 to 1000" "$assay" sampling --node virtual --skid 1001
    fails_with 2 "nosuch: no such program" "$assay" sampling --node virtual -- nosuch
    fails_with 2 "takes longer than 1 s" "$assay" sampling --node virtual --timeout 1 -- sh -c 'while :; do :; done'
    fails_with 2 "a virtual node samples 8 and 24 at once" "$assay" sampling --node virtual --periods "$(seq -s, 1 25)" -- true
}
