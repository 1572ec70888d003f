-- repairs.lua - finds what is wrong with a metric's formula if its events are right: the smallest change that makes all its items right.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Changes are tried in this order; the first that fits all items of the metric is the answer:
--   inverted       1 / value is right: numerator and denominator are swapped
--   divided        value * seconds is right: the formula wrongly divides by the time
--   undivided      value / seconds is right: the formula forgets to divide by the time
--   lacks          the sum lacks a counter of the group; its factor is that of a counter in the sum
--   replaced       one counter must be replaced by another counter of the group
--   weight         one counter's factor is wrong; only if no other counter's factor would fit as well
--   factor         the metric is a constant multiple of the right value
-- Each has one unknown. Its interval is the intersection of the intervals that the items allow.
local items = require "judge.blame.items"
local lists = require "input.lists"
local stats = require "numeric.stats"

local repairs = {}

-- The part of the interval [low, high] of x in which from <= a + b * x <= to; nil if empty.
local function narrow(range, a, b, from, to)
    if b == 0 then
        return a >= from and a <= to and range or nil
    end
    local one, two = (from - a) / b, (to - a) / b
    local low, high = math.max(range[1], math.min(one, two)), math.min(range[2], math.max(one, two))
    return low <= high and { low, high } or nil
end

-- The interval of x for which a + b * x, with linear(item) -> a, b, is right in every item; nil if empty.
local function solve(list, linear)
    local range = { -math.huge, math.huge }
    for _, item in ipairs(list) do
        local a, b = linear(item)
        range = a and narrow(range, a, b, item.from, item.to)
        if not range then
            return nil
        end
    end
    return range
end

-- Are all items right if change(item) replaces their value?
local function is_right(list, change)
    return solve(list, function(item) return change(item), 0 end) ~= nil
end

-- What one count of `name` adds to the item's value; nil if the formula is not a sum.
local function unit_of(item, factor)
    local found, one = item.metric, item.entries[1]
    if next(found.bottom.terms) ~= nil then
        return nil
    end
    local product = factor / found.bottom.base
    for name, power in pairs(found.powers) do
        if name ~= "time" then
            return nil
        end
        product = product * one.entry.seconds ^ power
    end
    return product
end

local function count_of(item, name)
    return item.entries[1].counts[item.metric.names[name].place]
end

-- The interval of x with which the sums are right after adding x * factor * the count of `name`.
local function with(list, name, factor)
    return solve(list, function(item)
        local unit, count = unit_of(item, factor), count_of(item, name)
        if unit and count then
            return item.sample.measured, unit * count
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
    for _, name in ipairs(found.top.names) do
        for _, other in ipairs(lists.sorted(found.names)) do
            local fits = other ~= name and is_right(list, function(item)
                local unit, old, new = unit_of(item, found.top.terms[name]), count_of(item, name), count_of(item, other)
                return unit and old and new and item.sample.measured + unit * (new - old)
            end)
            if fits then
                return { what = "replaced", name = name, event = found.names[name].event, by = other, other = found.names[other].event }
            end
        end
    end
    return nil
end

local function find_weight(list, found)
    local names = found.top.names
    local answers = lists.collect(#names > 1 and names or {}, function(name)
        local range = with(list, name, found.top.terms[name])
        return range and range[1] > -math.huge and range[2] < math.huge
            and { what = "weight", name = name, event = found.names[name].event, factor_ci = { range[1] + 1, range[2] + 1 } }
    end)
    return #answers == 1 and answers[1] or nil
end

-- The constant measured / right value of the items; nil if it is not constant.
function repairs.factor(list, value)
    local range = solve(list, function(item) return 0, value(item) end)
    if not range or range[1] <= 1 / items.FACTOR_MOST or range[2] >= items.FACTOR_MOST then
        return nil
    end
    local middle = stats.mean(lists.collect(list, function(item)
        return item.sample.expected.value > 0 and value(item) / item.sample.expected.value
    end))
    return { what = "factor", factor_ci = { 1 / range[2], 1 / range[1] },
        factor = math.max(1 / range[2], math.min(1 / range[1], middle or 1)) }
end

-- Repairs that change the formula's value as a whole.
local CHANGED = {
    { "inverted", function(value) return value ~= 0 and 1 / value or nil end },
    { "divided", function(value, seconds) return value * seconds end },
    { "undivided", function(value, seconds) return value / seconds end },
}

-- Items (items.lua) of one metric with known counts, without ratios -> { what =, .. } (above), or nil if no change fits.
function repairs.find(list)
    local found = list[1] and list[1].metric
    if not found then
        return nil
    end
    local changed = lists.find(CHANGED, function(one)
        return is_right(list, function(item) return one[2](item.sample.measured, item.entries[1].entry.seconds) end)
    end)
    if changed then
        return { what = changed[1] }
    end
    return next(found.bottom.terms) == nil and (find_lacking(list, found) or find_replaced(list, found) or find_weight(list, found))
        or repairs.factor(list, function(item) return item.sample.measured end)
end

return repairs
