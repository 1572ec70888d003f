-- capacity.lua - number of entries, sets and ways of a cache or TLB, from its misses when n entries are visited in turn.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- With LRU replacement, a set of W ways that is visited in turn keeps all its entries if they are at most W, and none if they are more.
-- Neighbouring entries fill the S sets evenly. So with C = W S, each entry above C overflows one more set: n entries miss (W + 1) (n - C)
-- times a round, until all sets have W + 1. The line between W S and (W + 1) S entries gives both constants: those that fit all points
-- best. If there are few sets, every number of entries is measured, and each set is a step of W + 1.
-- What else is visited (`hot`: the walk's own code, in each step) takes an entry of a set, which then overflows with W others and misses
-- these only: stretches of the line are steeper or less so, which says little where it begins and ends; sets are the round number next
-- to those found.
--
-- A victim level holds what the level above, of A entries, gives up. That has the last A entries visited, and so floor(A / S) of each of
-- the S sets at any time: the first misses come at S (W + floor(A / S)) entries. From there on the sets of the level above have an entry
-- more, one after the other, and all sets that get their lines from one of these miss together; when that is through, each entry more is
-- again a set that misses W + 1. So the begin is taken from the first misses, and the ways from the last ones, which is right while the
-- level above has half as many sets at most (simulated in tests/lua/configuration_spec.lua).
local array = require "input.array"
local lists = require "input.lists"

local capacity = {}

-- Shares of n that miss, on a line. The first misses of a victim level are begun above those of sets in which the program's other lines
-- are: up to 1 % of some ten thousand entries.
local WHOLE, BEGIN, END = { 1 / 8, 7 / 8 }, { 1 / 50, 1 / 10 }, { 3 / 4, 31 / 32 }
local SPAN = 16 -- entries between two points of a line
local WAYS_MOST = 64
local STRAY = 0.1 -- of all misses: what points may deviate by
local FEWER = 8 -- times as much a point deviates further that has fewer misses than all sets but one
local AT_ONCE = 7 -- points to ask for
local SETS_OFF, NEAR = 0.02, 0.001 -- of a power of two; of other numbers

-- Of points = { { n =, misses = a round } .. }, by n: the last with fewer misses than that part of the line has, the first with more, and
-- those between.
local function bracket(points, part)
    local low, high, between = { n = 0, misses = 0 }, nil, {}
    for _, point in ipairs(points) do
        local share = point.misses / point.n
        if share >= part[2] then
            high = high or point
        elseif not high and share <= part[1] then
            low, between = point, {}
        elseif not high then
            between[#between + 1] = point
        end
    end
    return low, high, between
end

-- The roundest number next to `sets`: a power of two, or of the numbers that are as near as NEAR the one with the most factors of two
-- (slices of as many sets each).
local function count_sets(sets)
    local power = 2 ^ math.floor(math.log(math.max(sets, 1), 2) + 0.5)
    if math.abs(sets - power) <= math.max(SETS_OFF * power, 1) and math.abs(sets - power) < power / 4 then
        return math.floor(power)
    end
    while math.abs(sets - power * math.floor(sets / power + 0.5)) > math.max(NEAR * sets, 0.5) do
        power = power / 2
    end
    return math.max(1, math.floor(power * math.floor(sets / power + 0.5)))
end

-- Numbers between low and high that are none of the points' own.
local function spread(low, high, between)
    local wanted = array()
    local known = lists.set(between, "n")
    local count = math.min(AT_ONCE, high.n - low.n - 1)
    for i = 1, count do
        local n = low.n + (high.n - low.n) * i // (count + 1)
        if not known[n] and n > low.n and wanted[#wanted] ~= n then
            wanted[#wanted + 1] = n
        end
    end
    return wanted
end

-- Of each number of entries from `low` to `high`: the most misses that one entry more makes.
local function largest_step(low, between, high)
    local largest, before = 0, low
    for i = 1, #between + 1 do
        local point = between[i] or high
        largest, before = math.max(largest, (point.misses - before.misses) / (point.n - before.n)), point
    end
    return largest
end

-- The line of that part: { slope =, begin = n at which it has no misses, is_one = it is a single step, points = on it and the last one
-- before it |nil: each number of entries was measured }; nil and what is to be measured.
local function line(points, part)
    local low, high, between = bracket(points, part)
    if not high then
        return nil, nil, ("%d entries and more are all kept"):format(points[#points].n)
    end
    local first, last = between[1], between[#between]
    if first and last.n - first.n >= SPAN then
        local slope = (last.misses - first.misses) / (last.n - first.n)
        return { slope = slope, begin = last.n - last.misses / slope, points = { low, table.unpack(between) } }
    end
    local wanted = spread(low, high, between)
    if #wanted > 0 then
        return nil, wanted
    end
    local slope = largest_step(low, between, high)
    return { slope = slope, begin = high.n - high.misses / slope, is_one = #between == 0 }
end

-- Twice as many each time, from `first` on.
local function double(first, most)
    local wanted, n = array(), first
    while n <= most do
        wanted[#wanted + 1], n = n, n * 2
    end
    return wanted
end

local function ways_of(slope)
    local ways = math.floor(slope - 1 + 0.5)
    return ways >= 1 and ways or nil
end

local STRANGE = "misses do not grow as those of sets do"

-- Of points that do not miss all. What else is visited makes misses more, not less, but for the set of the walk's own code.
local function deviation(points, ways, sets)
    local sum = 0
    for _, point in ipairs(points) do
        local more = point.misses - math.max(0, (ways + 1) * (point.n - ways * sets))
        sum = sum + math.abs(more) + FEWER * math.max(0, -more - (ways + 1))
    end
    return sum
end

-- The ways and sets from which the points deviate least; nil if that is much. WHOLE[1] of the first point's entries miss at most, and each
-- that is above what is kept is W + 1 of these.
local function fit(points)
    local least, all, ways, sets = math.huge, 0, nil, nil
    for w = 1, WAYS_MOST do
        local fewest = points[1].n * (1 - WHOLE[1] / (w + 1))
        for s = math.max(1, fewest // w), points[#points].n // w do
            local own = deviation(points, w, s)
            if own < least then
                least, ways, sets = own, w, s
            end
        end
    end
    for _, point in ipairs(points) do
        all = all + point.misses
    end
    if least <= STRAY * all then
        return ways, sets
    end
    return nil
end

local function find_own(points, hot)
    local found, wanted, reason = line(points, WHOLE)
    if not found then
        return nil, wanted, reason
    end
    local ways, sets
    if found.points then
        ways, sets = fit(found.points)
    else
        ways = ways_of(found.slope + (found.is_one and hot or 0))
        sets = ways and found.begin / ways
    end
    if not ways then
        return nil, nil, STRANGE
    end
    sets = count_sets(sets)
    return { ways = ways, sets = sets, held = ways * sets }
end

local function find_victim(points, above)
    local first, wanted, reason = line(points, BEGIN)
    local last, more, other = line(points, END)
    if not first or not last then
        return nil, wanted or more, reason or other
    end
    local ways = ways_of(last.slope)
    local held = math.floor(first.begin + 0.5)
    local fewer = ways and count_sets((held - above) / ways) -- above's entries are more than one of each set, or not
    if not ways or held <= above then
        return nil, nil, STRANGE
    end
    return { ways = ways, sets = fewer <= above and fewer or count_sets(held / ways), held = held }
end

-- points = { { n =, misses = a round } .. } in any order, most = largest n that may be asked for, more = { hot = entries that the walk
-- itself uses, in every step |nil, above = entries of the level that this one gets its lines from, if it gets them by that alone |nil }
-- -> { ways =, sets =, held = entries that are kept } when they are known; nil and the numbers that are to be measured next; nil, nil and
-- the reason why it cannot be known.
function capacity.find(points, most, more)
    table.sort(points, function(a, b) return a.n < b.n end)
    local last = points[#points]
    local first = last and last.n * 2 or 1
    if first <= most and (not last or last.misses < END[2] * last.n) then
        return nil, double(first, most)
    elseif more.above then
        return find_victim(points, more.above)
    end
    return find_own(points, more.hot or 0)
end

return capacity
