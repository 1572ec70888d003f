-- signature.lua - chooses the groups and metrics for a pattern's signature on a machine, and the events for all signatures.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A signature is the conjunction of its tests (schema.lua). For each quantity of a test the machine's first metric is taken; a
-- metric over time only if no other metric shows the quantity.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"
local pack = require "plan.pack"
local quantity = require "plan.quantity"

local signature = {}

local RATE = { rate = true }

local function find(machine, groups, name)
    local rate
    for _, one in ipairs(quantity.named(machine, groups, name)) do
        if not RATE[one.kind] then
            return one
        end
        rate = rate or one
    end
    return rate
end

-- The quantity of the first name that the machine shows; nil and the reason for the first name.
function signature.first_of(machine, groups, names)
    for _, name in ipairs(names) do
        local one = find(machine, groups, name)
        if one then
            return one
        end
    end
    return nil, quantity.why_none(machine, names[1], groups)
end

-- The pattern's tests; if it has none, its signature as a single test.
function signature.tests(pattern)
    return pattern.tests or pattern.signature and { { quantity = { pattern.signature } } } or {}
end

-- { pattern =, machine =, groups = fitted to the node } -> array of { quantity =, plus = |nil, per = |nil (of quantity.lua), spread =,
-- against =, most = (of schema.lua), why = the reason why the machine cannot show it |nil }.
function signature.of(argument)
    local machine, groups = argument.machine, argument.groups
    return array(lists.map(signature.tests(argument.pattern), function(test)
        local shown = { spread = test.spread, against = test.against, most = test.most }
        for _, key in ipairs { "quantity", "plus", "per" } do
            local names = type(test[key]) == "string" and { test[key] } or test[key]
            if names then
                local why
                shown[key], why = signature.first_of(machine, groups, names)
                shown.why = shown.why or why
            end
        end
        shown.spread = shown.spread or shown.quantity and shown.quantity.kind == "ratio" or nil -- between two threads
        return shown
    end))
end

-- The group reduced to these metrics. It keeps their events, events on fixed counters, and events in no metric (other events need them).
local function less_of(group, metrics, machine)
    local less, wanted, other = { name = group.name, events = array(), metrics = array() }, {}, {}
    for _, metric in ipairs(group.metrics) do
        local is_wanted = metrics[metric.name]
        less.metrics[#less.metrics + 1] = is_wanted and metric or nil
        for name in pairs(group_file.counters(metric)) do
            wanted[name], other[name] = wanted[name] or is_wanted, true
        end
    end
    for _, event in ipairs(group.events) do
        local _, _, box = pack.locate(machine, event.counter)
        if wanted[event.name] or not other[event.name] or box and box.fixed then
            less.events[#less.events + 1] = event
        end
    end
    return less
end

-- { patterns =, machine =, groups = fitted to the node } -> array of groups with exactly the events that all signatures need, sorted
-- by name.
function signature.groups(argument)
    local tests = lists.flat(argument.patterns, function(pattern)
        return signature.of { pattern = pattern, machine = argument.machine, groups = argument.groups }
    end)
    local wanted = lists.flat(tests, function(test)
        return not test.why and lists.collect({ "quantity", "plus", "per" }, function(key) return test[key] end)
    end)
    local _, by_group = lists.group(wanted, "group")
    return lists.append(array(), lists.sorted(by_group), function(name)
        local metrics = lists.set(by_group[name], function(one) return one.of or one.metric end)
        return less_of(argument.groups[name], metrics, argument.machine)
    end)
end

-- The groups `own`, followed by the signatures' groups that are not among them.
function signature.beside(own, groups)
    local has = lists.set(own, "name")
    return lists.append(lists.joined(own), groups or {}, function(group) return not has[group.name] and group end)
end

return signature
