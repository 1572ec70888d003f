-- constants.lua - finds factors and offsets for a set of hypotheses that bring every item within its slack, if they exist.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A linear program minimises t, the common multiple of all slacks that is needed. The set explains the items if t <= 1. If t > 1, the
-- binding rows contradict each other.
local items = require "judge.blame.items"
local linear_program = require "numeric.linear_program"
local lists = require "input.lists"

local constants = {}

local T_MOST = 1e9
local H_MOST = 1e4 -- largest offset, in largest counts of the event
local NEGATIVE = 1e-6 -- lowest true count, in largest counts: rounding may make a true 0 this much negative
local EXPLAINED = 1 + 1e-6
local POINTS_BOTH = 3 -- points needed to fit both a factor and an offset: two points always fit a line

-- The hypothesis of the set whose constants apply to the term in this item; nil: the term's event is right.
function constants.owner(set, term, item)
    local best
    for _, one in ipairs(set) do
        if one.covers and (not best or one.rank > best.rank) and one.covers(term, item) then
            best = one
        end
    end
    return best
end

-- The item with the set's replacements applied; nil if the set drops it.
local function seen(set, item)
    for _, one in ipairs(set) do
        if one.drops and one.drops(item) then
            return nil
        end
        local other = one.replaces and one.replaces(item)
        if one.replaces and other ~= nil then
            return other or nil
        end
    end
    return item
end

-- Largest and smallest count of a region that the hypothesis covers, and its number of points.
local function extent(one, known)
    local most, least, points, count = 0, math.huge, {}, 0
    for _, item in ipairs(known.events[one.event].items) do
        for term in pairs(item.terms) do
            if one.covers(term, item) then
                most, least = math.max(most, term.most), math.min(least, term.least)
                count = count + (points[item.sample.point] and 0 or 1)
                points[item.sample.point] = true
            end
        end
    end
    return most > 0 and most or 1, least, count
end

-- May the hypothesis have an offset? An exception may have one only if its event has one.
local function may_add(one, set)
    return one.kind ~= "code" or lists.find(set, function(other)
        return other.event == one.event and other.kind ~= "code" and other.covers ~= nil
    end) ~= nil
end

-- The set's linear program before any item is added. Column 1 is t; a hypothesis has g in column place[it] and h in the next, in units
-- of its largest count. Rows keep true counts non-negative. few = hypotheses that may have one constant only.
local function start(set, known)
    local whole = { columns = { { low = 0, high = T_MOST } }, rows = {}, place = {}, few = {} }
    for _, one in ipairs(lists.filter(set, function(one) return one.covers end)) do
        local most, least, points = extent(one, known)
        local offset, g = may_add(one, set) and H_MOST or 0, #whole.columns + 1
        whole.place[one], one.most, whole.few[one] = g, most, points < POINTS_BOTH and one.kind ~= "code"
        whole.columns[g] = { low = 1 / items.FACTOR_MOST, high = items.FACTOR_MOST }
        whole.columns[g + 1] = { low = -offset, high = offset }
        if least < math.huge then
            table.insert(whole.rows, { low = -NEGATIVE, terms = { [g] = least / most, [g + 1] = -1 } })
        end
    end
    return whole
end

-- An item's row as a row of the linear program: terms, base, and is_touched (true if it contains a free constant).
local function compile(set, place, item, row)
    local terms, base, is_touched = {}, row.base, false
    for _, part in ipairs(row.parts) do
        local one = constants.owner(set, part.term, item)
        if one then
            local g = place[one]
            terms[g], terms[g + 1] = (terms[g] or 0) + part.g, (terms[g + 1] or 0) - part.h * one.most
            is_touched = true
        else
            base = base + part.g
        end
    end
    return terms, base, is_touched
end

-- The set's linear program, and the worst violated item without a free constant (nil: there is none).
local function assemble(list, set, known)
    local whole, left = start(set, known), nil
    for _, item in ipairs(list) do
        local own, is_any = seen(set, item), false
        for _, row in ipairs(own and own.rows or {}) do
            local terms, base, is_touched = compile(set, whole.place, own, row)
            terms[1], is_any = row.low and row.slack or -row.slack, is_any or is_touched
            whole.rows[#whole.rows + 1] = is_touched
                and { low = row.low and row.low - base, high = row.high and row.high - base, terms = terms, item = item } or nil
        end
        if own and not is_any and not items.is_right(own) and (not left or item.missed > left.missed) then
            left = item
        end
    end
    return whole, left
end

local function solve(whole, columns, taken, objective, maximise)
    return linear_program.solve { columns = columns, rows = whole.rows, objective = objective, taken = taken, maximise = maximise }
end

-- Calls visit(mode, solution, its columns) for "factor" alone and for "offset" alone, until one returns true.
local function each_alone(whole, columns, g, taken, visit)
    for _, mode in ipairs { "factor", "offset" } do
        local fewer = lists.joined(columns)
        local fixed, value = mode == "factor" and g + 1 or g, mode == "factor" and 0 or 1
        fewer[fixed] = { low = value, high = value }
        if visit(mode, solve(whole, fewer, taken, { 1 }), fewer) then
            break
        end
    end
end

-- The least t of the set. A hypothesis of few points gets one constant: factor or offset, the one with the smaller t.
local function best(set, whole)
    local solution = solve(whole, whole.columns, nil, { 1 })
    for _, one in ipairs(solution and set or {}) do
        local chosen, columns = nil, whole.columns
        if whole.few[one] then
            each_alone(whole, columns, whole.place[one], solution.taken, function(_, alone, fewer)
                if alone and (not chosen or alone.value < chosen.value) then
                    chosen, whole.columns = alone, fewer
                end
            end)
        end
        solution = chosen or solution
    end
    return solution
end

-- Removes constants that a hypothesis does not need: tries a factor alone first, then an offset alone.
local function simplify(set, whole, solution)
    local columns, modes = whole.columns, {}
    for _, one in ipairs(set) do
        if whole.place[one] then
            each_alone(whole, columns, whole.place[one], solution.taken, function(mode, alone, fewer)
                if alone and alone.value <= EXPLAINED then
                    columns, solution, modes[one] = fewer, alone, mode
                end
                return modes[one] ~= nil
            end)
        end
    end
    return columns, modes, solution
end

-- list = items, set = hypotheses, known = hypotheses.survey -> the linear program and its solution if the set explains the items; else
-- nil and the items that contradict each other.
function constants.try(list, set, known)
    local whole, left = assemble(list, set, known)
    if left then
        return nil, { left }
    end
    local solution = best(set, whole)
    if solution and solution.value <= EXPLAINED then
        return { solution = solution, whole = whole }
    end
    return nil, lists.distinct(lists.collect(solution and solution.tight or {}, function(row) return row.item end))
end

-- The interval of offset = h / g, a quotient: Dinkelbach's method (Management Science 13 (1967) 492), one linear program per step.
local function offset_bound(whole, columns, taken, g, maximise)
    local ratio = 0
    for _ = 1, 20 do
        local found = solve(whole, columns, taken, { [g + 1] = 1, [g] = -ratio }, maximise)
        local last = ratio
        ratio = found and found.columns[g + 1] / found.columns[g]
        if not found or math.abs(ratio - last) <= 1e-9 * math.max(math.abs(last), 1e-9) then
            break
        end
    end
    return ratio
end

-- Among constants that explain the items, those nearest to the nominal expectations.
local function nearest(set, whole, columns, list)
    local rows, own = lists.joined(whole.rows), lists.joined(columns, { { low = 0, high = T_MOST } })
    for _, item in ipairs(list) do
        local shown = seen(set, item)
        local terms, base, is_touched
        if shown and shown.sample.expected.max > 0 then
            terms, base, is_touched = compile(set, whole.place, shown, shown.nominal)
        end
        for _, side in ipairs(is_touched and { "high", "low" } or {}) do
            local row = { [side] = -base, terms = { [#own] = side == "low" and 1 or -1 } }
            lists.merge(row.terms, terms)
            rows[#rows + 1] = row
        end
    end
    return solve({ rows = rows }, own, nil, { [#own] = 1 })
end

-- Factor and offset of each hypothesis of a set that explains: { [hypothesis] = { factor =, factor_ci =, offset =, offset_ci = } }. made
-- = result of constants.try, list = the items that the set must explain.
function constants.find(set, made, list)
    local whole = made.whole
    local columns, modes, solution = simplify(set, whole, made.solution)
    columns[1] = { low = 1, high = 1 }
    local found, centre, taken = {}, nearest(set, whole, columns, list) or solution, solution.taken
    for one, g in pairs(whole.place) do
        local own = { factor = 1 / centre.columns[g], offset = centre.columns[g + 1] / centre.columns[g] * one.most }
        if modes[one] ~= "offset" then
            local low, high = solve(whole, columns, taken, { [g] = 1 }), solve(whole, columns, taken, { [g] = 1 }, true)
            own.factor_ci = low and high and { 1 / high.columns[g], 1 / low.columns[g] }
        end
        if modes[one] ~= "factor" then
            local least, most = offset_bound(whole, columns, taken, g, false), offset_bound(whole, columns, taken, g, true)
            own.offset_ci = least and most and { least * one.most, most * one.most }
        end
        found[one] = own
    end
    return found
end

return constants
