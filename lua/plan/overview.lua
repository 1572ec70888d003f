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
    local boundaries = lists.map(lists.flat(pattern.levels or {}, "boundaries"), function(name) return { name = name } end)
    return lists.map(lists.group(lists.joined(pattern.quantities or {}, boundaries), "name"), function(same) return same[1] end)
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
    return lists.append(array(), names_of(pattern), function(named)
        local shown = find(machine, groups, all, pattern, named.name)
        return (#shown > 0 or not named.optional) and { name = named.name, shown = shown,
            reason = #shown == 0 and quantity.why_none(machine, named.name, groups) or nil }
    end)
end

-- LIKWID's names of the pattern's placements on the node, and reasons why placements are impossible.
local function find_places(pattern, node)
    local places, reasons = array(), array()
    for _, word in ipairs(lists.joined(pattern.placements or {}, lists.flat(pattern.levels or {}, "placements"))) do
        local place, reason = placement.expand(word, node)
        lists.distinct({ place and place.name or reason }, place and places or reasons)
    end
    return places, reasons
end

local function describe(pattern, machine, groups, all, node)
    local places, reasons = find_places(pattern, node)
    local quantities = array(lists.map(overview.quantities(pattern, machine, groups, all), function(one)
        return { name = one.name, groups = array(lists.sorted(lists.set(one.shown, "group"))), reason = one.reason }
    end))
    local used = array(lists.sorted(lists.set(lists.flat(quantities, "groups"))))
    return { name = pattern.name, title = pattern.title, class = pattern.class, about = pattern.about,
        codes = array(lists.map(pattern.codes, "name")), quantities = quantities, groups = used, places = places, reasons = reasons,
        runs = #places > 0 and #used > 0 }
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
