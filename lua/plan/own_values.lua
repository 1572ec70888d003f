-- own_values.lua - adds metrics to a run's group file, so that LIKWID computes them, too.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LIKWID's values are compared with those from raw counts (judge/recomputed.lua). In the run's file metrics are called M1, M2, ..:
-- several groups may have the same name, and LIKWID does not quote names in its output.
local formula = require "input.formula"
local lists = require "input.lists"

local own_values = {}

local LINE_MAX = 1022 -- characters, of LIKWID's reader

-- The formula with the run's counters instead of the group's; nil if the run lacks one.
local function rewrite(metric, counters)
    local parsed = metric.parsed or formula.parse(metric.formula)
    local complete = lists.all(parsed.names, function(name) return counters[name] or formula.NO_COUNTERS[name] end)
    local text = metric.parsed and formula.text(parsed) or metric.formula
    return complete and text:gsub("[%a_][%w_:=]*", counters) or nil
end

-- groups = array of groups (boxes.fit), run = { counters =, shown = |nil } (pack.lua) -> lines of a METRICS section, and
-- { [name in the file] = { group =, metric = } }.
function own_values.lines(run, groups)
    local lines, names, number = {}, {}, 0
    for _, group in ipairs(groups) do
        local shown = run.shown and run.shown[group.name]
        for _, metric in ipairs(run.counters[group.name] and group.metrics or {}) do
            local text = (not shown or shown[metric.name]) and rewrite(metric, run.counters[group.name])
            local line = text and ("M%d %s"):format(number + 1, text)
            if line and #line <= LINE_MAX then
                number = number + 1
                lines[number], names["M" .. number] = line, { group = group.name, metric = metric.name }
            end
        end
    end
    return lines, names
end

return own_values
