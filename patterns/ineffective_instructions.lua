-- Ineffective instructions: y += a x on many rows, in scalars or in vectors of four (patterns/ineffective_instructions.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- All from the disassembled functions: a row is a pass of the loop over rows, and the calls that it makes of a loop of vectors, four
-- elements a pass, and of one of scalars, an element a pass. Rows of L elements are L passes of the one, L / 4 of the other, or, where L is
-- no multiple of four, L / 4 rounded down and the remainder of it. Each element is a multiplication and an addition:
--     FLOPs             2 L a row, whatever the code
--     share of vectors  of these: 0, all, or four times the passes of vectors over L; three elements of seven are scalars in rows of seven
local VECTOR = 4 -- elements
local FLOPS = 2 -- of an element

-- Passes of the loops of vectors and of scalars in a row.
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

-- A call of one of the two loops with so many passes, `event` of it; nothing if the code does not call it.
local function call(part, event, count)
    return part and part.constant[event] + count * part.pass[event] or 0
end

-- All of a region by that name.
local function count(at, event)
    local vectors, scalars = passes(at)
    local wide, narrow = check(at.called.add_vectors, VECTOR), check(at.called.add_scalars, 1)
    local row = at.parts.pass[event] + call(wide, event, vectors) + call(narrow, event, scalars)
    return at.point.times * (at.parts.constant[event] + at.point.rows * row)
end

local function flops(at)
    return count(at, "flops")
end

-- FLOPs of one width; where there are none the others are the work.
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
    about = "Scalar instructions do what a fraction of them could do with vectors: the same FLOPs in up to four times the instructions.",
    desired = "Floating-point operations by the width of the instructions that make them",
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
    -- What L1 serves is fast.
    cost = function(at)
        return (count(at, "loads") + count(at, "stores")) / 2
    end,
    controls = { present = control { code = "scalar" }, absent = control { code = "vector" } },
    signature = "share of vectors DP",
    -- Few of the FLOPs are those of vectors, and there are FLOPs.
    tests = {
        test { quantity = { "share of vectors DP" }, most = 100 },
        test { quantity = { "FLOPs DP", "FLOPs" }, per = "instructions", against = "none" },
    },
    also = {
        also { pattern = "avx_flops", control = "absent", reason = "it is scalar code" },
        also { pattern = "instruction_overhead", control = "present", reason = "its narrow instructions are scalars" },
    },
}
