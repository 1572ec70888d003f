-- costs.lua - what measuring itself costs in each event, as a table.
-- SPDX-License-Identifier: GPL-3.0-or-later
local beside = require "plan.beside"
local calibrate = require "read.calibrate"

local costs = {}

local function line(event, counter, least, median, most, place)
    return ("%-36s %-9s %9s %9s %9s   %s"):format(event, counter, least, median, most, place)
end

local function whole(value)
    return value and ("%.0f"):format(value) or "-"
end

-- { jobs = as planned (plan.lua), results = of the empty jobs beside them, reps = } -> { text = lines that end with a newline }.
function costs.render(argument)
    local lines = { line("event", "counter", "min", "median", "max", "beside") }
    for job, run in beside.runs(argument) do
        for _, one in ipairs(calibrate.of_run(job, run, argument.results, argument.reps)) do
            local cost = one.cost or {}
            lines[#lines + 1] = line(one.event, one.counter, whole(cost.min), whole(cost.median), whole(cost.max), job.id)
        end
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return costs
