#!/usr/bin/env bats
# The C library takes the size from which it copies past the caches from the node's L3.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# The node with slices of the L3 that are $1 times as large, in ./node.lua.
node() {
    echo "return { arch = 'haswellEP', l3 = { size = $((2560 * $1)) << 10 } }" >node.lua
}

# glibc's threshold for a processor whose L3 two cores share, in every version: three quarters of a core's share. (In
# recent versions a part of the whole L3 if that is more, which is not the case with two cores.)
expected() {
    lua5.4 -e "d = dofile('node.lua') print(d.l3.size * 3 // 4)"
}

threshold() {
    loader=$(ls /lib64/ld-linux-x86-64.so.2)
    "$build/vnode/vnode-run" --node ./node.lua -- "$loader" --list-tunables |
        sed -n 's/^glibc.cpu.x86_non_temporal_threshold: \(0x[0-9a-f]*\).*/\1/p'
}

# copied BYTES: "lines, lines into L1D, non-temporal stores" of a memcpy
copied() {
    "$build/vnode/vnode-run" --node ./node.lua -- "$build/tests/engine/copy" "$1"
}

# bats test_tags=elsewhere
@test "glibc's threshold for non-temporal copies follows the node's L3" {
    for times in 1 2; do
        node "$times"
        found=$(threshold)
        echo "L3 times $times: $found, expected $(expected)"
        [ $((found)) -eq "$(expected)" ]
    done
}

# bats test_tags=elsewhere
@test "memcpy allocates lines below the threshold and none above" {
    node 1
    read -r lines into nt <<<"$(copied $(($(expected) * 98 / 100)))"
    echo "below: $lines lines, $into into L1D, $nt non-temporal stores"
    [ "$nt" -eq 0 ]
    [ "$into" -ge $((2 * lines)) ]
    [ "$into" -le $((2 * lines + lines / 100)) ]
    read -r lines into nt <<<"$(copied $(($(expected) * 102 / 100)))"
    echo "above: $lines lines, $into into L1D, $nt non-temporal stores"
    [ "$nt" -ge "$lines" ]
    [ "$into" -ge "$lines" ]
    [ "$into" -le $((lines + lines / 100)) ]
}
