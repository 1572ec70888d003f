-- explain.lua - explains the violated items of a component: searches the cheapest sets of hypotheses, with fallbacks if none is found.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains the items if constants for its hypotheses exist that bring every item within its slack (constants.lua). If none exist,
-- constants.lua returns items that contradict each other. A search through sets with many exceptions takes long. So a first guess
-- searches exceptions benchmark by benchmark, given the events that are wrong everywhere. The guess is the answer unless the full
-- search finds a cheaper one.
local constants = require "judge.blame.constants"
local evidence = require "judge.blame.evidence"
local hypotheses = require "judge.blame.hypotheses"
local items = require "judge.blame.items"
local kinds = require "judge.blame.kinds"
local lists = require "input.lists"
local majority = require "judge.blame.majority"
local repairs = require "judge.blame.repairs"
local search = require "judge.blame.search"

local explain = {}

local SETS, COST_MOST = 800, 6 -- limits of a search
local COMBINATIONS = 64 -- most combined sets of exceptions of single benchmarks

-- Items that this set must explain: the component's, and all items of the set's events, including those where no count is expected.
-- Filtered by sees(item), if given.
local function relevant(component, set, known, sees)
    local events = lists.flat(set, function(one) return { one.event, one.other } end)
    local more = lists.flat(events, function(event) return known.events[event] and known.events[event].items end)
    return lists.distinct(lists.filter(lists.joined(component, more), function(item)
        return #item.rows > 0 and (not sees or sees(item))
    end))
end

-- Returns a function: item -> what it would show if the events that the answer blames had counted right.
local function corrected(answer)
    return function(item)
        return items.corrected(item, function(term)
            local one = lists.find(answer.set, function(other)
                return other.kind ~= "code" and other.covers and other.covers(term, item)
            end)
            local own = answer.constants[one]
            return own and 1 / own.factor or 1, own and own.offset / own.factor or 0
        end)
    end
end

local function holds(interval, value)
    return not interval or interval[1] <= value and value <= interval[2]
end

-- Does the answer blame an event whose constants may be right (factor 1, offset 0), only to allow an exception of it?
local function is_vacuous(answer)
    for _, own in pairs(answer.constants) do
        if holds(own.factor_ci, 1) and holds(own.offset_ci, 0) then
            return true
        end
    end
    return false
end

-- The answer of a set that explains. Adds repairs of its "claim" hypotheses (kinds.lua), and a cost for those that no factor repairs; nil
-- if vacuous.
local function make_answer(set, made, list, known)
    local answer = { set = set, cost = search.cost_of(set), repairs = {}, constants = constants.find(set, made, list) }
    for _, one in ipairs(set) do
        if one.kind == "claim" then
            local left = lists.filter(evidence.of_metric(known, one.metric), function(item)
                local is_dropped = lists.find(set, function(other) return other ~= one and other.drops and other.drops(item) end)
                return one.drops(item) and not is_dropped
            end)
            answer.repairs[one] = repairs.factor(left, corrected(answer))
            answer.cost = answer.cost + (answer.repairs[one] and 0 or kinds.NO_CONSTANT)
        end
    end
    return not is_vacuous(answer) and answer or nil
end

-- The set as an answer; else nil and the items that contradict each other. Tests pool.items first: earlier contradictions fail
-- quickly.
local function try(component, set, known, pool, sees)
    local made, against = constants.try(pool.items, set, known)
    local list = made and relevant(component, set, known, sees)
    if made then
        made, against = constants.try(list, set, known)
    end
    pool.items = lists.distinct(lists.joined(pool.items, against))
    return made and make_answer(set, made, list, known), against
end

-- The cheapest answers of a component. options: first, found (search.lua), filter(hypothesis) = true if a set may contain it |nil,
-- sees(item) = true if the item must be explained |nil.
local function cheapest(component, known, options)
    local pool = { items = {} }
    return search.cheapest { first = options.first, found = options.found, sets = SETS, cost = COST_MOST,
        fits = function(set, one) return (not options.filter or options.filter(one)) and hypotheses.fits(known, set, one) end,
        try = function(set)
            local answer, against = try(component, set, known, pool, options.sees)
            return answer, lists.flat(against or {}, function(item) return hypotheses.of(known, item) end)
        end }
end

-- Items that contain one event only, by event; and the sorted events that have a violated one.
local function pure_items(known)
    local function event_of(item) return (next(item.events)) end
    local single = lists.filter(known.items, function(item)
        return event_of(item) and next(item.events, event_of(item)) == nil
    end)
    local _, pure = lists.group(single, event_of)
    return pure, lists.sorted(lists.set(lists.filter(single, "violated"), event_of))
end

-- A new set: `set` and those of the other hypotheses that fit it.
local function beside(known, set, others)
    set = lists.joined(set)
    for _, one in ipairs(others) do
        set[#set + 1] = hypotheses.fits(known, set, one) and one or nil
    end
    return set
end

-- Hypotheses that any explanation must contain: those common to all cheapest explanations of the items of one event, event by event.
local function certain(component, known)
    local pure, wrong = pure_items(known)
    return lists.flat(wrong, function(event)
        local function sees(item) return lists.contains(pure[event], item) end
        local own = lists.filter(component, sees)
        return #own > 0 and search.common(cheapest(own, known, { sees = sees }))
    end)
end

local function of_kind(known, event, kind)
    return lists.find(hypotheses.about(known, event), function(one) return one.kind == kind end)
end

-- Sets from which the guess starts: events that violate items of their own, with the constants that are right in most benchmarks; and the
-- same events as "unsteady", preferably only events that no constants put right in most benchmarks. { set =, odd = { [place] = true } }.
local function beginnings(component, known)
    local pure, wrong = pure_items(known)
    local accused, steady, unsteady, mostly_right = {}, { set = {}, odd = {} }, { set = {}, odd = {} }, { set = {}, odd = {} }
    for _, item in ipairs(component) do
        for _, event in ipairs(hypotheses.events_of(known, item)) do
            accused[event] = true
        end
    end
    for _, event in ipairs(lists.filter(wrong, function(event) return accused[event] end)) do
        local is_wrong, places = majority.find(pure[event])
        table.insert(steady.set, is_wrong and of_kind(known, event, "event") or nil)
        table.insert((is_wrong == false and mostly_right or unsteady).set, of_kind(known, event, "unsteady"))
        for place in pairs(places or {}) do
            steady.odd[place] = true
        end
    end
    return { steady, #unsteady.set > 0 and unsteady or mostly_right }
end

-- All sets, each extended by one of the answers `found`.
local function combine(sets, found, first, known)
    local combined = {}
    for _, set in ipairs(sets) do
        for _, answer in ipairs(found) do
            local own = beside(known, set, table.move(answer.set, #first + 1, #answer.set, 1, {}))
            combined[#combined + 1] = #own == #set + #answer.set - #first and own or nil
        end
    end
    return combined
end

-- The component's items by place: places in `odd`, and places with an item that no hypothesis of the set concerns.
local function in_places(component, set, odd)
    local found = {}
    for place in pairs(odd) do
        found[place] = {}
    end
    for _, item in ipairs(component) do
        if not lists.find(set, function(one) return hypotheses.concerns(one, item) end) then
            found[item.place] = {}
        end
    end
    for _, item in ipairs(component) do
        table.insert(found[item.place] or {}, item)
    end
    return found
end

-- Sets of `first` and exceptions. Places are searched one after another: an exception concerns a single place.
local function by_places(component, known, first, odd)
    local by_place, sets = in_places(component, first, odd), { first }
    for _, here in ipairs(lists.sorted(by_place)) do
        sets = combine(sets, cheapest(by_place[here], known, { first = first,
            filter = function(one) return hypotheses.is_exception(one) and one.place == here end,
            sees = function(item) return item.place == here or not by_place[item.place] end }), first, known)
        if #sets > COMBINATIONS then
            return {}
        end
    end
    return sets
end

local function is_blunt(one)
    return kinds[one.kind].is_blunt
end

-- Answers that the search starts with: each blunt hypothesis alone, which a search by cost may not reach within its limits, and the
-- sets from all beginnings.
local function guess(component, known)
    local sets = lists.collect(hypotheses.of(known, component[1]), function(one) return is_blunt(one) and { one } end)
    for _, one in ipairs(beginnings(component, known)) do
        sets = lists.joined(sets, by_places(component, known, beside(known, {}, one.set), one.odd))
    end
    return lists.collect(sets, function(set) return try(component, set, known, { items = {} }) end)
end

-- component = violated items, known = hypotheses.survey -> array of { set =, cost =, constants = { [hypothesis] = .. }, repairs = {
-- [claim] = repairs.factor() } }, all of the same least cost; none if nothing was found. If the search exceeds its limits, it starts
-- again from the hypotheses that are certain; the last resort is blunt hypotheses only.
function explain.component(component, known)
    local answers = cheapest(component, known, { found = guess(component, known) })
    local first = #answers == 0 and beside(known, {}, certain(component, known)) or {}
    if #first > 0 then
        answers = cheapest(component, known, { first = first })
        answers = #answers > 0 and answers or cheapest(component, known, { first = first, filter = is_blunt })
    end
    return #answers > 0 and answers or cheapest(component, known, { filter = is_blunt })
end

return explain
