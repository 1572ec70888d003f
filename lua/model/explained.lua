-- explained.lua - cycles that events and unevenly distributed work cost, for the `explains` of patterns.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- `at` is a thread in a region (program/judge/diagnosis.lua). Intervals are { least, most }, in cycles.
local explained = {}

local PER_OPERATION = 8 -- instructions that a vector operation needs at most: itself, two loads, a store, two addresses, comparison, jump
local OTHERS = 4 -- of these: no vector instructions
local MOST_FLOPS = 16 -- of a vector instruction: a fused multiply-add of eight lanes
local ADDRESS = 5 -- cycles of a load from L1, at most (Fog): a load that misses it waits for its address as well
local COMPARISON = 10 -- cycles that a mispredicted branch waits for what it compares: two loads or operations on floating-point numbers
local WORK = 1e-2 -- operations per instruction from which they are the work of a thread
local SCALAR_WORK = 1 / 16 -- the same for scalar ones, which other work has beside it: half of what would be enough
local LINES_PER_LOCK = 10 -- at most: the lock's line, and lines of data that threads exchange on purpose
local LINES_PER_PAGE = 64 -- of 4 KiB

-- { least, most } cycles that `count` events of the quantity cost (default: its measured count); zeros if the machine lacks the quantity.
function explained.cost(at, name, count)
    count = count or at.counts[name]
    local each = at.costs[name]
    if not each and at.counts[name] then
        error(("the cost of %s is not in pmu.costs"):format(name), 0)
    end
    return each and { count * each[1], count * each[2] } or { 0, 0 }
end

-- Cycles of all events of the named quantities; "A|B" is A, as counts are named.
function explained.costs(at, names)
    local sum = { 0, 0 }
    for _, name in ipairs(names) do
        local cycles = explained.cost(at, name:match "^[^|]+")
        sum[1], sum[2] = sum[1] + cycles[1], sum[2] + cycles[2]
    end
    return sum
end

-- Part of the loads past L2 that went to a page which the first-level TLB did not have. Memory is larger than what the second-level TLB
-- reaches: loads from there need page walks. If they do not, the pages of several streams share a set of the first-level TLB.
function explained.random_part(counts)
    local past, near = counts["loads past L2"], math.min(counts["second-level TLB hits"], counts["loads from L3"])
    return past > 0 and math.min(1, (near + counts["page walks"]) / past) or 0
end

-- Of a thread: its vector operations, at most; its scalar operations; both, at least; the instructions that both need, at most. If vector
-- instructions are counted instead, with moves and scalars, each of them may be an operation. At most one for each FLOP calculates with
-- floating-point numbers. Where stores are counted, operations need no more of them.
local function operations_of(at, counts, is_of_flops)
    local counted, flops, scalars = counts["AVX operations"], counts.FLOPs or 0, 0
    if at.quantities["AVX operations"] == "vector instructions" then
        local most = is_of_flops and math.min(counted, flops) or counted
        return most, 0, flops / MOST_FLOPS, counted + OTHERS * most
    end
    for _, name in ipairs { "scalar FLOPs DP", "scalar FLOPs SP" } do
        scalars = scalars + (counts[name] or 0)
    end
    local operations = counted + scalars
    local unstored = counts.stores and math.max(0, operations - counts.stores) or 0
    return counted, scalars, operations, PER_OPERATION * operations - unstored
end

-- Instructions that operations do not need, at least and at most, in the thread that has the least of them: a wait of the other threads
-- alone is load imbalance. At least none if a thread's work is something else. Scalar operations count if an event counts them.
-- is_of_flops: where vector instructions are counted instead, only those that calculate with floating-point numbers are operations.
function explained.overhead(at, is_of_flops)
    local least, most
    for _, counts in ipairs(at.threads) do
        local vectors, scalars, fewest, needed = operations_of(at, counts, is_of_flops)
        local is_work = vectors >= WORK * counts.instructions or scalars >= SCALAR_WORK * counts.instructions
        local own = is_work and math.max(0, counts.instructions - needed) or 0
        local rest = math.max(0, counts.instructions - fewest)
        least, most = math.min(least or own, own), math.min(most or rest, rest)
    end
    return { least, most }
end

-- Instructions of waits that spin, at least: those that depend on the threads' turns, in the thread that has the least of them. If other
-- turns only move work between threads, some thread has more of it, and so none of these.
function explained.spun(at)
    return #at.varying == #at.threads and math.min(table.unpack(at.varying)) or 0
end

-- Vector instructions beyond those that the FLOPs need as vectors of four, at least: itself, two loads and a store for four FLOPs. None if
-- there are more of them than scalars would need: then they do other work. Not more than the accesses (nil: not counted) beyond three for
-- four FLOPs: the others may compare and select.
function explained.narrow(flops, vectors, accesses)
    local more = vectors <= (PER_OPERATION - OTHERS) * flops and vectors - flops or 0
    return math.max(0, math.min(more, accesses and accesses - 3 / 4 * flops or more))
end

-- Loads of modified lines that may have ended a wait, at most: the jump out of a loop that waits is mispredicted, or an instruction is
-- locked. Not less than the part `least` of them.
local function waits(counts, least)
    local modified, mispredicted, locked = counts["loads modified"], counts["mispredicted branches"], counts["locked loads"]
    local ended = mispredicted and locked and math.min(modified, mispredicted + LINES_PER_LOCK * locked) or modified
    return math.max(ended, least * modified)
end

-- Loads of modified lines that the thread had never used before, at most: another thread has filled them, and hands them over. The first
-- use of a page needs a page walk, so these are all lines of the pages.
local function handed_over(counts)
    local modified, walks = counts["loads modified"], counts["page walks"]
    return walks and math.min(modified, LINES_PER_PAGE * walks) or modified
end

-- Cycles of lines that threads take from each other, at least: without those that may have ended a wait, or were handed over. A run whose
-- threads take shorter turns may have more of them, and never more than a processor, whose threads take no turns: then their share in that
-- run counts. Waits that idle there end without a misprediction: the part of the lines that may have ended waits is no smaller than here.
function explained.contended(at)
    local function of(counts, least)
        local modified, there = counts["loads modified"], counts["loads modified there"]
        local lines = math.max(0, modified - waits(counts, least) - handed_over(counts))
        local all = explained.cost(at, "loads modified", modified)[1]
        all = all + (there and explained.cost(at, "loads modified there", there)[1] or 0)
        return lines > 0 and lines / modified * all or 0
    end
    local least, modified = of(at.counts, 0), at.counts["loads modified"]
    if at.turned_longest and at.turned["loads modified"] then
        local waiting = modified > 0 and waits(at.counts, 0) / modified or 0
        local turned = of(setmetatable(at.turned, { __index = at.counts }), waiting)
        least = math.max(least, turned * at.longest / math.max(at.longest, at.turned_longest)) -- it has less waits that spin
    end
    return least
end

-- A thread's counts by the quantities that were counted; `counts` names them by the first alternative in `needs` and `may`.
function explained.by_quantity(at)
    local found = {}
    for name, value in pairs(at.counts) do
        found[at.quantities[name]] = value
    end
    return found
end

local LOADS = { "loads from L2", "loads from L3", "loads past L3" }

-- Cycles that lines into L1 and into memory take, at most. The loads from each level have a cost; the volumes have the lines of stores,
-- too. The larger sum counts, and a page walk for each line that no load fetched. nil if a volume, or the loads from a level, are not
-- counted.
local function fetching(at)
    local counts, loads = at.counts, 0
    local into_l1, into_l2, read = counts["L1-L2 load volume"], counts["L2-L3 load volume"], counts["memory read volume"]
    if not (into_l1 and into_l2 and read) then
        return nil
    end
    local function lines(volume)
        return math.max(0, volume) * 1e9 / 64
    end
    for _, name in ipairs(LOADS) do
        if not counts[name] then
            return nil
        end
        loads = loads + counts[name]
    end
    local by_volume = explained.cost(at, "loads from L2", lines(into_l1 - into_l2))[2]
        + explained.cost(at, "loads from L3", lines(into_l2 - read))[2]
        + explained.cost(at, "loads past L3", lines(read + explained.written(at)[2]))[2]
    return math.max(by_volume, explained.costs(at, LOADS)[2])
        + explained.cost(at, "page walks", math.max(0, lines(into_l1) - loads))[2] + ADDRESS * math.max(loads, lines(into_l1))
end

-- Cycles in which instructions wait for results of others: neither the issue of instructions nor the named events take them, LOADS among
-- them. At least: with the events' largest costs, two instructions and one floating-point operation a cycle. Misses of instructions are not
-- counted. None if divisions, mispredictions, volumes or the loads from a level are not.
function explained.dependent(at, names)
    local counts, events, lines = at.counts, explained.costs(at, names), fetching(at)
    local vectors, scalars = operations_of(at, counts, true)
    local cycles, rest = counts["unhalted time"], 0
    if lines and counts["divider uops"] and counts["mispredicted branches"] then
        local taken = events[2] - explained.costs(at, LOADS)[2] + lines + COMPARISON * counts["mispredicted branches"]
        rest = cycles - taken - math.max(counts.instructions / 2, vectors + scalars)
    end
    return { math.max(0, rest), math.max(0, cycles - explained.cost(at, "instructions")[1] - events[1]) }
end

-- Part of the largest value by which the mean is less; nil without a value above 0, or if one is absent of `count` values.
function explained.uneven(values, count)
    local sum, most = 0, 0
    for _, value in ipairs(values) do
        sum, most = sum + value, math.max(most, value)
    end
    return #values == count and most > 0 and 1 - sum / count / most or nil
end

-- GBytes that the threads of a region write to memory: { by non-temporal stores, at least; all }. The caches have neither read lines of
-- non-temporal stores before nor, where that is counted of a whole program, written them back: in a marked region L3 may write lines of an
-- earlier one. Where channels of memory count reads and writes together, only half of the channels are counted.
function explained.written(at)
    local function sum(name)
        local total = 0
        for _, counts in ipairs(at.threads) do
            total = total + (counts[name] or 0)
        end
        return total
    end
    local written, read = sum "L3-MEM evict volume", sum "memory read volume"
    if at.quantities["L3-MEM evict volume"] == "L3-MEM total DRAM channels 0-3 volume" then
        written = math.max(0, 2 * written - read)
    end
    local evicted = at.is_whole and at.quantities["L2-L3 evict volume"] and sum "L2-L3 evict volume" or read
    return { math.max(0, written - math.min(read, evicted)), written }
end

return explained
