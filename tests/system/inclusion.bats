#!/usr/bin/env bats
# Why code misses in L1I while a stream runs: the inclusive L3. 200 lines of code and a stream of one and a half L3s, again
# and again (tests/engine/code_nest.c), on the node, on a node whose L3 holds the stream, and under cachegrind, whose last
# level is not inclusive. Counts of n and 2n passes are subtracted.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

passes=4
code=200

# Kilobytes of the stream: one and a half of the node's L3.
stream() {
    described haswellEP-1x2 'd.last * 3 // 2048'
}

# on NODE PASSES: instruction cache misses of the whole program
on() {
    "$build/vnode/vnode-run" --node "$1" -- likwid-perfctr -C 0 -g ICACHE_MISSES:PMC0 -o out.csv \
        "$build/tests/engine/code_nest" "$2" "$(stream)" >/dev/null 2>log
    sed -n 's/^ICACHE_MISSES,PMC0,\([0-9]*\).*/\1/p' out.csv
}

cachegrind() {
    valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=5242880,20,64 --cachegrind-out-file=cg.out \
        "$build/tests/engine/code_nest" "$1" "$(stream)" >/dev/null 2>&1
    awk '/^events:/ { for (i = 2; i <= NF; i++) column[$i] = i } /^summary:/ { print $column["I1mr"] }' cg.out
}

# difference COMMAND...: count of twice the passes minus count of the passes
difference() {
    local once twice
    once=$("$@" $passes)
    twice=$("$@" $((2 * passes)))
    echo "$*: $once, $twice" >&2
    [ -n "$once" ] && [ -n "$twice" ] && echo $((twice - once))
}

@test "a stream through an inclusive L3 evicts each line of the code once a pass" {
    more=$(difference on haswellEP-1x2)
    echo "$more more misses"
    # the code and its return; the loop's own two lines, which the stream overtakes once or twice a pass
    [ "$more" -ge $((passes * code)) ]
    [ "$more" -le $((passes * (code + 6))) ]
}

# bats test_tags=long
@test "an L3 that holds the stream evicts no line of the code; cachegrind agrees" {
    echo 'return { arch = "haswellEP", l3 = { size = 20480 << 10 } }' >large.lua
    [ "$(difference on ./large.lua)" -eq 0 ]
    [ "$(difference cachegrind)" -eq 0 ]
}
