-- quantity.lua - quantities that the metrics of a machine's groups show: traffic across boundaries, and counts of the code itself.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A quantity is { name =, group =, metric =, unit =, boundary =, direction =, kind =, scope =, tolerance_pct =, virtual_pct =,
-- errata = {..} }:
--   name        as patterns call it: "L1-L2 load volume" (boundary, direction and kind of traffic), or the name of a count
--   kind        "volume" | "bandwidth" | "count" | "rate" (a count over the region's time) | "ratio" | "slice" (the volume through
--               one box)
--   boundary, direction     of traffic only; the directions are those of model.traffic
--   boxes, seen of the volume through some boxes: number of boxes that share the traffic, number of these in the metric (1)
--   tolerance_pct   the machine file's, but at least virtual_pct and the error of right counters of silicon (architecture.lua: silicon)
--   virtual_pct the tolerance on a virtual node without noise; the machine file's tolerance_pct unless it states it
--   opportunistic true: measured only if the runs for others leave counters free
--   code        of counts only: what the events count of the code, { avx_calc = 1 } (model/code.lua) |nil
--   times       of counts only: the metric is this many times the pattern's quantity (1)
--   part        of counts only: { seen =, of = } boxes, if the group counts only some of them
-- Each quantity per thread has an additional one, its ratio: the first thread's value / the second thread's. `of` is then the metric
-- of the two values, and the tolerance is doubled, because both values may be wrong.
local array = require "input.array"
local data = require "input.bytes"
local group_file = require "input.group"
local lists = require "input.lists"
local words = require "input.pattern_words"

local quantity = {}

local KINDS = { "volume", "bandwidth" }
local DIRECTIONS = { "load", "evict", "total" }

local function complain(entry, group, what)
    local place = entry.file and ("%s:%d: "):format(entry.file, entry.line) or ""
    error(("%sgroup %s %s"):format(place, group.name, what), 0)
end

local function find_metric(entry, group, name)
    local metric = group_file.metric(group, name) or complain(entry, group, ("has no metric '%s'"):format(name)
        .. (entry.quantity and ("; add it, or make '%s' an `absent` of `cannot`"):format(entry.quantity) or ""))
    if not entry.quantity and not data.of(metric.unit) then
        complain(entry, group, ("has metric '%s' in no unit of data, [MBytes] or [GBytes]"):format(name))
    end
    return metric
end

-- The words in an erratum's list of events, as a set; by list, because all metrics ask again.
local words_of = setmetatable({}, { __mode = "k" })

local function names_event(erratum, event)
    local named = words_of[erratum.events]
    if not named then
        named = {}
        for word in table.concat(erratum.events, " "):gmatch "[%w_]+" do
            named[word] = true
        end
        words_of[erratum.events] = named
    end
    return named[event.event]
end

-- Ids of the published errata that name an event of this metric.
local function find_errata(machine, group, metric)
    local events = group_file.events_of(group, metric)
    return lists.append(array(), machine.errata, function(erratum)
        return lists.any(events, function(event) return names_event(erratum, event) end) and erratum.id
    end)
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
    local metric = find_metric(entry, group, metric_name)
    more.group, more.metric, more.unit = entry.group, metric.name, metric.unit
    more.scope, more.virtual_pct = entry.scope, entry.virtual_pct or entry.tolerance_pct
    more.tolerance_pct = math.max(entry.tolerance_pct, machine.silicon and more.virtual_pct + machine.silicon.error_pct or 0)
    more.errata = find_errata(machine, group, metric)
    return more
end

-- The ratio of two threads' values of `one`.
function quantity.ratio(one)
    return {
        name = one.name .. words.RATIO,
        group = one.group,
        metric = one.metric .. words.RATIO,
        of = one.metric,
        boundary = one.boundary,
        direction = one.direction,
        kind = "ratio",
        scope = one.scope,
        tolerance_pct = 2 * one.tolerance_pct,
        virtual_pct = 2 * one.virtual_pct,
        errata = one.errata,
    }
end

local function add_traffic(found, machine, groups, entry)
    for _, kind in ipairs(KINDS) do
        for _, direction in ipairs(DIRECTIONS) do
            local metric = (entry[kind] or {})[direction]
            if metric then
                found[#found + 1] = make(machine, groups, entry, metric, {
                    name = ("%s %s %s"):format(entry.boundary, direction, kind),
                    boundary = entry.boundary,
                    direction = direction,
                    kind = kind,
                })
            end
        end
    end
end

-- Adds a part of the traffic: the sum and the volume of each counted box, or the volume through some of the boxes.
local function add_part(found, machine, groups, entry)
    local function part(kind, metric, more)
        more.opportunistic = entry.spare
        more.name = ("%s %s %s"):format(entry.boundary, entry.direction, metric)
        more.boundary, more.direction, more.kind = entry.boundary, entry.direction, kind
        return make(machine, groups, entry, metric, more)
    end
    if entry.boxes then
        found[#found + 1] = part(entry.boxes == 1 and "slice" or "volume", entry.metric,
            { boxes = entry.of_boxes, seen = entry.boxes })
    else
        found[#found + 1] = part("volume", entry.metric, {})
    end
    if entry.bandwidth then
        found[#found + 1] = part("bandwidth", entry.bandwidth, { boxes = entry.of_boxes, seen = entry.boxes })
    end
    if not entry.metric_of_box then
        return
    end
    local group, boxes = groups[entry.group], 0
    while group_file.metric(group, entry.metric_of_box:format(boxes)) do
        boxes = boxes + 1
    end
    if boxes == 0 then
        find_metric(entry, group, entry.metric_of_box:format(0))
    end
    for box = 0, boxes - 1 do
        found[#found + 1] = part("slice", entry.metric_of_box:format(box), { boxes = boxes })
    end
end

-- Why the node's groups show no metric of the entry; nil if they do (boxes.fit_all).
local function why_unfit(groups, entry)
    return entry.group and groups[entry.group] and groups[entry.group].unfit
end

-- The traffic across one boundary ("L3-MEM"), in the machine file's order. `groups` maps names to results of group.parse or
-- boxes.fit.
function quantity.traffic(machine, groups, boundary)
    local found = {}
    local own = lists.filter(machine.traffic, function(entry) return entry.boundary == boundary and not why_unfit(groups, entry) end)
    for _, entry in ipairs(own) do
        if entry.volume then
            add_traffic(found, machine, groups, entry)
        elseif entry.direction then
            add_part(found, machine, groups, entry)
        end
    end
    return found
end

-- All quantities of `key`, a boundary or a count's name, ratios included: everything that a sample may belong to.
function quantity.list(machine, groups, key)
    local found = quantity.traffic(machine, groups, key)
    lists.append(found, machine.traffic, function(entry)
        return entry.quantity == key and not why_unfit(groups, entry) and make(machine, groups, entry, entry.metric,
            { name = entry.quantity, kind = entry.rate and "rate" or "count", code = entry.code, times = entry.times,
                part = entry.boxes and { seen = entry.boxes, of = entry.of_boxes } })
    end)
    for index = 1, #found do
        if found[index].scope == "core" then
            found[#found + 1] = quantity.ratio(found[index])
        end
    end
    return found
end

-- All quantities of the machine, in its file's order.
function quantity.all(machine, groups)
    return lists.flat(lists.distinct(machine.traffic, {}, "boundary"), function(key) return quantity.list(machine, groups, key) end)
end

-- The quantities of that name, one for each group that shows it.
function quantity.named(machine, groups, name)
    return lists.filter(quantity.all(machine, groups), function(one) return one.name == name end)
end

-- Directions that the groups of a boundary ("L2-L3") do not show, or only wrongly on this node: { { name = "L2-L3 evict", group =,
-- reason = } .. }.
function quantity.lacking(machine, boundary, groups)
    local found, seen = {}, {}
    for _, entry in ipairs(machine.traffic) do
        for _, direction in ipairs(entry.boundary == boundary and entry.lacks and DIRECTIONS or {}) do
            if entry.lacks[direction] then
                local name = ("%s %s"):format(boundary, direction)
                found[#found + 1] = { name = name, group = entry.group, reason = entry.lacks[direction] }
            end
        end
        local direction = entry.direction or entry.volume and "total"
        local unfit = entry.boundary == boundary and direction and why_unfit(groups, entry)
        if unfit and not seen[entry.group] then
            seen[entry.group] = true
            found[#found + 1] = { name = ("%s %s"):format(boundary, direction), group = entry.group, reason = unfit }
        end
    end
    return found
end

-- Why no group shows the quantity or boundary `name`.
function quantity.why_none(machine, name, groups)
    local absent = lists.find(machine.cannot or {}, function(one)
        return one.quantity == name or one.quantity == name:match "^L%d%-%S+"
    end)
    local unfit = lists.find(machine.traffic, function(entry) return entry.quantity == name and why_unfit(groups, entry) end)
    local direction = name:gsub(" %a+$", "")
    local lack = absent or lists.find(quantity.lacking(machine, name:match "^%S+", groups), function(one) return one.name == direction end)
    if unfit and not absent then
        return ("%s (%s): %s"):format(name, unfit.group, why_unfit(groups, unfit))
    elseif lack then
        return ("%s: %s"):format(name, lack.reason)
    end
    return ("%s shows %s"):format(machine.none or "no group of " .. machine.arch, name)
end

return quantity
