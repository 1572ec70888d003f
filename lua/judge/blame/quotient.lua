-- quotient.lua - a metric's formula as a quotient of sums of counts, which is what most formulas are.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- { top = sum, bottom = sum, powers = { [name] = number } }: the formula is top / bottom times the product of the powers of what is no
-- count (time, inverseClock). A sum is { constant =, terms = { [counter's name in the formula] = factor }, names = its names in order }.
-- "1.0E-06*(PMC0+PMC1)*64.0/time" is top = 6.4e-05*PMC0 + 6.4e-05*PMC1, bottom = 1, powers = { time = -1 }.
local formula = require "input.formula"
local lists = require "input.lists"

local quotient = {}

local NO_COUNTS = formula.NO_COUNTERS

local function constant(value)
    return { constant = value, terms = {} }
end

local function is_constant(sum)
    return next(sum.terms) == nil
end

-- a + factor * b
local function add(a, b, factor)
    local sum = constant(a.constant + factor * b.constant)
    for name, value in pairs(a.terms) do
        sum.terms[name] = value
    end
    for name, value in pairs(b.terms) do
        sum.terms[name] = (sum.terms[name] or 0) + factor * value
    end
    return sum
end

local function scale(sum, factor)
    return add(constant(0), sum, factor)
end

-- The product of two sums, if one of them is a constant.
local function product(a, b)
    if is_constant(b) then
        return scale(a, b.constant)
    end
    return is_constant(a) and scale(b, a.constant) or nil
end

local function same(a, b)
    local difference = add(a, b, -1)
    for _, value in pairs(difference.terms) do
        if value ~= 0 then
            return false
        end
    end
    return difference.constant == 0
end

local function same_powers(a, b)
    for name in pairs(NO_COUNTS) do
        if (a.powers[name] or 0) ~= (b.powers[name] or 0) then
            return false
        end
    end
    return true
end

local function multiply(a, b)
    local top, bottom, powers = product(a.top, b.top), product(a.bottom, b.bottom), {}
    for name in pairs(NO_COUNTS) do
        local power = (a.powers[name] or 0) + (b.powers[name] or 0)
        powers[name] = power ~= 0 and power or nil
    end
    return top and bottom and { top = top, bottom = bottom, powers = powers }
end

local function invert(a)
    local powers = {}
    for name, power in pairs(a.powers) do
        powers[name] = -power
    end
    return { top = a.bottom, bottom = a.top, powers = powers }
end

local function combine(a, b, factor)
    if not same_powers(a, b) then
        return nil
    elseif same(a.bottom, b.bottom) then
        return { top = add(a.top, b.top, factor), bottom = a.bottom, powers = a.powers }
    elseif is_constant(a.bottom) and is_constant(b.bottom) then
        return { top = add(scale(a.top, b.bottom.constant), b.top, factor * a.bottom.constant),
            bottom = constant(a.bottom.constant * b.bottom.constant), powers = a.powers }
    end
    return nil
end

local COMBINE = {
    ["+"] = function(a, b) return combine(a, b, 1) end,
    ["-"] = function(a, b) return combine(a, b, -1) end,
    ["*"] = multiply,
    ["/"] = function(a, b) return multiply(a, invert(b)) end,
}

local function walk(node)
    if node.op == "number" then
        return { top = constant(node.value), bottom = constant(1), powers = {} }
    elseif node.op == "name" then
        local is_none = NO_COUNTS[node.name]
        return { top = is_none and constant(1) or { constant = 0, terms = { [node.name] = 1 } }, bottom = constant(1),
            powers = { [node.name] = is_none and 1 or nil } }
    end
    local left = walk(node.left)
    if left and node.op == "sign" then
        return { top = scale(left.top, node.sign), bottom = left.bottom, powers = left.powers }
    end
    local right = left and walk(node.right)
    return right and COMBINE[node.op](left, right)
end

-- A metric of a group (group.parse, boxes.fit) -> its quotient, or nil for a formula that is none.
function quotient.of(metric)
    local found = walk((metric.parsed or formula.parse(metric.formula)).tree)
    if found then
        found.top.names, found.bottom.names = lists.sorted(found.top.terms), lists.sorted(found.bottom.terms)
    end
    return found or nil
end

-- Is the formula an event's count and nothing else?
function quotient.is_count(found)
    local names = found.top.names
    return #names == 1 and found.top.terms[names[1]] == 1 and found.top.constant == 0 and #found.bottom.names == 0
        and found.bottom.constant == 1 and next(found.powers) == nil
end

return quotient
