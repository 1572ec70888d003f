-- miss_expressions.lua - finds events that count the misses of a cache or TLB in a walk.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A miss expression is the shortest sum of events, one or two, that counts 1 for each visit that misses the part and 0 for each other
-- visit, whatever happens in other parts. It is derived from the events' documentation (groups/ARCH/pmu.concepts).
local array = require "input.array"
local lists = require "input.lists"

local miss_expressions = {}

-- Concepts that a visit produces, by the level that has the line (4: memory) and by the TLB that has the page (3: none).
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
-- Concepts of every visit, or of the loop around visits: events that count them are not used.
local ALWAYS = { ["instructions"] = true, ["loads"] = true, ["loads from L1"] = true, ["stores"] = true, ["returns"] = true,
    ["indirect calls"] = true, ["conditional branches taken"] = true, ["conditional branches not taken"] = true,
    ["mispredicted branches"] = true, ["mispredicted conditional branches"] = true, ["mispredicted branches taken"] = true,
    ["mispredicted branches not taken"] = true, ["conditional branches begun as taken"] = true,
    ["conditional branches begun as not taken"] = true }

-- Parts that can be found: `act` = kind of visits, `unit` = "line" | "page", `from` = the first level or TLB in VISITS whose visits
-- miss the part, `level` = of a data cache.
miss_expressions.PARTS = {
    { name = "L1I", act = "call", unit = "line", from = 2 },
    { name = "L1", act = "load", unit = "line", from = 2, level = 1 },
    { name = "L2", act = "load", unit = "line", from = 3, level = 2 },
    { name = "L3", act = "load", unit = "line", from = 4, level = 3 },
    { name = "ITLB", act = "call", unit = "page", from = 2 },
    { name = "DTLB", act = "load", unit = "page", from = 2 },
    { name = "STLB", act = "load", unit = "page", from = 3 },
}

-- Counts of the terms per kind of visit: { by level .., by TLB .. }; nil if that is not known.
local function signature(terms, act)
    if lists.any(lists.sorted(terms), function(concept) return ALWAYS[concept] end) then
        return nil
    end
    return lists.map(lists.joined(VISITS[act].levels, VISITS[act].pages), function(made)
        return lists.sum(made, function(concept) return terms[concept] or 0 end)
    end)
end

-- The same for the misses of the part only.
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

-- events = array of plan/events.lua's `event` with counters; said = concepts.events() -> { [part's name] = array of one or two of them },
-- without parts for which no sum fits.
function miss_expressions.choose(events, said)
    local found = {}
    for _, part in ipairs(miss_expressions.PARTS) do
        local target, usable = wanted(part), {}
        for _, event in ipairs(events) do
            local makes = said[event.event] and signature(said[event.event].terms, part.act)
            if makes and lists.any(makes, function(number) return number ~= 0 end) then
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
