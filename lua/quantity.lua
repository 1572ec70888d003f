-- quantity.lua - what the metrics of a machine's groups show: traffic across boundaries, and counts of the code itself.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A quantity is { name =, group =, metric =, unit =, boundary =, direction =, kind =, scope =, tolerance_pct =, errata = {..} }:
--   name        what patterns call it: "L1-L2 load volume" (boundary, direction and kind of traffic), or a count's own name
--   kind        "volume" | "bandwidth" | "count" | "ratio" | "slice" (the volume that goes through one box)
--   boundary, direction     of traffic only; the directions are those of model.traffic
--   boxes       of slices only: how many boxes share the traffic
-- Whatever is shown per thread has a quantity more, its ratio: the first thread's value / the second thread's. `of` is then the
-- metric that the two values are of, and the tolerance is twice its own, for both may be off.
local array = require "array"
local formula = require "formula"

local quantity = {}

local KINDS = { "volume", "bandwidth" }
local DIRECTIONS = { "load", "evict", "total" }
quantity.RATIO = ", thread 0 : 1" -- behind the name of a ratio

local function metric_of(group, name)
    for _, metric in ipairs(group.metrics) do
        if metric.name == name then
            return metric
        end
    end
    return nil
end

local function find_metric(machine, entry, group, name)
    local metric = metric_of(group, name)
    if metric then
        return metric
    end
    local place = machine.file and ("%s:%d: "):format(machine.file, entry.line) or ""
    error(("%sgroup %s has no metric '%s'"):format(place, group.name, name), 0)
end

-- Ids of the published errata that name an event of this metric.
local function find_errata(machine, group, metric)
    local used, ids = {}, array()
    for _, name in ipairs(formula.parse(metric.formula).names) do
        used[name] = true
    end
    for _, erratum in ipairs(machine.errata) do
        for _, event in ipairs(group.events) do
            if used[event.name] and table.concat(erratum.events, " "):find("%f[%w_]" .. event.event .. "%f[^%w_]") then
                ids[#ids + 1] = erratum.id
                break
            end
        end
    end
    return ids
end

local function find_group(machine, groups, entry)
    local group = groups[entry.group]
    if not group then
        error(("machine %s names group %s, which is not there"):format(machine.arch, entry.group), 0)
    end
    return group
end

local function make(machine, groups, entry, metric_name, more)
    local group = find_group(machine, groups, entry)
    local metric = find_metric(machine, entry, group, metric_name)
    more.group, more.metric, more.unit = entry.group, metric.name, metric.unit
    more.scope, more.tolerance_pct = entry.scope, entry.tolerance_pct
    more.errata = find_errata(machine, group, metric)
    return more
end

-- The ratio of two threads' values of `one`.
function quantity.ratio(one)
    return {
        name = one.name .. quantity.RATIO,
        group = one.group,
        metric = one.metric .. quantity.RATIO,
        of = one.metric,
        boundary = one.boundary,
        direction = one.direction,
        kind = "ratio",
        scope = one.scope,
        tolerance_pct = 2 * one.tolerance_pct,
        errata = one.errata,
    }
end

local function add_traffic(found, machine, groups, entry)
    for _, kind in ipairs(KINDS) do
        for _, direction in ipairs(DIRECTIONS) do
            found[#found + 1] = make(machine, groups, entry, entry[kind][direction], {
                name = ("%s %s %s"):format(entry.boundary, direction, kind),
                boundary = entry.boundary,
                direction = direction,
                kind = kind,
            })
        end
    end
end

-- A part of the traffic: its sum and, of each box that the group counts, its own.
local function add_part(found, machine, groups, entry)
    local function part(kind, metric, more)
        more.name = ("%s %s %s"):format(entry.boundary, entry.direction, metric)
        more.boundary, more.direction, more.kind = entry.boundary, entry.direction, kind
        return make(machine, groups, entry, metric, more)
    end
    found[#found + 1] = part("volume", entry.metric, {})
    local group, boxes = groups[entry.group], 0
    while metric_of(group, entry.metric_of_box:format(boxes)) do
        boxes = boxes + 1
    end
    if boxes == 0 then
        find_metric(machine, entry, group, entry.metric_of_box:format(0))
    end
    for box = 0, boxes - 1 do
        found[#found + 1] = part("slice", entry.metric_of_box:format(box), { boxes = boxes })
    end
end

-- The traffic across one boundary ("L3-MEM"), in the machine file's order. `groups` maps names to group.parse results, or to what
-- boxes.fit left of them on a node.
function quantity.traffic(machine, groups, boundary)
    local found = {}
    for _, entry in ipairs(machine.traffic) do
        if entry.boundary == boundary and entry.volume then
            add_traffic(found, machine, groups, entry)
        elseif entry.boundary == boundary and entry.metric_of_box then
            add_part(found, machine, groups, entry)
        end
    end
    return found
end

-- All that is known under `key`, a boundary or a count's name, ratios included: whatever a sample may be of.
function quantity.list(machine, groups, key)
    local found = quantity.traffic(machine, groups, key)
    for _, entry in ipairs(machine.traffic) do
        if entry.quantity == key then
            found[#found + 1] = make(machine, groups, entry, entry.metric, { name = entry.quantity, kind = "count" })
        end
    end
    for index = 1, #found do
        if found[index].scope == "core" then
            found[#found + 1] = quantity.ratio(found[index])
        end
    end
    return found
end

-- The quantities called `name`, one for each group that shows it.
function quantity.named(machine, groups, name)
    local found, seen = {}, {}
    for _, entry in ipairs(machine.traffic) do
        if not seen[entry.boundary] then
            seen[entry.boundary] = true
            for _, one in ipairs(quantity.list(machine, groups, entry.boundary)) do
                if one.name == name then
                    found[#found + 1] = one
                end
            end
        end
    end
    return found
end

return quantity
