-- rounds.lua - from finished rounds of walks: how many of a walk's visits a cache or TLB misses in one pass over all of them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A round is { jobs =, results =, reps = }, jobs as plan/configuration.lua makes them. Each point of a job is measured as two regions
-- with different numbers of passes. Their difference contains no cost of measuring.
local event_counts = require "events.read.event_counts"
local stats = require "numeric.stats"

local rounds = {}

-- Misses a time at the walk, by the miss expression's events; nil and why there is no number.
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

-- Calls take(walk, misses |nil, why) for each walk that `is_wanted(walk)`, over all rounds.
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
