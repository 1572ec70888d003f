#!/usr/bin/env bats
# The virtual node's time is a model, and says so where a bandwidth or CPI is shown.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

note="the virtual node's own model"

@test "a measurement on the virtual node ends with one line on stderr, and none on stdout" {
    run --separate-stderr "$assay" vnode -- likwid-perfctr -C 0 -g MEM likwid-bench -t load_avx -w S0:100kB:1 -i 1000
    [ "$status" -eq 0 ]
    [[ "$output" == *"Memory bandwidth"* ]]
    [ "$(grep -c "$note" <<<"$stderr")" -eq 1 ]
    [ "$(grep -c "$note" <<<"$output")" -eq 0 ]
}

@test "what measures nothing is not commented on" {
    run --separate-stderr "$assay" vnode -- true
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    run --separate-stderr "$assay" vnode -- likwid-perfctr -a
    [ "$status" -eq 0 ]
    [ "$(grep -c "$note" <<<"$stderr")" -eq 0 ]
}

@test "a core reads a line in the latency that the description has" {
    run "$assay" vnode -- likwid-perfctr -C 0 -g MEM -m likwid-bench -t load_avx -w S0:20MB:1 -i 4
    [ "$status" -eq 0 ]
    measured=$(awk -F'|' '$2 ~ /Memory read bandwidth/ { print $3 + 0 }' <<<"$output")
    # the latency of each line, and a few cycles: its two loads, the loop, 30 / 64 of a page walk
    lua5.4 -e "local line, clock, latency = $(described haswellEP-1x2 'd.line .. "," .. d.clock_hz .. "," .. d.memory_latency')
        local function rate(cycles) return line / cycles * clock / 1e6 end
        local m = $measured print(m, rate(latency), rate(latency + 8))
        assert(m < rate(latency) and m > rate(latency + 8))"
}
