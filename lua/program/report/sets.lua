-- sets.lua - lists the events that are counted in each run of a program (program/plan/program.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local sets = {}

local function kind_of(counter)
    return counter:match "^%a+"
end

-- "PMC0 EVENT", or for boxes "MBOX0-7 C1 EVENT".
local function line_of(event, places)
    local first = places[1]
    if #places == 1 then
        return ("  %-12s %s"):format(first, event.event)
    end
    local index, options = first:match "C(%d+)(.*)$"
    return ("  %-12s %s"):format(("%s*C%s%s"):format(kind_of(first):match "^(.-)C?$", index or "", options or ""), event.event)
end

-- { plan =, metrics = of the analysis } -> { text = }
function sets.render(argument)
    local plan, lines = argument.plan, {}
    local by_name = lists.index(plan.events, "name")
    local runs = plan.jobs[1].runs
    local roots = lists.collect(argument.metrics, function(metric) return not metric.parent and metric.name or nil end)
    lines[1] = "trees: " .. table.concat(roots, ", ")
    for number, run in ipairs(runs) do
        lines[#lines + 1] = ("run %d"):format(number) .. (run.turn and (", turns of %d instructions"):format(run.turn) or "")
        lists.append(lines, run.events, function(name) return line_of(by_name[name], run.places[name]) end)
    end
    lists.append(lines, plan.absent, function(one)
        return ("not counted: %s%s: %s"):format(one.event, one.options ~= "" and ":" .. one.options or "", one.reason)
    end)
    lists.append(lines, plan.split, function(name) return name .. ": its events are in several runs, one has no room for them" end)
    lines[#lines + 1] = ("%d events in %d run%s%s"):format(#plan.events, #runs, #runs == 1 and "" or "s",
        plan.exact and "; no fewer would do" or ("; %d is the least there could be"):format(plan.least))
    return { text = table.concat(lines, "\n") .. "\n" }
end

return sets
