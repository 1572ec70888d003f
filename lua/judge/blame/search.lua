-- search.lua - the smallest sets of suspects that explain all violated items of a component, with their constants.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains if there are constants for its suspects with which no item is missed (constants.lua). Where there are none, items are
-- named that contradict each other, so one of the suspects of these must be in any larger set that explains: sets grow by those only, and
-- the cheapest is tried first. All sets that cost as little as the first one that explains are answers.
local constants = require "judge.blame.constants"
local items = require "judge.blame.items"
local lists = require "input.lists"
local majority = require "judge.blame.majority"
local repairs = require "judge.blame.repairs"
local suspects = require "judge.blame.suspects"

local search = {}

local SETS = 800 -- that are tried for one component
local COST_MOST, COST_SAME = 6, 0.05

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

local function key_of(set)
    local keys = {}
    for i, one in ipairs(set) do
        keys[i] = one.key
    end
    table.sort(keys)
    return table.concat(keys, "\n")
end

-- The least that a set's exceptions still to come cost: in each place of `odd` |nil without one.
local function least_to_come(set, odd)
    local left, seen = 0, {}
    for _, one in ipairs(set) do
        seen[one.place or ""] = true
    end
    for place in pairs(odd or {}) do
        left = left + (seen[place] and 0 or suspects.EXCEPTION)
    end
    return left
end

local function add_set(queue, visited, set, cost, options)
    queue[#queue + 1] = { set = set, cost = cost, bound = cost + least_to_come(set, options.odd), number = #visited }
    visited[#visited + 1] = set
end

local function extend(queue, known, entry, item, visited, most, options)
    for _, one in ipairs(suspects.of(known, item)) do
        if (not options.filter or options.filter(one)) and suspects.fits(known, entry.set, one) then
            local set = table.move(entry.set, 1, #entry.set, 1, {})
            set[#set + 1] = one
            local key = key_of(set)
            if not visited[key] and entry.cost + one.cost <= most then
                visited[key] = true
                add_set(queue, visited, set, entry.cost + one.cost, options)
            end
        end
    end
end

-- Of two that may become as cheap the larger one is nearer to its end, if the exceptions to come are known; else the older one is first.
local function is_before(one, two, odd)
    if math.abs(one.bound - two.bound) >= 1e-9 then
        return one.bound < two.bound
    elseif odd and #one.set ~= #two.set then
        return #one.set > #two.set
    end
    return one.number < two.number
end

local function take_cheapest(queue, odd)
    local least = 1
    for i, entry in ipairs(queue) do
        least = is_before(entry, queue[least], odd) and i or least
    end
    return table.remove(queue, least)
end

-- The same of all that the set must see. First with the pool, items that have contradicted before: what contradicts there does so anyway.
local function try_all(component, set, known, pool)
    local found, against = constants.try(pool, set, known)
    if found then
        found, against = constants.try(relevant(component, set, known), set, known)
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

-- Does another suspect of the set than `but` explain whatever the item shows?
local function is_dropped(set, item, but)
    for _, one in ipairs(set) do
        if one ~= but and one.drops and one.drops(item) then
            return true
        end
    end
    return false
end

-- A set that explains as an answer, with the repairs of its claims and the cost of those that are no constant.
local function make_answer(entry, found, component, known)
    local answer = { set = entry.set, cost = entry.cost, repairs = {},
        constants = constants.find(entry.set, found, relevant(component, entry.set, known)) }
    for _, one in ipairs(entry.set) do
        if one.kind == "claim" then
            local left = suspects.of_metric(known, one.metric, function(item)
                return one.drops(item) and not is_dropped(entry.set, item, one)
            end)
            answer.repairs[one] = repairs.factor(left, corrected(answer))
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

-- The cheapest sets of suspects; none if nothing was found within the limits. options: first = suspects that all hold |nil, filter(suspect)
-- = may it be in one |nil, odd = { [place] = true } in which exceptions are expected |nil, found = array of sets that explain |nil.
local function explain(component, known, options)
    local queue, visited, answers, pool = {}, {}, {}, {}
    local first, found = options.first or {}, options.found or {}
    add_set(queue, visited, first, cost_of(first), options)
    local sets, most = 0, queue[1].cost + COST_MOST
    for i, answer in ipairs(found) do
        answers[i], visited[key_of(answer.set)], most = answer, true, math.min(most, answer.cost + COST_SAME)
    end
    while #queue > 0 and sets < SETS do
        local entry = take_cheapest(queue, options.odd)
        if entry.bound > most then
            break
        end
        sets = sets + 1
        local made, against = try_all(component, entry.set, known, pool)
        local answer = made and make_answer(entry, made, component, known)
        if answer and not is_vacuous(answer) then
            answers[#answers + 1] = answer
            most = math.min(most, answer.cost + COST_SAME)
        end
        for _, item in ipairs(against or {}) do
            extend(queue, known, entry, item, visited, most, options)
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
        for _, one in ipairs(#violated > 0 and search.common(explain(violated, part, {})) or {}) do
            first[#first + 1] = known.made[one.key]
        end
    end
    return first
end

-- Sets to begin with, of the events whose own items are wrong: by the constants that are right in most codes, with exceptions in the
-- others, and by no constants, with exceptions anywhere: first those that are right in no half of the codes, if there are some.
-- { set =, odd = { [place] = true } |nil } each.
local function beginnings(component, known)
    local pure, wrong = pure_items(known)
    local accused, steady, unsteady, mostly_right = {}, { set = {}, odd = {} }, { set = {} }, { set = {} }
    for _, item in ipairs(component) do
        suspects.of(known, item) -- makes them known by their keys
        for _, event in ipairs(suspects.events_of(known, item)) do
            accused[event] = true
        end
    end
    for _, event in ipairs(lists.sorted(wrong)) do
        if accused[event] then
            local is_wrong, places = majority.find(pure[event], suspects.place)
            table.insert(steady.set, is_wrong and known.made[suspects.key("event", event)] or nil)
            table.insert((is_wrong == false and mostly_right or unsteady).set, known.made[suspects.key("unsteady", event)])
            for place in pairs(places or {}) do
                steady.odd[place] = true
            end
        end
    end
    return { steady, #unsteady.set > 0 and unsteady or mostly_right }
end

-- What explains so, if something does.
local function guess(component, known)
    local answers = {}
    for _, one in ipairs(beginnings(component, known)) do
        local found = #one.set > 0 and explain(component, known, { first = one.set, odd = one.odd, filter = function(other)
            return suspects.is_exception(other) and (not one.odd or one.odd[other.place])
        end }) or {}
        table.move(found, 1, #found, #answers + 1, answers)
    end
    return answers
end

local BLUNT = { unsteady = true, ["unsteady code"] = true, formula = true, claim = true }

local function is_blunt(one)
    return BLUNT[one.kind]
end

-- component = violated items, known = suspects.survey -> array of { set =, constants = { [suspect] = .. }, repairs = { [claim] =
-- repairs.factor's } }, all equally cheap; none if nothing was found. Where there are too many sets to try, those are that hold what the
-- items of single events leave no choice about; then those without constants.
function search.explain(component, known)
    local answers = explain(component, known, { found = guess(component, known) })
    local first = #answers == 0 and certain(component, known) or {}
    if #first > 0 then
        answers = explain(component, known, { first = first })
        answers = #answers > 0 and answers or explain(component, known, { first = first, filter = is_blunt })
    end
    return #answers > 0 and answers or explain(component, known, { filter = is_blunt })
end

return search
