-- Load imbalance: upper triangular matrix-vector product of N rows on two threads, TIMES times (patterns/load_imbalance.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rows go in blocks of four that begin at the block's first column; block b = 0 .. N/4 - 1 has quads = N/4 - b groups of 4 columns:
--     elements          16 quads - 6: four rows, each one shorter than the one before
--     AVX operations    8 quads: 4 quads products, 4 (quads - 1) sums, 4 to add the lanes and y; where the event counts all instructions
--                       that calculate (`code` of the count), also the 2 that bring lanes together
--     lines             of the matrix 4 (N/8 - floor(b / 2)), of x a quarter of that, of y one for two blocks
-- N = 4096: 6 292 480 elements of the upper half of the rows, 2 098 176 of the lower.
local STREAMS = 5 -- four rows and x
local LANES_TOGETHER = 2 -- instructions of a block

local function line_bytes(at)
    return at.node.line_bytes
end

-- The machine file's entry of the level of data with that number.
local function level_of(at, number)
    for _, level in ipairs(at.machine.levels) do
        if level.name == "L" .. number then
            return level
        end
    end
end

local function is_mine(at, block)
    if at.code.name == "halved" then
        return (block >= at.point.n // 8) == (at.thread == 1)
    end
    return (block // 2 + 1) // 2 % 2 == at.thread
end

-- Calls visit(quads, lines of one row) for every block of the thread.
local function each_block(at, visit)
    local blocks = at.point.n // 4
    for block = 0, blocks - 1 do
        if is_mine(at, block) then
            visit(blocks - block, at.point.n // 8 - block // 2)
        end
    end
end

local function sum(at, term)
    local total = 0
    each_block(at, function(quads, lines)
        total = total + term(quads, lines)
    end)
    return at.point.times * total
end

local function operations(at)
    local more = LANES_TOGETHER * (at.weights.avx_calc or 0)
    return sum(at, function(quads) return 8 * quads + more end)
end

-- The metric sees what the vectors round up to and the sums of lanes, too.
local function elements(at)
    local exact = sum(at, function(quads) return 16 * quads - 6 end)
    return { min = exact, value = exact, max = 2 * operations(at) }
end

-- Bytes of the matrix that the thread reads once.
local function matrix_bytes(at)
    return sum(at, function(_, lines) return 4 * lines * line_bytes(at) end) // at.point.times
end

-- What a block finds gone of what the block before used: lines of x, and the share of other lines. Rows are whole pages apart and x lies
-- behind the last, so that the four rows and x, `lines` of each, begin in the same set and go through the sets side by side. What goes
-- through a set between two uses of a line stays in it with least-recently-used replacement if the ways hold it all.
local function lost(at, cache, lines)
    local sets = cache.size_bytes // (cache.ways * line_bytes(at))
    local each, rest = lines // sets, lines % sets -- `rest` sets have one line more of each
    local of_x, share = 0, 0
    for _, part in ipairs { { sets = rest, each = each + 1 }, { sets = sets - rest, each = each } } do
        of_x = of_x + (STREAMS * part.each > cache.ways and part.sets * part.each or 0)
        share = share + (STREAMS * part.each >= cache.ways and part.sets / sets or 0)
    end
    return of_x, share
end

-- Lines that the caches down to `level`, of `bytes` in all, let through, in and out. The matrix is larger than twice these caches and read
-- in order: all of it passes each time, but for what may be there at the begin. x is read by every block; between two readings of a line
-- of it lie the block's four rows and x itself. It stays if these are half of the caches at most, and goes if they are twice as large;
-- nominal is what the level's own sets lose. The same holds for the thread's line on the stack, and for y: a line is read and written by
-- two blocks. `back`: how often what came leaves again, 0 of clean lines that are dropped, 1 of those that go to a victim level; lines of x
-- may be dropped there, too, as both threads have them.
local function lines_through(at, level, bytes, back)
    local line = line_bytes(at)
    local x, own, y = { min = 0, value = 0, max = 0 }, { value = 0, max = 0 }, { value = 0, max = 0 }
    each_block(at, function(_, lines)
        local between = STREAMS * lines * line
        local of_x, share = lost(at, at.node.caches[level], lines)
        x.min = x.min + (between >= 2 * bytes and lines or 0)
        x.value, own.value, y.value = x.value + of_x, own.value + share, y.value + (1 + share) / 2
        if between > bytes / 2 then
            x.max, own.max, y.max = x.max + lines, own.max + 1, y.max + 1 / 2
        end
        y.max = y.max + 1 / 2
    end)
    local first, times = at.point.n // 8, at.point.times -- lines of x, which come once
    local matrix = matrix_bytes(at) / line
    return {
        min = math.max(0, times * ((1 + back) * matrix + x.min) - bytes / line),
        value = times * ((1 + back) * (matrix + x.value + own.value + first) + 2 * y.value),
        max = times * ((1 + back) * (matrix + x.max + own.max + first) + 2 * y.max),
    }
end

-- Volume between a private level and the one below it: what comes in, and y, which is written back; to a victim level all that came goes.
local function private_volume(level)
    return function(at)
        local bytes = capacity(at.machine, at.node, level, 1)
        if matrix_bytes(at) < 2 * bytes then
            return nil
        end
        local line, lines = line_bytes(at), lines_through(at, level, bytes, level_of(at, level).victims_to and 1 or 0)
        return {
            min = lines.min * line,
            value = lines.value * line,
            max = lines.max * line + bytes, -- whatever else is modified when the region begins
        }
    end
end

local function greatest_divisor(a, b)
    while b > 0 do
        a, b = b, a % b
    end
    return a
end

-- Lines of the thread that stay in the last level from time to time: rows begin `pitch` lines apart, so that sets get different numbers
-- of lines, and what the set's ways hold all of is never displaced by the matrix itself.
local function staying_lines(at)
    local cache = at.node.caches[#at.node.caches]
    local sets, pitch = cache.size_bytes // (cache.ways * line_bytes(at)), at.point.n // 8
    local period = sets // greatest_divisor(pitch, sets) -- rows from one use of a set by a column to the next
    local filled, count = {}, 0
    local function each_set(visit)
        for column = 0, pitch - 1 do
            for first = 0, math.min(period, 8 * column + 8) - 1 do
                visit((pitch * first + column) % sets, first, 8 * column + 7)
            end
        end
    end
    each_set(function(set, first, last)
        filled[set] = (filled[set] or 0) + (last - first) // period + 1
    end)
    each_set(function(set, first, last)
        for row = filled[set] <= cache.ways and first or last + 1, last, period do
            count = count + (is_mine(at, row // 4) and 1 or 0)
        end
    end)
    return count
end

-- What of the matrix does not stay, y, and x again and again: it is read from L1 and L2, and so grows old in an inclusive last level, which
-- takes it from them when that has been filled anew. Which thread brings it back is open. A last level of victims takes nothing from the
-- levels above: x comes once a time, by one thread or the other.
local function memory_read_volume(at)
    local bytes = capacity(at.machine, at.node, #at.node.caches, at.threads)
    if at.point.n ^ 2 / 2 * 8 < 2 * bytes then
        return nil
    end
    local line, first = line_bytes(at), at.point.n // 8
    local x, y = 0, 0
    each_block(at, function(_, lines)
        x, y = x + 4 * lines * lines / (bytes / line), y + 1 / 2
    end)
    if not level_of(at, #at.node.caches).inclusive then
        x = first / at.threads
    end
    local own, times = matrix_bytes(at) / line, at.point.times
    return {
        min = math.max(0, times * own * line - bytes),
        value = times * (own - staying_lines(at) + x + y) * line,
        max = times * (own + 2 * at.threads * x + 2 * first) * line,
    }
end

return pattern {
    name = "load_imbalance",
    title = "Load imbalance",
    class = "work",
    about = "Threads get equal numbers of rows, but rows are not equally long: one thread works while the other waits.",
    desired = "Useful operations of each thread, and its data volume at every level of the memory hierarchy",
    codes = {
        code { name = "halved" },
        code { name = "dealt" },
    },
    parameters = { "n", "times" },
    placements = { "pair" },
    points = {
        point { n = 1024, times = 8, quick = true },
        point { n = 1536, times = 4 },
        point { n = 2048, times = 4, quick = true },
        point { n = 4096, times = 2 },
        point { n = 4096, times = 4 },
    },
    quantities = {
        quantity { name = "AVX operations", expect = operations, ratio = true },
        quantity { name = "multiply-add elements", expect = elements, ratio = true },
        quantity { name = "L1-L2 total volume", expect = private_volume(1), ratio = true },
        quantity { name = "L2-L3 total volume", expect = private_volume(2), ratio = true },
        quantity { name = "memory read volume", expect = memory_read_volume, ratio = true },
    },
    cost = function(at)
        return at.point.n ^ 2 / 8 * (at.point.times * 1.5 + 4)
    end,
    controls = { present = control { code = "halved" }, absent = control { code = "dealt" } },
    signature = "AVX operations, thread 0 : 1",
}
