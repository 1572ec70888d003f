-- coverage.lua - checks that every metric of a machine's groups is judged, or has a reason why not.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A metric is judged if an entry of the machine file shows it. A metric with the same formula over the same events as a judged metric of
-- another group is judged with that: fixed counters and time are in every group, and one verdict on them is enough. All other metrics
-- must be in the machine file's `unjudged` with a reason; judged metrics must not.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"

local coverage = {}

-- The formula with events and options instead of counters: the metric's meaning, whichever counters are used.
local function over_events(group, metric)
    local event_of = {}
    for _, event in ipairs(group.events) do
        event_of[event.name] = group_file.with_options(event.event, event.options)
    end
    local formula = metric.formula:gsub("%f[%w_]%a[%w_]*:?[%w_:=]*", function(name) return event_of[name] end)
    return ("%s [%s] %s"):format(metric.name, metric.unit or "", formula)
end

local function names_of(entry, group)
    local names = { entry.metric, entry.bandwidth and type(entry.bandwidth) == "string" and entry.bandwidth or nil }
    for _, kind in ipairs { "volume", "bandwidth" } do
        for _, name in pairs(type(entry[kind]) == "table" and entry[kind] or {}) do
            names[#names + 1] = name
        end
    end
    for box = 0, entry.metric_of_box and #group.metrics or -1 do
        names[#names + 1] = entry.metric_of_box:format(box)
    end
    return names
end

-- { [group] = { [metric] = true } } for metrics that entries show.
local function shown(machine, groups)
    local found = {}
    for _, entry in ipairs(machine.traffic) do
        local own = lists.bin(found, entry.group, {})
        for _, name in pairs(names_of(entry, groups[entry.group] or { metrics = {} })) do
            own[name] = true
        end
    end
    return found
end

local function reasons(machine)
    local found = {}
    for _, entry in ipairs(machine.unjudged or {}) do
        for _, group in ipairs(entry.groups) do
            local own = lists.bin(found, group, {})
            for _, name in ipairs(entry.metrics) do
                own[name] = entry
            end
        end
    end
    return found
end

-- { machine =, groups = { [name] = group.parse result } } -> array of { group =, metric =, with = the group with the judged metric of
-- the same formula over the same events |nil, reason = why it is not judged |nil }, by group and in its order. A metric with neither is
-- judged itself, or it is missing from the machine file: then `forgotten` is true.
function coverage.list(argument)
    local judged, why, same, list = shown(argument.machine, argument.groups), reasons(argument.machine), {}, array()
    local names = lists.sorted(argument.groups)
    for _, name in ipairs(names) do
        for _, metric in ipairs(argument.groups[name].metrics) do
            if (judged[name] or {})[metric.name] then
                local key = over_events(argument.groups[name], metric)
                same[key] = same[key] or name
            end
        end
    end
    for _, name in ipairs(names) do
        for _, metric in ipairs(argument.groups[name].metrics) do
            local is_judged, entry = (judged[name] or {})[metric.name], (why[name] or {})[metric.name]
            local with = not is_judged and same[over_events(argument.groups[name], metric)] or nil
            list[#list + 1] = { group = name, metric = metric.name, with = with, reason = entry and entry.reason or nil,
                contradicted = entry and (is_judged or with) and true or nil, forgotten = not (is_judged or with or entry) and true or nil }
        end
    end
    return list
end

local function check_names(machine, groups)
    for _, entry in ipairs(machine.unjudged or {}) do
        for _, group in ipairs(entry.groups) do
            for _, name in ipairs(entry.metrics) do
                if not groups[group] or not group_file.metric(groups[group], name) then
                    error(("groups/%s/machine.lua: `unjudged` names metric '%s' of %s, which is not there"):format(machine.arch, name,
                        group), 0)
                end
            end
        end
    end
end

-- Does an entry name a metric that its group lacks? plan/quantity.lua reports it with the entry's line.
local function has_wrong_entry(machine, groups)
    for _, entry in ipairs(machine.traffic) do
        local group = groups[entry.group]
        local named = entry.metric_of_box and { entry.metric } or names_of(entry, group or { metrics = {} })
        for _, name in pairs(named) do
            if not group or not group_file.metric(group, name) then
                return true
            end
        end
    end
    return false
end

-- Raises a line if a metric is neither judged nor listed as unjudged, or both; the argument is that of coverage.list. Returns false if
-- an entry names a group or metric wrongly, which the entry's readers report.
function coverage.check(argument)
    local arch = argument.machine.arch
    check_names(argument.machine, argument.groups)
    if has_wrong_entry(argument.machine, argument.groups) then
        return false
    end
    for _, one in ipairs(coverage.list(argument)) do
        if one.forgotten then
            error(("groups/%s/machine.lua: no entry shows metric '%s' of %s, and `unjudged` does not name it: do one or the other"):format(
                arch, one.metric, one.group), 0)
        elseif one.contradicted then
            error(("groups/%s/machine.lua: metric '%s' of %s is judged, and `unjudged` says that it is not"):format(arch, one.metric,
                one.group), 0)
        end
    end
    return true
end

-- The metrics without a verdict of their own, { group =, metric =, with = |nil, reason = } each: judged with another group's
-- metric, or not judged.
function coverage.unjudged(argument)
    return array(lists.collect(coverage.list(argument), function(one)
        local reason = one.reason or one.with and ("judged in %s: the same formula over the same events"):format(one.with)
        return reason and { group = one.group, metric = one.metric, with = one.with, reason = reason }
    end))
end

-- Checks, and returns the metrics without a verdict.
function coverage.checked(argument)
    return coverage.check(argument) and coverage.unjudged(argument) or array()
end

return coverage
