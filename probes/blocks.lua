-- Blocks: repeated loads of all lines of a buffer that is a little larger than L1 (probes/blocks.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Danalis et al., "Counter Inspection Toolkit", section 4.1. A block is as large as one way of the cache. With least-recently-used
-- replacement a buffer of one block more than the cache holds misses at every load, because each block evicts the one that comes next. If
-- each execution begins one block later than the one before, so that the block used last is left for last, only one block misses.
-- On silicon the replacement is unknown, and these curves show it. Virtual nodes replace the least recently used line (docs/simulator.md),
-- so the misses are computed there, set by set.
local function ways_of(at)
    local cache = at.node.caches[1]
    return cache.ways, cache.size_bytes // (cache.ways * at.node.line_bytes)
end

-- Misses of a set of `ways` lines in `times` times through its `lines` lines, each beginning `later` lines after the one before. The first
-- `lines` times are not counted: after them the misses are periodic.
local function misses(ways, lines, later, times)
    local used, clock, missed, from = {}, 0, 0, 0
    for time = 1, times + lines do
        for i = 0, lines - 1 do
            local line = (from + i) % lines
            clock = clock + 1
            if not used[line] then
                local oldest, count = nil, 0
                for other, when in pairs(used) do
                    count = count + 1
                    oldest = (not oldest or when < used[oldest]) and other or oldest
                end
                if count == ways then
                    used[oldest] = nil
                end
                missed = missed + (time > lines and 1 or 0)
            end
            used[line] = clock
        end
        from = (from + later) % lines
    end
    return missed
end

local AROUND, AROUND_MOST = { "instructions", "loads", "loads from L1", "stores", "conditional branches taken",
    "conditional branches not taken", "direct jumps" }, 20
local UNKNOWN = and_mispredictions {
    "modified lines from L1", "second-level TLB hits of loads", "page walks of loads",
}
local OTHERS = 4 -- lines used between two passes; each may evict all lines of its set, if that is full

-- Most additional misses per pass, including those of OTHERS.
local function most_besides(at, ways, sets)
    local of_set = at.point.lines // sets
    return of_set < ways and OTHERS or OTHERS * (2 + of_set)
end

local function counts(at)
    local ways, sets = ways_of(at)
    local n, found = at.point.lines * at.times, concepts_of { { at.parts.constant, at.times },
        { at.parts.pass, at.point.lines * at.times } }
    found["conditional branches taken"], found["conditional branches not taken"] = n - at.times, at.times
    for _, concept in ipairs(UNKNOWN) do
        found[concept] = false
    end
    found["loads from L1"], found["loads from L2"], found["data reads in L2"] = false, false, false
    local later = at.code.is_left and at.point.later or 0
    if at.node.kind == "virtual" and at.point.lines % sets == 0 and later % sets == 0 then
        local missed = sets * misses(ways, at.point.lines // sets, later // sets, at.times)
        local most = missed + most_besides(at, ways, sets) * at.times
        local interval = { min = missed, value = missed, max = most }
        found["loads from L2"], found["data reads in L2"] = interval, interval
        found["loads from L1"] = { min = math.max(0, n - most), value = n - missed, max = n - missed }
    end
    for _, concept in ipairs(AROUND) do
        local amount = found[concept] or 0
        amount = type(amount) == "table" and amount or { min = amount, value = amount, max = amount }
        found[concept] = found[concept] ~= false
            and { min = amount.min, value = amount.value, max = amount.max + AROUND_MOST * at.times } or false
    end
    return found
end

local TIMES = { 18, 36, 54 }

-- A curve over buffers of half of L1 to twice L1, in steps of a block.
local function over_sizes(name, title, code, later)
    return curve {
        name = name,
        title = title,
        code = code,
        by = "lines",
        values = function(at)
            local ways, sets = ways_of(at)
            local list = {}
            for blocks = ways // 2, 2 * ways do
                list[#list + 1] = blocks * sets
            end
            return list
        end,
        later = later,
        times = TIMES,
        axis = "walked through",
        is_bytes = true,
        x = function(at) return at.point.lines * at.node.line_bytes end,
        per = "load",
        amount = function(at) return at.point.lines end,
        marks = function(at) return { { x = at.node.caches[1].size_bytes, text = "L1" } } end,
        shown = { "loads from L1", "loads from L2" },
    }
end

return probe {
    name = "blocks",
    title = "Blocks",
    about = "Loads of a buffer that is a little larger than L1, always in the same order, or each time beginning one block later.",
    codes = {
        code { name = "blocks_in_turn", runs = "walk_loads" },
        code { name = "blocks_left", runs = "walk_loads", is_left = true },
    },
    parameters = { "lines", "later" },
    points = {
        point { code = "blocks_in_turn", lines = 576, later = 64, times = TIMES },
        point { code = "blocks_left", lines = 576, later = 64, times = TIMES },
    },
    curves = {
        over_sizes("blocks in turn", "Blocks of a buffer in turn, again and again", "blocks_in_turn", 64),
        over_sizes("blocks, one left for last", "Blocks of a buffer, each time the first one left for last", "blocks_left", 64),
        over_sizes("blocks, two left for last", "Blocks of a buffer, each time the first two left for last", "blocks_left", 128),
    },
    counts = counts,
}
