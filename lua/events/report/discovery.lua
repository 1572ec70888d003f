-- discovery.lua - table of events that show quantities. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local discovery = {}

local GAP = 2
local OURS = { same = "the same", right = "shows it, too", wrong = "does not show it here" }

-- "2 A + B" for events A and B
local function sum_of(finding)
    return lists.join(finding.events, " ", function(one, i)
        local sign = one.weight < 0 and "- " or i > 1 and "+ " or ""
        local weight = math.abs(one.weight) == 1 and "" or ("%g "):format(math.abs(one.weight))
        return sign .. weight .. one.event .. (one.options ~= "" and ":" .. one.options or "")
    end)
end

local VERDICTS = { right = "shows it", wrong = "does not show it", broken = "cannot be counted" }

-- Error of a checked metric, and the row where it is largest.
local function off_of(one)
    local parts = {}
    if one.error_pct then
        parts[1] = ("%+.3g %% in %s"):format(one.error_pct, one.row)
    end
    if one.stray then
        parts[#parts + 1] = ("%.4g in %s, where 0 is right"):format(one.stray.count, one.stray.row)
    end
    parts[#parts + 1] = one.reason
    return table.concat(parts, "; ")
end

local EVENTS_MOST = 44 -- characters of a sum

-- Adds metrics with a verdict.
local function add_judged(lines, checked)
    local rows = lists.append({ { "group", "metric", "should show", "its events", "", "off" } }, checked, function(one)
        return one.verdict and { one.group, one.metric, cells.cut(one.quantity or "-", EVENTS_MOST),
            cells.cut(one.events or "-", EVENTS_MOST), VERDICTS[one.verdict], off_of(one) }
    end)
    lists.append(lines, #rows > 1 and lists.append(cells.lines(rows, GAP), { "" }) or {})
end

-- Adds metrics without a verdict, by reason; a metric is listed once with all its groups.
local function add_unjudged(lines, checked)
    local unjudged = lists.filter(checked, function(one) return not one.verdict end)
    for _, of_reason in ipairs(lists.group(unjudged, "reason")) do
        lines[#lines + 1] = "not judged: " .. of_reason[1].reason
        lists.append(lines, lists.group(of_reason, "metric"), function(of_metric)
            return ("    %s (%s)"):format(of_metric[1].metric, lists.join(of_metric, " ", "group"))
        end)
    end
    lines[#lines + 1] = #unjudged > 0 and "" or nil
end

-- Adds metrics for which the group's own text has another formula.
local function add_documented(lines, checked)
    local texts = lists.collect(checked, function(one)
        return one.documented and ("%s: the text below LONG has another formula for %s: %s"):format(one.group, one.metric, one.documented)
    end)
    lists.append(lines, #texts > 0 and lists.append(texts, { "" }) or {})
end

-- Adds the number of metrics per verdict.
local function add_counts(lines, checked)
    local counts = vocabulary.count(checked, "verdict")
    lines[#lines + 1] = ("%d metrics: %d show what they should, %d do not, %d cannot be counted, %d are not judged"):format(#checked,
        counts.right or 0, counts.wrong or 0, counts.broken or 0, lists.count(checked, function(one) return not one.verdict end))
    lines[#lines + 1] = ""
end

-- Lines about metrics of users' groups; none if no such groups were given.
local function checked_lines(checked)
    local lines = {}
    for _, add in ipairs(checked and { add_judged, add_unjudged, add_documented, add_counts } or {}) do
        add(lines, checked)
    end
    return lines
end

-- { checked =, found =, unknown =, events =, distinct = of events.discovery.discovery } -> { text = lines that end with a newline }.
function discovery.render(argument)
    local lines = checked_lines(argument.checked)
    if argument.checked and #argument.found == 0 then
        return { text = table.concat(lines, "\n") }
    end
    local titles = { "quantity", "of", "error %", "its group's events", "found by counts" }
    lists.append(lines, cells.lines(lists.append({ titles }, argument.found, function(finding)
        return { finding.quantity, finding.group, finding.error_pct and ("%+.3f"):format(finding.error_pct) or "",
            OURS[finding.ours] or "", finding.events and sum_of(finding) .. (finding.reason and "; " .. finding.reason or "")
                or finding.reason }
    end), GAP, { [3] = true }))
    lists.append(lines, { "", ("%d of %d quantities found, with %d distinct counts of %d events with values"):format(
        lists.count(argument.found, "events"), #argument.found, argument.distinct, argument.events) })
    lines[#lines + 1] = not argument.checked and #argument.unknown > 0
        and ("%d metrics left out: one of their events is not documented"):format(#argument.unknown) or nil
    return { text = table.concat(lines, "\n") .. "\n" }
end

return discovery
