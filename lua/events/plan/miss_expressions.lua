-- miss_expressions.lua - which events tell what a cache or TLB does not have: of a walk's visits, those that it misses.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A miss expression is the shortest sum of events, one or two, that makes one of each visit that the part misses, and nothing of any other
-- visit, whatever else the visit finds or misses: by what the events are said to count (groups/ARCH/pmu.concepts).
local array = require "input.array"
local lists = require "input.lists"

local miss_expressions = {}

-- What a visit makes by the level that has the line (4: memory) and by the TLB that has the page (3: none).
local VISITS = {
    load = {
        levels = {
            {},
            { "loads from L2", "data reads in L2" },
            { "loads from L3 alone", "data reads in L3 alone", "lines into L2 alone", "clean lines from L2" },
            { "loads from memory", "data reads from memory", "lines into L2 alone", "clean lines from L2" },
        },
        pages = { {}, { "second-level TLB hits of loads" }, { "page walks of loads" } },
    },
    call = {
        levels = {
            {},
            { "instruction reads in L2" },
            { "instruction reads in L3", "lines into L2 alone", "clean lines from L2" },
            { "instruction reads from memory", "lines into L2 alone", "clean lines from L2" },
        },
        pages = { {}, { "second-level TLB hits of instructions" }, { "page walks of instructions" } },
    },
}
-- What every visit may make besides, or the walk around them.
local ALWAYS = { ["instructions"] = true, ["loads"] = true, ["loads from L1"] = true, ["stores"] = true, ["returns"] = true,
    ["indirect calls"] = true, ["conditional branches taken"] = true, ["conditional branches not taken"] = true,
    ["mispredicted branches"] = true, ["mispredicted conditional branches"] = true, ["mispredicted branches taken"] = true,
    ["mispredicted branches not taken"] = true, ["conditional branches begun as taken"] = true,
    ["conditional branches begun as not taken"] = true }

-- What can be found: `act` = the visits, `unit` = "line" | "page", `from` = the first level or TLB of VISITS whose visits it misses;
-- `level` of data caches: theirs.
miss_expressions.PARTS = {
    { name = "L1I", act = "call", unit = "line", from = 2 },
    { name = "L1", act = "load", unit = "line", from = 2, level = 1 },
    { name = "L2", act = "load", unit = "line", from = 3, level = 2 },
    { name = "L3", act = "load", unit = "line", from = 4, level = 3 },
    { name = "ITLB", act = "call", unit = "page", from = 2 },
    { name = "DTLB", act = "load", unit = "page", from = 2 },
    { name = "STLB", act = "load", unit = "page", from = 3 },
}

local function amount(terms, made)
    return lists.sum(made, function(concept) return terms[concept] or 0 end)
end

-- What a visit of each kind makes of the terms: { by level .., by TLB .. }; nil if that is not known.
local function signature(terms, act)
    for concept in pairs(terms) do
        if ALWAYS[concept] then
            return nil
        end
    end
    local found = {}
    for _, kind in ipairs { "levels", "pages" } do
        lists.append(found, VISITS[act][kind], function(made) return amount(terms, made) end)
    end
    return found
end

-- The same of what only the part misses.
local function wanted(part)
    local found = {}
    for _, kind in ipairs { "levels", "pages" } do
        for place in ipairs(VISITS[part.act][kind]) do
            local is_of_kind = (kind == "levels") == (part.unit == "line")
            found[#found + 1] = is_of_kind and place >= part.from and 1 or 0
        end
    end
    return found
end

local function is_sum(target, one, other)
    return not lists.any(target, function(number, i) return one[i] + (other and other[i] or 0) ~= number end)
end

local function is_nothing(one)
    return not lists.any(one, function(number) return number ~= 0 end)
end

-- events = array of plan/events.lua's `event`, of those that have counters; said = concepts.events's -> { [part's name] = array of one or
-- two of them }; parts that no sum shows are not in it.
function miss_expressions.choose(events, said)
    local found = {}
    for _, part in ipairs(miss_expressions.PARTS) do
        local target, usable = wanted(part), {}
        for _, event in ipairs(events) do
            local makes = said[event.event] and signature(said[event.event].terms, part.act)
            if makes and not is_nothing(makes) then
                usable[#usable + 1] = { event = event, makes = makes }
                found[part.name] = found[part.name] or is_sum(target, makes) and array { event } or nil
            end
        end
        for i, one in ipairs(usable) do
            for j = i + 1, #usable do
                found[part.name] = found[part.name] or is_sum(target, one.makes, usable[j].makes)
                    and array { one.event, usable[j].event } or nil
            end
        end
    end
    return found
end

return miss_expressions
