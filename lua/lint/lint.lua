-- lint.lua - checks group files and event tables of LIKWID by rules (lint/rules.lua), without counting anything.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local event_list = require "input.event_list"
local event_table = require "lint.event_table"
local linted = require "lint.linted"
local lists = require "input.lists"
local perfmon = require "lint.perfmon"
local pmu_lines = require "input.pmu_lines"
local readers = require "lint.readers.readers"
local rules = require "lint.rules"
local silence = require "lint.silence"
local source_tree = require "lint.source_tree"
local vendor = require "input.vendor"

local lint = {}

-- LIKWID's list of an architecture, from likwid-perfctr -e on a node, which shows only boxes that the node has.
local function add_list(arch, text)
    arch.table, arch.selects, arch.limits = true, event_list.selects(text), {}
    for name, counters in text:gmatch "\n([%w_]+), 0x%x+, 0x%x+, ([%w|]+)" do
        arch.limits[name] = arch.limits[name] or counters -- LIKWID takes the first event of a name
    end
    arch.compared = function() return { text = text } end
end

-- LIKWID takes the first event of a name in a processor's table. Limits of several processors' tables are joined.
local function of_source(arch, known)
    local opened = known.open()
    arch.counters, arch.made, arch.tables = opened.counters, opened.made, opened.tables
    arch.table, arch.selects, arch.limits = true, {}, {}
    for _, file in ipairs(known.files) do
        local limits = {}
        for _, event in ipairs(opened.tables[file].events) do
            arch.selects[event.name] = arch.selects[event.name] or event
            limits[event.name] = limits[event.name] or event.limit
        end
        for name, limit in pairs(limits) do
            arch.limits[name] = arch.limits[name] and arch.limits[name] ~= limit and arch.limits[name] .. "|" .. limit or limit
        end
    end
    arch.compared = function() return { selects = event_table.selects(opened.tables[known.files[1]].events) } end
    arch.names_events = function(event) return event.exists end
end

local function of_node(arch, text)
    local counters = text:match "^(.-)\nThis architecture has %d+ events" or ""
    local kinds = lists.set(lists.words(counters, "\n([%w_]+), %u[^\n]*"), linted.kind)
    add_list(arch, text)
    arch.names_events = function(event) return kinds[linted.kind(event.counter)] end
end

-- Architectures by name, made when they are asked for: { table = true if LIKWID's events are known, selects, limits, names_events(event) =
-- whether they must have it, counters = set of all |nil, made = kinds made at run time |nil, vendor = rows by event |nil, confirmed = set
-- of events in pmu.vendor |nil }; and the source tree's.
local function architectures(argument)
    local known = argument.source[1] and source_tree.read(argument.source) or {}
    local listed, codes = lists.index(argument.listed, "arch"), lists.index(argument.vendor, "arch")
    local _, more = lists.group(argument.perfmon, "arch")
    return setmetatable({}, { __index = function(all, name)
        local arch = { names_events = function() return false end }
        if known[name] then
            of_source(arch, known[name])
        elseif listed[name] then
            of_node(arch, listed[name].text)
        end
        local text = codes[name] and codes[name].text or more[name] and ""
        arch.confirmed = text and lists.set(pmu_lines.read(text).events, "name")
        text = arch.limits and more[name] and perfmon.codes(lists.map(more[name], "list"), arch.limits, text) or text
        local compared = arch.compared and text and arch.compared()
        local rows = compared and vendor.check { codes = text, events = "", text = compared.text, selects = compared.selects }
        arch.vendor = rows and lists.index(rows, "event")
        all[name] = arch
        return arch
    end }), known
end

local function exists_in(arch)
    return arch.counters and function(counter)
        return arch.counters[counter] or arch.made and arch.made[linted.kind(counter)] or false
    end
end

local function file_finding(findings, file, line, rule, what, consequence, fix, severity)
    findings[#findings + 1] = { file = file, line = line, severity = severity or rule.severity, rule = rule.name, what = what,
        consequence = consequence, fix = fix }
end

-- Runs all rules about `kind` on a subject. file_of(first argument of say) is nil if say() names no file.
local function run_rules(kind, subject, arch, findings, file)
    for _, rule in ipairs(rules) do
        if rule.about == kind and (not rule.needs or arch[rule.needs]) then
            rule.check(subject, function(where, ...)
                if file then
                    file_finding(findings, file, where, rule, ...)
                else
                    local line, what, consequence = ...
                    file_finding(findings, where.file, line, rule, what, consequence)
                end
            end, arch)
        end
    end
end

local function check_group(file, archs, findings)
    local arch = archs[file.file:match "([^/]+)/[^/]+$" or ""]
    local group = linted.read(file, exists_in(arch))
    run_rules("group", group, arch, findings, file.file)
    return group
end

-- Files of other tools are checked by the rules about one group; no rule mends them.
local function check_other(groups, arch, findings)
    for _, group in ipairs(groups) do
        local found = {}
        run_rules("group", linted.read(group, nil, group), arch, found, group.file)
        for _, finding in ipairs(found) do
            finding.fix = nil
        end
        lists.append(findings, found)
    end
end

local function check_groups(argument, archs, findings)
    local groups = {}
    for _, file in ipairs(lists.filter(argument.files, function(file) return file.kind == "group" end)) do
        local others, architecture = readers.read(file)
        if others then
            check_other(file.shown and others or {}, architecture(argument.files), findings)
        else
            groups[#groups + 1] = check_group(file, archs, findings)
        end
    end
    for _, same in ipairs(lists.group(groups, "arch")) do
        run_rules("groups", same, archs[same[1].arch], findings)
    end
    run_rules("all", groups, {}, findings)
end

-- An event table is checked with an architecture that uses it, if possible one whose vendor's codes are known.
local function check_tables(argument, archs, known, findings)
    local codes, tables = lists.index(argument.vendor, "arch"), {}
    for _, file in ipairs(argument.files) do
        if file.kind == "table" then
            local owners = lists.filter(lists.sorted(known), function(name) return lists.contains(known[name].files, file.file) end)
            local owner = lists.find(owners, function(name) return codes[name] end) or owners[1]
            local arch = owner and archs[owner] or {}
            tables[#tables + 1] = arch.tables and arch.tables[file.file] or event_table.read(file)
            run_rules("table", tables[#tables], arch, findings, file.file)
        end
    end
    run_rules("tables", tables, {}, findings)
end

local SILENCE = { name = "silence", severity = "warning" }

-- Does one of the comment's rules need a table? Tables differ between versions of LIKWID, so the comment may be for another version.
local function depends(comment)
    return comment.reason ~= "" and lists.any(rules, function(rule) return rule.needs and comment.rules[rule.name] end)
end

-- Findings in shown files that no comment silences; comments without reason or without use are findings themselves.
local function shown(argument, findings)
    local silences, kept = {}, array()
    for _, file in ipairs(argument.files) do
        silences[file.file] = file.shown and silence.read(file.text) or nil
    end
    for _, finding in ipairs(findings) do
        local own = silences[finding.file]
        kept[#kept + 1] = own and not silence.covers(own, finding.rule, finding.line) and finding or nil
    end
    for file, own in pairs(silences) do
        for _, one in ipairs(own) do
            if not one.used and not depends(one) then
                file_finding(kept, file, one.line, SILENCE, one.reason == "" and "the comment gives no reason"
                    or "the comment silences nothing", "a finding may be overlooked")
            end
        end
    end
    table.sort(kept, lists.by("file", "line", "rule", "what"))
    return kept
end

-- argument:
--   files = array of { file = path, text =, kind = "group" | "table" | "names": of presets or events,
--     shown = false: read for comparison only }
--   source = array of { file =, text = } of a LIKWID source tree (source_tree.lua), empty without one
--   perfmon = array of { arch =, list = a decoded list of the vendor }
--   listed = array of { arch =, text = likwid-perfctr -e's output }, vendor = array of { arch =, text = pmu.vendor }
-- -> array of { file =, line =, severity =, rule =, what =, consequence =, fix = (fix.lua) |nil }
-- and a function(text, file) -> the findings of rules about one group, for another text of one of the files.
function lint.found(argument)
    collectgarbage "generational" -- most tables live to the end: a quarter less time
    local archs, known = architectures(argument)
    local findings = {}
    check_groups(argument, archs, findings)
    check_tables(argument, archs, known, findings)
    return shown(argument, findings), function(text, file)
        local found = {}
        check_group({ file = file.file, text = text }, archs, found)
        return found
    end
end

-- The same without `fix`.
function lint.findings(argument)
    local found = lint.found(argument)
    for _, finding in ipairs(found) do
        finding.fix = nil
    end
    return found
end

return lint
