-- explain.lua - explains the violated items of a component: starts the search for the cheapest sets, and copes if it finds none.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A search through sets with many exceptions takes long. So errors of single codes are searched code by code, given the events that are
-- wrong everywhere. Such an answer holds unless the search finds a cheaper one.
local lists = require "input.lists"
local majority = require "judge.blame.majority"
local search = require "judge.blame.search"
local hypotheses = require "judge.blame.hypotheses"

local explain = {}

local COMBINATIONS = 64 -- of answers for single codes

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

-- `set` and those of the hypotheses that may hold next to it, as a set of its own.
local function beside(known, set, others)
    set = table.move(set, 1, #set, 1, {})
    for _, one in ipairs(others) do
        set[#set + 1] = hypotheses.fits(known, set, one) and one or nil
    end
    return set
end

-- What explains the items of single events, event by event: hypotheses that any explanation of all must hold, where there is no choice.
local function certain(component, known)
    local pure, wrong = pure_items(known)
    local first, in_component = {}, {}
    for _, item in ipairs(component) do
        in_component[item] = true
    end
    for _, event in ipairs(lists.sorted(wrong)) do
        local part, violated = hypotheses.survey({ items = pure[event], terms = known.terms, context = known.context }), {}
        for _, item in ipairs(pure[event]) do
            violated[#violated + 1] = item.violated and in_component[item] and setmetatable({}, { __index = item }) or nil
        end
        for _, one in ipairs(#violated > 0 and search.common(search.cheapest(violated, part, { first = {} })) or {}) do
            first[#first + 1] = known.made[one.key]
        end
    end
    return first
end

-- Sets to begin with, of the events whose own items are wrong: by the constants that are right in most codes, with exceptions in the
-- others, and by no constants: first those that are right in no half of the codes, if there are some. { set =, odd = { [place] = true } }.
local function beginnings(component, known)
    local pure, wrong = pure_items(known)
    local accused, steady, unsteady, mostly_right = {}, { set = {}, odd = {} }, { set = {}, odd = {} }, { set = {}, odd = {} }
    for _, item in ipairs(component) do
        for _, event in ipairs(hypotheses.events_of(known, item)) do
            accused[event] = true
        end
    end
    for _, event in ipairs(lists.sorted(wrong)) do
        if accused[event] then
            local is_wrong, places = majority.find(pure[event], hypotheses.place)
            table.insert(steady.set, is_wrong and known.made[hypotheses.key("event", event)] or nil)
            table.insert((is_wrong == false and mostly_right or unsteady).set, known.made[hypotheses.key("unsteady", event)])
            for place in pairs(places or {}) do
                steady.odd[place] = true
            end
        end
    end
    return { steady, #unsteady.set > 0 and unsteady or mostly_right }
end

local function concerns(set, item)
    for _, one in ipairs(set) do
        if hypotheses.concerns(one, item) then
            return true
        end
    end
    return false
end

-- Sets with one of `found` each besides.
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

-- The component's items in the places `odd`, and in those of the items that the set says nothing of, by place.
local function in_places(component, set, odd)
    local found = {}
    for place in pairs(odd) do
        found[place] = {}
    end
    for _, item in ipairs(component) do
        if not concerns(set, item) then
            found[hypotheses.place(item)] = {}
        end
    end
    for _, item in ipairs(component) do
        table.insert(found[hypotheses.place(item)] or {}, item)
    end
    return found
end

-- Answers that hold the set `first` and exceptions only, place after place, as those of one say nothing of another.
local function by_places(component, known, first, odd)
    local items, sets, answers = in_places(component, first, odd), { first }, {}
    for _, here in ipairs(lists.sorted(items)) do
        sets = combine(sets, search.cheapest(items[here], known, { first = first,
            filter = function(one) return hypotheses.is_exception(one) and one.place == here end,
            sees = function(item) return hypotheses.place(item) == here or not items[hypotheses.place(item)] end }), first, known)
        if #sets > COMBINATIONS then
            return {}
        end
    end
    for _, set in ipairs(sets) do
        answers[#answers + 1] = search.try(component, set, known)
    end
    return answers
end

local BLUNT = { unsteady = true, ["unsteady code"] = true, formula = true, claim = true }

local function is_blunt(one)
    return BLUNT[one.kind]
end

-- Answers of one blunt hypothesis each: a search by cost may come to its end before it comes to them.
local function alone(component, known)
    local answers = {}
    for _, one in ipairs(hypotheses.of(known, component[1])) do
        answers[#answers + 1] = is_blunt(one) and search.try(component, { one }, known) or nil
    end
    return answers
end

-- Answers from all beginnings, each once.
local function guess(component, known)
    local answers, seen = alone(component, known), {}
    for _, answer in ipairs(answers) do
        seen[search.key_of(answer.set)] = true
    end
    for _, one in ipairs(beginnings(component, known)) do
        for _, answer in ipairs(by_places(component, known, beside(known, {}, one.set), one.odd)) do
            local key = search.key_of(answer.set)
            answers[#answers + 1] = not seen[key] and answer or nil
            seen[key] = true
        end
    end
    return answers
end

-- component = violated items, known = hypotheses.survey -> array of { set =, cost =, constants = { [hypothesis] = .. },
-- repairs = { [claim] = repairs.factor's } }, all equally cheap; none if nothing was found. Where there are too many sets to try, those are
-- that hold what the items of single events leave no choice about; then those without constants.
function explain.component(component, known)
    for _, item in ipairs(component) do
        hypotheses.of(known, item) -- makes them known by their keys
    end
    local answers = search.cheapest(component, known, { first = {}, found = guess(component, known) })
    local first = #answers == 0 and beside(known, {}, certain(component, known)) or {}
    if #first > 0 then
        answers = search.cheapest(component, known, { first = first })
        answers = #answers > 0 and answers or search.cheapest(component, known, { first = first, filter = is_blunt })
    end
    return #answers > 0 and answers or search.cheapest(component, known, { first = {}, filter = is_blunt })
end

return explain
