-- Pipelining issues: steps of a polynomial that wait for each other, or eight polynomials side by side (patterns/pipelining.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A pass of the disassembled loop is eight steps, a multiplication and an addition of whole vectors each, whichever code it is.
--     operations, FLOPs, instructions   a pass times PASSES and what surrounds the loop, exactly
--     cycles per instruction            on a processor what llvm-mca predicts of the pass, over its instructions. A chain takes the
--                                       latencies of its steps, eight side by side as long as the units are busy. Its models of
--                                       processors are approximations, made from measurements: MODEL stands for how far they may be
--                                       off. Cycles of a virtual node know neither latencies of arithmetic nor units: nothing is claimed.
local STEPS, LANES, FLOPS = 8, 4, 2 -- of a pass; of a vector; of a step and lane
local MODEL = 0.1

local function count(at, event)
    local pass = at.parts.pass
    if pass.flops ~= STEPS * LANES * FLOPS or pass.fp_256_dp ~= 2 * STEPS or pass.loads + pass.stores > 0 then
        error("a pass of the loop is not eight steps in registers; compile it without unrolling or fused multiply-adds")
    end
    return at.parts.constant[event] + at.point.passes * pass[event]
end

local function operations(at)
    local sum = 0
    for event, weight in pairs(at.weights) do
        sum = sum + weight * count(at, event)
    end
    return sum
end

local function amount(event)
    return function(at)
        return count(at, event)
    end
end

local function cycles_per_instruction(at)
    if at.node.kind == "virtual" then
        return { none = "cycles of a virtual node know neither latencies of arithmetic nor units" }
    end
    local in_core = at.parts.in_core
    if not in_core or in_core.none then
        return { none = in_core and in_core.none or "nothing predicts the cycles of a pass" }
    end
    local value = in_core.cycles / at.parts.pass.instructions
    return {
        min = (1 - MODEL) * value,
        value = value,
        max = (1 + MODEL) * value,
        terms = { { name = in_core.by, amount = MODEL * value }, { name = in_core.by, amount = -MODEL * value } },
    }
end

return pattern {
    name = "pipelining",
    title = "Pipelining issues",
    class = "hazard",
    about = "Each operation waits for the result of the one before it: the units could do several at a time, and are idle.",
    desired = "Cycles of an operation, against the latency and the throughput of the units",
    advice = "Break the chain: sums and products in several variables that are added up at the end (unroll and jam, omp simd reduction),"
        .. " loops exchanged so that the inner one has independent iterations, several recurrences solved side by side.",
    codes = {
        code { name = "chain", runs = "go_chain", in_core = true },
        code { name = "side_by_side", runs = "go_side_by_side", in_core = true },
    },
    parameters = { "passes" },
    placements = { "core" },
    points = {
        point { passes = 524288, quick = true },
        point { passes = 786432, quick = true },
        point { passes = 1048576 },
    },
    quantities = {
        quantity { name = "cycles per instruction", expect = cycles_per_instruction },
        quantity { name = "AVX operations", expect = operations },
        quantity { name = "instructions", expect = amount "instructions" },
        quantity { name = "FLOPs", expect = amount "flops", optional = true },
    },
    cost = function(at)
        return 2 * at.point.passes
    end,
    controls = { present = control { code = "chain" }, absent = control { code = "side_by_side" } },
    signature = "cycles per instruction",
}
