-- identify.lua - finds which concept an event counts: a single one, a sum with small weights, a multiple, nothing, or an unknown one.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Input: slopes (rows.lua). An event counts a concept if its slope equals the concept's in every row where both are known, within
-- TOLERANCE and the row's slack, and at least one of these slopes is not 0. If several concepts fit, all are reported. Order of attempts:
--   1. nothing                  2. one concept
--   3. a sum: the smallest weights that satisfy every row, from a linear program over concepts; rounded to whole numbers, else to
--      halves
--   4. a multiple of one concept
local linear_program = require "numeric.linear_program"
local lists = require "input.lists"

local identify = {}

local TOLERANCE = 0.01
local WEIGHT_MOST, STEPS = 8, { 1, 0.5 }
local UNION_COST = 1.001 -- cost of a concept that is a sum: an equally good basic concept is preferred
-- Largest unknown amount per instruction of a row; its cost is small enough to decide only between otherwise equal sums.
local UNKNOWN_MOST, UNKNOWN_COST = 1e3, 1e-3

-- Is `slope` equal to factor * expected, within TOLERANCE and slack?
function identify.holds(slope, factor, expected, slack)
    return slope >= factor * expected.min * (1 - TOLERANCE) - slack and slope <= factor * expected.max * (1 + TOLERANCE) + slack
end

-- Do all rows' slopes equal factor * expected, and is the expectation of at least one row above its slack? `expected`: by row.
function identify.fits(slopes, expected, slacks, factor)
    local is_seen = false
    for i, slope in pairs(slopes) do
        if expected[i] then
            if not identify.holds(slope, factor, expected[i], slacks[i]) then
                return false
            end
            is_seen = is_seen or expected[i].min > slacks[i]
        end
    end
    return is_seen
end

-- The factor that fits the concept best, weighted towards rows with narrow intervals; nil if no row produces the concept.
function identify.factor(slopes, expected, slacks)
    local top, bottom = 0, 0
    for i, slope in pairs(slopes) do
        local one = expected[i]
        if one and one.min > slacks[i] then
            local weight = (one.value / (slacks[i] + one.max - one.min)) ^ 2
            top, bottom = top + weight * slope / one.value, bottom + weight
        end
    end
    return bottom > 0 and top / bottom or nil
end

-- Is no slope above its slack?
function identify.is_nothing(slopes, slacks)
    return lists.all(lists.sorted(slopes), function(row) return math.abs(slopes[row]) <= slacks[row] end)
end

-- Is it a basic concept or a union of several (all weights 1)?
local function is_union(terms)
    return lists.all(lists.sorted(terms), function(name) return terms[name] == 1 end)
end

-- The smallest weights of concepts, array of { name =, terms =, weight = }; empty if no sum fits.
local function weigh(slopes, made, slacks)
    local columns, objective, concepts, constraints = {}, {}, {}, {}
    for _, one in ipairs(made.concepts) do
        if is_union(one.terms) then
            columns[#columns + 1], concepts[#concepts + 1] = { low = 0, high = WEIGHT_MOST }, one
            objective[#columns] = one.terms[one.name] and 1 or UNION_COST
        end
    end
    for i, slope in pairs(slopes) do
        local least, most, is_known, scale = {}, {}, true, made.scales[i]
        for column, one in ipairs(concepts) do
            local expected = one.expected[i]
            is_known = is_known and expected ~= false
            least[column] = expected and expected.min > 0 and expected.min / scale or nil
            most[column] = expected and expected.max > 0 and expected.max / scale or nil
        end
        if not is_known then
            columns[#columns + 1] = { low = 0, high = UNKNOWN_MOST }
            objective[#columns], most[#columns] = UNKNOWN_COST, 1
        end
        local slack = slacks[i] + TOLERANCE * math.abs(slope)
        constraints[#constraints + 1] = { high = (slope + slack) / scale, terms = least }
        constraints[#constraints + 1] = { low = (slope - slack) / scale, terms = most }
    end
    local solution = linear_program.solve { columns = columns, rows = constraints, objective = objective }
    return lists.map(solution and concepts or {}, function(one, column)
        return { name = one.name, terms = one.terms, weight = solution.columns[column] }
    end)
end

local function write(sum)
    return lists.join(sum, " + ", function(one)
        return one.weight == 1 and one.name or ("%g %s"):format(one.weight, one.name)
    end)
end

-- Rounds weights to multiples of `step`: the sum's terms, { [basic concept] = weight }, and its text, in basic concepts if that is not
-- longer.
local function round(made, weights, step)
    local terms, sum = {}, {}
    for _, one in ipairs(weights) do
        local weight = math.floor(one.weight / step + 0.5) * step
        if weight > 0 then
            sum[#sum + 1] = { name = one.name, weight = weight }
            lists.add_weights(terms, one.terms, weight)
        end
    end
    local basic = lists.collect(made.concepts, function(one)
        return terms[one.name] and { name = one.name, weight = terms[one.name] }
    end)
    return terms, write(#basic <= #sum and basic or sum)
end

-- The sum that fits all rows: its terms and text; nil if there is none.
local function find_sum(slopes, made, slacks)
    local weights = weigh(slopes, made, slacks)
    for _, step in ipairs(STEPS) do
        local terms, text = round(made, weights, step)
        if next(terms) and identify.fits(slopes, made.expect(terms), slacks, 1) then
            return terms, text
        end
    end
    return nil
end

-- Finds concepts that the event counts a multiple of: adds their names to `names`; returns the first one's factor, and the texts.
local function find_scaled(slopes, made, names)
    local first, texts = nil, {}
    for _, one in ipairs(made.concepts) do
        local factor = identify.factor(slopes, one.expected, made.slacks)
        if factor and factor > 0 and identify.fits(slopes, one.expected, made.slacks, factor) then
            first = first or factor
            names[#names + 1], texts[#texts + 1] = one.name, ("%.4g times %s"):format(factor, one.name)
        end
    end
    return first, texts
end

-- slopes = { [row's number] = number }, made = survey's of events.lua -> { kind = "nothing" | "concept" | "scaled" | "sum" | "unknown",
-- names = of the concepts that fit equally, factor = |nil, terms = of a sum |nil, text = "loads" }
function identify.find(slopes, made)
    local slacks = made.slacks
    if identify.is_nothing(slopes, slacks) then
        return { kind = "nothing", names = {}, text = "nothing" }
    end
    local names = lists.collect(made.concepts, function(one)
        return identify.fits(slopes, one.expected, slacks, 1) and one.name or nil
    end)
    if #names > 0 then
        return { kind = "concept", names = names, text = table.concat(names, " or ") }
    end
    local terms, text = find_sum(slopes, made, slacks)
    if terms then
        return { kind = "sum", names = {}, terms = terms, text = text }
    end
    local factor, texts = find_scaled(slopes, made, names)
    if factor then
        return { kind = "scaled", names = names, factor = factor, text = table.concat(texts, " or ") }
    end
    return { kind = "unknown", names = {}, text = "unknown" }
end

return identify
