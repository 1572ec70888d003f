-- text.lua - tables of counts estimated from samples. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"

local sampling = {}

local GAP = 2
local BEYOND = "!" -- marks deviations that chance does not explain

local function percent(value, format)
    return value and (format or "%.3g"):format(value) or ""
end

-- A factor's or an offset's interval as text.
local function between(interval)
    return ("%.6g to %.6g"):format(interval.min, interval.max)
end

-- Meaning of each class; %s: the event's reason, factor or offset.
local MEANS = {
    absent = "%s",
    exact = "the total is right to one period per core",
    multiplicative = "samples of %s times what happened",
    bias = "samples of %s more on each core than happened",
    random = "samples of another multiple of what happened in each run",
    other = "samples of something else, where it does not happen",
    missing = "no samples of what happened",
    unknown = "no factor and no offset explains the samples",
}

-- "exact: the total is right to one period per core"
function sampling.verdict(event)
    local value = event.reason or event.factor and between(event.factor) or event.offset and between(event.offset)
    return ("%s: %s"):format(event.class, MEANS[event.class]:format(value))
end

local function misplaced(row)
    return percent(row.misplaced_pct) .. (row.beyond and BEYOND or "")
end

-- A table row: an event's results with one period, run by run.
local function table_row(event, rows)
    local last = rows[#rows]
    local row = { tostring(last.period) }
    if event.round then
        row[#row + 1], row[#row + 2] = tostring(last.places), last.sweep and tostring(last.sweep) or "never"
    end
    row[#row + 1] = tostring(last.samples)
    row[#row + 1] = percent(last.error_pct, "%+.3g")
    lists.append(row, rows, misplaced)
    row[#row + 1] = percent(last.chance_pct)
    row[#row + 1] = last.furthest and ("%s %+.3g %%"):format(last.furthest["function"], last.furthest.error_pct) or ""
    return row
end

local function titles(event, runs)
    local row = { "period" }
    if event.round then
        row[#row + 1], row[#row + 2] = "places", "sweep"
    end
    row[#row + 1], row[#row + 2] = "samples", "in all %"
    for i, run in ipairs(runs) do
        row[#row + 1] = (i == 1 and "misplaced %% " or "") .. (run.rounds and ("in %d"):format(run.rounds) or "")
        row[#row] = row[#row]:gsub("%%%%", "%%"):gsub("%s+$", "")
    end
    row[#row + 1], row[#row + 2] = "by chance", "furthest off"
    return row
end

local function add_event(lines, event)
    lines[#lines + 1] = ("%s%s: %s"):format(event.event, event.said and (" (%s)"):format(event.said) or "", sampling.verdict(event))
    local periods = lists.group(event.rows, "period")
    if event.reason then
        return
    end
    local last = event.rows[#event.rows]
    lines[#lines + 1] = ("  %s happened%s%s"):format(last.counted, last.rounds and (" in %d rounds"):format(last.rounds) or "",
        event.round and (", %d a round"):format(event.round) or "")
    local rows = { titles(event, periods[1]) }
    lists.append(rows, periods, function(one) return table_row(event, one) end)
    lists.append(lines, cells.lines(rows, GAP, cells.right(1, #rows[1] - 1), "    "))
    for _, one in ipairs(event.differing) do
        lines[#lines + 1] = ("  %s: its code says %d, counted are %d"):format(one["function"], one.code, one.counted)
    end
end

local function add_legend(lines, found)
    lines[#lines + 1] = "in all: of samples times period. misplaced: samples that are another function's, " .. BEYOND
        .. ": more than by chance."
    local closed = lists.sum(found.events, "closed")
    if lists.any(found.events, "round") then
        lines[#lines + 1] = "places: how many of a round's events are ever sampled; samples in step with the program see few."
        lines[#lines + 1] = "sweep: how many samples it takes until they have gone through a round."
    end
    if closed > 0 then
        lines[#lines + 1] = ("%d counts of functions are what their code says."):format(closed)
    end
    if found.lost > 0 then
        lines[#lines + 1] = ("%d samples were lost."):format(found.lost)
    end
    if found.unfinished > 0 then
        lines[#lines + 1] = ("%d programs were killed before they told their samples."):format(found.unfinished)
    end
end

-- { found = judge.sampling.find() } -> { text = lines that end with a newline }.
function sampling.render(argument)
    local lines = {}
    for _, event in ipairs(argument.found.events) do
        add_event(lines, event)
        lines[#lines + 1] = ""
    end
    add_legend(lines, argument.found)
    return { text = table.concat(lines, "\n") .. "\n" }
end

return sampling
