-- Load imbalance: upper triangular matrix-vector product of N rows on two threads, TIMES times (patterns/load_imbalance.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rows go in blocks of four that begin at the block's first column; block b = 0 .. N/4 - 1 has quads = N/4 - b groups of 4 columns:
--     elements          16 quads - 6: four rows, each one shorter than the one before
--     AVX operations    8 quads + 2: 4 quads products, 4 (quads - 1) sums, 6 to add the lanes and y
--     lines             of the matrix 4 (N/8 - floor(b / 2)), of x a quarter of that, of y one for two blocks
-- N = 4096: 6 292 480 elements of the upper half of the rows, 2 098 176 of the lower.
local LINE = 64

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
    return sum(at, function(quads) return 8 * quads + 2 end)
end

-- The metric sees what the vectors round up to and the sums of lanes, too.
local function elements(at)
    local exact = sum(at, function(quads) return 16 * quads - 6 end)
    return { min = exact, value = exact, max = 2 * operations(at) }
end

-- Bytes of the matrix that the thread reads once.
local function matrix_bytes(at)
    return sum(at, function(_, lines) return 4 * lines * LINE end) // at.point.times
end

-- Lines that caches of `bytes` above a boundary let through. The matrix is larger than twice these caches and read in order: all of it
-- passes each time, but for what may be there at the begin. x is read by every block; between two readings of a line of it lie the
-- block's four rows and x itself. It stays if these are half of the caches at most, and goes if they are twice as large; nominal is
-- the size in between. y is read and written once.
local function lines_through(at, bytes)
    local low, value, high, blocks = 0, 0, 0, 0
    each_block(at, function(_, lines)
        local between = 5 * lines * LINE
        low = low + (between >= 2 * bytes and lines or 0)
        value = value + (between > bytes and lines or 0)
        high = high + (between > bytes / 2 and lines or 0)
        blocks = blocks + 1
    end)
    local x, y, times = at.point.n // 8, blocks // 2, at.point.times
    local matrix = matrix_bytes(at) / LINE
    return {
        min = math.max(0, times * (matrix + low) - bytes / LINE),
        value = times * (matrix + value + x + y),
        max = times * (matrix + high + x + y),
        y = times * y,
    }
end

-- Volume between a private level and the one below it: what comes in, and y, which is written back.
local function private_volume(level)
    return function(at)
        local bytes = capacity(at.machine, at.node, level, 1)
        if matrix_bytes(at) < 2 * bytes then
            return nil
        end
        local lines = lines_through(at, bytes)
        return {
            min = lines.min * LINE,
            value = (lines.value + lines.y) * LINE,
            max = (lines.max + lines.y) * LINE + bytes, -- whatever else is modified when the region begins
        }
    end
end

-- x and y are small, and shared: who brings them into L3 is open.
local function memory_read_volume(at)
    local bytes = capacity(at.machine, at.node, #at.node.caches, at.threads)
    if at.point.n ^ 2 / 2 * 8 < 2 * bytes then
        return nil
    end
    local own = at.point.times * matrix_bytes(at)
    return { min = math.max(0, own - bytes), value = own, max = own + at.point.times * 2 * at.point.n * 8 }
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
