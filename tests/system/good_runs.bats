#!/usr/bin/env bats
# Runs with valid counts in unusual conditions: a region that is never entered, any exit status.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

node=virtual:haswellEP-1x1

compile() {
    gcc -O1 -x c - -o "$1" "${@:2}"
}

# Two regions are registered; the second one is entered only if there is an argument.
make_marked() {
    compile marked -DLIKWID_PERFMON -llikwid <<'C'
#include <likwid-marker.h>
static volatile double a[4096];
int main(int c, char **v) {
    (void)v;
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_REGISTER("work");
    LIKWID_MARKER_REGISTER("i-o");
    LIKWID_MARKER_START("work");
    for (int r = 0; r < 100; r++)
        for (int i = 0; i < 4096; i++)
            a[i] = i;
    LIKWID_MARKER_STOP("work");
    if (c > 1) {
        LIKWID_MARKER_START("i-o");
        LIKWID_MARKER_STOP("i-o");
    }
    LIKWID_MARKER_CLOSE;
}
C
}

@test "a region is registered but not entered: the others have counts, and a message names it" {
    make_marked
    "$assay" analyse --node $node --tree BRANCHES --out a.json -- ./marked >out 2>log
    [ "$(jq -c .regions a.json)" == '["work"]' ]
    grep -q "^region i-o has no counts in 1 of 1 runs: it was registered and not entered, or not left$" out
    jq -e '.failures == []' a.json
    "$assay" analyse --node $node --tree BRANCHES --out b.json -- ./marked too >out 2>log
    [ "$(jq -c .regions b.json)" == '["i-o","work"]' ]
    refute grep -q "has no counts" out
    # the loop's branches are the same
    jq -e --slurp '[.[] | .regions as $r | .counts[] | select(.event == "BR_INST_RETIRED_ALL_BRANCHES" and $r[.region] == "work") | .values[0]]
        | length == 2 and (.[0] - .[1] | fabs) < 100 and .[0] > 409600' a.json b.json
    copy_data # with few laws, for few runs
    printf 'each core\nfrom the manual\nmissed: BR_MISP_RETIRED_ALL_BRANCHES <= BR_INST_RETIRED_ALL_BRANCHES\n    why some of them\n' >data/groups/haswellEP/pmu.laws
    "$assay" laws --node $node --out l.json -- ./marked >out 2>log
    grep -q "^region i-o has no counts in .* runs: it was registered" out
    grep -Eq "^[0-9]+ laws on [0-9]+ runs: [0-9]+ hold, 0 broken" out
}

# bats test_tags=long
@test "a program's counts are used whatever its exit status, unless it was not started or a signal ended it" {
    compile ends <<'C'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static volatile double a[4096];
int main(int c, char **v) {
    (void)c;
    for (int r = 0; r < 100; r++)
        for (int i = 0; i < 4096; i++)
            a[i] = i;
    if (strcmp(v[1], "signal") == 0)
        raise(atoi(v[2]));
    return atoi(v[2]);
}
C
    for status in -1 128 193 200; do
        "$assay" analyse --node $node --tree BRANCHES --out a.json -- ./ends exit $status >out 2>log
        grep -q "^the program ended with status $((status & 255))$" out
        jq -e '.failures == [] and (.counts | length) > 0' a.json
    done
    for signal in 11 9; do
        run -1 "$assay" analyse --node $node --tree BRANCHES -- ./ends signal $signal
        [[ "$output" == *"exit status $((128 + signal))"* ]]
    done
    run -1 "$assay" analyse --node $node --tree BRANCHES -- ./ends exit 127
}

# bats test_tags=long
@test "an interruption names the file with the finished runs, or says that there is none" {
    echo 'echo x >>began; until [ -e "go$(wc -l <began)" ]; do sleep 0.01; done' >wait
    for ended in 0 1; do
        rm -f began
        [ $ended -eq 0 ] || touch go1
        "$assay" analyse --node $node --tree BRANCHES --reps 2 --out a.json -- sh wait >out 2>log 3>&- &
        pid=$!
        until [ "$(wc -l <began)" -gt $ended ]; do sleep 0.05; done 2>/dev/null
        kill -TERM $pid
        status=0
        wait $pid || status=$?
        cat log
        [ "$status" -eq 130 ]
        [ ! -e a.json ]
        if [ $ended -eq 0 ]; then
            grep -q "interrupted before the first run ended; nothing is kept$" log
            [ ! -e a.json.part ]
        else
            grep -q "interrupted; 1 runs are kept, the same command resumes from a.json.part$" log
            [ -s a.json.part ]
        fi
    done
}
