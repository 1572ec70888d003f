-- report.lua - findings as text, and in the forms of other tools. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each function: { findings = lint.findings(), program = "assay 0.1.0" } -> { text = that ends with a newline }.
local array = require "input.array"
local html = require "report.page.html"
local json = require "report.page.json"
local lists = require "input.lists"
local rules = require "lint.rules"

local report = {}

local LEVELS = { error = "error", warning = "warning", note = "notice" } -- of GitHub

local function message(finding)
    return ("%s; %s"):format(finding.what, finding.consequence)
end

local function lines(list)
    return { text = #list > 0 and table.concat(list, "\n") .. "\n" or "" }
end

-- "FILE:LINE: severity: what; consequence [rule]"
function report.text(argument)
    return lines(lists.map(argument.findings, function(finding)
        return ("%s:%d: %s: %s [%s]"):format(finding.file, finding.line, finding.severity, message(finding), finding.rule)
    end))
end

-- Workflow commands of GitHub Actions.
function report.github(argument)
    local function escape(text)
        return (text:gsub("[%%\r\n]", function(char) return ("%%%02X"):format(char:byte()) end))
    end
    return lines(lists.map(argument.findings, function(finding)
        return ("::%s file=%s,line=%d,title=%s::%s"):format(LEVELS[finding.severity], escape(finding.file):gsub("[:,]", {
            [":"] = "%3A", [","] = "%2C" }), finding.line, finding.rule, escape(message(finding)))
    end))
end

local function uri(file)
    return (file:gsub("[^%w%-._~/]", function(char) return ("%%%02X"):format(char:byte()) end))
end

-- SARIF 2.1.0. A file's name is a URI there.
function report.sarif(argument)
    local name, version = argument.program:match "^(%S+) (%S+)$"
    local driver = { name = name, version = version, rules = array(lists.map(rules, function(rule)
        return { id = rule.name, shortDescription = { text = rule.title }, properties = { class = rule.class } }
    end)) }
    local results = lists.map(argument.findings, function(finding)
        return {
            ruleId = finding.rule, level = finding.severity, message = { text = message(finding) },
            locations = array { { physicalLocation = { artifactLocation = { uri = uri(finding.file) },
                region = { startLine = finding.line } } } },
        }
    end)
    local log = { ["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json", version = "2.1.0",
        runs = array { { tool = { driver = driver }, results = array(results) } } }
    return { text = json.encode(log) .. "\n" }
end

-- A test case for each rule and file with findings.
function report.junit(argument)
    local cases = lists.group(argument.findings, function(finding) return finding.rule .. "\0" .. finding.file end)
    local text = { '<?xml version="1.0" encoding="UTF-8"?>',
        ('<testsuites><testsuite name="assay lint" tests="%d" failures="%d">'):format(#cases, #cases) }
    for _, findings in ipairs(cases) do
        html.add(text, ' <testcase classname="%s" name="%s">', html.escape(findings[1].rule), html.escape(findings[1].file))
        for _, finding in ipairs(findings) do
            html.add(text, '  <failure type="%s" message="%s"/>', finding.severity,
                html.escape(("line %d: %s"):format(finding.line, message(finding))))
        end
        text[#text + 1] = " </testcase>"
    end
    text[#text + 1] = "</testsuite></testsuites>"
    return lines(text)
end

-- The list of rules.
function report.rules()
    return lines(lists.map(rules, function(rule)
        return ("%-18s %-3s %-7s %s"):format(rule.name, rule.class, rule.severity, rule.title)
    end))
end

return report
