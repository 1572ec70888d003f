-- Pipelining issues: steps of a polynomial that wait for each other, or eight polynomials side by side (patterns/pipelining.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- In the first two codes a pass of the disassembled loop is eight steps, each a multiplication and an addition of whole vectors.
--     operations, FLOPs, instructions   exactly those of PASSES passes and of the code around the loop
--     cycles per instruction            on silicon llvm-mca's prediction for the pass, divided by its instructions. A chain takes the
--                                       sum of its steps' latencies; eight independent polynomials keep the units busy
-- The third code is a chain of divisions of integers: a pass has eight of them. Its cycles depend on the numbers and are not judged.
local STEPS, LANES, FLOPS = 8, 4, 2 -- steps per pass; lanes per vector; FLOPs per step and lane

local function is_division(at)
    if at.code.name ~= "divide" then
        return false
    end
    if at.parts.pass.divides ~= STEPS or at.parts.pass.flops > 0 then
        error("a pass of the loop is not eight divisions of integers; compile it without unrolling")
    end
    return true
end

local function divisions(at)
    return is_division(at) and executed(at.parts, at.point.passes, { divides = 1 }) or none_of(STEPS * at.point.passes)
end

local function divisions_per_instruction(at)
    return per_instruction(divisions(at), executed(at.parts, at.point.passes, { instructions = 1 }))
end

-- A model: the weighted sum of the executed code's counts. `weights`: nil for the weights of the metric's events.
local function amount(weights)
    return function(at)
        if is_division(at) then
            return nil
        end
        local pass = at.parts.pass
        if pass.flops ~= STEPS * LANES * FLOPS or pass.fp_256_dp ~= 2 * STEPS or pass.loads + pass.stores > 0 then
            error("a pass of the loop is not eight steps in registers; compile it without unrolling or fused multiply-adds")
        end
        return executed(at.parts, at.point.passes, weights or at.weights)
    end
end

-- Other events that take cycles.
local OTHERS = {
    "mispredicted branches", "divider uops|divider cycles|division FLOPs", "integer divisions", "loads from L2", "loads from L3",
    "loads past L3", "page walks", "loads modified|stores to shared lines", "loads modified there|lines from caches there",
    "reads from other memory", "locked loads", "split loads", "loads not forwarded", "aliased loads", "AVX to SSE transitions",
    "SSE to AVX transitions",
}

return pattern {
    name = "pipelining",
    title = "Pipelining issues",
    class = "hazard",
    about = "Each operation waits for the result of the one before it: the units could do several at a time, but are mostly idle.",
    desired = "Cycles per operation, compared with the latency and the throughput of the units",
    advice = "Break the chain: sums and products in several variables that are added up at the end (unroll and jam, omp simd reduction),"
        .. " loops exchanged so that the inner one has independent iterations, several recurrences solved side by side. If the code"
        .. " of a loop is larger than the instruction cache, inline and unroll less: its misses are part of the share.",
    codes = {
        code { name = "chain", runs = "go_chain", in_core = true },
        code { name = "side_by_side", runs = "go_side_by_side", in_core = true },
        code { name = "divide", runs = "go_divide" },
    },
    parameters = { "passes" },
    placements = { "core" },
    points = {
        point { passes = 524288, quick = true },
        point { passes = 786432, quick = true },
        point { passes = 1048576 },
    },
    quantities = {
        quantity {
            name = "cycles per instruction",
            expect = function(at)
                return at.code.in_core and cycles_per_instruction(at.node, at.parts) or nil
            end,
        },
        quantity { name = "AVX operations", expect = amount() },
        quantity { name = "instructions", expect = amount { instructions = 1 } },
        quantity { name = "FLOPs", expect = amount { flops = 1 }, optional = true },
        quantity { name = "integer divisions", expect = divisions, optional = true },
        quantity { name = "integer divisions per instruction", expect = divisions_per_instruction, optional = true },
    },
    cost = function(at)
        return 2 * at.point.passes
    end,
    explains = explains {
        in_pipeline = true,
        needs = { "instructions", "AVX operations|vector instructions" },
        may = {
            "scalar FLOPs DP", "scalar FLOPs SP", "FLOPs", "L1-L2 load volume", "L2-L3 load volume", "memory read volume",
            "L3-MEM evict volume|L3-MEM total DRAM channels 0-3 volume", table.unpack(OTHERS),
        },
        cycles = function(at)
            return dependent(at, OTHERS)
        end,
    },
    controls = { present = control { code = "chain" }, absent = control { code = "side_by_side" } },
    signature = "cycles per instruction",
}
