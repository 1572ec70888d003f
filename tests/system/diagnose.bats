#!/usr/bin/env bats
# Patterns of a program, by the share of its run time. SPDX-License-Identifier: GPL-3.0-or-later
load common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    printf 'volatile double a[4096];\nint main(void) { double s = 0; for (int r = 0; r < 100; r++) for (int i = 0; i < 4096; i++) s += 1 / (a[i] + r + 1); return s < 0; }\n' >divide.c
    cc -O2 divide.c -o divide
}

# bats test_tags=long
@test "a division in every iteration is recognised by its share of the run time" {
    run -0 --separate-stderr "$assay" diagnose --node virtual:haswellEP-1x2 --out d.json -- "$BATS_FILE_TMPDIR/divide"
    [[ "${lines[1]}" == "Expensive instructions can explain "*" % of the run time" ]]
    grep -q "(Divider uops of ASSAY_DIVIDER, validated" <<<"$output"
    jq -e '.kind == "diagnosis" and [.findings[] | select(.answer == "present").pattern] == ["long_latency"]
        and (.findings[0] | .added and .low > 0.3 and .high < 0.75)' d.json # 409600 * 7 .. 20 in some 2.1 M cycles and these
    jq -e '.evidence | contains("results/haswellEP/haswellEP-1x2/")' d.json # the record of two sockets has few metrics
    jq -e '[.findings[] | select(.pattern == "false_sharing")][0] | .answer == "absent" and .why == "one thread"' d.json
    shows_again d.json <(echo "$output")
    "$assay" diagnose --node virtual:haswellEP-1x2 --out again.json -- "$BATS_FILE_TMPDIR/divide"
    diff <(jq -c '.findings, .counts' d.json) <(jq -c '.findings, .counts' again.json)
    "$assay" report d.json --html d.html
    grep -q "Patterns of a program" d.html
}

# bats test_tags=long
@test "--scale runs on so many cores, resumes, and draws roofline and scaling" {
    printf 'static double a[1 << 17];\nint main(void) { for (int r = 0; r < 8; r++)\n_Pragma("omp parallel for")\nfor (int i = 0; i < 1 << 17; i++) a[i] = a[i] * 3 + 1;\nreturn a[7] < 1; }\n' >omp.c
    cc -O3 -mavx2 -fopenmp omp.c -o omp
    export OMP_NUM_THREADS=7 OMP_WAIT_POLICY=passive
    local options=(--node virtual:haswellEP-1x4 --cores 3,1,0 --scale 1,2 --out s.json)
    run -0 --separate-stderr "$assay" diagnose "${options[@]}" -- ./omp
    grep -q "^scaling of the program:" <<<"$output"
    jq -e '[.scale[].cores] == [1] and (.system | map(.core)) == [3, 1] and .scale[0].rates[0].threads == 1 and .rates[0].threads == 2' s.json
    jq -e '(.scale[0].rates[0].cycles / .rates[0].cycles) as $s | $s > 1.2 and $s <= 2' s.json # OpenMP has two threads
    jq -e '.rates[0] | .performance > 0 and .performance < .roofs.performance and .intensity > 0' s.json
    shows_again s.json <(echo "$output")
    "$assay" report s.json --html s.html
    grep -q 'class="roof"' s.html
    grep -q 'aria-label="Speed-up over cores"' s.html
    jq -c '.counts' s.json >first
    rm s.json
    "$assay" diagnose "${options[@]}" -- ./omp >out 2>log &
    local pid=$! waited=0
    until grep -q "^5/" log; do # after the four sets of one core
        sleep 0.05
        waited=$((waited + 1))
        [ $waited -lt 1200 ]
    done
    kill -INT $pid
    wait $pid && status=0 || status=$?
    [ "$status" -eq 130 ]
    "$assay" diagnose "${options[@]}" --format json -- ./omp >again.json 2>log
    grep -q "^resuming: [5-7] runs are there already$" log
    diff first <(jq -c '.counts' again.json)
}

# The two threads wait for each other 2000 times; each wait lasts a turn of the other thread. Turns of half the length would leave half of the
# instructions; a pause that idles leaves few.
# bats test_tags=long
@test "threads that wait for each other are recognised by the instructions that depend on their turns" {
    cat >turns.c <<'END'
#include <pthread.h>
static volatile long turn;
static void *take(void *own) {
    for (long i = 0; i < 2000; i++) {
        while (turn % 2 != (long)own)
            __builtin_ia32_pause();
        turn = turn + 1;
    }
    return own;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, take, (void *)1);
    take(0);
    return pthread_join(other, 0);
}
END
    cc -O2 -pthread turns.c -o turns
    export OMP_NUM_THREADS=2
    ASSAY_TURN=500 "$assay" diagnose --node virtual:skylakeX-2x1 --out t.json -- ./turns # the caller's turns change no run
    jq -e '[.findings[] | select(.answer == "present").pattern] | index("synchronisation") == 0' t.json
    jq -e '(.turned | length) == 2 and ([.runs[] | select(.turn)] | length) == 1' t.json
    jq -e '[.witness[].values[0]] as $all | [.turned[].values[0]] | .[0] < 0.4 * $all[0] and .[1] < 0.4 * $all[1]' t.json
    refute grep -q "differs from run to run" t.json
}

# Two threads write a line until 2 ms have passed. With shorter turns it moves more often, so that less is done in that time.
# bats test_tags=long
@test "threads that work until some time do not wait for each other" {
    cat >clocked.c <<'END'
#include <pthread.h>
#include <time.h>
static volatile long line[2];
static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}
static void *work(void *own) {
    for (long start = now(); now() - start < 2000000;)
        for (int i = 0; i < 100; i++)
            line[(long)own]++;
    return own;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, (void *)1);
    work(0);
    return pthread_join(other, 0);
}
END
    cc -O2 -pthread clocked.c -o clocked
    export OMP_NUM_THREADS=2
    "$assay" diagnose --node virtual:skylakeX-2x1 --out c.json -- ./clocked
    jq -e '.findings[] | select(.pattern == "synchronisation") | .answer == "cannot say" and .low == 0' c.json
    jq -e '[.witness[].values[0]] as $all | [.turned[].values[0]] | .[0] > $all[0] and .[1] > $all[1]' c.json
}

@test "the plan names the run of several threads that has other turns" {
    OMP_NUM_THREADS=2 "$assay" diagnose --node virtual:haswellEP-1x2 --plan -- true >several
    "$assay" diagnose --node virtual:haswellEP-1x1 --plan -- true >one
    grep -c "^run [0-9]*, turns of 500 instructions$" several | grep -qx 1
    refute grep -q "turns of" one
}

@test "a diagnosis has at most four times the runs of an analysis" {
    runs_of() { "$assay" "$1" --node virtual:haswellEP-1x2 --plan -- true | sed -n 's/.* events in \([0-9]*\) runs;.*/\1/p'; }
    analysis=$(runs_of analyse)
    diagnosis=$(runs_of diagnose)
    [ "$diagnosis" -gt 0 ]
    [ "$diagnosis" -le $((4 * analysis)) ]
}

@test "a node without verdicts, and wrong options" {
    copy_data # has no records
    fails_with 2 "no verdicts for skylakeX-1x2: what its metrics are worth is not known; run first: assay validate --node virtual:skylakeX-1x2" \
        "$assay" diagnose --node virtual:skylakeX-1x2 -- true
    unset ASSAY_DATA
    jq '.node.interface = "perf"' "$(reference)" >perf.json
    fails_with 2 "perf.json: counted by perf, which is no evidence about LIKWID's groups; name another record" \
        "$assay" diagnose --node virtual:haswellEP-1x2 --record perf.json -- true
    fails_with 2 "--share 0: not a number above 0 and up to 100" "$assay" diagnose --node virtual --share 0 -- true
    fails_with 2 "--format xml: unknown; one of text, json, html" "$assay" diagnose --node virtual --format xml -- true
    for scale in 2,1 1,,2 0 1,x; do
        fails_with 2 "--scale $scale: not a list of growing numbers of cores, such as 1,2,4" "$assay" diagnose --node virtual --scale "$scale" -- true
    done
    fails_with 2 "--scale 4: --cores 0,1 has 2 cores" "$assay" diagnose --node virtual --cores 0,1 --scale 1,4 -- true
    fails_with 2 "--scale: not with --ranks" "$assay" diagnose --node virtual --ranks 2 --scale 1 -- true
    fails_with 2 "no program" "$assay" diagnose
}
