-- documented.lua - does a group's LONG text give other formulas than its METRICS?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LONG has lines "NAME [UNIT] = FORMULA" with events in the place of counters, and SUM(EVENT) or the event alone for all boxes. Both are
-- evaluated on arbitrary counts. A formula that is no such line, or names what the group does not count, says nothing.
local formula = require "input.formula"

local documented = {}

local NEAR = 1e-6
local TIMES = { time = 3.7, runtime = 3.7, inverseClock = 0.41 } -- any numbers, the same on both sides

-- Values for the counters, and for events: the sum over the counters that have it; nil for one with several options.
local function values_of(group)
    local counters, events, options = {}, {}, {}
    for name, value in pairs(TIMES) do
        counters[name], events[name] = value, value
    end
    for i, event in ipairs(group.events) do
        counters[event.name] = 1000 + 137 * i + (i * i * 29) % 101
        if options[event.event] == nil or options[event.event] == event.options then
            events[event.event] = (events[event.event] or 0) + counters[event.name]
        else
            events[event.event] = 0 / 0
        end
        options[event.event] = event.options
    end
    return counters, events
end

local function evaluate(text, values)
    local ok, result = pcall(formula.evaluate, text, values)
    return ok and result or nil
end

-- { [title of a metric] = formula } of LONG's lines.
local function lines_of(long)
    local found = {}
    for line in (long .. "\n"):gmatch "(.-)\n" do
        local title, text = line:match "^%s*(.-)%s*=%s*(%S.-)%s*$"
        if title then
            found[title] = text:gsub("%f[%a][Ss][Uu][Mm]%f[%A]", "")
        end
    end
    return found
end

-- A group (group.parse) -> { [metric's name] = the formula that LONG has instead }.
function documented.differing(group)
    local counters, events = values_of(group)
    local lines, found = lines_of(group.long), {}
    for _, metric in ipairs(group.metrics) do
        local text = lines[metric.unit and ("%s [%s]"):format(metric.name, metric.unit) or metric.name]
        local said, own = text and evaluate(text, events), evaluate(metric.formula, counters)
        if said and own and math.abs(said - own) > NEAR * math.abs(own) then
            found[metric.name] = text
        end
    end
    return found
end

return documented
