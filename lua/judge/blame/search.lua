-- search.lua - the smallest sets of suspects that explain all violated items of a component, with their constants.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains if there are constants with which no item misses an interval by more than its slack. Whether there are is a linear
-- programme: least t so that t times every slack is enough (t <= 1: explained). Where there are none, the rows that keep t from being
-- smaller contradict each other, so one of the suspects of their items must be in any larger set that explains: sets grow by those only,
-- and the cheapest is tried first. All sets that cost as little as the first one that explains are answers.
local items = require "judge.blame.items"
local lists = require "input.lists"
local programme = require "judge.blame.programme"
local repairs = require "judge.blame.repairs"
local suspects = require "judge.blame.suspects"

local search = {}

local SETS = 800 -- that are tried for one component
local COST_MOST, COST_SAME = 6, 0.05
local T_MOST = 1e9
local G_LEAST, G_MOST, H_MOST = 1e-4, 1e4, 1e4 -- factors from 1e-4 to 1e4; offsets in largest counts
local NEGATIVE = 1e-6 -- of its largest count: what rounding may leave of a true count of 0
local EXPLAINED = 1 + 1e-6
local POINTS_BOTH = 3 -- a factor and an offset explain whatever two points show

-- The suspect of the set whose constants a term has in an item; nil: its event is right.
local function owner(set, term, item)
    local best
    for _, one in ipairs(set) do
        if one.covers and (not best or one.rank > best.rank) and one.covers(term, item) then
            best = one
        end
    end
    return best
end

-- The item as the set sees it, nil if it does not.
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

-- The largest count and the smallest of a region that the suspect covers, and the number of its points.
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

-- May the suspect have an offset? An exception has that of its event, if it has one.
local function may_add(one, set)
    for _, other in ipairs(one.kind == "code" and set or {}) do
        if other.event == one.event and other.kind ~= "code" then
            return true
        end
    end
    return one.kind ~= "code"
end

-- Columns of the set: 1 is t, those of suspect number i with constants g at place[i], h behind it, in units of its largest count; and the
-- rows that keep what was truly there from being less than nothing.
local function make_columns(set, known)
    local columns, rows, place, few = { { low = 0, high = T_MOST } }, {}, {}, {}
    for _, one in ipairs(set) do
        if one.covers then
            local most, least, points = extent(one, known)
            local offset = may_add(one, set) and H_MOST or 0
            place[one], one.most, few[one] = #columns + 1, most, points < POINTS_BOTH and one.kind ~= "code"
            columns[#columns + 1] = { low = G_LEAST, high = G_MOST }
            columns[#columns + 1] = { low = -offset, high = offset }
            rows[#rows + 1] = least < math.huge
                and { low = -NEGATIVE, terms = { [#columns - 1] = least / most, [#columns] = -1 } } or nil
        end
    end
    return columns, rows, place, few
end

-- A row of an item as one of the programme; is_touched: some of its constants are free.
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

-- Which of the events' items the set must see: those that hold one of its terms, and the violated ones.
local function relevant(component, set, known)
    local list, is_in = {}, {}
    local function add(some)
        for _, item in ipairs(some) do
            if not is_in[item] and #item.rows > 0 then
                is_in[item] = true
                list[#list + 1] = item
            end
        end
    end
    add(component)
    for _, one in ipairs(set) do
        for _, event in ipairs { one.event, one.other } do
            add(suspects.items_of(known, event))
        end
    end
    return list
end

-- What the set leaves unexplained of the items without any constants; else the programme's columns, rows and places.
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

-- Fixes the constants of a suspect that are not free: mode "factor", "offset" or "both".
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
    return programme.solve { columns = columns, rows = whole.rows, objective = { [1] = 1 }, taken = taken }
end

-- The least t of the set. A suspect of few points has one constant, the one that explains better.
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

-- Takes each suspect's constants away that it does not need: a factor alone is tried first, then an offset alone.
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
    local low = programme.solve { columns = columns, rows = whole.rows, objective = objective, taken = taken }
    local high = programme.solve { columns = columns, rows = whole.rows, objective = objective, taken = taken, maximise = true }
    return low, high
end

-- The interval of offset = h / g: of a quotient, by Dinkelbach's method (Management Science 13 (1967) 492), a programme a step.
local function offset_bound(whole, columns, taken, g, maximise)
    local ratio = 0
    for _ = 1, 20 do
        local found = programme.solve { columns = columns, rows = whole.rows, objective = { [g + 1] = 1, [g] = -ratio }, taken = taken,
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
local function nearest(set, whole, columns, component, known)
    local rows = {}
    table.move(whole.rows, 1, #whole.rows, 1, rows)
    local own = copy_of(columns)
    own[#own + 1] = { low = 0, high = T_MOST }
    for _, item in ipairs(relevant(component, set, known)) do
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
    return programme.solve { columns = own, rows = rows, objective = { [#own] = 1 } }
end

-- Factor and offset of each suspect of a set that explains: { [suspect] = { factor =, factor_ci =, offset =, offset_ci = } }.
local function constants_of(set, whole, solution, component, known)
    local columns, modes
    columns, modes, solution = simplify(set, whole, solution)
    columns[1] = { low = 1, high = 1 }
    local found, centre = {}, nearest(set, whole, columns, component, known) or solution
    for _, one in ipairs(set) do
        local g = whole.place[one]
        if g then
            local low, high = bounds(whole, columns, solution.taken, { [g] = 1 })
            local constants = { factor = 1 / centre.columns[g], offset = centre.columns[g + 1] / centre.columns[g] * one.most }
            if modes[one] ~= "offset" then
                constants.factor_ci = low and high and { 1 / high.columns[g], 1 / low.columns[g] }
            end
            if modes[one] ~= "factor" then
                local least = offset_bound(whole, columns, solution.taken, g, false)
                local most = offset_bound(whole, columns, solution.taken, g, true)
                constants.offset_ci = least and most and { least * one.most, most * one.most }
            end
            found[one] = constants
        end
    end
    return found
end

local function key_of(set)
    local keys = {}
    for i, one in ipairs(set) do
        keys[i] = one.key
    end
    table.sort(keys)
    return table.concat(keys, "\n")
end

local function extend(queue, known, entry, item, visited, most, filter)
    for _, one in ipairs(suspects.of(known, item)) do
        if (not filter or filter(one)) and suspects.fits(known, entry.set, one) then
            local set = table.move(entry.set, 1, #entry.set, 1, {})
            set[#set + 1] = one
            local key = key_of(set)
            if not visited[key] and entry.cost + one.cost <= most then
                visited[key] = true
                queue[#queue + 1] = { set = set, cost = entry.cost + one.cost, number = #visited }
                visited[#visited + 1] = key
            end
        end
    end
end

local function take_cheapest(queue)
    local least = 1
    for i, entry in ipairs(queue) do
        if entry.cost < queue[least].cost - 1e-9 or entry.cost < queue[least].cost + 1e-9 and entry.number < queue[least].number then
            least = i
        end
    end
    return table.remove(queue, least)
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

-- Does the set explain the items? Its programme, solved, if it does; else nil and the items that contradict each other.
local function try(list, set, known)
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

-- The same of all that the set must see. First with the pool, items that have contradicted before: what contradicts there does so anyway.
local function try_all(component, set, known, pool)
    local found, against = try(pool, set, known)
    if found then
        found, against = try(relevant(component, set, known), set, known)
        for _, item in ipairs(against or {}) do
            if not pool[item] then
                pool[item], pool[#pool + 1] = true, item
            end
        end
    end
    return found, against
end

local function cost_of(set)
    local sum = 0
    for _, one in ipairs(set) do
        sum = sum + one.cost
    end
    return sum
end

-- What an item would show if the events that the answer blames had counted right.
local function corrected(answer)
    return function(item)
        return items.corrected(item, function(term)
            for _, one in ipairs(answer.set) do
                local own = one.kind ~= "code" and one.covers and one.covers(term, item) and answer.constants[one]
                if own then
                    return 1 / own.factor, own.offset / own.factor
                end
            end
            return 1, 0
        end)
    end
end

-- A set that explains as an answer, with the repairs of its claims and the cost of those that are no constant.
local function make_answer(entry, found, component, known)
    local answer = { set = entry.set, cost = entry.cost, repairs = {},
        constants = constants_of(entry.set, found.whole, found.solution, component, known) }
    for _, one in ipairs(entry.set) do
        if one.kind == "claim" then
            answer.repairs[one] = repairs.factor(suspects.of_metric(known, one.metric, one.drops), corrected(answer))
            answer.cost = answer.cost + (answer.repairs[one] and 0 or suspects.NO_CONSTANT)
        end
    end
    return answer
end

local function holds(interval, value)
    return not interval or interval[1] <= value and value <= interval[2]
end

-- Does the answer blame an event that may as well be right, for the sake of an exception of it?
local function is_vacuous(answer)
    for _, own in pairs(answer.constants) do
        if holds(own.factor_ci, 1) and holds(own.offset_ci, 0) then
            return true
        end
    end
    return false
end

-- The cheapest of them, by their keys.
local function cheapest(answers)
    local least, kept = math.huge, {}
    for _, answer in ipairs(answers) do
        least = math.min(least, answer.cost)
    end
    for _, answer in ipairs(answers) do
        kept[#kept + 1] = answer.cost <= least + COST_SAME and answer or nil
    end
    table.sort(kept, function(a, b) return key_of(a.set) < key_of(b.set) end)
    return kept
end

-- The cheapest sets of suspects that hold those of `first` |nil and others that the filter |nil lets pass; none if nothing was found within
-- the limits.
local function explain(component, known, first, filter)
    local queue, visited, answers, pool = { { set = first or {}, cost = cost_of(first or {}), number = 0 } }, {}, {}, {}
    local sets, most = 0, queue[1].cost + COST_MOST
    while #queue > 0 and sets < SETS do
        local entry = take_cheapest(queue)
        if entry.cost > most then
            break
        end
        sets = sets + 1
        local found, against = try_all(component, entry.set, known, pool)
        local answer = found and make_answer(entry, found, component, known)
        if answer and not is_vacuous(answer) then
            answers[#answers + 1] = answer
            most = math.min(most, answer.cost + COST_SAME)
        end
        for _, item in ipairs(against or {}) do
            extend(queue, known, entry, item, visited, most, filter)
        end
    end
    return cheapest(answers)
end

-- Violated items in which one event is alone, by that event.
local function pure_items(known)
    local pure, wrong = {}, {}
    for _, item in ipairs(known.items) do
        local event = next(item.events)
        if event and next(item.events, event) == nil then
            pure[event] = pure[event] or {}
            table.insert(pure[event], item)
            wrong[event] = wrong[event] or item.violated or nil
        end
    end
    return pure, wrong
end

-- The suspects that all answers have.
function search.common(answers)
    local common = {}
    for _, one in ipairs(answers[1] and answers[1].set or {}) do
        local in_all = true
        for _, answer in ipairs(answers) do
            in_all = in_all and lists.contains(answer.set, one)
        end
        common[#common + 1] = in_all and one or nil
    end
    return common
end

-- What explains the items of single events, event by event: suspects that any explanation of all must hold, where there is no choice.
local function certain(component, known)
    local pure, wrong = pure_items(known)
    local first, in_component = {}, {}
    for _, item in ipairs(component) do
        suspects.of(known, item) -- makes them known by their keys
        in_component[item] = true
    end
    for _, event in ipairs(lists.sorted(wrong)) do
        local part, violated = suspects.survey({ items = pure[event], terms = known.terms, context = known.context }), {}
        for _, item in ipairs(pure[event]) do
            violated[#violated + 1] = item.violated and in_component[item] and setmetatable({}, { __index = item }) or nil
        end
        for _, one in ipairs(#violated > 0 and search.common(explain(violated, part)) or {}) do
            first[#first + 1] = known.made[one.key]
        end
    end
    return first
end

local BLUNT = { unsteady = true, ["unsteady code"] = true, formula = true, claim = true }

local function is_blunt(one)
    return BLUNT[one.kind]
end

-- component = violated items, known = suspects.survey -> array of { set =, constants = { [suspect] = .. }, repairs = { [claim] =
-- repairs.factor's } }, all equally cheap; none if nothing was found. Where there are too many sets to try, those are that hold what the
-- items of single events leave no choice about; then those without constants.
function search.explain(component, known)
    local answers = explain(component, known)
    local first = #answers == 0 and certain(component, known) or {}
    if #first > 0 then
        answers = explain(component, known, first)
        answers = #answers > 0 and answers or explain(component, known, first, is_blunt)
    end
    return #answers > 0 and answers or explain(component, known, nil, is_blunt)
end

return search
