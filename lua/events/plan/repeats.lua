-- repeats.lua - plans repeats of single events: one point of a probe per event, measured many times in one process.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A repetition is a pair of regions, with the smallest and the largest `times` of the event's row, so that the cost of a region cancels
-- in the difference. "REGION*N" makes the program enter N regions, REGION.1 to REGION.N (patterns/program/program.h).
local array = require "input.array"
local event_set = require "events.plan.event_set"
local pack = require "plan.pack"

local repeats = {}

repeats.REPETITIONS = 512

-- A job with that row only, and its repetitions.
local function make_job(plan, number, id)
    local row, points = plan.rows[number], {}
    local from = plan.jobs[row.job or 1]
    local job = { id = id, pattern = from.pattern, program = from.program, placement = from.placement, cpus = from.cpus, reps = 1,
        points = array(), quantities = array() }
    for _, point in ipairs(from.points) do
        points[point.region] = point
    end
    local repetitions, ends = array(), { row.regions[1].region, row.regions[#row.regions].region }
    for i, region in ipairs(ends) do
        job.points[i] = { region = ("%s*%d"):format(region, repeats.REPETITIONS), code = points[region].code,
            arguments = points[region].arguments }
    end
    for i = 1, repeats.REPETITIONS do
        repetitions[i] = array { ("%s.%d"):format(ends[1], i), ("%s.%d"):format(ends[2], i) }
    end
    return job, repetitions
end

-- { plan = events.make() with all rows, chosen = events.judge.noise.choose(), machine = with the counters of the events, alone = each
-- event in its own job, else one job per row } -> { jobs =, repeats = array of { event =, row =, expected = as chosen, job = its number,
-- repetitions = array of pairs of regions, with the smallest and the largest `times` } }
function repeats.make(argument)
    local plan, jobs, looks, groups, made = argument.plan, array(), array(), {}, {}
    for i, one in ipairs(argument.chosen) do
        local key = argument.alone and i or one.row
        if not made[key] then
            made[key] = { number = #jobs + 1 }
            jobs[#jobs + 1], made[key].repetitions = make_job(plan, one.row, ("repeat%d"):format(#jobs + 1))
            groups[#jobs] = array()
        end
        local number = made[key].number
        table.insert(groups[number], event_set.as_group(plan.events[one.event]))
        looks[i] = { event = one.event, row = one.row, expected = one.expected, job = number, repetitions = made[key].repetitions }
    end
    for number, job in ipairs(jobs) do
        job.runs = pack.runs { groups = groups[number], machine = argument.machine }
    end
    return { jobs = jobs, repeats = looks }
end

return repeats
