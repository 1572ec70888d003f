-- metric_type.lua - a metric's type does not fit what its counters are part of. SPDX-License-Identifier: GPL-3.0-or-later
--
-- cc-metric-collector computes a metric of type socket from the counts of one hwthread of the socket, others for each hwthread. Counters
-- of boxes, and energies but the cores', count on that one hwthread only and are 0 on the others.
local lists = require "input.lists"

local OF_SOCKET = { DFC = true, UMC = true, PWR = true }

local function is_of_socket(event)
    return event.event ~= "RAPL_CORE_ENERGY" and (event.box ~= nil or OF_SOCKET[event.counter:match "^%u+"] or false)
end

return {
    name = "metric-type", class = "S23", severity = "error", about = "group",
    title = "the type of a metric is not the part of the machine that its counters count for",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            local events = metric.type and lists.filter(group.events, function(event)
                return metric.uses[event.name] and event.counter ~= event.event
            end) or {}
            local whole = lists.filter(events, is_of_socket)
            local own = lists.find(events, function(event) return not is_of_socket(event) end)
            if #whole > 0 and metric.type == "hwthread" then
                say(metric.line, ("metric '%s' is of type hwthread, %s counts for the socket"):format(metric.title, whole[1].counter),
                    "all hwthreads but one per socket show 0")
            elseif own and metric.type == "socket" then
                say(metric.line, ("metric '%s' is of type socket, %s counts for a hwthread"):format(metric.title, own.counter),
                    #whole > 0 and "it combines the counts of one hwthread with those of the socket"
                        or "it is the value of one hwthread of the socket")
            end
        end
    end,
}
