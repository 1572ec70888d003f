#!/usr/bin/env bats
# The suite's patterns on virtual Skylake-SP nodes: a victim L3, a snoop filter, FP_ARITH by width, mesh ends next to the channels.
# All patterns: tests/full/skylakex.bats.
# SPDX-License-Identifier: GPL-3.0-or-later
load common

campaigns=(
    [counts]="avx_flops long_latency load_imbalance false_sharing line_sharing --node virtual:skylakeX-1x2 --quick"
    [levels]="bandwidth_saturation --only load,copy,triad --node virtual:tests/nodes/skylake_small.lua --quick"
    [two]="line_sharing false_sharing --node virtual:skylakeX-2x1 --quick"
)

# bats test_tags=long
@test "every quantity is validated, untested where only 0 is expected, or skipped with the reason" {
    for record in counts levels; do
        query $record '
            local right, free = 0, { false_sharing = true, signalled = true }
            for _, m in each {} do
                local is_right = m.verdict == "skipped" and #m.reason > 20 or good(m, free)
                check(is_right, ("%s %s %s: %s"):format(m.pattern, m.code, m.metric, m.verdict))
                right = right + (m.verdict == "skipped" and 0 or 1)
            end
            check(right > 100, right)'
    done
}

# bats test_tags=long
@test "a victim L3: L2 evicts all lines that streams load, also clean ones, by two events" {
    query levels '
        local count = 0
        for _, code in ipairs { "load", "copy", "triad" } do
            local into = one { code = code, level = "L3", metric = "L2-L3 load volume" }
            for _, metric in ipairs { "L2-L3 evict volume", "L2 handed on volume" } do
                local out = one { code = code, level = "L3", metric = metric }
                check(near(out.measured.max, into.measured.max, 0.01), code .. " " .. metric)
                count = count + 1
            end
        end
        check(count == 6, count)'
}

# bats test_tags=long
@test "FP_ARITH by width: fused multiply-adds count twice, halves and shuffles not at all" {
    query counts '
        for _, code in ipairs { "fma_registers", "scaled_sum_half", "triad" } do
            local wide = one { code = code, metric = "AVX operations" }
            local flops = one { code = code, metric = "AVX FLOPs DP" }
            check(near(4 * wide.measured.max, flops.measured.max, 1e-3) and wide.measured.max > 0, code)
        end
        for _, code in ipairs { "triad_scalar", "triad_sse" } do
            check(one { code = code, metric = "AVX operations" }.measured.max == 0, code)
            check(one { code = code, metric = "FLOPs DP" }.measured.max > 0, code)
        end'
}

# bats test_tags=long
@test "channels and mesh ends see the same lines" {
    query levels '
        local count = 0
        for _, m in each { level = "MEM", metric = "iMC volume" } do
            local same = one { code = m.code, level = "MEM", metric = "M2M volume", placement = m.placement }
            check(near(m.measured.max, same.measured.max, 1e-3), m.code)
            count = count + 1
        end
        check(count >= 3, count)'
}

# bats test_tags=long
@test "two sockets: modified lines that cross the link, by loads and by reads" {
    query two '
        local count = 0
        for _, m in each { placement = "S0:1@S1:1" } do
            check(good(m, { false_sharing = true, signalled = true }), ("%s %s: %s"):format(m.code, m.metric, m.verdict))
            count = count + 1
        end
        check(count > 20, count)'
}

@test "no AVX-512: the node does not show it, and a kernel that uses it stops with this reason" {
    run --separate-stderr "$assay" vnode --node skylakeX-1x2 -- grep -c avx512 /proc/cpuinfo
    [ "$output" = 0 ]
    copy_data
    printf 'STREAMS 1\nTYPE DOUBLE\nFLOPS 0\nBYTES 8\nDESC x\nLOADS 1\nSTORES 0\nINSTR_CONST 0\nINSTR_LOOP 4\nUOPS 3\nLOOP 8\nvmovapd zmm1, [STR0+GPR1*8]\n' \
        >data/kernels/x86-64-avx/wide.ptt
    sed 's/kernel = "load" }/kernel = "wide" }/' "$root/patterns/bandwidth_saturation.lua" >data/patterns/bandwidth_saturation.lua
    run --separate-stderr "$assay" validate bandwidth_saturation --node virtual:skylakeX-1x2 --quick --level L2
    echo "$output" "$stderr"
    [[ "$output$stderr" == *"AVX-512"* ]]
}
