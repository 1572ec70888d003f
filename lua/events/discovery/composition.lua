-- composition.lua - finds the fewest columns whose sum, with small weights, equals a given column.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Weights are least squares, rounded to halves. The rounded sum must then hold in every row, within the row's interval. Rows are divided
-- by their tolerance, so that precise rows weigh more. Single columns and pairs are tried among all columns, triples among the
-- independent ones (independent.lua). Of several solutions the one with the fewest counters wins, then weights nearest to 1, then the
-- first.
local equations = require "numeric.equations"
local independent = require "events.discovery.independent"
local lists = require "input.lists"

local composition = {}

local HALF, WEIGHT_MOST = 0.5, 8
local LEFT = 0.02 -- share of a column that must be independent of the others
local OFF = 4 -- largest mean square of residuals before rounding, in tolerances of a row

local dot = independent.dot

-- Rounded weights of the chosen columns; nil if the fit is poor.
local function weigh(known, chosen)
    local explained = 0
    local matrix = lists.map(chosen, function(one)
        return lists.map(chosen, function(other) return known.gram[one][other] end)
    end)
    local weights = equations.solve(matrix, lists.map(chosen, function(one) return known.against[one] end))
    for i, one in ipairs(weights and chosen or {}) do
        explained = explained + weights[i] * known.against[one]
        weights[i] = math.floor(weights[i] / HALF + 0.5) * HALF
        if math.abs(weights[i]) > WEIGHT_MOST then
            return nil
        end
    end
    return weights and known.square - explained <= OFF * known.rows and weights or nil
end

-- Calls take(numbers) for each combination of `count` elements of the list, in order.
local function each_choice(list, count, take, chosen, from)
    chosen, from = chosen or {}, from or 1
    if #chosen == count then
        take(chosen)
        return
    end
    for i = from, #list do
        chosen[#chosen + 1] = list[i]
        each_choice(list, count, take, chosen, i + 1)
        chosen[#chosen] = nil
    end
end

local function measure(columns, wanted)
    local known = { gram = {}, against = {}, square = dot(wanted, wanted), rows = #wanted }
    for i, column in ipairs(columns) do
        known.gram[i], known.against[i] = {}, dot(column, wanted)
        for j = 1, i do
            known.gram[i][j] = dot(column, columns[j])
            known.gram[j][i] = known.gram[i][j]
        end
    end
    return known
end

-- columns = array of { values = by row, cost = counters }, wanted = by row, both divided by the rows' tolerances; holds(chosen, weights)
-- = is the sum within all rows' intervals? -> { chosen = indices of columns, weights = } or nil; and the number of independent columns.
function composition.find(columns, wanted, holds)
    local values, all = lists.map(columns, "values"), lists.map(columns, function(_, i) return i end)
    local known, basis = measure(values, wanted), independent.choose(values, LEFT)
    table.sort(basis)
    for count, list in ipairs { all, all, basis } do
        local best, least = nil, math.huge
        each_choice(list, count, function(chosen)
            local weights = weigh(known, chosen)
            local cost = lists.sum(weights and chosen or {}, function(number, i)
                return columns[number].cost + math.abs(weights[i] - 1)
            end)
            if weights and cost < least and holds(chosen, weights) then
                best, least = { chosen = table.move(chosen, 1, count, 1, {}), weights = weights }, cost
            end
        end)
        if best then
            return best, #basis
        end
    end
    return nil, #basis
end

return composition
