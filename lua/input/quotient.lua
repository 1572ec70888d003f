-- quotient.lua - converts a metric's formula (formula.lua) to a quotient of two weighted sums of counters.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A value is a factor times a product of sums, divided by a product of sums; equal sums cancel. So
-- 1e-6*(A+B)*64/time / (1e-6*C*64/time) is (A+B)/C. `time` is a sum of its own.
local formula = require "input.formula"
local lists = require "input.lists"

local quotient = {}

-- A key that equal sums share. A sum is { [name] = weight }; its first name has weight 1 (normal).
local function key_of(sum)
    return lists.join(lists.sorted(sum), "+", function(name) return ("%s*%.12g"):format(name, sum[name]) end)
end

-- The sum with weight 1 for its alphabetically first name, and the divisor; nil for an empty sum.
local function normal(sum)
    local first
    for name, weight in pairs(sum) do
        first = weight ~= 0 and (not first or name < first) and name or first
    end
    local found = {}
    for name, weight in pairs(first and sum or {}) do
        found[name] = weight ~= 0 and weight / sum[first] or nil
    end
    return first and found, first and sum[first] or 0
end

local function constant(number)
    return { factor = number, over = {}, under = {} }
end

-- Cancels sums that are in both numerator and denominator.
local function cancelled(value)
    for i = #value.over, 1, -1 do
        for j = #value.under, 1, -1 do
            if value.over[i] and key_of(value.over[i]) == key_of(value.under[j]) then
                table.remove(value.over, i)
                table.remove(value.under, j)
            end
        end
    end
    return value
end

local function product(left, right)
    return cancelled { factor = left.factor * right.factor, over = lists.joined(left.over, right.over),
        under = lists.joined(left.under, right.under) }
end

local function inverse(value)
    return value.factor ~= 0 and { factor = 1 / value.factor, over = value.under, under = value.over } or nil
end

local function keys_of(list)
    local keys = lists.map(list, key_of)
    table.sort(keys)
    return table.concat(keys, " ")
end

-- left + sign * right if both have the same sums; else nil.
local function added(left, right, sign)
    if #left.over ~= 1 or #right.over ~= 1 or keys_of(left.under) ~= keys_of(right.under) then
        return nil
    end
    local sum = lists.add_weights({}, left.over[1], left.factor)
    local scaled, factor = normal(lists.add_weights(sum, right.over[1], sign * right.factor))
    return scaled and { factor = factor, over = { scaled }, under = left.under } or constant(0)
end

local COMBINE = {
    ["+"] = function(left, right) return added(left, right, 1) end,
    ["-"] = function(left, right) return added(left, right, -1) end,
    ["*"] = product,
    ["/"] = function(left, right)
        local turned = inverse(right)
        return turned and product(left, turned)
    end,
}

local function compute(node)
    if node.op == "number" then
        return constant(node.value)
    elseif node.op == "name" then
        return { factor = 1, over = { { [node.name] = 1 } }, under = {} }
    end
    local left = compute(node.left)
    if left and node.op == "sign" then
        return product(left, constant(node.sign))
    end
    local right = left and compute(node.right)
    return right and COMBINE[node.op](left, right)
end

local function is_time(sum)
    return sum.time ~= nil and next(sum, next(sum)) == nil
end

-- Removes `time` from the list; true if it was there.
local function take_time(list)
    for i, sum in ipairs(list) do
        if is_time(sum) then
            table.remove(list, i)
            return true
        end
    end
    return false
end

-- parsed = formula.parse() -> { over = { [counter] = weight }, under = the same |nil, per_time = is it divided by the time? }: the
-- formula is over / under, and / time if per_time. nil if it has another form.
function quotient.of(parsed)
    local value = compute(parsed.tree)
    local per_time = value ~= nil and take_time(value.under)
    if not value or #value.over ~= 1 or #value.under > 1 then
        return nil
    end
    return { over = lists.add_weights({}, value.over[1], value.factor), under = value.under[1], per_time = per_time }
end

-- Removes names that are no counts (time, inverseClock) from a list of sums, adding `sign` to the name's power for each.
local function take_powers(list, powers, sign)
    for i = #list, 1, -1 do
        local name = next(list[i])
        if formula.NO_COUNTERS[name] and next(list[i], name) == nil then
            table.remove(list, i)
            powers[name] = (powers[name] or 0) + sign
        end
    end
end

local function scaled(sum, factor)
    local terms = lists.add_weights({}, sum or {}, factor)
    return { base = sum and 0 or factor, terms = terms, names = lists.sorted(terms) }
end

-- parsed = formula.parse() -> { top = sum, bottom = sum, powers = { [name] = number } }: the formula is top / bottom times powers of
-- names that are no counts. A sum is { base = number, terms = { [counter] = factor }, names = its sorted counters }. nil if it is no
-- quotient. "1.0E-06*(PMC0+PMC1)*64.0/time" is top = 6.4e-05*PMC0 + 6.4e-05*PMC1, bottom = 1, powers = { time = -1 }.
function quotient.fraction(parsed)
    local value, powers = compute(parsed.tree), {}
    if value then
        take_powers(value.over, powers, 1)
        take_powers(value.under, powers, -1)
    end
    if not value or #value.over > 1 or #value.under > 1 then
        return nil
    end
    return { top = scaled(value.over[1], value.factor), bottom = scaled(value.under[1], 1), powers = powers }
end

return quotient
