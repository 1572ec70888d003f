-- threads.lua - tables of patterns between two threads: load imbalance (ratios) and lines that move between cores.
-- SPDX-License-Identifier: GPL-3.0-or-later
local deviation = require "judge.deviation"
local stats = require "judge.stats"
local text = require "report.wiki.text"
local vocabulary = require "judge.vocabulary"

local threads = {}

-- "lines 4, steps 8", in the order of the names; of records without a point's numbers its own, "p3".
local function describe_point(sample)
    local names, parts = {}, {}
    for name in pairs(sample.given or {}) do
        names[#names + 1] = name
    end
    table.sort(names)
    for i, name in ipairs(names) do
        parts[i] = ("%s %.15g"):format(name, sample.given[name])
    end
    return #parts > 0 and table.concat(parts, ", ") or sample.point:match "p%d+$" or sample.point
end

local function mean_of(samples, get)
    local values = {}
    for _, sample in ipairs(samples) do
        values[#values + 1] = get(sample)
    end
    return #values > 0 and stats.mean(values) or nil
end

local function measured(sample)
    return sample.measured
end

local function expected(sample)
    return sample.expected and sample.expected.value
end

-- "value (least to most)" of what the model leaves open.
local function model_text(samples, format)
    local value = mean_of(samples, expected)
    if not value then
        return nil
    end
    local low = mean_of(samples, function(sample) return sample.expected and sample.expected.min end)
    local high = mean_of(samples, function(sample) return sample.expected and sample.expected.max end)
    return format(value) .. (low < high and (" (%s to %s)"):format(format(low), format(high)) or "")
end

-- Sorts rows { keys = numbers or texts, .. } by their keys in turn, others stay in their order.
local function sort_rows(rows)
    for i, row in ipairs(rows) do
        table.insert(row.keys, i)
    end
    table.sort(rows, function(a, b)
        for i, key in ipairs(a.keys) do
            if key ~= b.keys[i] then
                return key < b.keys[i]
            end
        end
        return false
    end)
end

-- Number of each code in the order of the node's metrics.
local function rank_codes(node, pattern)
    local ranks, count = {}, 0
    for _, metric in ipairs(node.metrics) do
        if metric.pattern == pattern and metric.code and not ranks[metric.code] then
            count = count + 1
            ranks[metric.code] = count
        end
    end
    return ranks
end

local function point_number(sample)
    return tonumber(sample.point:match "p(%d+)$") or 0
end

local function error_of(sample)
    return sample.measured and sample.expected and deviation.error_pct(sample.measured, sample.expected)
end

-- Samples of a pattern by code, placement, point, group and metric, in the order of their first appearance.
local function gather(node, pattern)
    local order, bins = {}, {}
    for _, sample in ipairs(node.samples) do
        if sample.pattern == pattern then
            local place = ("%s\t%s\t%s\t%s"):format(sample.code, tostring(sample.placement), sample.point, sample.group)
            local key = place .. "\t" .. sample.metric
            if not bins[key] then
                bins[key] = { first = sample, place = place, samples = {} }
                order[#order + 1] = bins[key]
            end
            table.insert(bins[key].samples, sample)
        end
    end
    return order, bins
end

-- Samples of the thread that a ratio stands beside (thread 0), or of the other one.
local function of_thread(bin, cpu, is_first)
    local list = {}
    for _, sample in ipairs(bin and bin.samples or {}) do
        if (sample.thread == cpu) == is_first then
            list[#list + 1] = sample
        end
    end
    return list
end

-- Ratios are near to each other: one digit more than errors have.
local function four_digits(value)
    return value and ("%.4g"):format(value)
end

local IMBALANCE = {
    { title = "Node" },
    { title = "Code" },
    { title = "Point" },
    { title = "Metric" },
    { title = "Thread 0", right = true },
    { title = "Thread 1", right = true },
    { title = "Ratio", right = true },
    { title = "Model's ratio", right = true },
    { title = "Error %", right = true },
}

local function imbalance_row(node, bin, bins)
    local first, ratio = bin.first, bin.samples
    local base = vocabulary.ratio_of(first.metric)
    local each = bins[bin.place .. "\t" .. base]
    local unit = each and each.first.unit
    return {
        text.escape(node.label),
        text.code(first.code),
        text.escape(describe_point(first)),
        text.escape(base),
        text.amount(mean_of(of_thread(each, first.thread, true), measured), unit),
        text.amount(mean_of(of_thread(each, first.thread, false), measured), unit),
        four_digits(mean_of(ratio, measured)),
        model_text(ratio, four_digits),
        text.percent(mean_of(ratio, error_of)),
    }
end

-- Adds the table of all ratios of two threads. Returns whether the pattern has any.
function threads.add_imbalance(lines, nodes, pattern)
    local rows = {}
    for number, node in ipairs(nodes) do
        local order, bins = gather(node, pattern)
        local ranks = rank_codes(node, pattern)
        for _, bin in ipairs(order) do
            if vocabulary.ratio_of(bin.first.metric) then
                local row = imbalance_row(node, bin, bins)
                row.keys = { number, ranks[bin.first.code] or 0, point_number(bin.first) }
                rows[#rows + 1] = row
            end
        end
    end
    sort_rows(rows)
    if #rows > 0 then
        text.add(lines, "### Two threads compared")
        text.add(lines, "Means over repetitions. The error is that of the ratio.")
        text.add_table(lines, IMBALANCE, rows)
    end
    return #rows > 0
end

local SHARING = {
    { title = "Node" },
    { title = "Code" },
    { title = "Point" },
    { title = "Metric" },
    { title = "Thread", right = true },
    { title = "Model", right = true },
    { title = "One socket: average", right = true },
    { title = "Error %", right = true },
    { title = "Two sockets: average", right = true },
    { title = "Error %", right = true },
}

-- "one" or "two" sockets of a placement of two threads or more, nil for others.
local function sockets_of(placement)
    if not placement then
        return nil
    elseif placement:find("@", 1, true) then
        return "two"
    end
    return (tonumber(placement:match ":(%d+)$") or 0) >= 2 and "one" or nil
end

-- Number of each cpu among a placement's threads: { [placement] = { [cpu] = 0 .. } }.
local function number_threads(samples)
    local cpus, numbers = {}, {}
    for _, sample in ipairs(samples) do
        local place = sample.placement or ""
        cpus[place] = cpus[place] or {}
        table.insert(cpus[place], sample.thread)
    end
    for place, list in pairs(cpus) do
        list = vocabulary.distinct(list)
        table.sort(list)
        numbers[place] = {}
        for i, cpu in ipairs(list) do
            numbers[place][cpu] = i - 1
        end
    end
    return numbers
end

-- A group has one metric for lines of this socket and one for those of another: beside each other they are one row.
local function without_place(metric)
    return (metric:gsub(" in this socket$", ""):gsub(" in another socket$", ""))
end

-- The row of a sample; a metric of its own one where another metric has taken the place beside it.
local function find_row(state, sample, sockets, thread)
    local start = table.concat({ sample.code, describe_point(sample), sample.group, thread }, "\t")
    for _, name in ipairs { without_place(sample.metric), sample.metric } do
        local key = start .. "\t" .. name
        local row = state.rows[key]
        if not row then
            row = { first = sample, name = name, thread = thread, one = {}, two = {} }
            state.rows[key] = row
            state.order[#state.order + 1] = row
        end
        if #row[sockets] == 0 or row[sockets][1].metric == sample.metric then
            return row
        end
    end
    error(("metric %s stands twice in one row"):format(sample.metric), 0)
end

-- Rows { first =, name =, thread =, one =, two = samples on so many sockets } of which the model expects anything. Patterns with levels
-- have none: their threads share nothing.
local function sharing_rows(node, pattern)
    local state, samples = { order = {}, rows = {} }, {}
    for _, sample in ipairs(node.samples) do
        if sample.pattern == pattern and not sample.level and not vocabulary.ratio_of(sample.metric) and sockets_of(sample.placement) then
            samples[#samples + 1] = sample
        end
    end
    local numbers = number_threads(samples)
    for _, sample in ipairs(samples) do
        if sample.expected and sample.expected.max > 0 then
            local sockets = sockets_of(sample.placement)
            table.insert(find_row(state, sample, sockets, numbers[sample.placement][sample.thread])[sockets], sample)
        end
    end
    return state.order
end

local function model_of(row)
    local function format(value)
        return text.amount(value, row.first.unit)
    end
    local one, two = model_text(row.one, format), model_text(row.two, format)
    return one and two and one ~= two and one .. " / " .. two or one or two
end

local function sharing_cells(node, row)
    local cells = {
        text.escape(node.label),
        text.code(row.first.code),
        text.escape(describe_point(row.first)),
        text.escape(row.name),
        tostring(row.thread),
        model_of(row),
    }
    for _, place in ipairs { "one", "two" } do
        cells[#cells + 1] = text.amount(mean_of(row[place], measured), row.first.unit)
        cells[#cells + 1] = text.percent(mean_of(row[place], error_of))
    end
    return cells
end

-- Adds the table of counts of threads on one socket and on two. Returns whether the pattern has any.
function threads.add_sharing(lines, nodes, pattern)
    local rows = {}
    for number, node in ipairs(nodes) do
        local ranks = rank_codes(node, pattern)
        for _, row in ipairs(sharing_rows(node, pattern)) do
            local cells = sharing_cells(node, row)
            cells.keys = { number, ranks[row.first.code] or 0, row.first.group .. row.name, row.thread, point_number(row.first) }
            rows[#rows + 1] = cells
        end
    end
    sort_rows(rows)
    if #rows > 0 then
        text.add(lines, "### Threads on one socket and on two")
        text.add(lines, "Averages over repetitions, of the metrics and threads of which the model expects anything.")
        text.add_table(lines, SHARING, rows)
    end
    return #rows > 0
end

local function keeps_no_samples(node, pattern)
    for _, metric in ipairs(node.metrics) do
        if metric.pattern == pattern and metric.extremes and not metric.level
            and (vocabulary.ratio_of(metric.metric) or sockets_of(metric.placement)) then
            return true
        end
    end
    return false
end

-- Says of which nodes the tables above lack their rows: those whose records keep no samples.
function threads.add_missing(lines, nodes, pattern)
    local labels = {}
    for _, node in ipairs(nodes) do
        labels[#labels + 1] = keeps_no_samples(node, pattern) and node.label or nil
    end
    if #labels > 0 then
        text.add(lines, "Single threads are not shown of %s, whose records were kept without samples.",
            text.escape(table.concat(labels, ", ")))
    end
end

return threads
