-- event_set.lua - selects the events for a survey, and the counters that count each of them.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local boxes = require "plan.boxes"
local checked = require "events.plan.checked"
local event_counters = require "plan.event_counters"
local group_file = require "input.group"
local lists = require "input.lists"

local event_set = {}

-- Adds an event with its options to the list; returns nil if it is already there.
local function add(found, event, options)
    for _, one in ipairs(found) do
        if one.event == event and one.options == options then
            return nil
        end
    end
    found[#found + 1] = { event = event, options = options, counters = array(), name = "E" .. #found + 1 }
    return found[#found]
end

-- Adds each event (with options) of all groups, { [name] = group }, once.
local function add_groups(found, context, groups)
    for _, name in ipairs(lists.sorted(groups)) do
        local group, here = boxes.fit(groups[name], context.machine, context.node), {}
        for _, event in ipairs(group.events) do
            local key = event.event .. " " .. event.options
            here[key] = here[key] or add(found, event.event, event.options)
            if here[key] then
                table.insert(here[key].counters, event.counter)
            end
        end
    end
end

-- Adds events of LIKWID's list that are in no group. `only` gets counters to which single events are bound.
local function add_list(found, context, only)
    local of_groups = lists.set(found, "event")
    for _, one in ipairs(context.list) do
        local counters, bound = event_counters.find(one.counters, context.machine, context.node)
        local event = not of_groups[one.event] and add(found, one.event, "")
        if event and counters then
            event.counters, only[one.event] = counters, next(bound) and bound
        end
    end
end

-- The events with the wanted names; each must exist.
local function choose(found, wanted, arch)
    local known = lists.set(found, "event")
    local unknown = lists.find(wanted, function(name) return not known[name] end)
    if unknown then
        error(("%s: no event of %s; likwid-perfctr -e lists them"):format(unknown, arch), 0)
    end
    return array(lists.filter(found, function(event) return lists.contains(wanted, event.event) end))
end

-- Adds events that checked metrics of users' groups need, and events of the Assay metrics with which they are compared. Returns the
-- names of all.
local function add_checked(found, context)
    local names = array()
    if not context.checked then
        return names
    end
    local needed = checked.needed(context)
    for _, one in pairs(needed) do
        lists.append(names, one.events, "event")
    end
    add_groups(found, context, needed)
    return lists.append(names, checked.own_events(context))
end

-- The event as a LIKWID group, for pack.lua.
function event_set.as_group(event)
    local group = { name = event.name, events = array(), metrics = array() }
    for i, counter in ipairs(event.counters) do
        group.events[i] = { name = group_file.with_options(counter, event.options), counter = counter, event = event.event,
            options = event.options }
    end
    return group
end

-- { groups =, list =, machine =, node =, events = names, all = |nil, checked = { [name] = user's group } |nil, names = as in checked.lua
-- } as in events.lua -> array of its `event`s: those of the groups, with `all` also those of the list; or the named ones of both; or
-- those needed by checks of `checked`; and for event_counters.bound { [event] = { [box's name] = indices } }.
function event_set.choose(argument)
    local found, only = array(), {}
    add_groups(found, argument, argument.groups)
    if argument.all or argument.checked or #argument.events > 0 then
        add_list(found, argument, only)
    end
    local wanted = add_checked(found, argument)
    lists.append(wanted, argument.events)
    local is_chosen = argument.checked or #argument.events > 0
    return is_chosen and choose(found, wanted, argument.machine.arch) or found, only
end

return event_set
