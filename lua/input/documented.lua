-- documented.lua - finds formulas in a group's LONG text that differ from its METRICS.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LONG has lines "NAME [UNIT] = FORMULA" with events instead of counters, and SUM(EVENT) or the event alone for all boxes. Both formulas
-- are evaluated on arbitrary counts. A line of another form, or with names that the group does not count, is ignored.
local formula = require "input.formula"

local documented = {}

local NEAR = 1e-6
local TIMES = { time = 3.7, runtime = 3.7, inverseClock = 0.41 } -- arbitrary values, the same for both formulas

-- Values of counters and of events: the sum over the event's counters; nil for an event with several options.
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

-- { [title of a metric] = formula } from LONG's lines.
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

-- A group (group.parse) -> { [metric's name] = the differing formula in LONG }.
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
