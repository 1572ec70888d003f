#!/usr/bin/env bats
# likwid-perfctr's own tables on a virtual node: an event that the node does not count, and each metric that uses it, has no value ('-'),
# in every mode and form of output; the values next to it are right. SPDX-License-Identifier: GPL-3.0-or-later
load common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p home/.likwid/groups/haswellEP
    group BOTH MEM_UOPS_RETIRED_LOADS MEM_UOPS_RETIRED_STORES
    group OTHER UOPS_RETIRED_ALL MEM_UOPS_RETIRED_STORES
    group MINE MEM_UOPS_RETIRED_LOADS UOPS_RETIRED_ALL
    export HOME=$PWD/home
}

# group NAME EVENT EVENT: on PMC0 and PMC3
group() {
    cat >"home/.likwid/groups/haswellEP/$1.txt" <<GROUP
SHORT Mine

EVENTSET
FIXC0 INSTR_RETIRED_ANY
PMC0  $2
PMC3  $3

METRICS
First per instruction PMC0/FIXC0
First per second PMC0/time
First per second event PMC0/PMC3
Second per second 1.0E-06*PMC3/time
Second per first PMC3/PMC0
Both PMC0+PMC3
Difference PMC0-PMC3

LONG
Mine
GROUP
}

# measured ARGUMENT...: of likwid-perfctr, on one core unless they say others
measured() {
    run --separate-stderr "$assay" vnode --node virtual:haswellEP-1x2 -- likwid-perfctr -C 0 "$@" likwid-bench -t load -w S0:20kB:1 -i 100
    echo "$output" "$stderr"
    [ "$status" -eq 0 ]
}

# value NAME: the last column of its row in the table, or of its line in a CSV
value() {
    awk -F ' *[|] *|,+' -v name="$1" '$2 == name { print $(NF - 1) } $1 == name { print $0 ~ /,$/ ? $(NF - 1) : $NF }' <<<"$output"
}

# Names, sorted, of the rows whose value is '-'.
without_value() {
    awk -F ' *[|] *' 'NF > 3 && $(NF - 1) == "-" { print $2 }' <<<"$output" | sort
}

uses_second="Both
Difference
First per second event
Second per first
Second per second
UOPS_RETIRED_ALL"

# bats test_tags=elsewhere
@test "an event that is not modelled, and its ratios, have no value; other metrics in the table have" {
    measured -g BOTH -m
    loads=$(value MEM_UOPS_RETIRED_LOADS)
    for mode in "" -m; do
        measured -g MINE $mode
        [ "$(without_value)" = "$uses_second" ]
        refute grep -qw inf <<<"$output"
        LC_ALL=C awk -v a="$(value "First per instruction")" -v b="$(value MEM_UOPS_RETIRED_LOADS)" -v c="$(value INSTR_RETIRED_ANY)" \
            'BEGIN { exit !(c > 0 && (a - b / c) ^ 2 < 1e-8) }'
    done
    [ "$(value MEM_UOPS_RETIRED_LOADS)" -eq "$loads" ]
    measured -g MINE -m -O
    [ "$(value UOPS_RETIRED_ALL)$(value "First per second event")" = -- ]
    [ "$(value MEM_UOPS_RETIRED_LOADS)" -eq "$loads" ]
}

@test "the same with options of a counter" {
    measured -m -g UOPS_RETIRED_ALL:PMC0:EDGEDETECT,UOPS_RETIRED_ALL:PMC1:THRESHOLD=0x2,MEM_UOPS_RETIRED_LOADS:PMC2
    [ "$(grep -cE "not counted here: UOPS_RETIRED_ALL \(PMC[01]:" <<<"$stderr")" -eq 2 ]
    [ "$(value UOPS_RETIRED_ALL)" = "$(printf '%s\n' - -)" ]
    [ "$(value MEM_UOPS_RETIRED_LOADS)" -gt 0 ]
}

# bats test_tags=long
@test "several groups: a counter counts in one and not in the other; statistics have no value either" {
    measured -C 0,1 -g MINE -g OTHER -g MINE
    [ "$(grep -c "not counted" <<<"$stderr")" -eq 3 ]
    grep -qF "UOPS_RETIRED_ALL (PMC0 of group OTHER)" <<<"$stderr"
    [ "$(value "UOPS_RETIRED_ALL STAT" | sort -u)" = - ]
    [ "$(value "Second per first STAT" | sort -u)" = - ]
    refute grep -qw inf <<<"$output"
    [ "$(value "MEM_UOPS_RETIRED_LOADS STAT" | head -1)" != - ]
    [ "$(value "MEM_UOPS_RETIRED_STORES STAT")" != - ]
}

@test "timeline and stethoscope: a metric without value is -" {
    measured -t 500ms -g MINE
    grep -qE "^1 7 1( [0-9.]+){3}( -){5}$" <<<"$stderr"
    refute grep -E "^1 7 1( [0-9.]+){3}.*([0-9]|inf|nan)( -){0,4}$" <<<"$stderr"
    run --separate-stderr "$assay" vnode --node virtual:haswellEP-1x2 -- likwid-perfctr -c 0 -g MINE -S 100ms
    [ "$(value "Second per second")$(value UOPS_RETIRED_ALL)" = -- ]
    [ "$(value "First per second")" = 0 ]
}

# bats test_tags=long
@test "energy and temperature have no value on any node" {
    for arch in haswellEP skylakeX zen3; do
        run --separate-stderr "$assay" vnode --node "virtual:$arch-1x1" -- likwid-perfctr -C 0 -g ENERGY -m likwid-bench -t load -w S0:20kB:1 -i 10
        echo "$output" "$stderr"
        [ "$(grep -cE "^\| +(PWR|RAPL|TEMP)_.* - +\|$" <<<"$output")" -eq "$(grep -c "not counted here: " <<<"$stderr")" ]
        [ "$(grep -E "(Energy|Power|Temperature).*\[" <<<"$output" | awk '{ print $(NF - 1) }' | sort -u)" = - ]
        [ "$(value CPI)" != - ]
    done
}

# bats test_tags=long
@test "a counter that a fault denies is shown as LIKWID itself does: its metrics take it for 0" {
    echo "PMC0 deny" >faults
    run --separate-stderr "$assay" vnode --node virtual:haswellEP-1x2 --fault faults -- \
        likwid-perfctr -C 0 -g L2 likwid-bench -t load -w S0:20kB:1 -i 10
    echo "$output"
    [ "$(without_value)" = L1D_REPLACEMENT ]
    [ "$(grep "L2D load" <<<"$output" | awk '{ print $(NF - 1) }' | sort -u)" = 0 ]
}
