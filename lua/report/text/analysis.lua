-- analysis.lua - an analysis record as trees: values, and what share of its root each of them is.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"

local analysis = {}

local SCALES = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } }

-- Four digits: 12.35 M.
function analysis.number(value)
    local size = math.abs(value)
    for _, scale in ipairs(SCALES) do
        if size >= 0.9999 * scale[1] * 10 or size >= scale[1] and scale[1] > 1e3 then
            return ("%.4g %s"):format(value / scale[1], scale[2])
        end
    end
    return value == math.floor(value) and ("%d"):format(value) or ("%.4g"):format(value)
end

-- The sum of a metric's values over the entries that `takes` takes: { value =, partial =, spread_pct = }, nil: there are none.
local function sum_of(entries, takes)
    local sum
    for _, one in ipairs(entries or {}) do
        if takes(one) then
            sum = sum or { value = 0, partial = false }
            sum.value, sum.partial = sum.value + one.value, sum.partial or one.partial
            sum.spread_pct = math.max(sum.spread_pct or 0, one.spread_pct or 0)
        end
    end
    return sum
end

local function cell_of(sum, root)
    if not sum then
        return "", ""
    end
    local share = root and root.value ~= 0 and ("%.1f %%"):format(100 * sum.value / root.value) or ""
    return (sum.partial and "~" or "") .. analysis.number(sum.value), share
end

-- A column is { title =, takes = function(entry) }.
local function columns_of(record, argument)
    local columns = {}
    local wanted
    for i, region in ipairs(record.regions) do
        if region == argument.region then
            wanted = i - 1
        end
    end
    if argument.region and not wanted then
        error(("--region %s: no such region; there are: %s"):format(argument.region, table.concat(record.regions, ", ")), 0)
    end
    local function add(title, region, leaf)
        columns[#columns + 1] = { title = title, takes = function(one)
            return one.region == region and (leaf == nil or one.leaf == leaf)
        end }
    end
    for i, region in ipairs(record.regions) do
        if not wanted or wanted == i - 1 then
            if argument.threads then
                for k, leaf in ipairs(record.system) do
                    local title = ("%s%d.%d"):format(region ~= "" and region .. " " or "", leaf.process, leaf.thread)
                    add(title, i - 1, k - 1)
                end
            else
                add(region, i - 1)
            end
        end
    end
    return columns
end

local function depth_of(metrics, metric)
    local depth, root = 0, metric
    while root.parent do
        root, depth = metrics[root.parent + 1], depth + 1
    end
    return depth, root
end

local function by_metric(record)
    local entries = {}
    for _, one in ipairs(record.values) do
        local index = one.metric + 1
        entries[index] = entries[index] or {}
        table.insert(entries[index], one)
    end
    return entries
end

local function rows_of(record, columns)
    local entries, rows, roots = by_metric(record), {}, {}
    for i, metric in ipairs(record.metrics) do
        local depth, root = depth_of(record.metrics, metric)
        local row = { ("  "):rep(depth) .. metric.name .. (depth == 0 and metric.unit ~= "" and " [" .. metric.unit .. "]" or "") }
        local is_there, spread = false, 0
        for k, column in ipairs(columns) do
            local sum = sum_of(entries[i], column.takes)
            roots[k] = depth == 0 and { of = root, sum = sum } or roots[k]
            row[2 * k], row[2 * k + 1] = cell_of(sum, roots[k].sum)
            is_there = is_there or sum ~= nil
            spread = math.max(spread, sum and sum.spread_pct or 0)
        end
        row[2 * #columns + 2] = spread > 0.005 and ("+-%.2g %%"):format(spread / 2) or ""
        if is_there then
            if depth == 0 and #rows > 0 then
                rows[#rows + 1] = {}
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

local function heading_of(columns)
    local heading = { "" }
    for k, column in ipairs(columns) do
        heading[2 * k], heading[2 * k + 1] = column.title, ""
    end
    heading[#heading + 1] = ""
    return heading
end

-- { record = an analysis record, width = of the terminal, threads = a column for each thread |nil, region = only this one |nil } -> {
-- text = }
function analysis.render(argument)
    local record = argument.record
    local columns = columns_of(record, argument)
    local rows = rows_of(record, columns)
    if #columns > 1 or columns[1] and columns[1].title ~= "" then
        table.insert(rows, 1, heading_of(columns))
    end
    local widths, right, lines = cells.widths(rows), {}, { "" }
    for i = 2, #widths do
        right[i] = true
    end
    for _, row in ipairs(rows) do
        for i = 1, #widths do
            row[i] = row[i] or ""
        end
        lines[#lines + 1] = cells.line(row, widths, 2, right)
    end
    lines[#lines + 1] = ""
    for _, message in ipairs(record.messages) do
        lines[#lines + 1] = message
    end
    for _, failure in ipairs(record.failures) do
        lines[#lines + 1] = ("failed: %s: %s"):format(failure.command, (failure.stderr_tail:gsub("%s*\n%s*", "; "):gsub("; $", "")))
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return analysis
