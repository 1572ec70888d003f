-- sizes.lua - problem sizes and numbers of sweeps for data in one level of the memory hierarchy.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Sizes count data in caches: a stream that is only written by non-temporal stores occupies none.
--   first level   from CEILING^2 to CEILING x it; sweeps touch FIRST_BYTES, so that stray accesses are negligible
--   cache level   from FLOOR x all caches above it together (a cyclic sweep over twice a cache's size finds nothing left of the last
--                 sweep, with a margin for replacement that is not quite LRU) to CEILING x its own size (the rest is for stack and
--                 code), or what it surely holds if pages lie in random frames (model/colours.lua), but LEAST_SPAN times the smallest:
--                 in small caches with few ways some lines may lie below the level
--   victim level  up to CEILING x it and all caches above it, which hold other lines. If that leaves less than a span of LEAST_SPAN,
--                 because the caches above are nearly as large, sizes stay in the middle. With r = (all caches / the caches
--                 above)^(1/4), they are from r x the caches above to all caches / r, if r is LEAST_MARGIN or more
--   memory        from MEMORY[kind].floor x to MEMORY[kind].ceiling x all caches together
-- On virtual nodes a set of the last level keeps its last W lines, with W ways. Lines of several threads' streams may reach it nearly at
-- once. Then the threads' turns decide how many of the W are modified, and regions with other turns at their ends differ by that. So
-- streams of several threads in memory are multiples of D / n. D is the distance of lines that share a set, n the number of streams. A
-- thread's lines then reach a set in equal distances, or in one pass of the kernel's loop.
-- If the node may have prefetchers, streams beyond the first level are whole pages, because a prefetcher reads past the end of a stream
-- but not past the end of its page.
-- Sizes are in equal ratios between the two; with --quick only up to QUICK_SPAN times the smallest. The number of sweeps keeps what
-- caches may hold at a region's ends within the level's interval_pct of the volume; on virtual nodes there are not more than touch
-- VIRTUAL_BYTES, but at least VIRTUAL_PASSES. All sizes of a kernel have the same sweeps, so volumes grow with sizes and a line can be
-- fitted.
local colours = require "model.colours"
local levels = require "model.levels"
local model = require "model.traffic"

local sizes = {}

local FLOOR, CEILING = 2, 0.5
local LEAST_SPAN = 2 -- largest size / smallest size that a line needs
local QUICK_SPAN = 4
local LEAST_MARGIN = 4 / 3 -- a set with W ways and LRU replacement loses all of a cyclic sweep over W + 1 lines
-- Silicon's caches may keep some of the swept data; a virtual node's replacement is LRU.
local MEMORY = { native = { floor = 4, ceiling = 8 }, virtual = { floor = FLOOR, ceiling = 2 * FLOOR } }
local FIRST_BYTES = 8 << 20
local NATIVE_BYTES = 5e8 -- a region on silicon: 50 ms at 10 GB/s, long compared with the cost and jitter of reading counters
-- A region of a virtual node has no jitter, and the effect of its ends is isolated by the difference to its base. What is left are lines
-- from between the regions (up to 276 in one job, beside the errors of replacement): few beside VIRTUAL_BYTES, and beside four sweeps
-- in memory. At 30 MB a stream in the memory of tests/nodes/CLX_small.lua used 129 % of its tolerance, at 60 MB 62 %.
local VIRTUAL_BYTES = 1e8
local VIRTUAL_PASSES = 5

local function greatest_common_divisor(a, b)
    while b ~= 0 do
        a, b = b, a % b
    end
    return a
end

-- Smallest number of elements that fills both whole loop passes and whole pieces of the given size.
local function element_step(kernel, bytes)
    local per_piece = math.max(1, bytes // kernel.bytes_per_element)
    local per_pass = kernel.elements_per_pass
    return per_pass * per_piece // greatest_common_divisor(per_pass, per_piece)
end

-- Bytes of which a stream is a whole multiple.
local function piece_bytes(machine, node, level)
    local may_prefetch = node.prefetchers or node.kind == "native"
    return may_prefetch and level.name ~= "L1" and levels.page(machine) or node.line_bytes
end

-- Range of sizes: bytes in caches of all threads together.
local function range(machine, node, level, threads)
    if level.name == "MEM" then
        local caches = model.capacity(machine, node, #node.caches, math.max(threads, 1))
        return MEMORY[node.kind].floor * caches, MEMORY[node.kind].ceiling * caches
    end
    local number = tonumber(level.name:match("^L(%d+)$"))
    local cache = number and node.caches[number]
    if not cache then
        return nil
    elseif number == 1 then
        local first = model.capacity(machine, node, 1, threads)
        return CEILING ^ 2 * first, CEILING * first
    end
    local above = model.capacity(machine, node, number - 1, threads)
    local all = model.capacity(machine, node, number, threads)
    if not levels.is_victim(levels.of_data(machine)[number]) then
        -- size of the level alone; a non-inclusive level adds to those above
        local own = levels.of_data(machine)[number].inclusive and all or all - above
        local ceiling = CEILING * own
        if colours.are_random(node) then
            local safe = all / cache.size_bytes * colours.safe_bytes(cache, levels.page(machine))
            ceiling = math.min(ceiling, math.max(safe, LEAST_SPAN * FLOOR * above))
        end
        return FLOOR * above, ceiling
    end
    local margin = (all / above) ^ (1 / 4)
    if CEILING * all < LEAST_SPAN * FLOOR * above and margin >= LEAST_MARGIN then
        return margin * above, all / margin
    end
    return FLOOR * above, CEILING * all
end

local function count_passes(machine, node, level, threads, cached_bytes, thread_bytes)
    local upper = (level.name == "MEM" and #node.caches + 1 or tonumber(level.name:match("%d+"))) - 1
    local kept = math.min(1, model.capacity(machine, node, upper, threads) / cached_bytes)
    local passes = math.ceil(100 * kept / level.interval_pct)
    if upper == 0 then
        passes = math.ceil(FIRST_BYTES / thread_bytes)
    end
    if node.kind == "native" then
        passes = math.max(passes, math.ceil(NATIVE_BYTES / thread_bytes))
    else
        passes = math.min(passes, math.max(VIRTUAL_PASSES, math.ceil(VIRTUAL_BYTES / cached_bytes)))
    end
    return math.max(passes, 2)
end

-- Returns up to `count` distinct { elements = per stream and thread, bytes = of all streams of a thread, passes = }, ascending; or
-- nil and the reason. `level` is the pattern's entry, `kernel` as in plan.lua, is_quick: --quick.
function sizes.choose(machine, node, kernel, level, threads, count, is_quick)
    local low, high = range(machine, node, level, threads)
    if not low then
        return nil, ("node %s has no level %s"):format(node.name, level.name)
    end
    local cached = model.cached_streams(kernel.streams)
    local streams = cached > 0 and cached or #kernel.streams
    local step = element_step(kernel, piece_bytes(machine, node, level))
    local stream_bytes = step * kernel.bytes_per_element * threads
    if low + streams * stream_bytes > high then
        return nil, ("no size is well inside %s on node %s: %d bytes are too few, %d too many"):format(level.name, node.name,
            math.floor(low), math.floor(high))
    end
    high = is_quick and math.min(high, math.max(QUICK_SPAN * low, low + streams * stream_bytes)) or high
    local chosen, passes, last = {}, nil, node.caches[#node.caches]
    for index = 1, count do
        local ratio = count > 1 and (index - 1) / (count - 1) or 0
        local wanted = low * (high / low) ^ ratio
        local round = index == count and count > 1 and math.floor or math.ceil
        local stream = wanted / (streams * threads)
        if level.name == "MEM" and threads > 1 and streams > 1 and node.kind == "virtual" then
            local apart = last.size_bytes // last.ways // streams
            stream = apart * math.max(1, round(stream / apart))
        end
        local elements = step * round(stream / (step * kernel.bytes_per_element))
        local bytes = elements * kernel.bytes_per_element * #kernel.streams
        passes = passes or count_passes(machine, node, level, threads, elements * kernel.bytes_per_element * streams * threads, bytes)
        if #chosen == 0 or elements > chosen[#chosen].elements then
            chosen[#chosen + 1] = { elements = math.tointeger(elements), bytes = math.tointeger(bytes), passes = passes }
        end
    end
    return chosen
end

return sizes
