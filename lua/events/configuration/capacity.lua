-- capacity.lua - finds the number of entries, sets and ways of a cache or TLB from its misses in cyclic walks over n entries.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- With LRU replacement, a set of W ways that is visited cyclically keeps all its entries if there are at most W, and none if there are
-- more. Neighbouring entries fill the S sets evenly. So with C = W S, each entry above C overflows one more set: a round over n entries
-- misses (W + 1) (n - C) times, until all sets have W + 1. The line between W S and (W + 1) S entries gives both constants: the best fit
-- to all points. If there are few sets, every n is measured, and each set is a step of W + 1. Entries that are visited in every step
-- (`hot`: the walk's own code) occupy a way of their set, which overflows at W other entries and misses only these. That makes parts of
-- the line steeper or flatter, but hardly moves its ends; the number of sets is rounded to the roundest number nearby.
--
-- A victim level holds entries evicted from the level above, which has A entries. The level above keeps the last A visited entries, so at
-- any time floor(A / S) of each of the S sets: misses begin at S (W + floor(A / S)) entries. From there on one set of the level above
-- after the other gets one more entry, and all sets that receive its evictions miss together. After that, each further entry is again one
-- set that misses W + 1. So the start comes from the first misses and the ways from the last ones. This holds if the level above has at
-- most half as many sets (simulated in tests/lua/configuration_spec.lua).
local array = require "input.array"
local lists = require "input.lists"

local capacity = {}

-- Miss ratios between which a part of the line lies. For a victim level, the first ratio excludes misses of sets that also hold other
-- lines of the program: up to 1 % of some ten thousand entries.
local WHOLE, BEGIN, END = { 1 / 8, 7 / 8 }, { 1 / 50, 1 / 10 }, { 3 / 4, 31 / 32 }
local SPAN = 16 -- entries that points must span to define a line
local WAYS_MOST = 64
local STRAY = 0.1 -- of all misses: largest deviation of a fit
local FEWER = 8 -- weight of a point with fewer misses than the model by more than one set
local AT_ONCE = 7 -- points per round
local SETS_OFF, NEAR = 0.02, 0.001 -- relative tolerance of a power of two; of other numbers

-- points = { { n =, misses = per round } .. }, sorted by n -> the last point below the line's part, the first above it, and those on it.
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

-- The roundest number near `sets`: a power of two, else the number within NEAR that has the most factors of two (several slices with
-- the same number of sets).
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

-- Numbers between low and high that are not measured yet.
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

-- The largest number of misses that one additional entry causes between `low` and `high`.
local function largest_step(low, between, high)
    local largest, before = 0, low
    for i = 1, #between + 1 do
        local point = between[i] or high
        largest, before = math.max(largest, (point.misses - before.misses) / (point.n - before.n)), point
    end
    return largest
end

-- A part of the line: { slope =, begin = n at which it reaches 0 misses, is_one = it is a single step, points = those on it and the
-- last one before |nil: every n was measured }; or nil and the n to measure next; or nil, nil and the reason.
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

-- Powers of two times `first`, up to `most`.
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

local STRANGE = "misses do not grow as with least-recently-used sets"

-- Sum of deviations of points. Other visits only add misses, except in the set of the walk's own code; so missing misses weigh more.
local function deviation(points, ways, sets)
    local sum = 0
    for _, point in ipairs(points) do
        local more = point.misses - math.max(0, (ways + 1) * (point.n - ways * sets))
        sum = sum + math.abs(more) + FEWER * math.max(0, -more - (ways + 1))
    end
    return sum
end

-- Ways and sets with the smallest deviation; nil if it is too large. The first point misses at most WHOLE[1] of its entries; each entry
-- above the capacity causes W + 1 misses.
local function fit(points)
    local least, ways, sets = math.huge, nil, nil
    for w = 1, WAYS_MOST do
        local fewest = points[1].n * (1 - WHOLE[1] / (w + 1))
        for s = math.max(1, fewest // w), points[#points].n // w do
            local own = deviation(points, w, s)
            if own < least then
                least, ways, sets = own, w, s
            end
        end
    end
    if least <= STRAY * lists.sum(points, "misses") then
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
    local fewer = ways and count_sets((held - above) / ways) -- above may hold less than one entry of each set
    if not ways or held <= above then
        return nil, nil, STRANGE
    end
    return { ways = ways, sets = fewer <= above and fewer or count_sets(held / ways), held = held }
end

-- points = { { n =, misses = per round } .. } in any order, most = largest n to ask for, more = { hot = entries of the walk itself,
-- visited in every step |nil, above = entries of the level above, if that is the only source of this level's lines |nil } -> { ways =,
-- sets =, held = capacity in entries }; or nil and the n to measure next; or nil, nil and the reason why it cannot be found.
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
