-- junit.lua - a fleet as a JUnit test report: a suite per group, a case per node. A case fails if the node counts differently.
-- Without a record it is skipped if its task is unsent, pending, running or unavailable, and else an error.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- junit.render{ collection =, found = } -> { text = }
local html = require "report.page.html"
local lists = require "input.lists"
local text = require "fleet.report.text"

local junit = {}

local add, escape = html.add, html.escape

local METRICS_MOST = 20
local SKIPPED = { unavailable = true, pending = true, running = true, unsent = true }

-- The node's differences, one per line.
local function details(argument, entry)
    local found = text.differences(argument, entry)
    local lines = lists.append(found.blame, lists.first(found.outliers, METRICS_MOST))
    return table.concat(lists.append(lines, lists.first(found.verdicts, METRICS_MOST)), "\n")
end

local function add_group(lines, argument, number, group, entries)
    local failed = lists.count(entries, function(entry) return entry.differs end)
    add(lines, ' <testsuite name="group %d: %s; %s" tests="%d" failures="%d" errors="0" skipped="0">', number, escape(group.family),
        escape(text.state(group)), #entries, failed)
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
    local cases, skipped = {}, 0
    local function add_case(host, tag, message)
        add(cases, '  <testcase classname="assay.fleet" name="%s"><%s message="%s"/></testcase>', escape(host), tag, escape(message))
    end
    for _, entry in ipairs(argument.collection.status or {}) do
        if entry.state ~= "done" then
            skipped = skipped + (SKIPPED[entry.state] and 1 or 0)
            add_case(entry.host, SKIPPED[entry.state] and "skipped" or "error", entry.state .. (entry.why and ": " .. entry.why or ""))
        end
    end
    for _, entry in ipairs(argument.collection.broken) do
        add_case(entry.host, "error", "broken record: " .. entry.why)
    end
    if #cases > 0 then
        add(lines, ' <testsuite name="without a record" tests="%d" failures="0" errors="%d" skipped="%d">', #cases, #cases - skipped,
            skipped)
        lists.append(lines, cases)
        lines[#lines + 1] = " </testsuite>"
    end
end

function junit.render(argument)
    local lines = { '<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>" }
    for number, group in ipairs(argument.found.groups) do
        local entries = lists.filter(argument.found.nodes, function(entry) return entry.group == number end)
        table.sort(entries, lists.by("host"))
        add_group(lines, argument, number, group, entries)
    end
    add_absent(lines, argument)
    lines[#lines + 1] = "</testsuites>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return junit
