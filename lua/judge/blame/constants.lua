-- constants.lua - factors and offsets for a set of hypotheses with which every item is within its slack, if there are any.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A linear program finds them: the least t such that t times every slack is enough. The set explains the items if t <= 1. If t > 1, the
-- rows that keep t from being smaller contradict each other.
local items = require "judge.blame.items"
local linear_program = require "numeric.linear_program"

local constants = {}

local T_MOST = 1e9
local H_MOST = 1e4 -- of offsets, in largest counts
local NEGATIVE = 1e-6 -- of its largest count: what rounding may leave of a true count of 0
local EXPLAINED = 1 + 1e-6
local POINTS_BOTH = 3 -- a factor and an offset explain whatever two points show

-- The hypothesis of the set that gives the term its constants in this item; nil: the term's event is right.
local function owner(set, term, item)
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
        elseif one.replaces then
            local other = one.replaces(item)
            if other ~= nil then
                return other or nil
            end
        end
    end
    return item
end

-- The largest count and the smallest of a region that the hypothesis covers, and the number of its points.
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

-- May the hypothesis have an offset? An exception takes the offset of its event, if the event has one.
local function may_add(one, set)
    for _, other in ipairs(one.kind == "code" and set or {}) do
        if other.event == one.event and other.kind ~= "code" and other.covers then
            return true
        end
    end
    return one.kind ~= "code"
end

-- Columns of the set: 1 is t, those of hypothesis number i with constants g at place[i], h behind it, in units of its largest count; and
-- the rows that keep what was truly there from being less than nothing.
local function make_columns(set, known)
    local columns, rows, place, few = { { low = 0, high = T_MOST } }, {}, {}, {}
    for _, one in ipairs(set) do
        if one.covers then
            local most, least, points = extent(one, known)
            local offset = may_add(one, set) and H_MOST or 0
            place[one], one.most, few[one] = #columns + 1, most, points < POINTS_BOTH and one.kind ~= "code"
            columns[#columns + 1] = { low = 1 / items.FACTOR_MOST, high = items.FACTOR_MOST }
            columns[#columns + 1] = { low = -offset, high = offset }
            rows[#rows + 1] = least < math.huge
                and { low = -NEGATIVE, terms = { [#columns - 1] = least / most, [#columns] = -1 } } or nil
        end
    end
    return columns, rows, place, few
end

-- A row of an item as one of the linear program; is_touched: some of its constants are free.
local function compile(set, place, item, row)
    local terms, base, is_touched = {}, row.base, false
    for _, part in ipairs(row.parts) do
        local one = owner(set, part.term, item)
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

-- Adds the rows of an item as the set sees it.
local function add_rows(rows, set, place, item, own)
    for _, row in ipairs(own.rows) do
        local terms, base = compile(set, place, own, row)
        terms[1] = row.low and row.slack or -row.slack
        rows[#rows + 1] = { low = row.low and row.low - base, high = row.high and row.high - base, terms = terms, item = item }
    end
end

-- What the set leaves unexplained of the items without any constants; else the linear program's columns, rows and places.
local function assemble(list, set, known)
    local columns, rows, place, few = make_columns(set, known)
    local left
    for _, item in ipairs(list) do
        local is_touched, own = false, seen(set, item)
        for term in pairs(own and own.terms or {}) do
            is_touched = is_touched or owner(set, term, own) ~= nil
        end
        if own and is_touched then
            add_rows(rows, set, place, item, own)
        elseif own and not items.is_right(own) and (not left or item.missed > left.missed) then
            left = item
        end
    end
    return left, { columns = columns, rows = rows, place = place, few = few }
end

-- Fixes the constants of a hypothesis that are not free: mode "factor", "offset" or "both".
local function restrict(columns, g, mode)
    if mode == "factor" then
        columns[g + 1] = { low = 0, high = 0 }
    elseif mode == "offset" then
        columns[g] = { low = 1, high = 1 }
    end
end

local function copy_of(columns)
    local copy = {}
    for i, column in ipairs(columns) do
        copy[i] = { low = column.low, high = column.high }
    end
    return copy
end

local function least_t(whole, columns, taken)
    return linear_program.solve { columns = columns, rows = whole.rows, objective = { [1] = 1 }, taken = taken }
end

-- The least t of the set. A hypothesis of few points has one constant, the one that explains better.
local function best(set, whole)
    local solution = least_t(whole, whole.columns)
    for _, one in ipairs(set) do
        local chosen
        for _, mode in ipairs(solution and whole.few[one] and { "factor", "offset" } or {}) do
            local fewer = copy_of(whole.columns)
            restrict(fewer, whole.place[one], mode)
            local found = least_t(whole, fewer, solution.taken)
            if found and (not chosen or found.value < chosen.value) then
                chosen = found
                chosen.free = fewer
            end
        end
        if chosen then
            solution, whole.columns = chosen, chosen.free
        end
    end
    return solution
end

-- Items of the rows that keep t from being smaller, each once.
local function conflict(solution)
    local list, is_in = {}, {}
    for _, row in ipairs(solution.tight) do
        if row.item and not is_in[row.item] then
            is_in[row.item] = true
            list[#list + 1] = row.item
        end
    end
    return list
end

-- list = items, set = hypotheses, known = hypotheses.survey. Does the set explain the items? Its linear program and the solution, if it
-- does; else nil and the items that contradict each other.
function constants.try(list, set, known)
    local left, whole = assemble(list, set, known)
    if left then
        return nil, { left }
    end
    local solution = best(set, whole)
    if not solution or solution.value > EXPLAINED then
        return nil, solution and conflict(solution) or {}
    end
    return { solution = solution, whole = whole }
end

-- Takes each hypothesis's constants away that it does not need: a factor alone is tried first, then an offset alone.
local function simplify(set, whole, solution)
    local columns, modes = whole.columns, {}
    for _, one in ipairs(set) do
        local g = whole.place[one]
        modes[one] = g and "both"
        for _, mode in ipairs(g and { "factor", "offset" } or {}) do
            local fewer = copy_of(columns)
            restrict(fewer, g, mode)
            local found = least_t(whole, fewer, solution.taken)
            if found and found.value <= EXPLAINED then
                columns, solution, modes[one] = fewer, found, mode
                break
            end
        end
    end
    return columns, modes, solution
end

-- Least and largest value of objective over the feasible constants, and where it is taken.
local function bounds(whole, columns, taken, objective)
    local low = linear_program.solve { columns = columns, rows = whole.rows, objective = objective, taken = taken }
    local high = linear_program.solve { columns = columns, rows = whole.rows, objective = objective, taken = taken, maximise = true }
    return low, high
end

-- The interval of offset = h / g: of a quotient, by Dinkelbach's method (Management Science 13 (1967) 492), a linear program a step.
local function offset_bound(whole, columns, taken, g, maximise)
    local ratio = 0
    for _ = 1, 20 do
        local found = linear_program.solve { columns = columns, rows = whole.rows, objective = { [g + 1] = 1, [g] = -ratio }, taken = taken,
            maximise = maximise }
        if not found then
            return nil
        end
        local next_ratio = found.columns[g + 1] / found.columns[g]
        if math.abs(next_ratio - ratio) <= 1e-9 * math.max(math.abs(ratio), 1e-9) then
            return next_ratio
        end
        ratio = next_ratio
    end
    return ratio
end

-- The constants that come nearest to what is expected nominally, among those that explain.
local function nearest(set, whole, columns, list)
    local rows = {}
    table.move(whole.rows, 1, #whole.rows, 1, rows)
    local own = copy_of(columns)
    own[#own + 1] = { low = 0, high = T_MOST }
    for _, item in ipairs(list) do
        local shown = seen(set, item)
        local terms, base, is_touched
        if shown and shown.sample.expected.max > 0 then
            terms, base, is_touched = compile(set, whole.place, shown, shown.nominal)
        end
        if is_touched then
            for side = -1, 1, 2 do
                local row = { terms = { [#own] = side }, [side < 0 and "high" or "low"] = -base }
                for column, value in pairs(terms) do
                    row.terms[column] = value
                end
                rows[#rows + 1] = row
            end
        end
    end
    return linear_program.solve { columns = own, rows = rows, objective = { [#own] = 1 } }
end

-- Factor and offset of each hypothesis of a set that explains: { [hypothesis] = { factor =, factor_ci =, offset =, offset_ci = } }; made =
-- constants.try's, list = the items that the set must see.
function constants.find(set, made, list)
    local whole = made.whole
    local columns, modes, solution = simplify(set, whole, made.solution)
    columns[1] = { low = 1, high = 1 }
    local found, centre = {}, nearest(set, whole, columns, list) or solution
    for _, one in ipairs(set) do
        local g = whole.place[one]
        if g then
            local low, high = bounds(whole, columns, solution.taken, { [g] = 1 })
            local own = { factor = 1 / centre.columns[g], offset = centre.columns[g + 1] / centre.columns[g] * one.most }
            if modes[one] ~= "offset" then
                own.factor_ci = low and high and { 1 / high.columns[g], 1 / low.columns[g] }
            end
            if modes[one] ~= "factor" then
                local least = offset_bound(whole, columns, solution.taken, g, false)
                local most = offset_bound(whole, columns, solution.taken, g, true)
                own.offset_ci = least and most and { least * one.most, most * one.most }
            end
            found[one] = own
        end
    end
    return found
end

return constants
