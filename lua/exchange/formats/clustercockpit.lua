-- clustercockpit.lua - groups as the `likwid` part of cc-metric-collector's collectors.json. SPDX-License-Identifier: GPL-3.0-or-later
--
-- The collector refuses unknown keys below `likwid`, and skips an unknown collector. So error bounds and origin stand in `assay`, next to
-- it. A metric is of type socket if all its counters are boxes or energies of the socket, of type hwthread if none is. Options of
-- counters cannot stand in its formulas.
local array = require "input.array"
local json = require "report.page.json"

local OF_SOCKET = { PWR = true, DFC = true, UMC = true }

-- "socket" or "hwthread"; nil and the reason if the metric cannot be given. given = { [formula] = name } of the group's metrics so far.
local function type_of(metric, given)
    local found
    if given[metric.formula] then
        return nil, "it is the same as " .. given[metric.formula] .. " on this processor"
    end
    for _, event in pairs(metric.events) do
        if event.options ~= "" then
            return nil, "its counters have options"
        end
        local is_box = event.counter:find "^%u[%u%d]-%d+%u+%d*$" or OF_SOCKET[event.counter:match "^%u+"]
        local own = is_box and event.event ~= "RAPL_CORE_ENERGY" and "socket" or "hwthread"
        if found and own ~= found then
            return nil, "it has counters of a hwthread and of the socket"
        end
        found = own
    end
    return found
end

local function set_of(group, assay, notes)
    local set, used, given = { events = {}, metrics = array() }, {}, {}
    for _, metric in ipairs(group.metrics) do
        local kind, why = type_of(metric, given)
        if kind then
            given[metric.formula] = metric.name
            set.metrics[#set.metrics + 1] = { name = metric.id, calc = metric.formula, unit = metric.unit, type = kind, publish = true }
            assay.metrics[metric.id] = { group = group.name, metric = metric.name, facts = array(metric.facts) }
            for name in pairs(metric.events) do
                used[name] = true
            end
        else
            notes[#notes + 1] = ("%s, %s: not given: %s"):format(group.name, metric.name, why or "it has no event")
        end
    end
    for _, event in ipairs(group.events) do
        set.events[event.counter] = used[event.counter] and event.event or nil
    end
    return set
end

return function(architecture, notes)
    local assay = { arch = architecture.arch, origin = array(architecture.origin), metrics = {} }
    local sets = array()
    for _, group in ipairs(architecture.groups) do
        local set = set_of(group, assay, notes)
        sets[#sets + 1] = #set.metrics > 0 and set or nil
    end
    return json.encode({ assay = assay, likwid = { eventsets = sets } }) .. "\n"
end
