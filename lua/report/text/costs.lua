-- costs.lua - table of the measuring cost in each event: of an empty region, and of one read of the counters.
-- SPDX-License-Identifier: GPL-3.0-or-later
local companions = require "plan.companions"
local calibrate = require "read.calibrate"

local costs = {}

local function line(...)
    return ("%-36s %-9s %9s %9s %9s %9s   %s"):format(...)
end

local function whole(value)
    return value and ("%d"):format(math.floor(value + 0.5)) or "-"
end

-- { jobs = as planned (plan.lua), results = of their empty jobs, reps = } -> { text = lines that end with a newline }.
function costs.render(argument)
    local lines = { line("event", "counter", "min", "median", "max", "a read", "beside") }
    for job, run in companions.runs(argument) do
        for _, one in ipairs(calibrate.of_run(job, run, argument.results, argument.reps)) do
            local cost = one.cost or {}
            lines[#lines + 1] = line(one.event, one.counter, whole(cost.min), whole(cost.median), whole(cost.max), whole(one.read), job.id)
        end
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return costs
