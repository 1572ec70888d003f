-- Load imbalance: upper triangular matrix-vector product of N rows on two threads, TIMES times (patterns/load_imbalance.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rows are multiplied in blocks of four that begin at the block's first column. Block b = 0 .. N/4 - 1 has quads = N/4 - b groups of 4
-- columns, in tiles of one panel of 128 columns each. In each execution:
--     operations        from the disassembled function that multiplies a tile: one pass of its loop per group, the rest once per tile. All
--                       are multiplications and additions of whole vectors
--     elements          lanes that are multiplied and added, half of the function's floating-point operations: 16 quads a block. Only
--                       16 quads - 6 lie in the triangle. The other six are 0, lie left of the diagonal and are multiplied, too. With
--                       N = 4096 the triangle has 6 292 480 elements in the upper half of the rows and 2 098 176 in the lower half;
--                       6 295 552 and 2 101 248 are multiplied, and only these are counted by events
--     lines             matrix: 2 per group of 4 rows and columns; sums: two per tile, written; x: 16 per panel
-- Between two uses of a line the thread uses all its other lines, except for the panel of x, which every tile uses and which stays in L1.
-- If the thread's matrix is more than twice as large as a cache, all of it goes through that cache in each execution.
local QUADS_LOADED = 5 -- vectors loaded per group: four rows and x
local QUAD_LINES, PANEL_BLOCKS, PANEL_LINES, SUM_LINES = 2, 32, 16, 2
local PIECES = 2 -- arrays past whose ends prefetchers may fetch: sums and matrix. A panel of x ends with a page
local LEFT_OF_DIAGONAL = 6 -- elements per block
local LINE = 64e-9 -- GByte
-- What the start of a program takes at most, and that of each further thread: a third more than an empty C++ program's, and than what 7
-- threads add to it. Operations: an empty Fortran program with OpenMP has more.
local START = { ["unhalted time"] = { 8e6, 6e5 }, ["AVX operations"] = { 620, 100 }, ["L1-L2 load volume"] = { 30000 * LINE, 4500 * LINE } }
local SELF_LINES = 8 -- lines of stack and code, which are used all the time, like x's panel

local function is_mine(at, block, thread)
    if at.code.name == "halved" then
        return (block >= at.point.n // 8) == (thread == 1)
    end
    return (block // 2 + 1) // 2 % 2 == thread
end

-- Sum of term(block) over the blocks of a thread, for one execution.
local function sum(at, term, thread)
    local total = 0
    for block = 0, at.point.n // 4 - 1 do
        if is_mine(at, block, thread or at.thread) then
            total = total + term(block)
        end
    end
    return total
end

local function quads(at, thread)
    return sum(at, function(block) return at.point.n // 4 - block end, thread)
end

local function tiles(at)
    local panels = at.point.n // (4 * PANEL_BLOCKS)
    return sum(at, function(block) return panels - block // PANEL_BLOCKS end)
end

-- Weighted sum of counts per execution; `weights` is { [event] = weight }.
local function counted(at, weights)
    local total = 0
    for event, weight in pairs(weights) do
        if at.parts.pass.loads ~= QUADS_LOADED then
            error("a pass of multiply_tile's loop is no group of 4 columns; compile it without unrolling")
        end
        total = total + weight * (quads(at) * at.parts.pass[event] + tiles(at) * at.parts.constant[event])
    end
    return total
end

-- Elements of the triangle in the thread's rows, without the zeros that are multiplied, too.
local function processed(at)
    return sum(at, function(block) return 16 * (at.point.n // 4 - block) - LEFT_OF_DIAGONAL end)
end

-- Two models from an amount per execution: of the region, and of its difference to the base region.
local function each_time(amount)
    return function(at)
        return at.point.times * amount(at)
    end, function(at)
        return (at.point.times - at.base.times) * amount(at)
    end
end

local operations, more_operations = each_time(function(at)
    return counted(at, at.weights)
end)

local elements, more_elements = each_time(function(at)
    return counted(at, { flops = 1 / 2 })
end)

-- matrix_lines(): lines of the thread's matrix. lines(): all lines that the thread uses per execution, and how many of them it writes.
local function matrix_lines(at, thread)
    return QUAD_LINES * quads(at, thread)
end

local function lines(at)
    local first = at.thread == 1 and at.code.name == "halved" and at.point.n // 2 or 0 -- column
    local x = (at.point.n - first) // (4 * PANEL_BLOCKS) * PANEL_LINES
    local written = SUM_LINES * tiles(at)
    return matrix_lines(at) + written + x, written
end

-- Largest number of lines of x's panel, stack and code that an execution fetches again: each line once whenever both threads together have
-- filled the directory. (The other thread works all the time, or not at all.) The least is 0: recently fetched lines need not be evicted.
local function taken_back(at, own)
    return at.threads * own / directory_lines(at.machine, at.node) * (PANEL_LINES + SELF_LINES)
end

-- Bytes of `times` executions across a boundary with caches of `kept` bytes above it: `each` lines per execution, between none and all of
-- taken_back(), and up to `past` lines that prefetchers fetch without use. Up to `kept` bytes may already be in the caches when the region
-- begins, or be written back after its end.
local function volume(at, times, each, past, kept)
    local line, own = at.node.line_bytes, lines(at)
    local back = times * taken_back(at, own) * line / 2
    local value, vain = times * each * line + back, times * past * line
    return {
        min = math.max(0, value - back - kept),
        value = value,
        max = value + back + vain + kept,
        terms = {
            { name = "begin", amount = kept },
            { name = "end", amount = -kept },
            { name = "replacement", amount = back },
            { name = "replacement", amount = -back },
            { name = "prefetches", amount = vain },
        },
    }
end

-- Between a private level and the next one: lines that come in, and lines written back. A victim level gets all evicted lines.
local function private_volume(number)
    local function of(at, times, with_ends)
        local kept, own, written = capacity(at.machine, at.node, number, 1), lines(at)
        local is_above_victims = level_of(at.machine, number).victims_to ~= nil
        if matrix_lines(at) * at.node.line_bytes < 2 * kept then
            return nil
        end
        local each = own + (is_above_victims and own or written)
        local past = PIECES * lines_past(at.node, number) * (is_above_victims and 2 or 1)
        return volume(at, times, each, past, with_ends and kept or 0)
    end
    return function(at) return of(at, at.point.times, true) end, function(at) return of(at, at.point.times - at.base.times, false) end
end

-- Memory to the caches: all lines once per execution. This holds if more than twice the caches' size is read between two uses of a line, by
-- the thread and (if both have the same work) by the other one.
local function memory_volume(at, times, with_ends)
    local last = #at.node.caches
    local kept, own = capacity(at.machine, at.node, last, at.threads), lines(at)
    local between = matrix_lines(at) + (at.code.name == "dealt" and matrix_lines(at, 1 - at.thread) or 0)
    if between * at.node.line_bytes < 2 * kept then
        return nil
    end
    return volume(at, times, own, PIECES * lines_past(at.node, last), with_ends and kept or 0)
end

local function memory_read_volume(at)
    return memory_volume(at, at.point.times, true)
end

local function more_memory_read_volume(at)
    return memory_volume(at, at.point.times - at.base.times, false)
end

local l1_volume, more_l1_volume = private_volume(1)
local l2_volume, more_l2_volume = private_volume(2)

return pattern {
    name = "load_imbalance",
    title = "Load imbalance",
    class = "work",
    about = "Threads get equal numbers of rows, but rows are not equally long: one thread works while the other waits.",
    desired = "Useful operations of each thread, and its data volume at every level of the memory hierarchy",
    advice = "Distribute rows by work and not by number: chunks in turn (schedule(static, chunk)), largest first, or on demand "
        .. "(dynamic, guided) where the work is not known beforehand. Rows must still lie in the memory of the "
        .. "socket that works on them.",
    codes = {
        code { name = "halved", runs = "multiply_tile" },
        code { name = "dealt", runs = "multiply_tile" },
    },
    parameters = { "n", "times" },
    placements = { "pair" },
    points = {
        -- With N = 1024 an inclusive L3 of 4 MiB just holds both matrices. The longer region then evicts the Marker API's code from it, the
        -- base region does not: 250 lines more in the difference.
        point { n = 1536, times = 6, base = { times = 2 }, quick = true },
        point { n = 2048, times = 3, base = { times = 1 }, quick = true },
        point { n = 4096, times = 3, base = { times = 1 } },
    },
    quantities = {
        quantity { name = "AVX operations", expect = operations, difference = more_operations, ratio = true },
        quantity { name = "multiply-add elements", expect = elements, difference = more_elements, ratio = true },
        quantity { name = "L1-L2 total volume", expect = l1_volume, difference = more_l1_volume, ratio = true },
        quantity { name = "L2-L3 total volume", expect = l2_volume, difference = more_l2_volume, ratio = true },
        quantity {
            name = "memory read volume",
            expect = memory_read_volume,
            difference = more_memory_read_volume,
            ratio = true,
        },
    },
    judged_elsewhere = { "divider uops", "division FLOPs" }, -- work of codes that divide
    processed = processed,
    cost = function(at)
        return at.point.n ^ 2 / 8 * ((at.point.times + at.base.times) * 1.5 + 4)
    end,
    controls = { present = control { code = "halved" }, absent = control { code = "dealt" } },
    signature = "AVX operations, thread 0 : 1",
    tests = { test { quantity = { "AVX operations", "multiply-add elements" }, spread = true } },
    -- What the threads would save if all had the same work: the largest amount less the mean. If waiting threads sleep, cycles show
    -- the work. Waiting threads that spin have cycles, too, but no operations and no new lines: if there are many of these, they show it.
    explains = explains {
        needs = { "unhalted time", "instructions", "branches" },
        may = { "AVX operations|FLOPs", "L1-L2 load volume" },
        cycles = function(at)
            local threads = at.threads
            local function values(name)
                local list = {}
                for i, counts in ipairs(threads) do
                    list[i] = counts[name]
                end
                return list
            end
            local cycles, instructions = values "unhalted time", math.max(table.unpack(values "instructions"))
            local starts = at.is_whole and cycles[1] == at.longest
            -- At least and at most; the largest amount. At least: without what the program's start takes, if the first thread is the
            -- longest and has most of the amount.
            local function unevenness(name)
                local amounts = values(name)
                local most = uneven(amounts, #threads)
                if most and starts and amounts[1] == math.max(table.unpack(amounts)) then
                    local start = START[name][1] + (#threads - 1) * START[name][2]
                    amounts[1] = math.max(amounts[1] - start, table.unpack(amounts, 2))
                end
                return uneven(amounts, #threads), most, most and math.max(table.unpack(amounts))
            end
            local low, high, parallel = unevenness "unhalted time"
            if starts then -- threads begin one after the other, and those that begin first may spin until the last one does
                low = math.max(0, low - (#threads - 1) * START["unhalted time"][2] / parallel)
            end
            local least_of, most_of -- estimates by other amounts of work
            for name, least in pairs { ["AVX operations"] = 1e-2, ["L1-L2 load volume"] = LINE * 1e-3 } do
                local share, most, amount = unevenness(name)
                if share and amount >= least * instructions then
                    least_of, most_of = math.min(least_of or share, share), math.max(most_of or most, most)
                end
            end
            low, high = math.max(low, least_of or low), math.max(high, most_of or high)
            if not most_of then
                local mix = {}
                for i, counts in ipairs(threads) do
                    mix[i] = counts.branches / counts.instructions
                end
                if math.max(table.unpack(mix)) > 1.02 * math.min(table.unpack(mix)) then
                    high = 1 - 1 / #threads -- a thread that spins executes other instructions
                end
            end
            return { low * parallel, high * at.longest }
        end,
        ruled_out = function(_, threads)
            return threads == 1 and "one thread" or nil
        end,
    },
}
