#!/usr/bin/env bats
# Virtual nodes of Zen 2, which inherits Zen 3: other names and unit masks of L1's fills, core complexes of four cores, two memory channels.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# verdicts FILE: each verdict of the record once, in alphabetical order.
verdicts() { jq -r '[.metrics[].verdict] | unique | join(" ")' "$1.json"; }

@test "zen2-1x8 is two core complexes, an L3 of 16 MiB each" {
    run --separate-stderr "$assay" vnode --node zen2-1x8 -- likwid-topology
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c 'Cache groups:.*( 0 1 2 3 ) ( 4 5 6 7 )' <<<"$output")" -eq 1 ]
    grep "^Size:.*16 MB" <<<"$output"
}

@test "what Zen 2 inherits is measured by LIKWID's table of Zen 2, and validated" {
    campaign sample bandwidth_saturation avx_flops --quick --level L2 --only load,triad --node virtual:zen2-1x2
    [ "$(jq -r .node.arch sample.json)" = zen2 ]
    [ "$(verdicts sample)" = "skipped untested validated" ]
}

@test "lines that prefetchers fetch into L1 are counted: by an event of their own" {
    echo 'return { arch = "zen2", sockets = 1, cores_per_socket = 2, prefetchers = true }' >prefetching.lua
    run -0 --separate-stderr "$assay" vnode --node "$PWD/prefetching.lua" -- likwid-perfctr -o counts.csv -C 0 -m -f -g \
        DATA_CACHE_REFILLS_ALL:PMC0,HWPREF_DATA_CACHE_FILLS_ALL:PMC1,REQUESTS_TO_L2_GRP1_RD_BLOCK_L:PMC2,REQUESTS_TO_L2_GRP1_RD_BLOCK_X:PMC3 \
        likwid-bench -t load_avx -w S0:128kB:1 -i 20
    awk -F, '{ count[$1] = $3 } END {
        fills = count["DATA_CACHE_REFILLS_ALL"] + count["HWPREF_DATA_CACHE_FILLS_ALL"]
        requests = count["REQUESTS_TO_L2_GRP1_RD_BLOCK_L"] + count["REQUESTS_TO_L2_GRP1_RD_BLOCK_X"]
        print fills, requests, count["HWPREF_DATA_CACHE_FILLS_ALL"]
        # LIKWID starts and stops the four counters one after the other, and needs some lines for that
        exit !(count["HWPREF_DATA_CACHE_FILLS_ALL"] > 10000 && fills - requests < 64 && requests - fills < 64) }' counts.csv
}

# bats test_tags=long
@test "each metric of Zen 2 is validated, or says why not" {
    campaign whole --quick --node virtual:tests/nodes/zen2_mid.lua
    [ "$(verdicts whole)" = "qualitative skipped unresolved untested validated" ]
    jq -e 'all(.metrics[] | select(.verdict == "skipped" or .verdict == "unresolved"); .reason != null)' whole.json
    [ "$(jq '[.metrics[] | select(.verdict == "validated")] | length' whole.json)" -gt 300 ]
    jq -r '.metrics[] | select(.verdict == "skipped") | .reason' whole.json | grep "LIKWID does not name AMD's event of blocked loads"
}
