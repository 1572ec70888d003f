-- diagnosis.lua - a diagnosis as text: patterns found, absent ones, and those without an answer. SPDX-License-Identifier: GPL-3.0-or-later
local analysis = require "program.report.analysis"
local cells = require "report.text.cells"
local lists = require "input.lists"
local scaling = require "program.report.scaling"

local diagnosis = {}

local INDENT = "    "
local MODEL = "cycles are those of the virtual node's time model; costs of events that take no time there are added as documented"

local function percent(value)
    return ("%.0f"):format(100 * value)
end

-- "12 %" or "8 .. 12 %"
function diagnosis.share(low, high)
    low, high = percent(low), percent(high)
    return low == high and low .. " %" or low .. " .. " .. high .. " %"
end

-- Where a finding was decided: its region, and the spread of all threads in it.
function diagnosis.place(record, found)
    local region = lists.find(found.regions, function(one) return one.region == found.region end)
    local name, parts = record.regions[found.region + 1], {}
    parts[1] = name ~= "" and "region " .. name or nil
    if #region.threads > 1 then
        local leaf = record.system[found.leaf + 1]
        local least = lists.most(region.threads, -1, function(thread) return -thread.high end)
        parts[#parts + 1] = ("thread %d.%d; others from %s %%"):format(leaf.process, leaf.thread, percent(-least))
    end
    return table.concat(parts, ", ")
end

function diagnosis.evidence(one)
    local cost = one.cost and (" at %s cycles"):format(one.cost.low == one.cost.high and ("%.4g"):format(one.cost.low)
        or ("%.4g .. %.4g"):format(one.cost.low, one.cost.high)) or ""
    return ("%s %s%s (%s of %s, %s: %s)"):format(analysis.number(one.value), one.name, cost, one.metric, one.group, one.verdict,
        table.concat(one.events, ", "))
end

local function indented(text, width)
    return lists.map(cells.wrap({ text }, width - #INDENT), function(line) return INDENT .. line end)
end

local function add_present(lines, record, found, width)
    local place = diagnosis.place(record, found)
    lines[#lines + 1] = ("%s can explain %s of the run time%s"):format(found.title, diagnosis.share(found.low, found.high),
        place ~= "" and " (" .. place .. ")" or "")
    for _, one in ipairs(found.evidence) do
        lists.append(lines, indented(diagnosis.evidence(one), width))
    end
    lists.append(lines, indented(found.advice or "", width))
end

-- Titles of the findings with an answer, with share or reason.
local function list_of(record, answer)
    return lists.collect(record.findings, function(found)
        return found.answer == answer and (found.why and ("%s: %s"):format(found.title, found.why)
            or ("%s: %s"):format(found.title, diagnosis.share(found.low, found.high)))
    end)
end

-- { record = of kind "diagnosis", width = } -> { text = }
function diagnosis.render(argument)
    local record, lines = argument.record, {}
    for _, found in ipairs(record.findings) do
        if found.answer == "present" then
            add_present(lines, record, found, argument.width)
        end
    end
    if #lines == 0 then
        lines[1] = ("no pattern is seen to explain %s %% of the run time"):format(percent(record.limit))
    end
    for _, answer in ipairs { "absent", "cannot say" } do
        local some = list_of(record, answer)
        lines[#lines + 1] = #some > 0 and answer .. ":" or nil
        for _, text in ipairs(some) do
            lists.append(lines, indented(text, argument.width))
        end
    end
    lists.append(lines, scaling.lines(record))
    lists.append(lines, record.messages or {})
    lines[#lines + 1] = record.node.kind == "virtual" and MODEL or nil
    lines[#lines + 1] = "verdicts: " .. record.evidence
    return { text = table.concat(lines, "\n") .. "\n" }
end

return diagnosis
