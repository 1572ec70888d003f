#!/usr/bin/env bats
# Large pages on virtual nodes: which of a program's pages are large, and how TLBs and events distinguish them.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

pages=$build/tests/programs/large_pages # 8 large pages, 512 small ones in each

# walks NODE EVENTS COMMAND: what PMC0, PMC1 .. count in the region, in a row.
walks() {
    timeout 300 "$assay" vnode --node "$1" -- likwid-perfctr -O -C 0 -m -g "$2" "$pages" "$3" 2>/dev/null |
        awk -F, '$2 ~ /^PMC[0-9]$/ { printf "%s ", $3 }'
}

# near COUNT EXPECTED: the Marker API may add some.
near() {
    [ "$1" -ge "$2" ] && [ "$1" -le $(($2 + 40)) ]
}

intel=DTLB_LOAD_MISSES_CAUSES_A_WALK:PMC0,DTLB_LOAD_MISSES_WALK_COMPLETED_LARGE:PMC1,DTLB_LOAD_MISSES_WALK_COMPLETED_4K:PMC2

# expects COMMAND LARGE SMALL: page walks for pages of each size.
expects() {
    local large=$2 small=$3 counts
    read -r -a counts <<<"$(walks haswellEP-1x2 "$intel" "$1")"
    echo "$1: ${counts[*]}"
    near "${counts[0]}" $((large + small))
    [ "${counts[1]}" -eq "$large" ]
    near "${counts[2]}" "$small"
}

@test "memory is in small pages, except after advice: one walk per page" {
    expects small 0 4096
    expects advised 8 0
}

@test "only whole aligned pages of anonymous memory are large" {
    expects unaligned 7 512
    expects file 0 4096
}

# bats test_tags=long
@test "a large page becomes small pages if a part is advised otherwise, remapped or moved" {
    expects withdrawn 6 1024
    expects hole 7 512
    expects moved 0 4096
}

# bats test_tags=long
@test "Zen 3's events distinguish the sizes" {
    local events=L1_DTLB_MISS_ANY_L2_MISS:PMC0,L1_DTLB_MISS_2M_L2_MISS:PMC1,L1_DTLB_MISS_4K_L2_MISS:PMC2
    read -r -a counts <<<"$(walks zen3-1x4 "$events" withdrawn)"
    echo "${counts[*]}"
    [ "${counts[1]}" -eq 6 ]
    near "${counts[2]}" 1024
    near "${counts[0]}" $((6 + 1024))
}

# bats test_tags=elsewhere
@test "madvise() behaves as Linux documents it, and a large page lies in one domain" {
    run --separate-stderr "$assay" vnode --node haswellEP-2x1 -- "$pages" promises
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}
