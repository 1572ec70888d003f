-- Sharing of cache lines: a producer writes `lines` lines a step, a consumer reads them, `steps` times (patterns/line_sharing.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each thread has a progress word, which it writes after each step and the other thread polls. In each step the consumer takes all lines
-- that are still modified in the producer's caches, and the line with the producer's word: lines + 1. The producer takes the line with the
-- consumer's word once a step. Each value is seen exactly once: its writer waits for the other's answer, and polls that find nothing new
-- hit the poller's own cache. When a region begins, the threads also share lines of the program and the Marker API once, at most one page.
-- These differ from region to region, so the start of one region may cost up to that much more than the start of another.
-- A line of the range is the first one of a pair; its neighbour, which an adjacent-line prefetcher may fetch, is never written and takes
-- the other half of the caches' sets.
--     pair     producer and consumer share L3. The producer's L1 and L2 hold `kept` lines: at most the size of both, at least the size of
--              L2 less that of L1. The rest of a larger step is in L3 when it is read, modified there but in no core
--     across   the same for two sockets and the producer's last level, which holds what L2 holds, or what L2 evicted
--
-- `signalled` is the negative control: it hands over by a mutex and a condition variable. Its threads also take the lock's lines from each
-- other; the number depends on the order in which threads are woken. It is at least the number of `shared` and has no upper end
-- (`at_least`), so a right count is at best `unresolved`. On silicon its counts were unstable (docs/papers.md, R6), which is why the
-- pattern hands over by a word. A virtual node wakes threads in a fixed order, so repetitions are equal: for 700 steps of one line it
-- counts 1403 lines. The count depends on the length of the threads' turns: it is 3502 with turns of 37 instructions instead of 1000, while
-- `shared` stays the same. For both codes a sleeping core is assumed to keep the modified lines in its caches.

local function is_inclusive(at)
    return level_of(at.machine, #at.node.caches).inclusive
end

-- Modified lines that the other thread finds in this one's caches after a step: least, nominal, most.
local function kept(at)
    local last, pair = #at.node.caches, pair_bytes(at.node)
    local above = capacity(at.machine, at.node, 1, 1) // pair
    local size = (capacity(at.machine, at.node, at.placement == "pair" and last - 1 or last, 1)) // pair
    if at.placement == "pair" or not is_inclusive(at) then
        size = size - above -- lines in L1 may be copies of lines in this level, or not
    end
    local lines = at.point.lines
    return math.min(lines, size - above), math.min(lines, size), math.min(lines, size + above)
end

-- Lines that a step moves to the thread: least, nominal, most.
local function moved(at)
    if at.thread == 0 then
        return 1, 1, 1
    end
    local low, value, high = kept(at)
    return low + 1, value + 1, high + 1
end

-- Lines moved in `steps` steps; the start of the region may add up to `most` lines or take off up to `least`.
local function amount(steps, at, least, most)
    local low, value, high = moved(at)
    return {
        min = math.max(0, steps * low - least),
        value = steps * value,
        max = steps * high + most,
        terms = {
            { name = "begin", amount = most },
            { name = "begin", amount = -least },
            { name = "replacement", amount = steps * (high - value) },
            { name = "replacement", amount = steps * (low - value) },
        },
    }
end

local function shared_lines(at)
    return at.machine.processor.page // at.node.line_bytes
end

local function taken(at)
    local found = amount(at.point.steps, at, 0, shared_lines(at))
    return at.code.name == "signalled" and at_least(found.min) or found
end

local function taken_more(at)
    return amount(at.point.steps - at.base.steps, at, shared_lines(at), shared_lines(at))
end

-- A model that expects lines in the placement `where` only, and none in the other.
local function taken_from(where)
    return function(at)
        if at.placement == where then
            return taken(at)
        end
        return none_of(at.point.steps * at.point.lines)
    end
end

local function more_from(where)
    return function(at)
        return at.placement == where and taken_more(at) or nil
    end
end

return pattern {
    name = "line_sharing",
    title = "Sharing of cache lines",
    class = "hazard",
    about = "One thread writes lines that another one reads: each line moves from cache to cache.",
    desired = "Transfers of modified lines between the private caches of a socket, and between sockets",
    advice = "Hand over as few lines as possible: share results and not intermediate data, let a thread continue with "
        .. "the data in its caches, put producer and consumer on cores that share a cache, and hand over blocks that "
        .. "fit into it.",
    codes = { code { name = "shared" }, code { name = "signalled" } },
    parameters = { "lines", "steps" },
    placements = { "pair", "across" },
    points = {
        point { lines = 1, steps = 350, base = { steps = 50 }, quick = true },
        point { lines = 4, steps = 350, base = { steps = 50 } },
        point { lines = 16, steps = 150, base = { steps = 50 } },
        point { lines = 64, steps = 100, base = { steps = 50 } },
        point { lines = 256, steps = 60, base = { steps = 20 }, quick = true },
        point { lines = 512, steps = 80, base = { steps = 20 }, quick = true }, -- more lines may fill the sets of an L2 of 256 KiB unevenly
        point { lines = 8192, steps = 20, quick = true }, -- larger than L2 of many processors: only part of a step is still in it
        point { code = "signalled", lines = 1, steps = 350, quick = true },
        point { code = "signalled", lines = 16, steps = 150 },
        point { code = "signalled", lines = 256, steps = 60, quick = true },
    },
    quantities = {
        quantity { name = "loads modified here", expect = taken_from "pair", difference = more_from "pair" },
        quantity { name = "loads modified there", expect = taken_from "across", difference = more_from "across" },
        quantity { name = "reads modified here", expect = taken_from "pair", difference = more_from "pair" },
        quantity { name = "reads modified there", expect = taken_from "across", difference = more_from "across" },
        quantity { name = "loads modified", expect = taken, difference = taken_more },
        quantity { name = "reads modified", expect = taken, difference = taken_more },
    },
    cost = function(at)
        local steps = at.point.steps + (at.base and at.base.steps or 0)
        return 2 * steps * (at.point.lines + 500) -- one hand-over costs about as much as 500 accesses
    end,
}
