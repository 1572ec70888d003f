-- Ineffective instructions: y += a x on many rows, with scalars or with vectors of four (patterns/ineffective_instructions.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Everything follows from the disassembled functions. A row is one pass of the loop over rows. It calls a loop over vectors (four elements
-- a pass) and a loop over scalars (one element a pass). A row of L elements has L scalar passes in `scalar`; in the other codes it has
-- floor(L / 4) vector passes and L mod 4 scalar passes. Each element is one multiplication and one addition:
--     FLOPs             2 L per row, in all codes
--     share of vectors  0, or 4 floor(L / 4) / L: with rows of seven, three of seven elements are scalars
local VECTOR = 4 -- elements
local FLOPS = 2 -- of an element

-- Passes of the vector loop and of the scalar loop per row.
local function passes(at)
    local length = at.point.length
    if at.code.name == "scalar" then
        return 0, length
    end
    return length // VECTOR, length % VECTOR
end

local function check(part, lanes)
    if part and part.pass.flops ~= FLOPS * lanes then
        error("a pass of a row's loop is no vector, or no scalar; compile it without unrolling or fused multiply-adds")
    end
    return part
end

-- Count of `event` in one call of a loop with `count` passes; 0 if the code does not call it.
local function call(part, event, count)
    return part and part.constant[event] + count * part.pass[event] or 0
end

-- Count of `event` in the whole region.
local function count(at, event)
    local vectors, scalars = passes(at)
    local wide, narrow = check(at.called.add_vectors, VECTOR), check(at.called.add_scalars, 1)
    local row = at.parts.pass[event] + call(wide, event, vectors) + call(narrow, event, scalars)
    return at.point.times * (at.parts.constant[event] + at.point.rows * row)
end

local function flops(at)
    return count(at, "flops")
end

-- FLOPs of one width; if there are none: none_of() the other width's FLOPs.
local function flops_of(event, lanes)
    return function(at)
        local amount = lanes * count(at, event)
        return amount > 0 and amount or none_of(flops(at))
    end
end

local function vector_share(at)
    local share = 100 * VECTOR * count(at, "fp_256_dp") / flops(at)
    return share > 0 and share or none_of(100)
end

return pattern {
    name = "ineffective_instructions",
    title = "Ineffective instructions",
    class = "work",
    about = "Scalar instructions do work that vector instructions could do: the same FLOPs take up to four times as many instructions.",
    desired = "Floating-point operations by the width of their instructions",
    advice = "Make the inner loop long and of unit stride: pad rows to whole vectors, peel or mask remainders, exchange "
        .. "loops so that the long one is inside. Allow vectors (-march, omp simd, restrict) and see in the compiler's "
        .. "report whether the loop has any.",
    codes = {
        code { name = "scalar", runs = "go_scalar", calls = { "add_scalars" } },
        code { name = "vector", runs = "go_vector", calls = { "add_vectors" } },
        code { name = "remainders", runs = "go_remainders", calls = { "add_vectors", "add_scalars" } },
    },
    parameters = { "length", "rows", "times" },
    placements = { "core" },
    points = {
        point { code = "scalar", length = 16, rows = 1024, times = 256, quick = true },
        point { code = "scalar", length = 7, rows = 1024, times = 512 },
        point { code = "vector", length = 16, rows = 1024, times = 1024, quick = true },
        point { code = "vector", length = 8, rows = 1024, times = 1024 },
        point { code = "remainders", length = 7, rows = 1024, times = 512, quick = true },
        point { code = "remainders", length = 14, rows = 1024, times = 512 },
        point { code = "remainders", length = 5, rows = 1024, times = 512, quick = true },
    },
    quantities = {
        quantity { name = "share of vectors DP", expect = vector_share },
        quantity { name = "FLOPs DP", expect = flops },
        quantity { name = "AVX FLOPs DP", expect = flops_of("fp_256_dp", VECTOR) },
        quantity { name = "scalar FLOPs DP", expect = flops_of("fp_scalar_dp", 1), optional = true },
        quantity { name = "256-bit FLOPs DP", expect = flops_of("fp_256_dp", VECTOR), optional = true },
        quantity { name = "FLOPs", expect = flops, optional = true },
        quantity {
            name = "FLOPs per instruction",
            expect = function(at) return flops(at) / count(at, "instructions") end,
            optional = true,
        },
    },
    -- Accesses that L1 serves are simulated faster: they count half.
    cost = function(at)
        return (count(at, "loads") + count(at, "stores")) / 2
    end,
    controls = { present = control { code = "scalar" }, absent = control { code = "vector" } },
    signature = "share of vectors DP",
    -- There are FLOPs, and few of them are vector operations.
    tests = {
        test { quantity = { "share of vectors DP" }, most = 100 },
        test { quantity = { "FLOPs DP", "FLOPs" }, per = "instructions", against = "none" },
    },
    also = {
        also { pattern = "avx_flops", control = "absent", reason = "this code is scalar" },
        also { pattern = "instruction_overhead", control = "present", reason = "its narrow instructions are scalar" },
    },
    -- Scalar operations would be a quarter as many instructions with vectors of four. At least the calculating instructions are
    -- saved, one for a multiply-add; at most a load and another instruction with each. Where FLOPs of all widths are counted, and vector
    -- instructions, at least those are saved that no vectors of four would need.
    explains = explains {
        needs = { "scalar FLOPs DP|FLOPs", "scalar FLOPs SP|vector instructions", "instructions" },
        may = { "accesses" },
        cycles = function(at)
            local counted = by_quantity(at)
            if counted["FLOPs"] then
                local operations = counted["FLOPs"]
                local least = narrow(operations, counted["vector instructions"], counted.accesses)
                local most = math.min(3 * operations, counted.instructions)
                return { cost(at, "instructions", least)[1], cost(at, "instructions", math.max(least, 3 / 4 * most))[2] }
            end
            local scalar = counted["scalar FLOPs DP"] + counted["scalar FLOPs SP"]
            local most = math.min(3 * scalar, counted.instructions)
            return { cost(at, "instructions", 3 / 4 * scalar / 2)[1], cost(at, "instructions", 3 / 4 * most)[2] }
        end,
    },
}
