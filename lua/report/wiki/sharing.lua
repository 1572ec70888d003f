-- sharing.lua - tables of lines that threads take from each other, on one socket and on two.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Laid out like the paper's Table 3: a table for each code, metric and thread, with a row for each point. A row begins with the point's
-- parameters.
local lists = require "input.lists"
local repeated = require "report.wiki.repeated"
local text = require "report.wiki.text"
local vocabulary = require "judge.vocabulary"

local sharing = {}

-- "one" or "two" sockets for a placement of two or more threads, else nil.
local function sockets_of(placement)
    if not placement then
        return nil
    elseif placement:find("@", 1, true) then
        return "two"
    end
    return (tonumber(placement:match ":(%d+)$") or 0) >= 2 and "one" or nil
end

-- Place of each cpu among a placement's threads: { [placement] = { [cpu] = 1 .. } }.
local function number_threads(samples)
    local numbers = {}
    for _, placed in ipairs((lists.group(samples, "placement"))) do
        numbers[placed[1].placement] = lists.places(lists.sorted(lists.set(placed, "thread")))
    end
    return numbers
end

-- Samples that these tables can show. Patterns with levels have none, because their threads share no data.
local function shown_samples(node, pattern)
    return lists.filter(repeated.of_pattern(node, pattern), function(sample)
        return not sample.level and not vocabulary.ratio_of(sample.metric) and sockets_of(sample.placement)
    end)
end

-- Merges the metrics for lines of this socket and of another socket, so that they share a row.
local function without_place(metric)
    return (metric:gsub(" in this socket$", ""):gsub(" in another socket$", ""))
end

-- { code =, metric =, thread =, samples = } in order. On each placement the first metric with an expectation above 0 loses "in this
-- socket" or "in another socket" in its name.
local function tables_of(samples)
    local numbers, owner, by_key, tables = number_threads(samples), {}, {}, {}
    for _, sample in ipairs(samples) do
        local short = ("%s\t%s\t%s"):format(sample.code, sample.group, without_place(sample.metric))
        local place = short .. "\t" .. sockets_of(sample.placement)
        if sample.expected and sample.expected.max > 0 then
            owner[place] = owner[place] or sample.metric
        end
        local name = owner[place] == sample.metric and without_place(sample.metric) or sample.metric
        local thread = ("thread %d"):format(numbers[sample.placement][sample.thread] - 1)
        local key = table.concat({ sample.code, sample.group, name, thread }, "\t")
        local one = lists.bin(by_key, key, { code = sample.code, metric = name, thread = thread, samples = {} }, tables)
        table.insert(one.samples, sample)
    end
    return tables
end

local function on(samples, sockets)
    return lists.filter(samples, function(sample) return sockets_of(sample.placement) == sockets end)
end

local function columns_of(names)
    return lists.append(lists.map(names, function(name) return ">" .. text.escape(name) end),
        { ">According to model", ">One socket: average", ">Error %", ">Two sockets: average", ">Error %" })
end

local function row_of(names, samples)
    local unit = samples[1].unit
    local row = lists.map(names, function(name) return text.escape(repeated.number(samples[1], name)) end)
    local function format(value)
        return text.amount(value, unit)
    end
    local one, two = on(samples, "one"), on(samples, "two")
    local first, second = repeated.model(one, format), repeated.model(two, format)
    row[#row + 1] = first and second and first ~= second and first .. " / " .. second or first or second
    for _, place in ipairs { one, two } do
        row[#row + 1] = format(repeated.measured(place))
        row[#row + 1] = text.percent(repeated.error_pct(place))
    end
    return row
end

-- A point that runs on several placements is one row.
local function point_key(names)
    return function(sample)
        return table.concat(lists.append({ repeated.rank(sample) }, names, function(name) return repeated.number(sample, name) end), "\t")
    end
end

local function add_one(lines, node, entry, samples)
    local names = repeated.names(samples[1])
    local points = lists.group(samples, point_key(names))
    table.sort(points, function(a, b) return repeated.rank(a[1]) < repeated.rank(b[1]) end)
    local rows = lists.map(points, function(point) return row_of(names, point) end)
    text.add(lines, "**%s: %s, %s** on %s", text.escape(entry.metric), text.code(entry.code), entry.thread, text.escape(node.label))
    text.add_table(lines, columns_of(names), rows)
end

-- Adds a table for each count of threads on one socket and on two.
function sharing.add(lines, nodes, pattern)
    local has_any = false
    for _, node in ipairs(nodes) do
        for _, entry in ipairs(tables_of(shown_samples(node, pattern))) do
            local samples = lists.filter(entry.samples, function(sample) return sample.expected and sample.expected.max > 0 end)
            if #samples > 0 then
                if not has_any then
                    text.add(lines, "### Threads on one socket and on two")
                    text.add(lines, "Averages over repetitions, for the metrics and threads with an expected count above 0. The first "
                        .. "columns are the point's numbers.")
                end
                has_any = true
                add_one(lines, node, entry, samples)
            end
        end
    end
end

-- Names the nodes whose records keep no samples: their tables of single threads are missing.
function sharing.add_missing(lines, nodes, pattern)
    local labels = lists.map(lists.filter(nodes, function(node)
        return lists.any(node.metrics, function(metric)
            return metric.pattern == pattern and metric.extremes and not metric.level
                and (vocabulary.ratio_of(metric.metric) or sockets_of(metric.placement))
        end)
    end), "label")
    if #labels > 0 then
        text.add(lines, "Tables of single threads are missing for %s: their records keep no samples.",
            text.escape(table.concat(labels, ", ")))
    end
end

return sharing
