-- counted.lua - section of the report page: what the node's architecture counts, by which groups, and why it does not count the rest.
-- SPDX-License-Identifier: GPL-3.0-or-later
local html = require "report.page.html"
local lists = require "input.lists"
local report = require "report.text.report"
local vocabulary = require "judge.vocabulary"

local counted = {}

local SHOWN = { "pattern", "level", "group", "metric" }

-- Vendor check of a metric's events; "-" if the record has none.
local function vendor_of(rows)
    return rows == nil and "-" or #rows == 0 and "same"
        or lists.join(rows, ", ", function(row) return ("%s: %s"):format(row.event, row.consequence or row.state) end)
end

local function row_of(metrics)
    local one = metrics[1]
    return { ((one.pattern or "-"):gsub("_", " ")), one.level or "-", one.metric, one.group, vendor_of(one.vendor),
        one.tolerance_pct and report.percent(one.tolerance_pct):sub(2) or "-",
        vocabulary.tally(vocabulary.count(metrics, "verdict"), vocabulary.VERDICTS, "%s %d") }
end

function counted.add(lines, record)
    local shown = lists.filter(record.metrics, function(metric) return metric.group and metric.metric end)
    local groups = lists.group(shown, function(metric) return vocabulary.identity(metric, SHOWN) end)
    html.add(lines, '<section id="counted"><h2>What %s counts</h2><div class="scroll">', html.escape(record.node.arch or "the node"))
    html.add_table(lines, '<table class="plain"><caption>A row per metric, all codes and places together. Vendor check: LIKWID\'s codes of '
        .. "its events against the vendor's list</caption>",
        { "#pattern", "data in", "metric", "group", "vendor check", ">tolerance %", "verdicts" }, lists.map(groups, row_of), "</div>")
    local absent = lists.filter(record.metrics, function(metric) return not metric.metric end)
    html.add_list(lines, vocabulary.values(absent, "reason"), "<h3>Not counted</h3>")
    html.add(lines, "</section>")
end

return counted
