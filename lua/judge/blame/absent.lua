-- absent.lua - causes of metrics without a value: counters that gave none, and divisors of 0.
-- SPDX-License-Identifier: GPL-3.0-or-later
local counts = require "read.counts"
local group_file = require "input.group"
local hypotheses = require "judge.blame.hypotheses"
local items = require "judge.blame.items"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"
local words = require "judge.blame.words"

local absent = {}

-- Counters that gave no value somewhere, by name. Those of one box are one cause, named by the box.
local function absent_counters(argument)
    local found = {}
    for _, entry in ipairs(argument.counts) do
        for key, why in pairs(entry.absent) do
            if why ~= "not programmed" and not vocabulary.is_uncounted(why) then
                local event, counter = counts.parts(key)
                local box = items.box_of(argument.machine, counter)
                local name = box or ("%s on %s"):format(event, counter)
                lists.bin(found, name, { kind = "absent", counter = name, box = box, why = why, events = {} }).events[event] = true
            end
        end
    end
    return found
end

-- The group's metric that the sample belongs to; nil if there is none.
local function metric_of(argument, sample)
    local group = argument.groups[sample.group]
    return group and group_file.metric(group, vocabulary.in_group(sample.metric)), group
end

local function add_counters(causes, argument)
    local found = absent_counters(argument)
    for _, name in ipairs(lists.sorted(found)) do
        local part = found[name]
        local samples = lists.filter(argument.samples, function(sample)
            local metric, group = metric_of(argument, sample)
            return lists.find(sample.why and metric and group_file.events_of(group, metric) or {}, function(event)
                return part.events[event.event] and (not part.box or part.box == items.box_of(argument.machine, event.counter))
            end)
        end)
        part.event, part.events = table.concat(lists.sorted(part.events), " "), nil
        causes[#causes + 1] = #samples > 0 and { key = name, samples = samples, parts = { words.name(part) } } or nil
    end
end

-- Returns { [event] = its largest count } and { [event] = { [site (items.lua)] = true } }: the sites where it counted nothing.
local function survey(argument)
    local most, nothing = {}, {}
    for _, entry in ipairs(argument.counts) do
        local site = vocabulary.identity(entry, items.SITE)
        for key, count in pairs(entry.counts) do
            local event = counts.parts(key)
            most[event] = math.max(most[event] or 0, count)
            local sites = lists.bin(nothing, event, {})
            sites[site] = sites[site] or count == 0 or nil
        end
    end
    return most, nothing
end

-- Events in the sample's divisor that counted nothing there; only those already blamed for other findings, if there are any.
local function divisors_of(sample, group, found, nothing, blamed)
    local own, known = {}, {}
    for _, event in ipairs(group.events) do
        local name = event.event
        if found.bottom.terms[event.name] and nothing[name] and nothing[name][vocabulary.identity(sample, items.SITE)] then
            own[name], known[name] = true, blamed[name]
        end
    end
    return lists.sorted(next(known) and known or own)
end

-- Causes of samples that are no number because their divisor is 0, although one of its events should have counted.
local function add_divisors(causes, argument, blamed)
    local most, nothing = survey(argument)
    local by_names = {}
    for _, sample in ipairs(argument.samples) do
        local metric, group = metric_of(argument, sample)
        local found = sample.why == "nan" and metric and items.quotient_of(metric)
        local names = found and divisors_of(sample, group, found, nothing, blamed) or {}
        table.insert(lists.bin(by_names, table.concat(names, "\n"), { names = names, samples = {} }).samples, sample)
    end
    for _, key in ipairs(lists.sorted(by_names)) do
        local parts = lists.collect(by_names[key].names, function(name)
            return words.name { kind = most[name] == 0 and "silent" or "unsteady", event = name }
        end)
        local keys = lists.collect(parts, function(part) return hypotheses.key(part.kind, part.event) end)
        causes[#causes + 1] = #parts > 0 and { key = table.concat(keys, "\nor\n"), samples = by_names[key].samples, parts = parts } or nil
    end
end

-- blame.find's argument, blamed = { [event] = true } of events blamed for other findings -> sorted array of { key = (as in hypotheses.lua,
-- or the counter), samples = the samples without a value, parts = (blame.lua) equally good alternatives }.
function absent.find(argument, blamed)
    local causes = {}
    add_counters(causes, argument)
    add_divisors(causes, argument, blamed)
    return causes
end

return absent
