-- left_box.lua - a sum has fewer boxes than the largest machine of the architecture. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

-- Counters of other boxes that may count what the events count, sorted: MBOX4C0 for MBOX0C0.
local function unprogrammed(group, events, arch)
    local first = events[1]
    local index, boxes = first.counter:match "%d+(%u+%d*)$", lists.set(group.events, function(event)
        return event.kind == first.kind and event.box end)
    local left = {}
    for counter in pairs(arch.counters) do
        local kind, box = linted.box(counter)
        if kind == first.kind and not boxes[box] and counter:match "%d+(%u+%d*)$" == index
            and linted.allows(arch.limits[first.event], counter) then
            left[#left + 1] = { name = counter, box = box }
        end
    end
    table.sort(left, lists.by("box"))
    return left
end

return {
    name = "left-box", class = "S22", severity = "warning", about = "group", needs = "counters",
    title = "a sum over boxes has fewer of them than the largest machine of the architecture",
    check = function(group, say, arch)
        local sets = lists.group(lists.filter(group.events, function(event)
            return event.box and event.exists and arch.limits[event.event]
        end), function(event) return event.kind .. " " .. event.key end)
        for _, events in ipairs(sets) do
            local left = #events > 1 and lists.any(group.metrics, function(metric)
                return metric.uses[events[1].name] and metric.uses[events[2].name]
            end) and unprogrammed(group, events, arch) or {}
            if #left > 0 then
                say(events[#events].line, ("%s is programmed on %d boxes, LIKWID knows %s as well"):format(events[1].key, #events,
                    linted.names(left)), ("on a machine with all of them a sum is %s if the boxes count alike"):format(
                    linted.times(#events / (#events + #left))))
            end
        end
    end,
}
