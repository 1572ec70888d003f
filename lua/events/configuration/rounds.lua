-- rounds.lua - from finished rounds of walks: misses of a cache or TLB in one pass of a walk.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A round is { jobs =, results =, reps = }, with jobs from plan/configuration.lua. Each point of a job is measured as two regions
-- with different numbers of passes; the cost of measuring cancels in their difference.
local event_counts = require "events.read.event_counts"
local stats = require "numeric.stats"

local rounds = {}

-- Misses per pass of the walk, from the events of the miss expression; nil and the reason if there is no value.
function rounds.misses(round, job, walk, expression)
    local sum = 0
    for _, event in ipairs(expression) do
        local run = event_counts.run_of(job, event)
        local counts = {}
        for i, region in ipairs(walk.regions) do
            local values, why
            if run then
                values, why = event_counts.read(round, job, run, event, region.region)
            end
            if not values then
                return nil, why or event.event .. " is in no run"
            end
            counts[i] = stats.mean(values)
        end
        sum = sum + (counts[2] - counts[1]) / (walk.regions[2].times - walk.regions[1].times)
    end
    return sum
end

-- Calls take(walk, misses |nil, reason) for each walk of all rounds for which is_wanted(walk) holds.
function rounds.each(all, expression, is_wanted, take)
    for _, round in ipairs(all) do
        for _, job in ipairs(round.jobs) do
            for _, walk in ipairs(job.walks) do
                if is_wanted(walk) then
                    take(walk, rounds.misses(round, job, walk, expression))
                end
            end
        end
    end
end

return rounds
