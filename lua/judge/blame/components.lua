-- components.lua - violated items that something links are explained together, the others apart; and what explains these is heard.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Items of two components may share an event that only one of them accuses: a set that blames it is held against items that are wrong for
-- the other component's reason, and none but a blunt one explains them. So each component is first explained by itself; then, from the
-- cheapest on, with what explains those before, and the cheaper of both is told.
local explain = require "judge.blame.explain"
local lists = require "input.lists"
local search = require "judge.blame.search"
local suspects = require "judge.blame.suspects"

local components = {}

local CHEAPER = 0.05 -- an explanation costs less only if it does by so much

-- What violated items have in common that may be to blame for them: their metric, and events whose counts are not right elsewhere.
local function links(item, known)
    local keys = { "metric " .. item.metric }
    for _, event in ipairs(suspects.events_of(known, item)) do
        keys[#keys + 1] = "event " .. event
    end
    return keys
end

-- Violated items that something links, in lists; those without counts are left out.
local function split(known)
    local parent, found, by_root = {}, {}, {}
    local function root(key)
        while parent[key] ~= key do
            key = parent[key]
        end
        return key
    end
    local list = {}
    for _, item in ipairs(known.items) do
        list[#list + 1] = item.violated and #item.rows > 0 and item or nil
    end
    for _, item in ipairs(list) do
        local keys = links(item, known)
        for _, key in ipairs(keys) do
            parent[key] = parent[key] or key
            parent[root(key)] = root(keys[1])
        end
    end
    for _, item in ipairs(list) do
        local own = root("metric " .. item.metric)
        if not by_root[own] then
            by_root[own] = {}
            found[#found + 1] = by_root[own]
        end
        table.insert(by_root[own], item)
    end
    return found
end

-- The suspects that all answers of a component have, of all of them.
local function common_of(list)
    local given = {}
    for _, one in ipairs(list) do
        for _, suspect in ipairs(search.common(one.answers)) do
            table.insert(given, not lists.contains(given, suspect) and suspect or nil)
        end
    end
    return given
end

-- Answers and what they cost besides what is given; nothing found costs without end.
local function find(items, known, given, choose)
    local answers = choose(explain.component(items, known, given))
    return answers, #answers > 0 and answers[1].cost - search.cost_of(given) or math.huge
end

-- known = suspects.survey, choose(answers of explain.component) -> those that are to be told. Array of { items =, answers = }.
function components.explain(known, choose)
    local list, settled = {}, {}
    for index, items in ipairs(split(known)) do
        list[index] = { items = items, number = index }
        list[index].answers, list[index].cost = find(items, known, {}, choose)
    end
    table.sort(list, function(a, b)
        if a.cost ~= b.cost then
            return a.cost < b.cost
        elseif #a.items ~= #b.items then
            return #a.items > #b.items
        end
        return a.number < b.number
    end)
    for _, one in ipairs(list) do
        local given = common_of(settled)
        if #given > 0 then
            local answers, cost = find(one.items, known, given, choose)
            if cost < one.cost - CHEAPER then
                one.answers, one.cost = answers, cost
            end
        end
        settled[#settled + 1] = one
    end
    return list
end

return components
