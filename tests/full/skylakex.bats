#!/usr/bin/env bats
# All of the suite's patterns on a virtual Skylake-SP node. SPDX-License-Identifier: GPL-3.0-or-later
load ../system/common

@test "every quantity is validated, untested where only 0 is expected, or skipped with the reason of the machine file or the shape" {
    "$assay" validate --node virtual:skylakeX-1x2 --quick --out one.json >/dev/null 2>&1
    lua5.4 "$root/tests/system/query.lua" one.json '
        local reasons, right, free = {}, 0, { false_sharing = true, instruction_overhead = true, signalled = true,
            synchronisation = true }
        for _, m in each {} do
            if m.verdict == "skipped" then
                reasons[#reasons + 1] = m.reason
            else
                check(good(m, free), ("%s %s %s: %s"):format(m.pattern, m.code, m.metric, m.verdict))
                right = right + 1
            end
        end
        table.sort(reasons)
        check(right > 600, right)
        local wanted = { "^AVX to SSE transitions per instruction: ", "^AVX to SSE transitions: ", "^FLOPs: ", "^L3%-MEM load volume: ",
            "^SSE to AVX transitions: ", "^cycles per instruction: ", "^cycles per instruction: ", "^divider uops: ",
            "one socket, two are needed", "one socket, two are needed", "one socket, two are needed" }
        for number = 1, math.max(#wanted, #reasons) do
            check(wanted[number] and (reasons[number] or ""):find(wanted[number]), number .. ": " .. table.concat(reasons, "; "))
        end'
}
