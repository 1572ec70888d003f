-- quantity.lua - which metrics of which groups show the traffic across given boundaries on a machine.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "array"
local formula = require "formula"

local quantity = {}

local KINDS = { "volume", "bandwidth" }
local DIRECTIONS = { "load", "evict", "total" }

local function find_metric(group, name)
    for _, metric in ipairs(group.metrics) do
        if metric.name == name then
            return metric
        end
    end
    error(("group %s has no metric '%s' (machine.lua names it)"):format(group.name, name), 0)
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

-- All quantities of one boundary ("L3-MEM"), each { group =, metric =, unit =, boundary =, direction =, kind =, scope =,
-- tolerance_pct =, errata = {..} }, in the machine file's order. `groups` maps names to group.parse results.
function quantity.list(machine, groups, boundary)
    local found = {}
    for _, traffic in ipairs(machine.traffic) do
        if traffic.boundary == boundary then
            local group = groups[traffic.group]
            if not group then
                error(("machine %s names group %s, which is not there"):format(machine.arch, traffic.group), 0)
            end
            for _, kind in ipairs(KINDS) do
                for _, direction in ipairs(DIRECTIONS) do
                    local metric = find_metric(group, traffic[kind][direction])
                    found[#found + 1] = {
                        group = traffic.group,
                        metric = metric.name,
                        unit = metric.unit,
                        boundary = boundary,
                        direction = direction,
                        kind = kind,
                        scope = traffic.scope,
                        tolerance_pct = traffic.tolerance_pct,
                        errata = find_errata(machine, group, metric),
                    }
                end
            end
        end
    end
    return found
end

return quantity
