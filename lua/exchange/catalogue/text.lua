-- text.lua - the catalogue as LIKWID group files, as CSV and as a table.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local csv = require "report.text.csv"
local families = require "report.families"
local fnv = require "numeric.fnv"
local found_boxes = require "exchange.found_boxes"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local report = require "report.text.report"

local catalogue_text = {}

local WIDTH = 100 -- columns of the table
local MARK = "Written by assay groups, checksum "
local MARK_END = ". Installing again replaces this file only if it was not changed."

local function sign(text)
    return ("%s%s%s%s\n"):format(text, MARK, fnv(text), MARK_END)
end

-- { text = } -> is it an unchanged file of sign()?
function catalogue_text.is_own(argument)
    local start = argument.text:find(MARK, 1, true)
    return start ~= nil and argument.text == sign(argument.text:sub(1, start - 1))
end

local function titled(metric)
    return metric.name .. (metric.unit and " [" .. metric.unit .. "]" or "")
end

local function percents(bounds)
    return ("min %s, avg %s, max %s %%"):format(report.percent(bounds.min), report.percent(bounds.avg), report.percent(bounds.max))
end

-- Adds "a factor of 1.001 or 0.999, or 12 more in every region, would have been noticed".
local function add_resolution(lines, found)
    local ends = lists.join({ "factor_up", "factor_down" }, " or ", function(key)
        return found and found[key] and ("%.6g"):format(found[key])
    end)
    local factors = ends ~= "" and "a factor of " .. ends or nil
    local offset = found and found.offset and ("%.4g%s more in every region"):format(found.offset,
        found.offset_unit and " " .. found.offset_unit or "")
    if factors or offset then
        lines[#lines + 1] = ("  would have been noticed: %s"):format(table.concat({ factors or offset, factors and offset }, ", or "))
    end
end

-- The facts about a metric, one per line.
function catalogue_text.facts(metric)
    local lines = { ("%s: %s (%d samples, tolerance %s %%)"):format(titled(metric), metric.verdict, metric.n,
        report.percent(metric.tolerance_pct):gsub("^%+", "")) }
    if metric.error_pct then
        lines[#lines + 1] = "  error " .. percents(metric.error_pct)
    end
    if metric.residue_pct then
        lines[#lines + 1] = "  where 0 is expected, in % of the work: " .. percents(metric.residue_pct)
    end
    add_resolution(lines, metric.resolution)
    local correction = metric.correction
    if correction then
        lines[#lines + 1] = ("  true value = (measured - %.6g%s) / %.6g"):format(correction.offset,
            correction.offset_unit and " " .. correction.offset_unit or "", correction.factor)
        if correction.error_pct then
            lines[#lines + 1] = "  error after the correction " .. percents(correction.error_pct)
        end
    end
    local threshold = metric.threshold
    if threshold then
        lines[#lines + 1] = ("  pattern present %s %.6g%s%s"):format(threshold.present_is, threshold.value,
            metric.unit and " " .. metric.unit or "",
            threshold.margin and (", controls %s times apart"):format(report.amount(threshold.margin)) or "")
    end
    if #metric.errata > 0 then
        lines[#lines + 1] = "  errata " .. table.concat(metric.errata, ", ")
    end
    return lists.append(lines, metric.vendor or {}, function(row)
        return ("  vendor check: %s %s%s"):format(row.event, row.state, row.consequence and ": " .. row.consequence or "")
    end)
end

-- A record of the evidence: file, node, processor, LIKWID, date.
function catalogue_text.evidence_line(evidence)
    return ("- %s: %s node %s, %s%s, %s"):format(evidence.record, evidence.kind, evidence.node, evidence.cpu or "unknown processor",
        evidence.likwid and ", LIKWID " .. evidence.likwid or "", evidence.date)
end

-- Tells which nodes the group is for: the boxes that it may contain, settings, and states in which the evidence differs.
local function add_nodes(lines, architecture, width)
    local found = found_boxes.text(architecture.boxes)
    lines[#lines + 1] = found and ("Made for nodes with these boxes: %s."):format(found)
    lines[#lines + 1] = architecture.lacks_boxes and "LIKWID's own sums are wrong on sockets that lack boxes of others: verdicts are of "
        .. "the boxes that a socket has." or nil
    local settings = node_state.settings_text(architecture.settings or {})
    lists.append(lines, settings and cells.wrap({ ("Verdicts are for nodes with these settings: %s."):format(settings) }, width) or {})
    lines[#lines + 1] = architecture.node_state and ("Verdicts are over all of these records, whose %s."):format(architecture.node_state)
end

-- The records that the architecture's groups were judged from, and the nodes and states that they are for, one per line.
function catalogue_text.origin(architecture, assay)
    local lines = { ("Judged by Assay %s from these records:"):format(assay) }
    lists.append(lines, architecture.evidence, catalogue_text.evidence_line)
    add_nodes(lines, architecture, math.huge)
    if architecture.evidence[1].kind == "virtual" then
        lines[#lines + 1] = "A virtual node is no evidence about silicon: validate on the node itself before you rely on it there."
    end
    return lines
end

local function add_long(lines, group, architecture, assay)
    lists.append(lines, { group.long, "" })
    lists.append(lines, catalogue_text.origin(architecture, assay))
    lists.append(lines, group.blame, function(text) return "To blame: " .. text end)
    lists.append(lines, lists.flat(group.metrics, catalogue_text.facts))
    lists.append(lines, group.unjudged, function(metric) return titled(metric) .. ": " .. (metric.reason or "not judged") end)
    local function why(metric)
        return (metric.verdict and ", " .. metric.verdict or "") .. (metric.reason and " (" .. metric.reason .. ")" or "")
    end
    lists.append(lines, families.fold(group.left_out, why), function(family)
        return ("Left out: %s%s"):format(titled({ name = family.name, unit = family.first.unit }), why(family.first))
    end)
end

-- A group of the catalogue's `architecture` as a LIKWID group file: its metrics, those of fixed counters, and the evidence in LONG.
function catalogue_text.group_file(group, architecture, assay)
    local lines = { "SHORT " .. group.short, "", "EVENTSET" }
    lists.append(lines, group.events, function(event) return event.counter .. " " .. event.event end)
    lists.append(lines, { "", "METRICS" })
    for _, list in ipairs { group.unjudged, group.metrics } do
        lists.append(lines, list, function(metric) return titled(metric) .. " " .. metric.formula end)
    end
    lists.append(lines, { "", "LONG" })
    add_long(lines, group, architecture, assay)
    return sign(table.concat(lines, "\n") .. "\n")
end

local function number(value)
    return value and ("%.12g"):format(value) or ""
end

local function joined(list, key)
    return lists.join(list, " ", function(value) return key and value[key] or value end)
end

local function part(of, key)
    return of and of[key]
end

-- name of the column, value for (architecture, group, metric)
local CSV = {
    { "arch", function(a) return a.arch end },
    { "group", function(_, g) return g.name end },
    { "metric", function(_, _, m) return m.name end },
    { "unit", function(_, _, m) return m.unit or "" end },
    { "formula", function(_, _, m) return m.formula end },
    { "verdict", function(_, _, m) return m.verdict end },
    { "samples", function(_, _, m) return number(m.n) end },
    { "tolerance_pct", function(_, _, m) return number(m.tolerance_pct) end },
    { "error_min_pct", function(_, _, m) return number(part(m.error_pct, "min")) end },
    { "error_avg_pct", function(_, _, m) return number(part(m.error_pct, "avg")) end },
    { "error_max_pct", function(_, _, m) return number(part(m.error_pct, "max")) end },
    { "residue_max_pct", function(_, _, m) return number(part(m.residue_pct, "max")) end },
    { "resolution_up", function(_, _, m) return number(part(m.resolution, "factor_up")) end },
    { "resolution_down", function(_, _, m) return number(part(m.resolution, "factor_down")) end },
    { "resolution_offset", function(_, _, m) return number(part(m.resolution, "offset")) end },
    { "factor", function(_, _, m) return number(part(m.correction, "factor")) end },
    { "offset", function(_, _, m) return number(part(m.correction, "offset")) end },
    { "offset_unit", function(_, _, m) return part(m.correction, "offset_unit") or "" end },
    { "corrected_min_pct", function(_, _, m) return number(part(part(m.correction, "error_pct"), "min")) end },
    { "corrected_max_pct", function(_, _, m) return number(part(part(m.correction, "error_pct"), "max")) end },
    { "threshold", function(_, _, m) return number(part(m.threshold, "value")) end },
    { "present_is", function(_, _, m) return part(m.threshold, "present_is") or "" end },
    { "margin", function(_, _, m) return number(part(m.threshold, "margin")) end },
    { "errata", function(_, _, m) return joined(m.errata) end },
    { "codes", function(_, _, m) return joined(m.codes) end },
    { "levels", function(_, _, m) return joined(m.levels) end },
    { "placements", function(_, _, m) return joined(m.placements) end },
    { "kind", function(a) return a.evidence[1].kind end },
    { "nodes", function(a) return joined(a.evidence, "node") end },
    { "records", function(a) return joined(a.evidence, "record") end },
    { "dates", function(a) return joined(a.evidence, "date") end },
}

local function for_each(catalogue, visit)
    for _, architecture in ipairs(catalogue.architectures) do
        for _, group in ipairs(architecture.groups) do
            for _, metric in ipairs(group.metrics) do
                visit(architecture, group, metric)
            end
        end
    end
end

-- { catalogue = } -> { text = }: RFC 4180 with \n, a row per metric; an empty field is an absent value.
function catalogue_text.csv(argument)
    local lines = { lists.join(CSV, ",", function(column) return column[1] end) }
    for_each(argument.catalogue, function(architecture, group, metric)
        local fields = lists.map(CSV, function(column) return csv.quoted(column[2](architecture, group, metric)) end)
        lines[#lines + 1] = table.concat(fields, ",")
    end)
    return { text = table.concat(lines, "\n") .. "\n" }
end

local TITLES = { "metric", "unit", "min %", "avg %", "max %", "detects %", "verdict" }
local RIGHT = { [3] = true, [4] = true, [5] = true, [6] = true }

local function row_of(metric)
    local errors = metric.error_pct or metric.residue_pct or {}
    return { "  " .. metric.name, metric.unit or "", report.percent(errors.min), report.percent(errors.avg), report.percent(errors.max),
        (report.resolution(metric.resolution)), metric.verdict }
end

local function why_left_out(metric)
    return metric.verdict or metric.reason
end

-- Adds a text below a group's name, wrapped to the table's width.
local function add_text(lines, text)
    lists.append(lines, cells.wrap({ text }, WIDTH - 2), function(line) return "  " .. line end)
end

-- Adds one text per reason.
local function add_unjudged(lines, list)
    local function reason_of(metric)
        return metric.reason or "not judged"
    end
    for _, alike in ipairs(lists.group(list, reason_of)) do
        add_text(lines, ("no verdict of its own: %s: %s"):format(lists.join(alike, ", ", "name"), reason_of(alike[1])))
    end
end

-- The groups of an architecture, each under its name.
local function add_groups(lines, architecture)
    local rows = { TITLES }
    for_each({ architectures = { architecture } }, function(_, _, metric) rows[#rows + 1] = row_of(metric) end)
    local widths = cells.widths(rows)
    lines[#lines + 1] = cells.line(TITLES, widths, 2, RIGHT)
    for _, group in ipairs(architecture.groups) do
        lists.append(lines, { "", ("%s: %s"):format(group.name, group.short) })
        for _, text in ipairs(group.blame) do
            add_text(lines, "to blame: " .. text)
        end
        lists.append(lines, group.metrics, function(metric) return cells.line(row_of(metric), widths, 2, RIGHT) end)
        add_unjudged(lines, group.unjudged)
        for _, family in ipairs(families.fold(group.left_out, why_left_out)) do
            add_text(lines, ("left out: %s, %s"):format(family.name, why_left_out(family.first)))
        end
    end
    lines[#lines + 1] = #architecture.left_out > 0 and "" or nil
    lists.append(lines, architecture.left_out, function(group)
        local reasons = lists.distinct(lists.map(group.metrics, why_left_out))
        return ("left out: %s, with metrics that are %s"):format(group.name, table.concat(reasons, ", "))
    end)
end

-- { catalogue = } -> { text = }: a table for people.
function catalogue_text.table(argument)
    local lines = {}
    for i, architecture in ipairs(argument.catalogue.architectures) do
        if i > 1 then
            lines[#lines + 1] = ""
        end
        lines[#lines + 1] = ("%s: %d groups with metrics that are %s"):format(architecture.arch, #architecture.groups,
            table.concat(argument.catalogue.verdicts, " or "))
        lists.append(lines, architecture.evidence, catalogue_text.evidence_line)
        add_nodes(lines, architecture, WIDTH)
        if argument.catalogue.kind == "virtual" then
            lines[#lines + 1] = "A virtual node is no evidence about silicon."
        end
        lines[#lines + 1] = ""
        add_groups(lines, architecture)
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return catalogue_text
