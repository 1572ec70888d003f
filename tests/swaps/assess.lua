-- assess.lua - replaces lua/judge/assess.lua in a campaign of run.lua: judges it again with the counts of two events swapped.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Two events can be swapped if counters of one kind (PMC, MBOX, ..) count both. There are three ways: the first event counts what the
-- second should, the second what the first should, or both. A swap is found if it changes the class of some job's metric. Writes one line
-- to $SWAPS_OUT for each swap that some job could show, with blanks between words:
--     WAY FIRST SECOND found PATTERN CODE LEVEL     WAY FIRST SECOND missed
-- LEVEL is '-' without one; WAY is first, second or both. $SWAPS_EVENT is a Lua pattern that both events' names match.
local boxes = require "plan.boxes"
local group_file = require "input.group"
local judge = require "judge.judge"
local pack = require "plan.pack"
local reader = require "read.samples"
local companions = require "plan.companions"
local vocabulary = require "judge.vocabulary"
local real = dofile(os.getenv "SWAPS_ROOT" .. "/lua/judge/assess.lua")

local assess = {}
local EVENT = os.getenv "SWAPS_EVENT"

local function key_of(event)
    return group_file.with_options(event.event, event.options)
end

-- The events of the groups that match EVENT and that a counter of some choice counts: { [kind of counter] = sorted keys }.
local function list_events(argument)
    local kinds, seen = {}, {}
    for _, group in pairs(argument.fitted) do
        for _, event in ipairs(group.events) do
            local _, _, box = pack.locate(argument.machine, event.counter)
            local key = key_of(event)
            if not box.fixed and key:find(EVENT) and not seen[box.name .. key] then
                seen[box.name .. key] = true
                kinds[box.name] = kinds[box.name] or {}
                table.insert(kinds[box.name], key)
            end
        end
    end
    for _, keys in pairs(kinds) do
        table.sort(keys)
    end
    return kinds
end

local function result_of(argument, job, run)
    return argument.results[companions.run_id(job, run, 1)] or {}
end

-- counts[region][cpu][box][event] of all of a job's runs.
local function collect(argument, job)
    local counts = {}
    for _, run in ipairs(job.runs) do
        for region, rows in pairs(result_of(argument, job, run).regions or {}) do
            counts[region] = counts[region] or {}
            for _, row in ipairs(rows) do
                counts[region][row.cpu] = counts[region][row.cpu] or {}
                local own = counts[region][row.cpu]
                for _, event in ipairs(run.events) do
                    local slot = pack.locate(argument.machine, event.counter)
                    local count = row.counts[group_file.with_options(event.counter, event.options)]
                    own[slot] = own[slot] or {}
                    own[slot][key_of(event)] = own[slot][key_of(event)] or count
                end
            end
        end
    end
    return counts
end

-- The run's regions with counts of other events instead, `instead` = { [event] = other }; nil if one of these counts is not known.
local function exchange(argument, job, run, counts, instead)
    local regions = {}
    for region, rows in pairs(result_of(argument, job, run).regions or {}) do
        regions[region] = {}
        for index, row in ipairs(rows) do
            local copy = setmetatable({ counts = setmetatable({}, { __index = row.counts }) }, { __index = row })
            for _, event in ipairs(run.events) do
                local slot = pack.locate(argument.machine, event.counter)
                local other = instead[key_of(event)]
                local counter = group_file.with_options(event.counter, event.options)
                if other and row.counts[counter] then
                    copy.counts[counter] = counts[region][row.cpu][slot][other]
                    if not rawget(copy.counts, counter) then
                        return nil
                    end
                end
            end
            regions[region][index] = copy
        end
    end
    return regions
end

-- Quantities of the job whose metric uses one of the events.
local function affected(argument, job, instead)
    local list = {}
    for _, one in ipairs(job.quantities) do
        local group = argument.fitted[one.group]
        for _, event in ipairs(group_file.events_of(group, group_file.metric(group, one.of or one.metric))) do
            if instead[key_of(event)] then
                list[#list + 1] = one
                break
            end
        end
    end
    return list
end

local function classes(argument, pattern, samples)
    local found = {}
    for _, metric in ipairs(judge.metrics { pattern = pattern, machine = argument.machine, groups = argument.groups, samples = samples }) do
        found[vocabulary.identity(metric)] = metric.class
    end
    return found
end

local function read(argument, job, quantities, instead, counts)
    local narrowed, all = setmetatable({ quantities = quantities }, { __index = job }), {}
    for _, run in ipairs(job.runs) do
        if not run.is_beside then
            local regions = result_of(argument, job, run).regions
            if instead then
                regions = exchange(argument, job, run, counts, instead)
                if not regions then
                    return nil
                end
            end
            local samples = reader.read { machine = argument.machine, node = argument.node, kernels = argument.kernels,
                fitted = argument.fitted, job = narrowed, run = run, rep = 1, regions = regions }
            table.move(samples, 1, #samples, #all + 1, all)
        end
    end
    return all
end

-- "found" and the metric's identity, "missed", or nil if the job shows neither event.
local function try(argument, pattern, job, instead)
    local quantities = affected(argument, job, instead)
    if #quantities == 0 then
        return nil
    end
    job.collected = job.collected or collect(argument, job)
    job.clean = job.clean or classes(argument, pattern, read(argument, job, job.quantities))
    local samples = read(argument, job, quantities, instead, job.collected)
    if not samples then
        return nil
    end
    for _, sample in ipairs(samples) do
        sample.identity = vocabulary.identity(sample)
    end
    local swapped = classes(argument, pattern, samples)
    for _, sample in ipairs(samples) do
        if swapped[sample.identity] ~= job.clean[sample.identity] then
            return "found", sample
        end
    end
    return "missed"
end

local function try_all(argument, way, first, second, out)
    local instead, seen = {}, false
    instead[first] = way ~= "second" and second or nil
    instead[second] = way ~= "first" and first or nil
    for index, planned in ipairs(argument.plans) do
        for _, job in ipairs(planned.jobs) do
            local what, where = try(argument, argument.patterns[index], job, instead)
            seen = seen or what ~= nil
            if what == "found" then
                out:write(table.concat({ way, first, second, what, where.pattern, where.code, where.level or "-" }, " "), "\n")
                return
            end
        end
    end
    if seen then
        out:write(("%s %s %s missed\n"):format(way, first, second))
    end
end

function assess.all(argument)
    local found = real.all(argument)
    argument.fitted = boxes.fit_all(argument.groups, argument.machine, argument.node)
    local out = assert(io.open(os.getenv "SWAPS_OUT", "w"))
    for _, keys in pairs(list_events(argument)) do
        for i, first in ipairs(keys) do
            for j = i + 1, #keys do
                for _, way in ipairs { "first", "second", "both" } do
                    try_all(argument, way, first, keys[j], out)
                end
            end
        end
    end
    out:close()
    return found
end

return assess
