-- pack.lua - puts the events of several groups into as few runs as the machine's counters allow.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- First fit: a whole group goes into the first run with room for it, else into a new run. A group that needs more counters than there are
-- is split by metrics: each metric goes with all events of its formula into the first run with room. Equal events on the same box are
-- counted once. An event keeps its counter if that is free; else it moves to the lowest free counter of its box, unless the box's
-- counters are fixed to events, or the machine file allows the event on certain counters only.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"
local own_values = require "plan.own_values"

local pack = {}

-- "MBOX3C1" -> "MBOX3C", 1 and the machine's entry of its box ("MBOX"); "PMC2" -> "PMC", 2. nil if there is none.
function pack.locate(machine, counter)
    local slot, index = counter:match("^(.-)(%d+)$")
    for _, box in ipairs(machine.counters) do
        local number = slot and (slot == box.name and 0 or box.boxes and tonumber(slot:match("^" .. box.name .. "(%d+)C$")))
        if number and number < (box.boxes or 1) then
            return slot, tonumber(index), box
        end
    end
    return nil
end

-- All counters of a box share its filter register: options that set it must agree within a run.
local function filters_agree(box, slots, event)
    return lists.all(box.shared_options or {}, function(option)
        local pattern = "%f[%w]" .. option .. "=(%w+)"
        local wanted = event.options:match(pattern)
        return not wanted or lists.all(lists.sorted(slots), function(index)
            return (slots[index].options:match(pattern) or wanted) == wanted
        end)
    end)
end

local function find_same(slots, event, box)
    for index = 0, box.count - 1 do
        local other = slots[index]
        if other and other.event == event.event and other.options == event.options then
            return index
        end
    end
    return nil
end

-- May that counter of its box count the event?
local function may_use(box, event, index)
    local allowed = (box.only or {})[event.event]
    return allowed and lists.contains(allowed, index) or not allowed and index < box.count
end

local function find_free(slots, index, box, event)
    if not slots[index] and may_use(box, event, index) then
        return index
    end
    if box.fixed then
        return nil
    end
    for other = 0, box.count - 1 do
        if not slots[other] and may_use(box, event, other) then
            return other
        end
    end
    return nil
end

-- Places all events into a copy of the run's slots. Returns the copy and the counter map, or nil if there is no room.
local function place(run, events, machine)
    local slots, counters = {}, {}
    for slot, taken in pairs(run) do
        slots[slot] = lists.copy(taken)
    end
    for _, event in ipairs(events) do
        local slot, index, box = pack.locate(machine, event.counter)
        if not slot then
            error(("%s has no counter %s (event %s)"):format(machine.arch, event.counter, event.event), 0)
        end
        slots[slot] = slots[slot] or {}
        local at = find_same(slots[slot], event, box)
        if not at and filters_agree(box, slots[slot], event) then
            at = find_free(slots[slot], index, box, event)
        end
        if not at then
            return nil
        end
        slots[slot][at] = slots[slot][at] or event
        counters[event.name] = group_file.with_options(slot .. at, event.options)
    end
    return slots, counters
end

local function list_events(slots)
    local events = array()
    for _, slot in ipairs(lists.sorted(slots)) do
        lists.append(events, lists.sorted(slots[slot]), function(index)
            local event = slots[slot][index]
            return { counter = slot .. index, event = event.event, options = event.options, selector = event.selector,
                scope = event.scope }
        end)
    end
    return events
end

-- The run as a LIKWID group file. Only raw counts are judged; metrics are included for comparison only.
local function write_text(name, names, events, metrics)
    local lines = { "SHORT " .. name .. ": " .. table.concat(names, ", "), "", "EVENTSET" }
    lists.append(lines, events, function(event) return group_file.with_options(event.counter, event.options) .. " " .. event.event end)
    lists.append(lines, { "", "METRICS", "Runtime (RDTSC) [s] time" })
    lists.append(lines, metrics)
    return table.concat(lists.append(lines, { "", "LONG", "Events of several groups, packed into one run.", "" }), "\n")
end

-- Puts the events into the first open run with room, else into a new run (not if they are opportunistic). Returns the run; nil if there
-- is no room.
local function add(open, group, events, machine, is_opportunistic)
    local slots, counters
    local target = lists.find(open, function(run)
        slots, counters = place(run.slots, events, machine)
        return slots
    end)
    if not target then
        slots, counters = place({}, events, machine)
        if not slots or is_opportunistic then
            return nil
        end
        target = { names = {}, counters = {} }
        open[#open + 1] = target
    end
    target.slots = slots
    if not target.counters[group.name] then
        target.names[#target.names + 1] = group.name
    end
    target.counters[group.name] = target.counters[group.name] or {}
    lists.merge(target.counters[group.name], counters)
    return target
end

-- The events of a metric's formula and the group's events of fixed counters, which take no counter from others.
local function events_of(group, metric, machine)
    return group_file.events_of(group, metric, function(event)
        local _, _, box = pack.locate(machine, event.counter)
        return box and box.fixed
    end)
end

local function add_by_metrics(open, group, machine, left_out, is_opportunistic)
    for _, metric in ipairs(group.metrics) do
        local run = add(open, group, events_of(group, metric, machine), machine, is_opportunistic)
        if run then
            run.shown = run.shown or {}
            run.shown[group.name] = run.shown[group.name] or {}
            run.shown[group.name][metric.name] = true
        else
            local reason = ("metric '%s' of group %s needs more counters than %s has"):format(metric.name, group.name, machine.arch)
            left_out[#left_out + 1] = { group = group.name, metric = metric.name, reason = reason }
        end
    end
end

-- { groups = array of group.parse results, machine =, opportunistic = more groups |nil, measured whole or by metrics if the runs of
--   `groups` have counters left } -> array of runs
-- { name =, text =, events = { { counter =, event =, options =, selector =, scope = (both interface.lua) |nil } .. },
--   counters = { [group] = { [its counter] = the run's counter } },
--   own = { [name] = { group =, metric = } } of the metrics that LIKWID computes in it (own_values.lua),
--   shown = { [group] = { [metric] = true } } for split groups: metrics that this run measures |nil },
-- and an array of the metrics of `groups` for which there are not enough counters, { group =, metric =, reason = }.
function pack.runs(argument)
    local open, left_out = {}, {}
    for _, group in ipairs(argument.groups) do
        if not add(open, group, group.events, argument.machine) then
            add_by_metrics(open, group, argument.machine, left_out)
        end
    end
    for _, group in ipairs(argument.opportunistic or {}) do
        if not add(open, group, group.events, argument.machine, true) then
            add_by_metrics(open, group, argument.machine, {}, true)
        end
    end
    local runs = array()
    for number, run in ipairs(open) do
        local name, events = "ASSAY_RUN_" .. number, list_events(run.slots)
        local metrics, own = own_values.lines(run, argument.groups)
        runs[number] = { name = name, events = events, counters = run.counters, shown = run.shown, own = own,
            text = write_text(name, run.names, events, metrics) }
    end
    return runs, left_out
end

-- Does the run measure all events of that metric?
function pack.shows(run, group, metric)
    return run.counters[group] ~= nil and (not (run.shown and run.shown[group]) or run.shown[group][metric] == true)
end

return pack
