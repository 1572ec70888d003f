#!/usr/bin/env bats
# Failing runs: killed, hanging, full disk, interrupted, two at once. The failure is recorded, and the campaign continues.
load common

# Any codes are suitable for these tests: one is a kernel, the other has its pattern's own program.
patterns=(avx_flops split_loads --only fma_registers,aligned)

@test "a killed likwid-perfctr is recorded with command and status, and the campaign ends with 1" {
    fake_likwid 'echo about to die >&2; kill -KILL $$'
    run -1 --separate-stderr "$assay" validate "${patterns[@]}" --node virtual --quick --out r.json
    [ -e r.json ]
    run jq_failures r.json
    [[ "$output" == *'"status": 137'* ]]
    [[ "$output" == *'about to die'* ]]
    [[ "$output" == *'likwid-perfctr -C'* ]]
    jq -e '.metrics | length > 0 and all(.verdict != "validated")' r.json
}

# bats test_tags=long
@test "a hanging likwid-perfctr is stopped after --timeout" {
    fake_likwid "sleep 1000.$$"
    run -1 --separate-stderr "$assay" validate "${patterns[@]}" --node virtual --quick --timeout 1 --out r.json
    grep -q '"why": "timed out after' r.json
    refute pgrep -f "sleep 1000.$$"
}

@test "a likwid-perfctr that prints nothing is a failure, not a zero" {
    fake_likwid 'exit 0'
    run -1 --separate-stderr "$assay" validate "${patterns[@]}" --node virtual --quick --out r.json
    grep -q 'run failed: likwid-perfctr left no out.csv' r.json
    jq -e '.metrics | length > 0 and all(.verdict != "validated")' r.json
    jq -e '[.. | .measured? | numbers] == []' r.json
}

# talking_likwid TEXT: installs a likwid-perfctr that prints TEXT on standard error and then runs the real one.
talking_likwid() {
    local real
    real=$(command -v likwid-perfctr)
    fake_likwid "case \$* in *out.csv*) printf '$1' >&2 ;; esac
exec $real \"\$@\""
}

# bats test_tags=long
@test "a LIKWID error fails the run, but a metric that LIKWID cannot calculate does not, because the counts exist" {
    local unable='ERROR - [perfmon_getMetric:1] No such file or directory.\nCannot calculate formula 0.0/0.0\n'
    talking_likwid "$unable$unable"
    "$assay" validate long_latency --node virtual --quick --out r.json
    jq -e '.failures == [] and any(.metrics[]; .verdict == "validated")' r.json
    rm -r fake
    talking_likwid "${unable}ERROR - [init:2] something else.\nCannot calculate\n"
    run -1 --separate-stderr "$assay" validate long_latency --node virtual --quick --out other.json
    jq -e 'all(.failures[]; .why | contains("something else")) and (.failures | length > 0)' other.json
}

@test "a full disk is reported in the last line, and no partial record is left" {
    unshare -rm true || skip "no name space to mount a small disk in"
    fake_likwid 'exit 0'
    mkdir full
    cat >on_full_disk <<'SCRIPT'
mount -t tmpfs -o size=8k tmpfs full || exit 99
"$@" --out full/r.json
status=$?
ls full >left
exit $status
SCRIPT
    run -2 --separate-stderr unshare -rm sh on_full_disk "$assay" validate "${patterns[@]}" --node virtual --quick
    [[ "${stderr_lines[-1]}" == *"No space left on device"* ]]
    [ "$(grep -cvx r.json.part left)" -eq 0 ]
}

@test "two campaigns at once on one record: the second is refused" {
    fake_likwid "sleep 60.$$"
    "$assay" validate "${patterns[@]}" --node virtual --quick --out r.json 3>&- &
    first=$!
    for _ in $(seq 100); do [ -e r.json.lock ] && break; sleep 0.05; done
    fails_with 2 "another campaign" "$assay" validate "${patterns[@]}" --node virtual --quick --out r.json
    kill -INT "$first"
    wait "$first" || [ $? -eq 130 ]
}

@test "an interrupted campaign ends with 130, leaves its state and no record, and resumes" {
    fake_likwid 'case $* in *out.csv*) n=$(cat '"$PWD"'/count 2>/dev/null || echo 0); echo $((n + 1)) >'"$PWD"'/count; [ "$n" -lt 2 ] || sleep 30 ;; esac; exit 3'
    "$assay" validate "${patterns[@]}" --node virtual --quick --reps 2 --jobs 1 --out r.json 3>&- &
    pid=$!
    for _ in $(seq 300); do [ "$(cat count 2>/dev/null)" = 3 ] && break; sleep 0.05; done
    kill -INT "$pid"
    wait "$pid" && false || [ $? -eq 130 ]
    [ -e r.json.part ]
    [ ! -e r.json ]
    fake_likwid 'exit 3'
    run -1 --separate-stderr "$assay" validate "${patterns[@]}" --node virtual --quick --reps 2 --jobs 1 --out r.json
    [[ "$stderr" == *"resuming: 2 runs"* ]]
    [ -e r.json ]
    [ ! -e r.json.part ]
}

# bats test_tags=long
@test "SIGTERM while judging ends with 130, and the same command then judges the kept runs" {
    copy_data
    sed -i 's/^function assess.all(argument)$/& while true do end/' data/lua/judge/assess.lua
    run -1 cmp -s "$root/lua/judge/assess.lua" data/lua/judge/assess.lua
    long=(long_latency --quick --only div_avx --node virtual --out r.json)
    timeout -s KILL 100 "$assay" validate "${long[@]}" 2>log 3>&- &
    pid=$!
    for _ in $(seq 600); do grep -qE '^([0-9]+)/\1 .*: [0-9.]+ s' log && break; sleep 0.05; done
    sleep 0.5
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    cat log
    [ "$status" -eq 130 ]
    grep -q "interrupted; [1-9][0-9]* runs are kept, the same command resumes from r.json.part" log
    [ ! -e r.json ]
    cp "$root/lua/judge/assess.lua" data/lua/judge/
    run -0 --separate-stderr "$assay" validate "${long[@]}"
    [[ "$stderr" == *"resuming: "* ]]
    [[ "$stderr" != *" s"$'\n'* ]]
    [ -e r.json ]
}

# bats test_tags=elsewhere
@test "an unknown group on the virtual node ends with 1, and leaves no process that holds a pipe open" {
    run timeout 120 bash -c '"$0" vnode -- likwid-perfctr -C 0 -g NOSUCH -m true 2>&1 | cat; exit "${PIPESTATUS[0]}"' "$assay"
    [ "$status" -eq 1 ]
    [[ "$output" == *"NOSUCH"* ]]
}

# Which runs are disturbed depends on all results, so the state file lists the runs to repeat and the number of repeats so far.
# bats test_tags=long
# Noise depends on the node's time, and that a little on the number of digits of the programs' process ids.
digits_of_ids() {
    bash -c 'echo ${#BASHPID}'
}

noisy_and_interrupted() {
    noisy=(long_latency --only div_avx --node virtual --noise busy --reps 5 --jobs 1)
    rm -f ./*.json ./*.part
    run --separate-stderr "$assay" validate "${noisy[@]}" --out a.json
    [ "$status" -eq 0 ]
    timeout -s KILL 100 "$assay" validate "${noisy[@]}" --out b.json 2>log 3>&- &
    pid=$!
    for _ in $(seq 600); do grep -q "^disturbed, measured again" log && break; sleep 0.05; done
    kill -INT "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$status" -eq 130 ]
    run --separate-stderr "$assay" validate "${noisy[@]}" --out b.json
    [ "$status" -eq 0 ]
}

@test "a noisy campaign that is interrupted while it measures disturbed runs again gives the same record" {
    for _ in {1..3}; do
        digits=$(digits_of_ids)
        noisy_and_interrupted
        [ "$(digits_of_ids)" -ne "$digits" ] || break
    done
    disturbed=$(sed -n 's/^disturbed, measured again: \([0-9]*\) run.*/\1/p' log | tail -1)
    [[ "$stderr" == *"resuming: $((5 - disturbed)) runs"* ]]
    for record in a b; do jq '[.samples, .counts, .metrics, [.runs[] | [.job, .run, .rep, .again]]]' $record.json >$record; done
    cmp a b
    [ "$(jq '[.runs[].again // 0] | add' b.json)" -ge "$disturbed" ]
}

@test "the state of another campaign is not resumed" {
    echo '{"what": {}, "results": {}}' >r.json.part
    fails_with 2 "other options" "$assay" validate "${patterns[@]}" --node virtual --quick --out r.json
}

jq_failures() {
    sed -n '/"failures"/,/^ \]/p' "$1"
}
