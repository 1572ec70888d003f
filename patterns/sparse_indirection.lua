-- Sparse indirection: a five-point stencil as a sparse matrix in CSR, or as what it is (patterns/sparse_indirection.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- All from the disassembled functions. A function calls another one, TIMES times. A pass of this one's loop is a row of the matrix,
-- or a cell of the stencil. In CSR it calls a third one, whose loop has a pass for each of the row's entries; the stencil has them all in
-- one pass. Each entry is a multiplication and an addition in all four lanes of a vector, in both codes: 20 useful operations a row.
-- What is more than these, and how much, is the difference of the codes:
--     row    in CSR     a pass over rows, a call of multiply_row, and ENTRIES times its pass
--            stencil    a pass
--     all    around the loop over times, and TIMES times its pass, what is around the loop over rows, and ROWS times a row
-- The rows stay in the core's caches.
local ENTRIES = 5 -- of a row
local LANES = 4
local FLOPS = 2 * LANES -- of an entry

-- The function in whose pass there are so many entries.
local function check(part, entries)
    if part.pass.flops ~= FLOPS * entries then
        error("a pass is not as many entries as it was written for; compile it without unrolling or fused multiply-adds")
    end
    return part
end

-- All of a region by that name.
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
    about = "Where data are is looked up for each of them: addresses, loops and calls take most instructions, and few calculate.",
    desired = "Instructions for a useful operation",
    advice = "Where the structure is known, write it down: a stencil or a band needs no array of columns. Else look up "
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
    -- What L1 serves is fast.
    cost = function(at)
        return (count(at, "loads") + count(at, "stores")) / 2 + instructions(at) / 20
    end,
    controls = { present = control { code = "csr" }, absent = control { code = "stencil" } },
    signature = "instructions per useful operation",
    -- Most instructions do nothing useful, and some do.
    tests = {
        test { quantity = { "instructions per useful operation" } },
        test { quantity = { "useful operations" }, per = "instructions", against = "none" },
    },
    also = {
        also { pattern = "synchronisation", control = "present", reason = "threads that spin do as little that is useful" },
        also { pattern = "vector_transitions", reason = "most of its loops is SSE and moves, which are no useful operations" },
        also { pattern = "ineffective_instructions", control = "absent", reason = "rows of few vectors are mostly loop" },
    },
}
