#!/usr/bin/env bats
# The example of docs/memory-writes.md: memory writes belong to the region in which a line leaves the cache.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# written REGION: lines that the channels wrote in a region
written() {
    awk -F, -v region="Region $1" '$1 == "TABLE" { here = $2 == region } here && $1 ~ /^CAS_COUNT_WR/ { sum += $3 } END { print sum }' out.csv
}

within_a_percent() {
    echo "$1 should be $2"
    [ "$1" -ge $(($2 * 99 / 100)) ] && [ "$1" -le $(($2 * 101 / 100)) ]
}

@test "the example in the document gives the numbers of its table" {
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/memory-writes.md" >writes.c
    gcc -O1 -DLIKWID_PERFMON -o writes writes.c -llikwid
    "$assay" vnode -- likwid-perfctr -C 0 -g MEM -m -o out.csv ./writes >log 2>&1
    passes=4
    array=$(((1 << 20) * 8 / 64))
    l3=$(described haswellEP-1x2 'd.last // d.line')
    grep -q "| write | $passes \* ${array:0:3} ${array:3} | $passes \* $(((array - l3) / 1000)) $(((array - l3) % 1000))" "$root/docs/memory-writes.md"
    within_a_percent "$(written write)" $((passes * (array - l3)))
    within_a_percent "$(written read)" $((passes * l3))
    within_a_percent $(($(written write) + $(written read))) $((passes * array))
}
