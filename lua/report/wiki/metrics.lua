-- metrics.lua - rows of metrics: one per metric over all codes, and one per code.
-- SPDX-License-Identifier: GPL-3.0-or-later
local families = require "report.families"
local lists = require "input.lists"
local report = require "report.text.report"
local resolution = require "judge.resolution"
local text = require "report.wiki.text"
local stats = require "numeric.stats"
local summaries = require "report.summaries"
local threshold = require "report.threshold"
local vocabulary = require "judge.vocabulary"

local metrics = {}

-- "exact 10, random 1" in the order of `names`.
local function counts(list, key, names)
    return vocabulary.tally(vocabulary.count(list, key), names, "%s %d")
end

-- Counts of verdicts in a list of metrics, for captions.
function metrics.verdicts(list)
    return counts(list, "verdict", vocabulary.VERDICTS) .. summaries.over_time(list)
end

-- Errors over codes: minimum, mean weighted by samples, maximum.
local function errors(list)
    local low, high, sum, weight
    for _, metric in ipairs(list) do
        local found = metric.error_pct
        if found then
            low, high = math.min(low or found.min, found.min), math.max(high or found.max, found.max)
            sum, weight = (sum or 0) + found.avg * metric.n, (weight or 0) + metric.n
        end
    end
    return { min = low, avg = weight and weight > 0 and sum / weight or nil, max = high }
end

-- The largest of the metrics' smallest detectable errors in %; "none" if one of them detects nothing.
local function detects(list)
    local known = lists.collect(list, "resolution")
    local percents = lists.collect(known, resolution.percent)
    if #percents < #known then
        return "none"
    end
    local _, worst = stats.range(percents)
    return text.percent(worst):gsub("^%+", "")
end

local function errata(list)
    return text.escape(table.concat(lists.distinct(lists.flat(list, "errata")), ", "))
end

local SUMMARY = { "Group", "Metric", "Data in", "Threads on", "Node", ">min %", ">avg %", ">max %",
    ">detects %", "Class (codes)", "Verdict (codes)", "Pattern present", "Errata" }

-- Metrics of one pattern on several nodes, merged over codes and numbered boxes; a metric's nodes are adjacent for comparison.
local function gather(nodes, pattern)
    local order, bins = {}, {}
    for _, node in ipairs(nodes) do
        for _, metric in ipairs(node.metrics) do
            if metric.pattern == pattern and metric.metric and metric.group then
                local stem, number = families.split(metric.metric)
                local key = ("%s\t%s\t%s\t%s"):format(metric.level or "", metric.placement or "", metric.group, stem)
                lists.bin(bins, key, { by_node = {}, stem = stem }, order)
                families.add(bins[key], number)
                lists.push(bins[key].by_node, node, metric)
            end
        end
    end
    return order
end

-- Adds the table of a pattern: a row per metric and node.
function metrics.add_summary(lines, nodes, pattern)
    local rows = {}
    for _, bin in ipairs(gather(nodes, pattern)) do
        for _, node in ipairs(nodes) do
            local list = bin.by_node[node]
            if list then
                local first, found = list[1], errors(list)
                rows[#rows + 1] = {
                    text.code(first.group),
                    text.escape(families.title(bin)),
                    first.level and text.escape(first.level),
                    first.placement and text.escape(first.placement),
                    text.escape(node.label),
                    text.percent(found.min),
                    text.percent(found.avg),
                    text.percent(found.max),
                    (detects(list)),
                    counts(list, "class", vocabulary.CLASSES),
                    counts(list, "verdict", vocabulary.VERDICTS),
                    threshold(first, text.amount),
                    errata(list),
                }
            end
        end
    end
    text.add_table(lines, SUMMARY, rows)
end

local function interval(pair)
    return pair and (" (95 %%: %.4g to %.4g)"):format(pair[1], pair[2]) or ""
end

local function correction(metric)
    local found = metric.correction
    if not found then
        return nil
    end
    local parts = {}
    if found.factor_ci or found.factor ~= 1 then
        parts[#parts + 1] = ("factor %.4g%s"):format(found.factor, interval(found.factor_ci))
    end
    if found.offset_ci or found.offset ~= 0 then
        parts[#parts + 1] = ("offset %.4g%s%s"):format(found.offset, found.offset_unit and " " .. found.offset_unit or "",
            interval(found.offset_ci))
    end
    local left = found.error_pct
    if left then
        parts[#parts + 1] = ("corrected: %s to %s %%"):format(text.percent(left.min), text.percent(left.max))
    end
    return table.concat(parts, ", ")
end

local function remark(metric)
    local parts = { correction(metric) }
    local residue = metric.residue_pct
    if residue then
        parts[#parts + 1] = ("where 0 is expected at most %s %% of the work"):format(text.percent(residue.max))
    end
    if metric.reason and metric.verdict ~= "validated" and not metric.correction then
        parts[#parts + 1] = metric.reason
    end
    if metric.repetitions_pct and metric.verdict == "unresolved" then
        parts[#parts + 1] = ("repetitions up to %.3g %% apart"):format(metric.repetitions_pct)
    end
    lists.append(parts, metric.errata or {}, function(id) return "erratum " .. id end)
    return text.escape(table.concat(parts, "; "))
end

local DETAIL = { "Code", "Metric", "Node", ">n", ">Expected", ">Measured", ">min %", ">avg %", ">max %",
    ">detects %", "Class", "Verdict", "Remark" }

local function detail_row(metric, node)
    local found = metric.error_pct or {}
    return {
        text.code(metric.code or "all"),
        text.escape(metric.metric or "all"),
        text.escape(node.label),
        tostring(metric.n or 0),
        text.amount(metric.expected and metric.expected.mean, metric.unit),
        text.amount(metric.measured and metric.measured.mean, metric.unit),
        text.percent(found.min),
        text.percent(found.avg),
        text.percent(found.max),
        (report.resolution(metric.resolution)),
        metric.class,
        report.verdict(metric),
        remark(metric),
    }
end

local function title_of(entry)
    local metric = entry.metric
    return ("%s%s, threads on %s"):format(metric.level and "data in " .. metric.level .. ", " or "", metric.group, metric.placement or "-")
end

-- Adds a folded table per level, placement and group, with a row per code, metric and node. Entries skipped as a whole come last.
function metrics.add_details(lines, nodes, pattern)
    local entries = lists.flat(nodes, function(node)
        return lists.collect(node.metrics, function(metric) return metric.pattern == pattern and { metric = metric, node = node } end)
    end)
    local skipped = lists.filter(entries, function(entry) return not entry.metric.group end)
    for _, block in ipairs(lists.group(lists.filter(entries, function(entry) return entry.metric.group end), title_of)) do
        local same = lists.group(block, function(entry) return tostring(entry.metric.code) .. "\t" .. entry.metric.metric end)
        local rows = lists.flat(same, function(list)
            return lists.map(list, function(entry) return detail_row(entry.metric, entry.node) end)
        end)
        text.add(lines, "<details><summary>%s (%d rows)</summary>", text.escape(title_of(block[1])), #rows)
        text.add_table(lines, DETAIL, rows)
        text.add(lines, "</details>")
    end
    for _, entry in ipairs(skipped) do
        local metric = entry.metric
        lines[#lines + 1] = ("- not measured on %s: %s"):format(text.escape(entry.node.label), text.escape(table.concat({
            metric.code or "all codes", metric.metric or "all metrics", metric.level or "", metric.placement or "",
        }, " "):gsub("%s+", " "):gsub(" $", "") .. ": " .. (metric.reason or "no reason is recorded")))
    end
    if #skipped > 0 then
        lines[#lines + 1] = ""
    end
end

return metrics
