#!/usr/bin/env bats
# Kernels with wider vectors than the node's processor has are skipped with the reason; the others run.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

# One kernel of the suite with registers of 512 bits, in a copy of the data.
widen() {
    copy_data
    sed 's/ymm/zmm/g' "$root/kernels/x86-64-avx/$1.ptt" >"data/kernels/x86-64-avx/$1.ptt"
    grep -q zmm "data/kernels/x86-64-avx/$1.ptt"
}

@test "a kernel of 512-bit vectors is skipped, the others are measured" {
    widen addmul_registers
    run -0 --separate-stderr "$assay" validate avx_flops --quick --only addmul_registers,ddot --node virtual --out r.json
    lua5.4 "$root/tests/system/query.lua" r.json '
        local skipped, validated = 0, 0
        for _, m in each {} do
            if m.code == "addmul_registers" then
                check(m.verdict == "skipped", m.verdict)
                check(m.reason == "kernel addmul_registers: the node has no AVX-512", m.reason)
                skipped = skipped + 1
            elseif m.code == "ddot" then
                check(m.verdict == "validated" or m.verdict == "untested" and m.expected.max == 0, m.metric)
                validated = validated + 1
            end
        end
        check(skipped > 0 and validated > 0, skipped .. " " .. validated)'
    [[ "$output" == *"skipped: avx_flops"*"kernel addmul_registers: the node has no AVX-512"* ]]
}

# bats test_tags=long
@test "a stream of 512-bit vectors is skipped in every level" {
    widen load
    run -0 --separate-stderr "$assay" validate bandwidth_saturation --quick --level L2 --only load,store --node virtual --out r.json
    lua5.4 "$root/tests/system/query.lua" r.json '
        local skipped, validated = 0, 0
        for _, m in each { level = "L2" } do
            if m.code == "load" then
                check(m.verdict == "skipped", m.verdict)
                check(m.reason == "kernel load: the node has no AVX-512", m.reason)
                skipped = skipped + 1
            else
                check(m.code ~= "store" or good(m), m.verdict)
                validated = validated + (m.code == "store" and 1 or 0)
            end
        end
        check(skipped > 0 and validated > 0, skipped .. " " .. validated)'
}

@test "any other kernel that cannot be counted still stops the campaign" {
    copy_data
    sed -i '0,/^vmovapd.*/s//vgatherdpd ymm1, [STR0 + ymm2*8], ymm3/' data/kernels/x86-64-avx/load.ptt
    fails_with 2 "load.ptt:" "$assay" validate bandwidth_saturation --quick --level L2 --only load --node virtual
}
