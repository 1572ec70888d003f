-- search.lua - the cheapest sets of hypotheses that explain a list of violated items, with their constants.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A set explains if constants for its hypotheses exist with which no item is missed (constants.lua). If none exist, constants.lua names
-- items that contradict each other. Any larger set that explains must contain a hypothesis of one of these items. So sets grow by those
-- only, and the cheapest set is tried first. All sets that cost as little as the first one that explains are answers.
local constants = require "judge.blame.constants"
local items = require "judge.blame.items"
local lists = require "input.lists"
local repairs = require "judge.blame.repairs"
local hypotheses = require "judge.blame.hypotheses"

local search = {}

local SETS = 800 -- that are tried for one component
local COST_MOST, COST_SAME = 6, 0.05

-- Items that this set must explain: the component's, and all items of the set's events; filtered by sees(item), if given.
local function relevant(component, set, known, sees)
    local list, is_in = {}, {}
    local function add(some)
        for _, item in ipairs(some) do
            if not is_in[item] and #item.rows > 0 and (not sees or sees(item)) then
                is_in[item] = true
                list[#list + 1] = item
            end
        end
    end
    add(component)
    for _, one in ipairs(set) do
        for _, event in ipairs { one.event, one.other } do
            add(hypotheses.items_of(known, event))
        end
    end
    return list
end

-- The same text for the same hypotheses in any order.
function search.key_of(set)
    local keys = {}
    for i, one in ipairs(set) do
        keys[i] = one.key
    end
    table.sort(keys)
    return table.concat(keys, "\n")
end

local function add_set(queue, visited, set, cost)
    queue[#queue + 1] = { set = set, cost = cost, number = #visited }
    visited[#visited + 1] = set
end

local function extend(queue, known, entry, item, visited, most, options)
    for _, one in ipairs(hypotheses.of(known, item)) do
        if (not options.filter or options.filter(one)) and hypotheses.fits(known, entry.set, one) then
            local set = table.move(entry.set, 1, #entry.set, 1, {})
            set[#set + 1] = one
            local key = search.key_of(set)
            if not visited[key] and entry.cost + one.cost <= most then
                visited[key] = true
                add_set(queue, visited, set, entry.cost + one.cost)
            end
        end
    end
end

local function is_before(one, two)
    if math.abs(one.cost - two.cost) >= 1e-9 then
        return one.cost < two.cost
    end
    return one.number < two.number
end

local function take_cheapest(queue)
    local least = 1
    for i, entry in ipairs(queue) do
        least = is_before(entry, queue[least]) and i or least
    end
    return table.remove(queue, least)
end

-- The same of all that the set must see. First with the pool, items that have contradicted before: what contradicts there does so anyway.
local function try_all(component, set, known, pool, sees)
    local found, against = constants.try(pool, set, known)
    if found then
        found, against = constants.try(relevant(component, set, known, sees), set, known)
        for _, item in ipairs(against or {}) do
            if not pool[item] then
                pool[item], pool[#pool + 1] = true, item
            end
        end
    end
    return found, against
end

-- What the hypotheses of a set cost together.
function search.cost_of(set)
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

-- Does another hypothesis of the set than `but` explain whatever the item shows?
local function is_dropped(set, item, but)
    for _, one in ipairs(set) do
        if one ~= but and one.drops and one.drops(item) then
            return true
        end
    end
    return false
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

-- A set that explains as an answer, with the repairs of its claims and the cost of those that are no constant; nil for a vacuous one.
local function make_answer(set, found, component, known, sees)
    local answer = { set = set, cost = search.cost_of(set), repairs = {},
        constants = constants.find(set, found, relevant(component, set, known, sees)) }
    for _, one in ipairs(set) do
        if one.kind == "claim" then
            local left = hypotheses.of_metric(known, one.metric, function(item)
                return one.drops(item) and not is_dropped(set, item, one)
            end)
            answer.repairs[one] = repairs.factor(left, corrected(answer))
            answer.cost = answer.cost + (answer.repairs[one] and 0 or hypotheses.NO_CONSTANT)
        end
    end
    return not is_vacuous(answer) and answer or nil
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
    table.sort(kept, function(a, b) return search.key_of(a.set) < search.key_of(b.set) end)
    return kept
end

-- component = violated items, known = hypotheses.survey. The set as an answer { set =, cost =, constants = { [hypothesis] = .. },
-- repairs = { [claim] = repairs.factor's } }; nil if it does not explain.
function search.try(component, set, known)
    local made = try_all(component, set, known, {})
    return made and make_answer(set, made, component, known)
end

-- Array of answers, the cheapest, all of the same cost; none if nothing was found within the limits. options: first = hypotheses that all
-- hold, filter(hypothesis) = may it be in a set |nil, sees(item) = must it be explained |nil, found = array of answers that are known |nil.
function search.cheapest(component, known, options)
    local queue, visited, answers, pool = {}, {}, {}, {}
    local first, found = options.first, options.found or {}
    local sets, most = 0, search.cost_of(first) + COST_MOST
    for i, answer in ipairs(found) do
        answers[i], visited[search.key_of(answer.set)], most = answer, true, math.min(most, answer.cost + COST_SAME)
    end
    if not visited[search.key_of(first)] then
        add_set(queue, visited, first, search.cost_of(first))
    end
    while #queue > 0 and sets < SETS do
        local entry = take_cheapest(queue)
        if entry.cost > most then
            break
        end
        sets = sets + 1
        local made, against = try_all(component, entry.set, known, pool, options.sees)
        local answer = made and make_answer(entry.set, made, component, known, options.sees)
        if answer then
            answers[#answers + 1] = answer
            most = math.min(most, answer.cost + COST_SAME)
        end
        for _, item in ipairs(against or {}) do
            extend(queue, known, entry, item, visited, most, options)
        end
    end
    return cheapest(answers)
end

-- The hypotheses that all answers have.
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

return search
