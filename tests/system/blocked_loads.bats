#!/usr/bin/env bats
# Loads that wait for stores, not forwarded or aliased, on virtual nodes of each architecture.
# SPDX-License-Identifier: GPL-3.0-or-later
bats_require_minimum_version 1.5.0
load common

nodes="haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2 zen3-1x4"

setup_file() {
    load common
    for node in $nodes; do
        "$assay" validate store_forwarding address_aliasing --node "virtual:$node" --out "$BATS_FILE_TMPDIR/$node.json" >/dev/null 2>&1
    done
}

@test "loads not forwarded and aliased loads are exact, and 0.2 % more or less would have been seen" {
    for node in haswellEP-1x2:4 broadwellEP-1x2:4 skylakeX-1x2:4 zen3-1x4:2; do
        lua5.4 "$root/tests/system/query.lua" "$BATS_FILE_TMPDIR/${node%:*}.json" "sharp({}, 0.002, ${node#*:})"
    done
}

@test "both are far apart from the codes without them" {
    for node in $nodes; do
        lua5.4 "$root/tests/system/query.lua" "$BATS_FILE_TMPDIR/$node.json" '
            local t = one { metric = "Loads not forwarded per instruction", code = "halves" }.threshold
            check(t.present.min > 1000 * t.absent.max, t.absent.max)
            if "'"$node"'" ~= "zen3-1x4" then
                local t = one { metric = "Aliased loads per instruction", code = "aliased" }.threshold
                check(t.present.min > 1000 * t.absent.max, t.absent.max)
            end'
    done
    run "$assay" show "$BATS_FILE_TMPDIR/zen3-1x4.json"
    grep -q "skipped: .*aliased loads: no event counts loads" <<<"$output"
}
