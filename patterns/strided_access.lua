-- Strided access: sums over elements that lie side by side, or a stride apart (patterns/strided_access.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A pass loads each element once, and with it every whole line that contains part of an element. The stride is at most one line, so the
-- lines are adjacent and spread evenly over the cache sets. They are at least twice as many as the caches hold: before a line is used
-- again, all caches have lost it, also at the start of the region. So each boundary is crossed by
--     lines per pass    elements * stride in bytes / line size
--     times             passes
-- The arithmetic is not modelled. Eight bytes of each element are useful, for every stride. `unit`, the code without the pattern, has as
-- many elements.
-- There is no signature: lines into L1 per load would show how much of a line a code uses, but no group of ours counts loads and lines
-- together, and one vector load can use as much as several loads.
-- Nothing is claimed for arrays of between one and two times the caches. Unnecessarily large arrays take more time and show nothing else; a
-- point runs on the nodes for whose caches it is suitable.
-- The arrays also displace the code of the Marker API. A region fetches that again: 340 lines, with prefetchers 530 (small L3 of
-- Haswell-EP). A quick region reads 786 432 lines or more: these are less than 0.09 % of its traffic.
local LOST = 2
local MOST = 12 -- largest array, in multiples of the last level
local ELEMENT = 8 -- bytes

local function volume(at)
    local span = at.point.elements * at.point.stride * ELEMENT
    local last = capacity(at.machine, at.node, #at.node.caches, 1)
    if at.point.stride * ELEMENT > at.node.line_bytes then
        error("a stride of more than a line leaves lines out; give a shorter one")
    end
    return span >= LOST * last and span <= MOST * last and span * at.point.times or nil
end

return pattern {
    name = "strided_access",
    title = "Strided access",
    class = "bottleneck",
    about = "Loads use one or a few elements of each line: whole lines move, and most of their bytes are not used.",
    desired = "Data volume between the levels, next to the bytes that the code uses",
    advice = "Make the inner loop run along memory (exchange loops, transpose once), keep fields that are used together side by side and"
        .. " others in arrays of their own, and block loops so that a line's other elements are used while it is in a cache.",
    codes = {
        code { name = "unit" },
        code { name = "strided" },
    },
    parameters = { "elements", "stride", "times" },
    placements = { "core" },
    points = {
        point { code = "unit", elements = 1572864, stride = 1, times = 4, quick = true },
        point { code = "unit", elements = 2097152, stride = 1, times = 2 },
        point { code = "unit", elements = 9437184, stride = 1, times = 2, quick = true }, -- for nodes with a large L3
        point { code = "unit", elements = 16777216, stride = 1, times = 2 }, -- for up to 64 MiB of caches
        point { code = "strided", elements = 196608, stride = 8, times = 4, quick = true },
        point { code = "strided", elements = 262144, stride = 8, times = 3, quick = true },
        point { code = "strided", elements = 524288, stride = 3, times = 2 },
        point { code = "strided", elements = 1179648, stride = 8, times = 2, quick = true },
        point { code = "strided", elements = 3145728, stride = 3, times = 2 },
        point { code = "strided", elements = 2097152, stride = 8, times = 2, quick = true },
    },
    quantities = {
        quantity { name = "L1-L2 load volume", expect = volume },
        quantity { name = "L2-L3 load volume", expect = volume },
        quantity { name = "L3-MEM load volume", expect = volume },
    },
    cost = function(at)
        return at.point.elements * at.point.times
    end,
}
