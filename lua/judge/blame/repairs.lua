-- repairs.lua - what is wrong with the formula of a metric whose events are right: the least change that puts all its items right.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Tried in this order; the first that fits all items of the metric is the answer:
--   inverted       1 / value is right
--   over time      value * seconds, or value / seconds, is right: the unit, or a forgotten division
--   lacks          a counter of the group is missing in the sum, with the factor of one that is in it
--   replaced       another counter of the group in the place of one
--   weight         one counter's factor is wrong; only if no other counter's factor would fit as well
--   factor         the metric is a constant multiple of the right value
-- Each has one unknown. Its interval is the intersection of what the items allow.
local items = require "judge.blame.items"
local lists = require "input.lists"

local repairs = {}

-- What is left of the interval [low, high] of x where a + b * x lies within [from, to]; nil for nothing.
local function narrow(range, a, b, from, to)
    if b == 0 then
        return a >= from and a <= to and range or nil
    end
    local one, two = (from - a) / b, (to - a) / b
    local low, high = math.max(range[1], math.min(one, two)), math.min(range[2], math.max(one, two))
    return low <= high and { low, high } or nil
end

local function ends(item)
    local expected, tolerance = item.sample.expected, item.tolerance
    if expected.max <= 0 then
        local reach = tolerance * (item.sample.work or 0)
        return -reach, reach
    end
    return (expected.min > 0 and expected.min * (1 - tolerance) or -tolerance * expected.max), expected.max * (1 + tolerance)
end

-- The interval of x for which linear(item) -> a, b puts every item right; nil for none.
local function solve(list, linear)
    local range = { -math.huge, math.huge }
    for _, item in ipairs(list) do
        local a, b = linear(item)
        local from, to = ends(item)
        range = a and narrow(range, a, b, from, to)
        if not range then
            return nil
        end
    end
    return range
end

local function measured(item)
    return item.sample.measured
end

-- The items' own value changed by change(item).
local function is_right(list, change)
    return solve(list, function(item) return change(item), 0 end) ~= nil
end

-- What one count of `name` is worth in the item; nil where the formula is no sum.
local function unit_of(item, factor)
    local found, one = item.found, item.entries[1]
    if next(found.bottom.terms) ~= nil then
        return nil
    end
    local product = factor / found.bottom.constant
    for name, power in pairs(found.powers) do
        if name ~= "time" then
            return nil
        end
        product = product * one.entry.seconds ^ power
    end
    return product
end

local function count_of(item, name)
    return item.entries[1].counts[item.found.names[name].place]
end

-- Sums with the counter `name` added `x` times the factor `factor`.
local function with(list, name, factor)
    return solve(list, function(item)
        local unit, count = unit_of(item, factor), count_of(item, name)
        if unit and count then
            return measured(item), unit * count
        end
    end)
end

local function find_lacking(list, found)
    local factors = {}
    for _, factor in pairs(found.top.terms) do
        factors[#factors + 1] = factor
    end
    table.sort(factors)
    for _, name in ipairs(lists.sorted(found.names)) do
        for _, factor in ipairs(found.top.terms[name] and {} or factors) do
            local range = with(list, name, factor)
            if range and range[1] <= 1 and range[2] >= 1 and range[1] > 0 then
                return { what = "lacks", name = name, event = found.names[name].event }
            end
        end
    end
    return nil
end

local function find_replaced(list, found)
    for _, name in ipairs(lists.sorted(found.top.terms)) do
        for _, other in ipairs(lists.sorted(found.names)) do
            local factor = found.top.terms[name]
            local fits = other ~= name and is_right(list, function(item)
                local unit, old, new = unit_of(item, factor), count_of(item, name), count_of(item, other)
                return unit and old and new and measured(item) + unit * (new - old)
            end)
            if fits then
                return { what = "replaced", name = name, event = found.names[name].event, by = other, other = found.names[other].event }
            end
        end
    end
    return nil
end

local function find_weight(list, found)
    local names, answer = lists.sorted(found.top.terms), nil
    for _, name in ipairs(names) do
        local range = #names > 1 and with(list, name, found.top.terms[name])
        if range and range[1] > -math.huge and range[2] < math.huge then
            if answer then
                return nil
            end
            answer = { what = "weight", name = name, event = found.names[name].event, factor_ci = { range[1] + 1, range[2] + 1 } }
        end
    end
    return answer
end

-- value(item) is what it shows.
local function find_factor(list, value)
    local range = solve(list, function(item) return 0, value(item) end)
    if range and range[1] > 1 / items.FACTOR_MOST and range[2] < items.FACTOR_MOST then
        local middle, n = 0, 0
        for _, item in ipairs(list) do
            if item.sample.expected.value > 0 then
                middle, n = middle + value(item) / item.sample.expected.value, n + 1
            end
        end
        return { what = "factor", factor_ci = { 1 / range[2], 1 / range[1] },
            factor = math.max(1 / range[2], math.min(1 / range[1], n > 0 and middle / n or 1)) }
    end
    return nil
end

-- How many times what is right items show; nil where that is no constant.
repairs.factor = find_factor

-- The items (items.lua) of one metric that have their counts, ratios left out -> { what =, .. } (above), or nil for none that fits.
function repairs.find(list)
    local found = list[1] and list[1].found
    if not found then
        return nil
    end
    if is_right(list, function(item) return measured(item) ~= 0 and 1 / measured(item) or nil end) then
        return { what = "inverted" }
    elseif is_right(list, function(item) return measured(item) * item.entries[1].entry.seconds end) then
        return { what = "divided" }
    elseif is_right(list, function(item) return measured(item) / item.entries[1].entry.seconds end) then
        return { what = "undivided" }
    end
    local is_sum = next(found.bottom.terms) == nil
    return is_sum and (find_lacking(list, found) or find_replaced(list, found) or find_weight(list, found)) or find_factor(list, measured)
end

return repairs
