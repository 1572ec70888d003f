-- ALU saturation: multiplications and additions on registers alone, or each with an operand from L2 (patterns/alu_saturation.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A pass of the disassembled loop is six multiplications and six additions of whole vectors. In `from_l2` each of them includes a load.
-- Its array is at least twice as large as L1, and nothing else is accessed between two sweeps, so no sweep finds lines of the sweep
-- before it in L1.
--     operations, FLOPs, instructions   exactly those of TIMES * VECTORS / 12 passes and of the code around the loop
--     accesses                          those of the passes of `from_l2`
--     L1-L2 volume                      0; for `from_l2` TIMES times the array
--     cycles per instruction            on silicon llvm-mca's prediction for a pass on registers, which keeps the units busy. llvm-mca
--                                       cannot predict loads from L2.
local OPERATIONS, LANES = 12, 4 -- operations per pass; lanes per vector
local VECTOR = 32 -- bytes
local LOST = 2

-- A model: the weighted sum of the executed code's counts. `weights`: nil for the weights of the metric's events.
local function amount(weights)
    return function(at)
        local pass, loads = at.parts.pass, at.code.name == "from_l2" and OPERATIONS or 0
        if pass.flops ~= OPERATIONS * LANES or pass.loads ~= loads or pass.stores > 0 then
            error("a pass of the loop is not twelve operations, each with its load or none; compile it without unrolling")
        end
        return executed(at.parts, at.point.times * at.point.vectors / OPERATIONS, weights or at.weights)
    end
end

local function accesses(at)
    return at.code.name == "from_l2" and amount { loads = 1, stores = 1 }(at) or none_of(at.point.vectors * at.point.times)
end

local function volume(at)
    local span = at.point.vectors * VECTOR
    if at.code.name ~= "from_l2" then
        return none_of(span * at.point.times)
    end
    return span >= LOST * capacity(at.machine, at.node, 1, 1) and span * at.point.times or nil
end

return pattern {
    name = "alu_saturation",
    title = "ALU saturation",
    class = "bottleneck",
    about = "All arithmetic units are busy in each cycle: only fewer or wider operations make the code faster.",
    desired = "Floating-point operations and cycles, and the data volume, which could be the limit instead",
    advice = "Be content: this is the processor's peak. To get beyond it, use an algorithm with fewer operations, wider vectors"
        .. " (-march, omp simd), fused multiply-adds (-ffp-contract), or single precision where it suffices.",
    codes = {
        code { name = "registers", runs = "go_registers", in_core = true },
        code { name = "from_l2", runs = "go_from_l2" },
    },
    parameters = { "vectors", "times" },
    placements = { "core" },
    points = {
        point { vectors = 3072, times = 3072, quick = true },
        point { vectors = 3840, times = 3072, quick = true },
        point { vectors = 3072, times = 6144 },
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
        quantity { name = "accesses", expect = accesses, optional = true },
        quantity { name = "FLOPs", expect = amount { flops = 1 }, optional = true },
        quantity { name = "L1-L2 load volume", expect = volume },
    },
    cost = function(at)
        return at.point.vectors * at.point.times
    end,
    controls = { present = control { code = "registers" }, absent = control { code = "from_l2" } },
    signature = "L1-L2 load volume",
    tests = {
        test { quantity = { "L1-L2 load volume" }, per = "instructions" },
        test { quantity = { "AVX operations", "FLOPs" }, per = "instructions", against = "none" },
    },
    also = {
        also { pattern = "sparse_indirection", control = "absent", reason = "most instructions of the stencil calculate" },
        also { pattern = "pipelining", reason = "the chains are in registers as well, and only cycles show whether the units are busy" },
    },
    -- The part of the time that the units need for these operations at their peak; as for bandwidth_saturation.
    explains = explains {
        needs = { "AVX operations|FLOPs" },
        cycles = function(at)
            local busy = cost(at, "AVX operations")
            return { math.max(0, 2 * busy[1] - at.longest), math.min(busy[2], at.longest) }
        end,
    },
}
