-- law_counts.lua - reads raw counts of a program's runs for laws: by run and by box.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- law_counts.read{ plan = as in plan/program.lua, results =, reps =, machine = } -> array of entries (laws/rows.lua), one for each run,
-- repetition, region and hardware thread. A counter that threads share is read by one of them; the other threads, which show 0 or
-- nothing, have no count of it.
local array = require "input.array"
local companions = require "plan.companions"
local counts_file = require "read.counts"
local group_file = require "input.group"
local pack = require "plan.pack"

local law_counts = {}

local RUNTIME = "Runtime (RDTSC) [s]" -- in the metrics of all runs; LIKWID prints a whole program's time nowhere else

-- One counter's count; nil and the reason if there is none; nil only if another thread reads it.
local function count_of(context, event, row, place)
    local counter, value = place:match "^%w+", row.counts and row.counts[place]
    if context.result.not_counted and context.result.not_counted[counter] then
        return nil, context.result.not_counted[counter]
    elseif not value then
        local why = row.absent and row.absent[place]
        return nil, why or event.scope == "core" and "not programmed" or nil
    elseif value < 0 or value >= counts_file.half_of(context.machine, counter) then
        return nil, "wrapped"
    end
    return value
end

-- Adds an event's counts to the entry, or the reason why there are none.
local function add_event(context, entry, event, row, places)
    local name, own = group_file.with_options(event.event, event.options), {}
    for _, place in ipairs(places) do
        local slot, _, box = pack.locate(context.machine, place:match "^%w+")
        local value, why = count_of(context, event, row, place)
        if why then
            entry.absent[name] = why
            return
        end
        own[box.boxes and slot:match "^(.*)C$" or ""] = value
    end
    entry.counts[name] = own
end

-- The longest time that is printed like this: LIKWID rounds to four decimals, which matters for programs of a few hundred microseconds.
local function printed_seconds(text)
    local decimals = text and text:match "^%d+%.(%d+)$"
    return decimals and tonumber(text) + 0.5 * 10 ^ -#decimals or tonumber(text)
end

local function seconds_of(row)
    if row.seconds and row.seconds > 0 then
        return row.seconds
    end
    return printed_seconds(row.metrics and row.metrics[RUNTIME])
end

local function add_rows(context, list, run, rep, rank, region, rows)
    for _, row in ipairs(rows) do
        local entry = { run = run.name, rep = rep, rank = rank, region = region, cpu = row.cpu, seconds = seconds_of(row),
            calls = row.calls or 1, counts = {}, absent = {} }
        for _, event in ipairs(context.plan.events) do
            if run.places[event.name] then
                add_event(context, entry, event, row, run.places[event.name])
            end
        end
        list[#list + 1] = entry
    end
end

function law_counts.read(argument)
    local list = array()
    for rep = 1, argument.reps do
        for job, run in companions.runs(argument.plan) do
            local result = argument.results[companions.run_id(job, run, rep)]
            local context = setmetatable({ result = result }, { __index = argument })
            for rank, counted in ipairs(result and result.ranks or {}) do
                for region, rows in pairs(counted) do
                    add_rows(context, list, run, rep, rank, region, rows)
                end
            end
        end
    end
    return list
end

return law_counts
