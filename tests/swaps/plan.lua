-- plan.lua - replaces lua/plan/plan.lua in a campaign of run.lua: its jobs count all events of the architecture's groups that match
-- $SWAPS_EVENT.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- After its own runs each job gets runs with the core events that it would not count. So the counts of all events are known for each
-- region. To save time, bandwidth_saturation has only codes that together show every boundary, and one that calculates; with data in
-- memory, which takes longest, one code. A whole campaign has more codes, so it finds every swap that is found here.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"
local pack = require "plan.pack"
local real = dofile(os.getenv "SWAPS_ROOT" .. "/lua/plan/plan.lua")

local plan = {}

local EVENT = os.getenv "SWAPS_EVENT"
local CORE = "PMC"
local CODES, CODES_MEMORY = { "load", "copy", "copy_nt", "triad" }, { "copy" }

local function key_of(event)
    return group_file.with_options(event.event, event.options)
end

local function list_fixed(machine, group)
    local fixed = {}
    for _, event in ipairs(group.events) do
        local _, _, box = pack.locate(machine, event.counter)
        if box.fixed then
            fixed[#fixed + 1] = event
        end
    end
    return fixed
end

-- Core events of `groups` that no run counts, each with its group: { group = , event = }.
local function list_missing(argument, runs)
    local seen, missing, names = {}, {}, {}
    for _, run in ipairs(runs) do
        for _, event in ipairs(run.events) do
            seen[key_of(event)] = true
        end
    end
    for name in pairs(argument.groups) do
        names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
        for _, event in ipairs(argument.groups[name].events) do
            local _, _, box = pack.locate(argument.machine, event.counter)
            if box.name == CORE and key_of(event):find(EVENT) and not seen[key_of(event)] then
                seen[key_of(event)] = true
                local events = list_fixed(argument.machine, argument.groups[name])
                events[#events + 1] = event
                missing[#missing + 1] = { name = "SWAPS" .. #missing, events = events, metrics = array(), is = event }
            end
        end
    end
    return missing
end

-- Events of one name with several filters share the filter's register: each filter has runs of its own.
local function add_runs(argument, job)
    local missing, number = list_missing(argument, job.runs), #job.runs
    while #missing > 0 do
        local now, later, options_of = {}, {}, {}
        for _, group in ipairs(missing) do
            local event = group.is
            local list = (options_of[event.event] or event.options) == event.options and now or later
            options_of[event.event] = options_of[event.event] or event.options
            list[#list + 1] = group
        end
        for _, run in ipairs((pack.runs { machine = argument.machine, groups = now })) do
            number = number + 1
            local name = "ASSAY_RUN_" .. number
            run.text = run.text:gsub("^SHORT %S+", "SHORT " .. name .. ":")
            run.name, run.counters, run.shown, run.is_beside = name, {}, nil, true
            job.runs[#job.runs + 1] = run
        end
        missing = later
    end
end

local function keep_codes(job, codes)
    local wanted, points = {}, array()
    for _, name in ipairs(codes) do
        wanted[name] = true
    end
    for _, point in ipairs(job.points) do
        if wanted[point.code] then
            points[#points + 1] = point
        end
    end
    job.points = points
end

local function count_all(argument, pattern, planned)
    local jobs = array()
    for _, job in ipairs(planned.jobs) do
        if pattern.name == "bandwidth_saturation" then
            keep_codes(job, job.level == "MEM" and CODES_MEMORY or CODES)
        end
        if #job.points > 0 then
            add_runs(argument, job)
            jobs[#jobs + 1] = job
        end
    end
    planned.jobs = jobs
    return planned
end

function plan.make(argument)
    return lists.map(real.make(argument), function(planned, i) return count_all(argument, argument.patterns[i], planned) end)
end

return plan
