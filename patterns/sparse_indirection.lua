-- Sparse indirection: a five-point stencil as a sparse matrix in CSR, or directly as a stencil (patterns/sparse_indirection.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Everything follows from the disassembled functions. The outer function calls a second one TIMES times. A pass of the second one's loop
-- is a row of the matrix, or a cell of the stencil. In CSR it calls a third function, whose loop has a pass for each entry of the row; the
-- stencil has all entries in one pass. In both codes an entry is a multiplication and an addition in all four lanes of a vector: 20 useful
-- operations a row. The codes differ in the instructions around them:
--     row          CSR: a pass of the loop over rows, a call of multiply_row, and ENTRIES passes of its loop; stencil: a pass
--     execution    the code around the loop over rows, and ROWS rows
--     region       the code around the outer loop, TIMES passes of it, and TIMES executions
-- The rows stay in the core's caches.
local ENTRIES = 5 -- per row
local LANES = 4
local FLOPS = 2 * LANES -- per entry

-- Returns `part`; fails if a pass of it does not have `entries` entries.
local function check(part, entries)
    if part.pass.flops ~= FLOPS * entries then
        error("a pass is not as many entries as it was written for; compile it without unrolling or fused multiply-adds")
    end
    return part
end

-- Count of `event` in the whole region.
local function count(at, event)
    local entry, rows = at.called.multiply_row, at.called[at.code.rows]
    if entry then
        check(entry, 1)
    end
    check(rows, entry and 0 or ENTRIES)
    local row = rows.pass[event] + (entry and entry.constant[event] + ENTRIES * entry.pass[event] or 0)
    local time = at.parts.pass[event] + rows.constant[event] + at.point.rows * row
    return at.parts.constant[event] + at.point.times * time
end

local function flops(at)
    return count(at, "flops")
end

local function useful(at)
    return flops(at) / 2
end

local function instructions(at)
    return count(at, "instructions")
end

return pattern {
    name = "sparse_indirection",
    title = "Sparse indirection",
    class = "work",
    about = "The place of each operand is looked up: addresses, loops and calls take most instructions, and few instructions calculate.",
    desired = "Instructions per useful operation",
    advice = "Where the structure is known, write it into the code: a stencil or a band needs no array of columns. Else look up "
        .. "less often: store dense blocks or several right-hand sides, so that one index serves many operations, sort rows "
        .. "of equal length together (ELLPACK, SELL), and let the inner loop be the long one.",
    codes = {
        code { name = "csr", runs = "repeat_csr", calls = { "go_csr", "multiply_row" }, rows = "go_csr" },
        code { name = "stencil", runs = "repeat_stencil", calls = { "go_stencil" }, rows = "go_stencil" },
    },
    parameters = { "width", "rows", "times" },
    placements = { "core" },
    points = {
        point { code = "csr", width = 16, rows = 128, times = 2048, quick = true },
        point { code = "csr", width = 8, rows = 64, times = 8192, quick = true },
        point { code = "csr", width = 32, rows = 1024, times = 512 },
        point { code = "stencil", width = 16, rows = 128, times = 8192, quick = true },
        point { code = "stencil", width = 8, rows = 64, times = 24576, quick = true },
        point { code = "stencil", width = 32, rows = 1024, times = 2048 },
    },
    quantities = {
        quantity { name = "useful operations", expect = useful },
        quantity { name = "instructions", expect = instructions },
        quantity { name = "instructions per useful operation", expect = function(at) return instructions(at) / useful(at) end },
        quantity {
            name = "AVX operations per instruction",
            expect = function(at) return count(at, "avx_calc") / instructions(at) end,
            optional = true,
        },
        quantity { name = "FLOPs DP", expect = flops, optional = true },
        quantity { name = "FLOPs", expect = flops, optional = true },
        quantity { name = "FLOPs per instruction", expect = function(at) return flops(at) / instructions(at) end, optional = true },
    },
    -- Accesses that L1 serves are simulated faster: they count half.
    cost = function(at)
        return (count(at, "loads") + count(at, "stores")) / 2 + instructions(at) / 20
    end,
    controls = { present = control { code = "csr" }, absent = control { code = "stencil" } },
    signature = "instructions per useful operation",
    -- Most instructions are not useful operations, but some are.
    tests = {
        test { quantity = { "instructions per useful operation" } },
        test { quantity = { "useful operations" }, per = "instructions", against = "none" },
    },
    also = {
        also { pattern = "synchronisation", control = "present", reason = "threads that spin also do little useful work" },
        also { pattern = "vector_transitions", reason = "most of its instructions are SSE and moves, which are no useful operations" },
        also { pattern = "ineffective_instructions", control = "absent", reason = "with short rows most instructions control the loop" },
    },
}
