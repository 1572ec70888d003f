-- plots_choice.lua - decides which metrics of a pattern go into which plot.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- If a pattern's codes are streams in memory levels: one plot per node and pattern, of total volumes (of bandwidths if there are none),
-- with a series per level, placement and group. An expected bandwidth is the volume over LIKWID's own time, so its error is the
-- volume's error. Other patterns: one plot of counts and one of volumes per group, with a series per metric and placement. A plot with
-- more series than colours is split by level or placement.
local lists = require "input.lists"
local plots = require "report.wiki.plots"
local text = require "report.wiki.text"
local totals = require "report.totals"

local choice = {}

local function is_plotted(metric, kind)
    return metric.metric ~= nil and metric.error_pct ~= nil and metric.code ~= nil and metric.kind == kind
end

local function select(node, pattern, kind, has_level)
    local total = totals.of(node.metrics)
    return lists.filter(node.metrics, function(metric)
        return metric.pattern == pattern and is_plotted(metric, kind) and total.is_whole(metric) and (metric.level ~= nil) == has_level
    end)
end

local function label_level(metric)
    return ("%s: %s, %s"):format(metric.level, metric.metric, metric.placement or "-")
end

local function label_count(metric)
    return ("%s, %s"):format(metric.metric, metric.placement or "-")
end

-- Codes of the metrics, in the order of the record's metrics of that pattern.
local function categories(metrics, all)
    local used = lists.set(metrics, "code")
    return lists.distinct(all, nil, function(metric)
        return metric.pattern == metrics[1].pattern and used[metric.code] and metric.code
    end)
end

local function make(metrics, label, name, title, all)
    local plot = { name = name, title = title, categories = categories(metrics, all) }
    local place = lists.places(plot.categories)
    plot.series = lists.map(lists.group(metrics, label), function(of_label)
        return { label = label(of_label[1]), points = lists.map(of_label, function(metric)
            local found = metric.error_pct
            return { at = place[metric.code], avg = found.avg, min = found.min, max = found.max }
        end) }
    end)
    return plot
end

local function level_of(metric)
    return metric.level
end

local function placement_of(metric)
    return metric.placement or "-"
end

-- Adds a plot, or one per value of `key`, then of `next_key`, if there are more series than colours.
local function add(list, metrics, label, name, title, all, key, next_key)
    if #metrics == 0 then
        return
    end
    local plot = make(metrics, label, name, title, all)
    if not key or #plot.series <= plots.MOST_SERIES then
        list[#list + 1] = plot
        return
    end
    local parts = lists.group(metrics, key)
    if #parts == 1 then
        add(list, metrics, label, name, title, all, next_key)
        return
    end
    for _, part in ipairs(parts) do
        local of = key(part[1])
        add(list, part, label, name .. "-" .. text.file_part(of), title .. ", " .. of, all, next_key)
    end
end

-- Plots of a pattern on a node -> array of plots.script's arguments with `name` = the file's name without its suffix.
-- `prefix`: start of the names; `title`: start of the titles.
function choice.list(node, pattern, prefix, title)
    local list = {}
    local levels = select(node, pattern, "volume", true)
    if #levels == 0 then
        levels = select(node, pattern, "bandwidth", true)
    end
    add(list, levels, label_level, prefix, title, node.metrics, level_of, placement_of)
    for _, kind in ipairs { "count", "volume" } do
        for _, metrics in ipairs(lists.group(select(node, pattern, kind, false), "group")) do
            local group = metrics[1].group
            local name = ("%s-%s%s"):format(prefix, text.file_part(group), kind == "count" and "" or "-" .. kind)
            local heading = ("%s, %s%s"):format(title, group, kind == "count" and "" or ", " .. kind)
            add(list, metrics, label_count, name, heading, node.metrics, placement_of)
        end
    end
    return list
end

return choice
