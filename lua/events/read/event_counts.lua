-- event_counts.lua - reads an event's counts in a region from runs, summed over all boxes that count it.
-- SPDX-License-Identifier: GPL-3.0-or-later
local companions = require "plan.companions"
local group_file = require "input.group"
local lists = require "input.lists"

local event_counts = {}

-- Why the node did not count on that counter; nil if it did.
local function not_counted(result, counter)
    return result and result.not_counted and result.not_counted[counter:match "^%w+"]
end

-- Why the run has no value for an event on that counter; LIKWID aborts a run in which it can count nothing.
local function reason_of(result, entry, counter)
    local absent = entry and entry.absent and entry.absent[counter]
    return not_counted(result, counter) or absent or result and result.why or "the run has no counts"
end

-- measured = { results =, reps = } of the campaign; job, run and event as in plan/events.lua -> array of counts of the first thread,
-- one per repetition; nil and the reason if there are none.
function event_counts.read(measured, job, run, event, region)
    local values = {}
    for rep = 1, measured.reps do
        local result = measured.results[companions.run_id(job, run, rep)]
        local counted = result and result.regions and result.regions[region]
        local entry = counted and counted[1]
        local sum = 0
        for _, counter in ipairs(event.counters) do
            local name = run.counters[event.name][group_file.with_options(counter, event.options)]
            local value = entry and entry.counts and entry.counts[name]
            if not value or value == 0 and not_counted(result, name) then -- LIKWID prints 0 for some uncounted counters
                return nil, reason_of(result, entry, name)
            end
            sum = sum + value
        end
        values[rep] = sum
    end
    return values
end

-- The job's run that counts the event; nil if there is none.
function event_counts.run_of(job, event)
    return lists.find(job.runs, function(run) return run.counters[event.name] end)
end

return event_counts
