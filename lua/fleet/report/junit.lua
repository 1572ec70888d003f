-- junit.lua - a fleet as a JUnit test report: a suite per group, a case per node. A case fails if the node counts differently.
-- Without a record it is skipped if its task is unsent, pending, running or unavailable, and else an error.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- junit.render{ collection =, found = } -> { text = }
local plot = require "report.page.plot"
local fleet = require "fleet.judge"
local lists = require "input.lists"
local text = require "fleet.report.text"

local junit = {}

local add, escape = plot.add, plot.escape

local METRICS_MOST = 20

-- The node's differences, one per line.
local function details(argument, entry)
    local metrics = argument.collection.metrics
    local lines = lists.collect(entry.blame, function(words) return "to blame: " .. words end)
    for i, one in ipairs(text.sorted_outliers(entry)) do
        if i <= METRICS_MOST then
            add(lines, "%s: %+.4g %%, off by %.3g limits", fleet.metric_name(metrics[one.metric]), one.value, math.abs(one.ratio))
        end
    end
    for i, one in ipairs(entry.verdicts) do
        if i <= METRICS_MOST then
            add(lines, "%s: %s, elsewhere %s", fleet.metric_name(metrics[one.metric]), one.verdict, one.usual)
        end
    end
    return table.concat(lines, "\n")
end

local function add_group(lines, argument, number, group, entries)
    local failed = lists.count(entries, function(entry) return entry.differs end)
    add(lines, ' <testsuite name="group %d: %s; %s" tests="%d" failures="%d" errors="0" skipped="0">', number, escape(group.family),
        escape(group.name), #entries, failed)
    for _, entry in ipairs(entries) do
        add(lines, '  <testcase classname="assay.fleet" name="%s">', escape(entry.host))
        if entry.differs then
            add(lines, '   <failure message="%s">%s</failure>', text.summary(entry), escape(details(argument, entry)))
        end
        lines[#lines + 1] = "  </testcase>"
    end
    lines[#lines + 1] = " </testsuite>"
end

local function add_absent(lines, argument)
    local cases, errors, skipped = {}, 0, 0
    local function add_case(host, tag, message)
        add(cases, '  <testcase classname="assay.fleet" name="%s"><%s message="%s"/></testcase>', escape(host), tag, escape(message))
    end
    for _, entry in ipairs(argument.collection.status or {}) do
        if entry.state == "unavailable" or entry.state == "pending" or entry.state == "running" or entry.state == "unsent" then
            skipped = skipped + 1
            add_case(entry.host, "skipped", entry.state .. (entry.why and ": " .. entry.why or ""))
        elseif entry.state ~= "done" then
            errors = errors + 1
            add_case(entry.host, "error", entry.state .. (entry.why and ": " .. entry.why or ""))
        end
    end
    for _, entry in ipairs(argument.collection.broken) do
        errors = errors + 1
        add_case(entry.host, "error", "broken record: " .. entry.why)
    end
    if #cases > 0 then
        add(lines, ' <testsuite name="without a record" tests="%d" failures="0" errors="%d" skipped="%d">', #cases, errors, skipped)
        lists.append(lines, cases)
        lines[#lines + 1] = " </testsuite>"
    end
end

function junit.render(argument)
    local lines = { '<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>" }
    for number, group in ipairs(argument.found.groups) do
        local entries = lists.filter(argument.found.nodes, function(entry) return entry.group == number end)
        table.sort(entries, function(a, b) return a.host < b.host end)
        add_group(lines, argument, number, group, entries)
    end
    add_absent(lines, argument)
    lines[#lines + 1] = "</testsuites>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return junit
