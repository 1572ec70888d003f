-- Blocks: a buffer that is a little larger than the first cache, line by line, again and again (probes/blocks.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Danalis et al., "Counter Inspection Toolkit", section 4.1: where the line that was not used for longest has to go, a buffer of one block
-- more than the cache holds makes every load a miss, as each block takes the place of the next one; if each time the first block is left
-- for last, so that the next time begins a block later, only that block is missed. A block is as much as one way of the cache.
-- Which line goes is the processor's own matter, and what such curves show. The virtual node's caches are exactly so (docs/simulator.md):
-- there it is known, a set of the cache after the other.
local function ways_of(at)
    local cache = at.node.caches[1]
    return cache.ways, cache.size_bytes // (cache.ways * at.node.line_bytes)
end

-- Misses of a set of `ways` lines, in `times` times through `lines` of its own, each `later` behind the one before, when all has become the
-- same again and again.
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
local OTHERS = 4 -- lines of what is around a time: each may make all lines of its set go, if that is full

-- Loads of a time that may miss besides, and lines of others.
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

-- Buffers of half the first cache to twice that, by blocks.
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
    about = "A buffer that is a little larger than the first cache, with and without leaving the block for last that was used last.",
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
