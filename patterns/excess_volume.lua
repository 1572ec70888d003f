-- Excess data volume: non-temporal stores of one word per line, against stores that fill their lines (patterns/excess_volume.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Non-temporal stores read no line and leave nothing in the caches. Each line that is written, whole or in part, is one write to memory,
-- and no write is left for the end of the region. The stride of 24 lines is a multiple of 2, 3, 4, 6, 8 and 12. Where lines are interleaved
-- over channels, all lines of a point therefore lie in one channel, and neighbours take the channels in turn; where addresses are hashed,
-- they lie in several. Sums over channels are the same.
--     loads     memory with error correction may have to read a line before a part of it is written: nothing is claimed for `partial`.
--               The core itself requests no line.
local STRIDE = 24

local function lines(at)
    local words = at.code.name == "whole" and at.node.line_bytes // 8 or 1
    return at.point.words // words * at.point.times
end

local function written(at)
    return lines(at) * at.node.line_bytes
end

local function nothing_loaded(at)
    return none_of(written(at))
end

local function loaded(at)
    if at.code.name == "partial" then
        return { none = "memory may read a line of which a part is written" }
    end
    return nothing_loaded(at)
end

return pattern {
    name = "excess_volume",
    title = "Excess data volume",
    class = "bottleneck",
    about = "Whole cache lines move to memory although a code uses one word of each: most of the bandwidth is wasted.",
    desired = "Data volume between the last level cache and memory, next to the bytes that the code uses",
    advice = "Make loops run along memory: change their order, store fields that are used together side by side, and other "
        .. "fields in arrays of their own (structure of arrays). Where strides cannot be avoided, block so that all words "
        .. "of a line are used while it is in a cache.",
    codes = {
        code { name = "partial" },
        code { name = "whole" },
    },
    parameters = { "words", "stride", "first", "times" },
    placements = { "core" },
    points = {
        point { words = 8192, stride = 1, first = 1, times = 16, quick = true },
        point { words = 16384, stride = 1, first = 1, times = 16 },
        point { words = 8192, stride = STRIDE, first = 1, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 2, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 3, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 4, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 5, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 6, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 7, times = 16, quick = true },
        point { words = 8192, stride = STRIDE, first = 8, times = 16, quick = true },
    },
    quantities = {
        quantity { name = "L3-MEM evict volume", expect = written },
        quantity { name = "L3-MEM load volume", expect = loaded },
        quantity { name = "memory read volume", expect = nothing_loaded },
    },
    cost = lines,
    controls = { present = control { code = "partial" }, absent = control { code = "whole" } },
    signature = "L3-MEM evict volume",
    tests = { test { quantity = { "L3-MEM evict volume" }, per = "instructions" } },
    -- The part of each line that no load uses. A load takes at most 32 bytes, because memory operands of AVX operations are no AVX loads;
    -- an AVX load takes 32 at least, another one 8. Accesses to another page each time are latency_bound's in the lower bound. Lines that
    -- are only stored to are not seen. Where lines are counted instead of loads, stores fetch them, too, and all accesses use them.
    explains = explains {
        needs = {
            "loads from L2", "loads from L3", "loads past L3", "loads from L1|accesses", "loads past L2", "second-level TLB hits",
            "page walks",
        },
        may = { "AVX loads", "accesses" },
        cycles = function(at)
            local counts, all = at.counts, costs(at, { "loads from L2", "loads from L3", "loads past L3" })
            local fetched, wide = counts["loads from L2"] + counts["loads past L2"], counts["AVX loads"] or 0
            local narrow = math.max(0, (counts.accesses or fetched + counts["loads from L1"]) - wide)
            local function unused(bytes)
                return fetched > 0 and math.max(0, 1 - (bytes * narrow + 32 * wide) / (64 * fetched)) or 0
            end
            return { (1 - random_part(counts)) * unused(32) * all[1], unused(8) * all[2] }
        end,
    },
}
