-- companions.lua - companion measurements of planned jobs: empty regions, which show the cost of measuring; on a node with faults, also
-- the same runs without faults.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Jobs: plan.lua. companions.empty{ jobs = } and companions.clean{ jobs = } -> array of jobs with new ids. `empty`: name of the
-- region that an empty job measures; `reads` = "NAME=TIMES": a region in which counters are read; `clean` = true: run on the node without
-- faults; `reps`: number of repetitions.
local array = require "input.array"
local lists = require "input.lists"

local companions = { REGION = "calibration", READS_REGION = "readings", READS = 10 }

-- The id of the result of a repetition of a job's run; `kind` "empty" or "clean": of its companion job.
function companions.run_id(job, run, rep, kind)
    return ("%s%s/%s/%d"):format(job.id, kind and "." .. kind or "", run.name, rep)
end

-- Iterates over the runs of all jobs: for job, run in companions.runs(plan) do .. end
function companions.runs(plan)
    local job, run = 1, 0
    return function()
        run = run + 1
        while plan.jobs[job] and not plan.jobs[job].runs[run] do
            job, run = job + 1, 1
        end
        if plan.jobs[job] then
            return plan.jobs[job], plan.jobs[job].runs[run]
        end
    end
end

function companions.empty(argument)
    return array(lists.map(argument.jobs, function(job)
        return { id = job.id .. ".empty", cpus = job.cpus, runs = job.runs, points = array(), empty = companions.REGION,
            reads = ("%s=%d"):format(companions.READS_REGION, companions.READS) }
    end))
end

function companions.clean(argument)
    return array(lists.map(argument.jobs, function(job)
        local clean = lists.copy(job)
        clean.id, clean.clean, clean.reps = job.id .. ".clean", true, 1
        return clean
    end))
end

return companions
