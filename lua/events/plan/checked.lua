-- checked.lua - decides which metrics of a user's group files can be checked, by which events, and why others cannot.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- checked.find{ checked = { [group's name] = group.parse_each(), or { refused = why the file is invalid } }, names =
-- concepts.quantities(), groups = Assay's, machine =, node =, list = event_list.read() } -> array of metrics in the files' order:
--   { group =, metric = ("-" for an invalid file), unit = |nil, quantity = what it should show (concepts.quantities) |nil, over = sum
--     |nil, under = sum |nil, factor = amount of one unit, per_time = is the formula a rate?, reason = why it is not checked |nil,
--     is_broken = true if the file is the reason |nil, documented = another formula in the group's text |nil },
--   sum = { [group.key(event)] = weight }.
local array = require "input.array"
local boxes = require "plan.boxes"
local bytes = require "input.bytes"
local documented = require "input.documented"
local event_counters = require "plan.event_counters"
local formula = require "input.formula"
local group_file = require "input.group"
local lists = require "input.lists"
local pack = require "plan.pack"
local quotient = require "input.quotient"

local checked = {}

-- Does the name match the pattern, in which each '*' matches any text?
local function fits(pattern, name)
    local escaped = pattern:gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0"):gsub("%*", ".*")
    return name:find("^" .. escaped .. "$") ~= nil
end

local function rank_of(entry)
    return (entry.group and 2 or 0) + (entry.name:find("*", 1, true) and 0 or 1)
end

-- The entry for the metric. Order of preference: an entry for its group, one with a plain name, one with '*'; of equals the first.
local function entry_of(names, group, metric)
    local fitting = lists.filter(names, function(one) return (not one.group or one.group == group) and fits(one.name, metric) end)
    return lists.best(fitting, function(one, best) return rank_of(one) > rank_of(best) end)
end

-- Do Assay's groups have a metric of that name?
local function is_own(groups, name)
    return lists.any(lists.sorted(groups), function(group) return group_file.metric(groups[group], name) end)
end

-- The quantity that the metric should show. A bandwidth is the volume of that name, per second.
local function quantity_of(argument, group, metric)
    local volume = metric.name:gsub("data bandwidth", "bandwidth"):gsub("bandwidth", "data volume")
    for _, name in ipairs { metric.name, volume } do
        local found = entry_of(argument.names, group.name, name)
        if found or is_own(argument.groups, name) then
            return found or { of = name }
        end
    end
    return nil
end

-- May the counter count an event that LIKWID's list allows on `words`?
local function is_allowed(words, counter)
    if not words:find "%d$" or not event_counters.is_core(counter) then
        return words:match "^%a+" == counter:match "^%a+"
    end
    return lists.contains(lists.words(words, "[^|]+"), counter)
end

-- Why its counter cannot count the event, by LIKWID's list and the machine file; and true if the user's group file is wrong.
local function refusal(argument, event)
    local arch, counter, words = argument.machine.arch, event.counter, (argument.listed[event.event] or {}).counters
    local slot, index, box = pack.locate(argument.machine, counter)
    local count = box and ((argument.node.smt or 1) == 1 and box.without_smt or box.count)
    if not slot and not argument.kinds[counter:match "^%a+"] then
        return ("groups/%s/machine.lua knows no counter %s"):format(arch, counter)
    elseif not slot or index >= count then
        return ("%s has no counter %s"):format(arch, counter) .. (slot and ("; the last one is %s%d"):format(slot, count - 1) or ""), true
    elseif not words then
        return ("%s is no event of %s; likwid-perfctr -e lists them"):format(event.event, arch), true
    elseif not is_allowed(words, counter) then
        return ("%s counts on %s, not on %s"):format(event.event, words, counter), true
    end
    return nil
end

-- Converts a sum of counters { [name] = weight } to a sum of events; nil, the reason, and true if the group file is wrong.
local function by_event(argument, group, counters)
    local found, weight_of = {}, {}
    for _, event in ipairs(group.events) do
        local key, weight = group_file.key(event), counters[event.name]
        if weight then
            local reason, is_broken = refusal(argument, event)
            if reason then
                return nil, reason, is_broken
            end
            found[key] = weight
        end
        if weight_of[key] and weight_of[key] ~= (weight or 0) then
            return nil, ("it adds up some of the boxes of %s only"):format(event.event), true
        end
        weight_of[key] = weight or 0
    end
    return found
end

-- Adds the formula's sums, or the reason why it is not checked.
local function take_formula(argument, group, metric, found)
    local parts = quotient.of(metric.parsed or formula.parse(metric.formula))
    if not parts then
        found.reason = "its formula is neither a sum of events nor a quotient of two sums"
        return
    end
    found.per_time = parts.per_time
    for _, side in ipairs { "over", "under" } do
        if parts[side] and not found.reason then
            found[side], found.reason, found.is_broken = by_event(argument, group, parts[side])
        end
    end
end

local function take_unit(metric, found)
    local unit = metric.unit or metric.name:match "^%a+/s$" -- "MFLOP/s" without brackets is both name and unit
    local factor, is_rate = bytes.read(unit)
    found.factor = factor
    if not factor then
        found.reason = ("no quantity of the probes has the unit %s"):format(unit)
    elseif is_rate ~= found.per_time then
        found.reason, found.is_broken = is_rate and ("its unit is %s, but its formula is not divided by time"):format(unit)
            or "its formula is divided by time, but its unit is not a rate", true
    end
end

-- Checks one metric of a group that fits the node.
local function find_one(argument, group, metric)
    local found = { group = group.name, metric = metric.name, unit = metric.unit, quantity = quantity_of(argument, group, metric) }
    if found.quantity and found.quantity.why then
        found.reason = found.quantity.why
        return found
    end
    take_formula(argument, group, metric, found)
    if not found.reason then
        take_unit(metric, found)
    end
    if not found.reason and not found.quantity then
        found.reason = "nobody says what a metric of this name is to show; probes/quantities.txt has a line for each name"
    end
    return found
end

-- Adds listed = { [event] = its entry in LIKWID's list } and kinds = set of the machine's kinds of counters to the argument.
local function with_lists(argument)
    return setmetatable({ listed = lists.index(argument.list, "event"), kinds = lists.set(argument.machine.counters, "name") },
        { __index = argument })
end

function checked.find(argument)
    local known, found = with_lists(argument), array()
    for _, name in ipairs(lists.sorted(argument.checked)) do
        local refused = argument.checked[name].refused
        local others = not refused and documented.differing(argument.checked[name])
        local group = not refused and boxes.fit(argument.checked[name], argument.machine, argument.node)
        if refused then
            found[#found + 1] = { group = name, metric = "-", reason = refused, is_broken = true }
        end
        for _, one in ipairs(argument.checked[name].broken or {}) do
            found[#found + 1] = { group = name, metric = one.name, reason = one.reason, is_broken = true }
        end
        for _, metric in ipairs(group and group.metrics or {}) do
            found[#found + 1] = find_one(known, group, metric)
            found[#found].documented = others[metric.name]
        end
    end
    return found
end

-- The groups, reduced to events of metrics to be checked: { [name] = group }.
function checked.needed(argument)
    local wanted, needed = {}, {}
    for _, one in ipairs(checked.find(argument)) do
        local keys = wanted[one.group] or {}
        wanted[one.group] = keys
        for _, side in ipairs(one.reason and {} or { "over", "under" }) do
            for key in pairs(one[side] or {}) do
                keys[key] = true
            end
        end
    end
    for name, keys in pairs(wanted) do
        local events = array(lists.collect(argument.checked[name].events or {}, function(event)
            return keys[group_file.key(event)] and event or nil
        end))
        needed[name] = { name = name, events = events, metrics = array() }
    end
    return needed
end

-- Names of events of those Assay metrics with which these metrics are compared.
function checked.own_events(argument)
    local names = array()
    for _, one in ipairs(checked.find(argument)) do
        for _, group in pairs(not one.reason and one.quantity.of and argument.groups or {}) do
            local metric = group_file.metric(group, one.quantity.of)
            lists.append(names, metric and group_file.events_of(group, metric) or {}, "event")
        end
    end
    return names
end

return checked
