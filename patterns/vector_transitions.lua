-- A micro-architectural anomaly: transitions between AVX and SSE instructions (kernels/x86-64-avx/mixed_vectors.ptt).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Processors before Skylake save the upper halves of the vector registers when an SSE instruction follows a 256-bit instruction, and
-- restore them at the next VEX instruction. The model walks through a pass of the disassembled loop twice; the second walk begins with the
-- state of the upper halves at the end of the first (validate/kernel/count.h):
--     mixed     four parts, each first SSE, then 256 bits: four transitions each way
--     cleared   the same instructions with vzeroupper before each SSE part: none
--     encoded   the same additions, all encoded with VEX: none

local function transitions(at)
    local count = at.own()
    return count > 0 and count or none_of(at.count "instructions")
end

local function transitions_per_instruction(at)
    return per_instruction(transitions(at), at.count "instructions")
end

return pattern {
    name = "vector_transitions",
    title = "AVX-SSE transitions",
    class = "hazard",
    about = "SSE code, for example of a library, runs between 256-bit AVX code; each transition costs some 70 cycles.",
    desired = "Transitions between 256-bit AVX and SSE at which the processor saves or restores the upper halves of its registers",
    advice = "Compile everything for the same instruction set (-march, or -mavx for all files), libraries too; where old code in SSE is "
        .. "called, clear the upper halves before (compilers do so: -mvzeroupper; in assembly and intrinsics: vzeroupper).",
    codes = {
        code { name = "mixed", kernel = "mixed_vectors" },
        code { name = "cleared", kernel = "cleared_vectors" },
        code { name = "encoded", kernel = "vex_vectors" },
    },
    placements = { "core" },
    points = {
        point { elements = 512, passes = 12288, quick = true },
        point { elements = 1024, passes = 8192, quick = true },
        point { elements = 1024, passes = 16384 },
    },
    quantities = {
        quantity { name = "AVX to SSE transitions", expect = transitions },
        quantity { name = "SSE to AVX transitions", expect = transitions },
        quantity { name = "AVX to SSE transitions per instruction", expect = transitions_per_instruction },
    },
    controls = { present = control { code = "mixed" }, absent = control { code = "cleared" } },
    signature = "AVX to SSE transitions per instruction",
    explains = explains {
        needs = { "AVX to SSE transitions", "SSE to AVX transitions" },
        cycles = function(at)
            return costs(at, { "AVX to SSE transitions", "SSE to AVX transitions" })
        end,
    },
}
