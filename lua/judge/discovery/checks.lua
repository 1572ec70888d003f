-- checks.lua - do metrics of other group files show what Assay's metrics of the same names show?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What a metric is to show is that of the metric of Assay's groups that has its name, or the name that probes/quantities.txt has beside it
-- (quantities.lua): never what its own events are said to count, which is what is asked. Metrics with a division or of time are left out.
--
-- A finding is { group =, metric =, quantity = Assay's name for it |nil, events = in words, verdict = "right" | "wrong" |nil, error_pct =,
-- row = a row's title: the worst of those that have some |nil, stray = { count =, row = }: of those that have none |nil, reason = why there
-- is no verdict |nil }.
local array = require "input.array"
local boxes = require "plan.boxes"
local events = require "judge.events.events"
local lists = require "input.lists"
local quantities = require "judge.discovery.quantities"
local sums = require "judge.discovery.sums"

local checks = {}

-- { [any name of a quantity] = it }
local function by_name(wanted)
    local known = {}
    for _, quantity in ipairs(wanted) do
        for _, name in ipairs(quantity.names) do
            known[name] = known[name] or quantity
        end
    end
    return known
end

-- "A + 2 B:OPTION"
local function words_of(weights)
    local parts = {}
    for _, event in ipairs(lists.sorted(weights)) do
        if weights[event] ~= 0 then
            parts[#parts + 1] = weights[event] == 1 and event or ("%.4g %s"):format(weights[event], event)
        end
    end
    return table.concat(parts, " + ")
end

-- Adds to the finding what the metric's events, { [event with options] = counts of the quantity each }, are found to show.
local function judge(argument, made, finding, quantity, weights)
    local slopes, factors, is_core = {}, {}, true
    for i, event in ipairs(argument.plan.events) do
        local weight = weights[quantities.key(event)]
        if weight and weight ~= 0 then
            local measured = argument.findings[i]
            if not measured.slopes then
                finding.reason = ("%s has no value here: %s"):format(event.event, measured.reason)
                return
            end
            slopes[#slopes + 1], factors[#factors + 1] = measured.slopes, weight
            is_core = is_core and events.is_core(event)
        end
    end
    local expected, slacks = made[is_core].expect(quantity.terms), made[is_core].slacks
    finding.verdict = sums.are_right(slopes, factors, expected, slacks) and "right" or "wrong"
    local off, stray = sums.worst(slopes, factors, expected, slacks)
    local rows = argument.plan.rows
    finding.error_pct, finding.row = off and off.error_pct, off and rows[off.row].title
    finding.stray = stray and { count = stray.count, row = rows[stray.row].title }
end

-- One metric: its finding, and the quantity where it has one. nil: it is no sum of events.
local function find_one(argument, made, known, group, metric)
    local weights = quantities.weights(metric)
    if not weights then
        return nil
    end
    local finding = { group = group.name, metric = metric.name }
    local quantity = known[metric.name] or known[argument.names[metric.name]]
    local of_events, reason = quantities.by_event(group, weights)
    if not of_events then
        finding.reason = reason
    elseif not quantity then
        finding.reason = "it is not known what it is to show: Assay has no metric of this name; probes/quantities.txt has others' names"
    elseif quantity.unit ~= metric.unit then
        finding.reason = ("%s is in %s"):format(quantity.name, quantity.unit or "counts")
    end
    if finding.reason then
        return finding
    end
    for event, weight in pairs(of_events) do
        of_events[event] = weight / quantity.scale
    end
    finding.quantity, finding.events = quantity.name, words_of(of_events)
    judge(argument, made, finding, quantity, of_events)
    return finding, quantity
end

-- { checked = { [name] = group }, names = { [others' name] = ours }, plan =, findings =, machine =, node = } as in discovery.lua, with what
-- the rows make (surveys of events.lua) and the quantities of Assay's groups -> array of findings, and the array of those quantities that
-- they are of.
function checks.find(argument, made, wanted)
    local known, found, asked, is_asked = by_name(wanted), array(), array(), {}
    for _, name in ipairs(lists.sorted(argument.checked)) do
        local group = boxes.fit(argument.checked[name], argument.machine, argument.node)
        for _, metric in ipairs(group.metrics) do
            local finding, quantity = find_one(argument, made, known, group, metric)
            found[#found + 1] = finding
            if quantity and not is_asked[quantity] then
                is_asked[quantity], asked[#asked + 1] = true, quantity
            end
        end
    end
    return found, asked
end

return checks
