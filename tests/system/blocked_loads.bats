#!/usr/bin/env bats
# Loads that wait for stores, not forwarded or aliased, on virtual nodes of each architecture.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pattern="store_forwarding address_aliasing"
nodes="zen3-1x4 haswellEP-1x2 broadwellEP-1x2 skylakeX-1x2"

# bats test_tags=architectures
@test "loads not forwarded and aliased loads are exact, and 0.2 % more or less would have been seen" {
    for node in $(nodes_here zen3-1x4:2 haswellEP-1x2:4 broadwellEP-1x2:4 skylakeX-1x2:4); do
        query "${node%:*}" "sharp({}, 0.002, ${node#*:})"
    done
}

# bats test_tags=architectures
@test "codes with and without such loads are far apart" {
    for node in $(nodes_here $nodes); do
        query "$node" '
            local t = one { metric = "Loads not forwarded per instruction", code = "halves" }.threshold
            check(t.present.min > 1000 * t.absent.max, t.absent.max)
            if "'"$node"'" ~= "zen3-1x4" then
                local t = one { metric = "Aliased loads per instruction", code = "aliased" }.threshold
                check(t.present.min > 1000 * t.absent.max, t.absent.max)
            end'
    done
}

@test "an architecture that cannot count aliased loads skips them with the reason" {
    "$assay" list patterns --long --node virtual:zen3-1x4 | grep -q "not .*aliased loads: no event counts loads"
}
