-- imbalance.lua - compares two threads: does the ratio of their counts show the ratio of their work?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The layout is that of the paper's Table 2, for each code and point. The error is that of a ratio of counts against the ratio of
-- processed elements (samples' `processed`). Two more columns give the distance of the counts from the model's counts.
local lists = require "input.lists"
local repeated = require "report.wiki.repeated"
local text = require "report.wiki.text"
local vocabulary = require "judge.vocabulary"

local imbalance = {}

local COLUMNS = { "Event/Metric", ">Thread 0", ">Thread 1", ">Ratio", ">Error %", ">Model's ratio",
    ">Error of the count %" }

-- Ratios are close to each other and get one digit more than errors.
local function four_digits(value)
    return value and ("%.4g"):format(value)
end

local function point_key(sample)
    return ("%s\t%s\t%s"):format(sample.code, tostring(sample.placement), sample.point)
end

-- Samples of the thread on cpu `first`, or of the other thread.
local function of_thread(samples, first, is_first)
    return lists.filter(samples, function(sample) return (sample.thread == first) == is_first end)
end

-- Elements of thread 0 and thread 1 in one pass of the point; nil for records without them.
local function elements_of(samples, first)
    local one = repeated.mean(of_thread(samples, first, true), "processed")
    local two = repeated.mean(of_thread(samples, first, false), "processed")
    return one, two, one and two and two > 0 and one / two or nil
end

local function row_of(label, ratios, counts, work)
    local first, unit = ratios[1].thread, counts[1] and counts[1].unit
    local ratio = repeated.measured(ratios)
    return {
        text.escape(label),
        text.amount(repeated.measured(of_thread(counts, first, true)), unit),
        text.amount(repeated.measured(of_thread(counts, first, false)), unit),
        four_digits(ratio),
        ratio and work and text.percent(100 * (ratio / work - 1)),
        repeated.model(ratios, four_digits),
        text.percent(repeated.error_pct(ratios)),
    }
end

-- { metric =, group =, ratios =, counts = samples } for each metric with a ratio: counts before volumes, each sorted by name.
local function compared(samples)
    local order, by_metric = lists.group(samples, function(sample) return sample.metric .. "\t" .. sample.group end)
    local list = lists.collect(order, function(ratios)
        local metric, group = vocabulary.ratio_of(ratios[1].metric), ratios[1].group
        local counts = metric and by_metric[metric .. "\t" .. group] or {}
        return metric and { metric = metric, group = group, ratios = ratios, counts = counts,
            key = (counts[1] and counts[1].unit and "2" or "1") .. metric .. "\t" .. group }
    end)
    table.sort(list, lists.by("key"))
    return list
end

-- A row per metric; metrics of the same name are distinguished by group.
local function rows_of(samples)
    local rows, list, used = {}, compared(samples), {}
    if #list == 0 then
        return rows
    end
    local one, two, work = elements_of(samples, list[1].ratios[1].thread)
    if work then
        rows[1] = { "Processed elements", text.amount(one), text.amount(two), four_digits(work), text.percent(0) }
    end
    for _, entry in ipairs(list) do
        local label = used[entry.metric] and ("%s of %s"):format(entry.metric, entry.group) or entry.metric
        used[entry.metric] = true
        rows[#rows + 1] = row_of(label, entry.ratios, entry.counts, work)
    end
    return rows
end

local function title_of(node, sample)
    local numbers = lists.map(repeated.names(sample), function(name)
        return ("%s %s"):format(name, repeated.number(sample, name))
    end)
    return ("**%s, %s** on %s"):format(text.code(sample.code), text.escape(table.concat(numbers, ", ")), text.escape(node.label))
end

-- Adds a table for each code and point with ratios of two threads. Returns whether there is one.
function imbalance.add(lines, nodes, pattern)
    local has_any = false
    for _, node in ipairs(nodes) do
        for _, samples in ipairs((lists.group(repeated.of_pattern(node, pattern), point_key))) do
            local rows = rows_of(samples)
            if #rows > 0 then
                if not has_any then
                    text.add(lines, "### Two threads compared")
                    text.add(lines, "Means over repetitions. _Error_: the ratio against that of the processed elements, which says whether "
                        .. "the metric shows how unequal the work is. _Error of the count_: the ratio against the model's for this metric. "
                        .. "Elements are those of one pass, all else is of the whole region.")
                end
                has_any = true
                text.add(lines, "%s", title_of(node, samples[1]))
                text.add_table(lines, COLUMNS, rows)
            end
        end
    end
    return has_any
end

return imbalance
