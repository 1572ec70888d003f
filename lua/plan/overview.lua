-- overview.lua - lists patterns, the quantities that an architecture's groups show of them, and whether a node can run them.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local boxes = require "plan.boxes"
local lists = require "input.lists"
local placement = require "plan.placement"
local quantity = require "plan.quantity"

local overview = {}

-- Distinct names of all quantities that the pattern models: { name =, optional = }; for levels, their boundaries.
local function names_of(pattern)
    local names, seen = {}, {}
    local function add(name, optional)
        if not seen[name] then
            seen[name] = true
            names[#names + 1] = { name = name, optional = optional }
        end
    end
    for _, one in ipairs(pattern.quantities or {}) do
        add(one.name, one.optional)
    end
    for _, level in ipairs(pattern.levels or {}) do
        for _, boundary in ipairs(level.boundaries) do
            add(boundary)
        end
    end
    return names
end

-- The quantities with this name. Traffic over a boundary: without the quantities of single boxes.
local function find(machine, groups, all, pattern, name)
    if pattern.levels then
        return lists.filter(quantity.traffic(machine, groups, name), function(one) return one.kind ~= "slice" end)
    end
    return lists.filter(all, function(one) return one.name == name end)
end

-- Quantities that the pattern models: array of { name =, shown = array of quantities (quantity.lua), reason = why there are none|nil }.
-- An optional quantity is left out if the architecture cannot show it. all: quantity.all, which parses the formulas of all groups.
function overview.quantities(pattern, machine, groups, all)
    local list = array()
    for _, named in ipairs(names_of(pattern)) do
        local shown = find(machine, groups, all, pattern, named.name)
        if #shown > 0 or not named.optional then
            list[#list + 1] = {
                name = named.name,
                shown = shown,
                reason = #shown == 0 and quantity.why_none(machine, named.name, groups) or nil,
            }
        end
    end
    return list
end

-- LIKWID's names of the pattern's placements on the node, and reasons why placements are impossible.
local function find_places(pattern, node)
    local places, reasons, seen = array(), array(), {}
    local function add(list, text)
        if text and not seen[text] then
            seen[text] = true
            list[#list + 1] = text
        end
    end
    local words = { table.unpack(pattern.placements or {}) }
    for _, level in ipairs(pattern.levels or {}) do
        lists.append(words, level.placements)
    end
    for _, word in ipairs(words) do
        local place, reason = placement.expand(word, node)
        add(places, place and place.name)
        add(reasons, reason)
    end
    return places, reasons
end

local function describe(pattern, machine, groups, all, node)
    local places, reasons = find_places(pattern, node)
    local quantities, used = array(), {}
    for i, one in ipairs(overview.quantities(pattern, machine, groups, all)) do
        local shown_by = {}
        for _, shown in ipairs(one.shown) do
            shown_by[shown.group], used[shown.group] = true, true
        end
        quantities[i] = { name = one.name, groups = array(lists.sorted(shown_by)), reason = one.reason }
    end
    local codes = array(lists.map(pattern.codes, "name"))
    return {
        name = pattern.name,
        title = pattern.title,
        class = pattern.class,
        about = pattern.about,
        codes = codes,
        quantities = quantities,
        groups = array(lists.sorted(used)),
        places = places,
        reasons = reasons,
        runs = #places > 0 and next(used) ~= nil,
    }
end

-- { patterns = array of schema.pattern results, machine =, groups = by name, node = as in plan.lua } -> array, in their order, of { name =,
-- title =, class =, about =, codes = names, quantities = array of { name =, groups = names, reason = why none|nil }, groups = names,
-- places = LIKWID's names, reasons = why the node has no others, runs = can it run here }.
function overview.make(argument)
    local groups = boxes.fit_all(argument.groups, argument.machine, argument.node)
    local all = quantity.all(argument.machine, groups)
    return array(lists.map(argument.patterns, function(pattern)
        return describe(pattern, argument.machine, groups, all, argument.node)
    end))
end

return overview
