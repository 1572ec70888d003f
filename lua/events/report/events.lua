-- events.lua - table of what events count. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local noise = require "events.report.noise"
local vocabulary = require "judge.vocabulary"

local events = {}

local GAP = 2

-- The class with its constants.
local function class_of(finding)
    local text = finding.class
    if finding.factor then
        text = ("%s %.4g"):format(text, finding.factor)
    end
    if finding.offset then
        text = ("%s %+.0f"):format(text, finding.offset)
    end
    return text
end

local function row_of(finding)
    local says = finding.said and finding.said ~= finding.counts and finding.class ~= "absent" and "; said: " .. finding.said or ""
    return {
        finding.event .. (finding.options ~= "" and ":" .. finding.options or ""),
        class_of(finding),
        finding.error_pct and ("%+.2f"):format(finding.error_pct) or "",
        finding.reason or finding.counts .. says,
    }
end

-- Adds the probes' rows with a nonzero measured or expected count of the event, per pass.
local function add_rows(lines, finding, rows)
    local list = { { "  " .. finding.event, "measured", "expected" } }
    for i, slope in ipairs(finding.slopes or {}) do
        local one = finding.expected and finding.expected[i]
        if slope ~= 0 or one and one.max > 0 then
            list[#list + 1] = { "  " .. rows[i].title, ("%.6g"):format(slope), one and ("%.6g"):format(one.value) or "-" }
        end
    end
    lists.append(lines, cells.lines(list, GAP, { [2] = true, [3] = true }))
end

local CLASSES = { "exact", "bias", "multiplicative", "random", "other", "missing", "unknown", "untested", "absent" }

-- "12 events: 10 exact, 2 untested"
local function summary(findings)
    return ("%d events: %s"):format(#findings, vocabulary.tally(vocabulary.count(findings, "class"), CLASSES, "%d %s"))
end

local function cell(value)
    return value and ("%.3f"):format(value):gsub("%.?0+$", ""):gsub("^-0$", "0") or "-"
end

-- A table of events.judge.vectors: one column per concept, with the column's events below.
local function add_vectors(lines, one)
    local list = { lists.append({ "each " .. one.per }, one.columns, "title") }
    lists.append(list, one.rows, function(row) return lists.append({ row.title }, row.values, cell) end)
    lists.append(lines, { "", one.title })
    lists.append(lines, cells.lines(list, GAP, cells.right(2, #list[1]), "  "))
    for i, column in ipairs(one.columns) do
        local near = lists.collect(one.sorted, function(sorted)
            return sorted.column == i and ("%s (%.3f)"):format(sorted.event, sorted.goodness) or nil
        end)
        lines[#lines + 1] = ("  %s: %s"):format(column.title, column.of or "no event, and no sum of them, counts it here")
        lines[#lines + 1] = #near > 0 and "     by goodness: " .. table.concat(near, ", ") or nil
    end
end

-- Costs that make up the cycles (events.judge.plausibility).
local function add_cycles(lines, cycles)
    if not cycles.costs then
        return
    end
    local costs = lists.join(cycles.costs, ", ", function(cost) return ("%.4g %s"):format(cost.cycles, cost.text) end)
    local stated = lists.join(cycles.costs, ", ", function(cost) return cost.stated and ("%.4g"):format(cost.stated) end)
    lists.append(lines, { "", ("Cycles (%s) come nearest to %s"):format(cycles.event, costs) })
    lines[#lines + 1] = stated ~= "" and "  the virtual node's own time has " .. stated or nil
    lines[#lines + 1] = ("  of %d points each from the others: within %.2f %%"):format(cycles.predicted, math.abs(cycles.error_pct or 0))
end

-- { found = events.judge.events.survey(), rows = plan.events' rows to show |nil } -> { text = lines that end with a newline }.
function events.render(argument)
    local findings, rows = argument.found.events, { { "event", "class", "error %", "what it counts" } }
    lists.append(rows, findings, row_of)
    local lines = cells.lines(rows, GAP, { [3] = true })
    lists.append(lines, { "", summary(findings) })
    lists.append(lines, argument.found.skipped or {}, function(one)
        return ("not run: probe %s (%s): %s"):format(one.probe, one.title, one.reason)
    end)
    for _, one in ipairs(argument.found.vectors) do
        add_vectors(lines, one)
    end
    add_cycles(lines, argument.found.cycles)
    if argument.found.closer then
        lists.append(lines, { "", "Repeats of unsteady events, each measured alone; errors in %:" })
        lists.append(lines, noise.lines(argument.found.closer), function(line) return "  " .. line end)
    end
    for _, finding in ipairs(argument.rows and findings or {}) do
        lines[#lines + 1] = ""
        add_rows(lines, finding, argument.rows)
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return events
