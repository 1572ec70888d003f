-- analysis.lua - an analysis record as trees, with values and shares of the root.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local trees = require "program.report.trees"

local analysis = {}

local GAP = 2 -- between columns
local SCALES = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } }

-- Four digits: 12.35 M; whole numbers of up to four digits unchanged.
function analysis.number(value)
    local size = math.abs(value)
    for _, scale in ipairs(size >= 1e4 and SCALES or {}) do
        if size >= 0.99995 * scale[1] then
            return ("%.4g %s"):format(value / scale[1], scale[2])
        end
    end
    return value == math.floor(value) and ("%d"):format(value) or ("%.4g"):format(value)
end

-- Sum of a metric's values over entries for which takes(entry) holds: { value =, partial =, spread_pct = }; nil if there are none.
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

-- The regions to show, as indices from 0.
local function chosen_regions(record, wanted)
    local chosen = lists.collect(record.regions, function(region, i)
        return (not wanted or region == wanted) and i - 1
    end)
    if wanted and #chosen == 0 then
        error(("--region %s: no such region; there are: %s"):format(wanted, table.concat(record.regions, ", ")), 0)
    end
    return chosen
end

local function new_column(title, region, leaf)
    return { title = title, takes = function(one)
        return one.region == region and (leaf == nil or one.leaf == leaf)
    end }
end

-- Tables, each { title =, columns = array of { title =, takes = function(entry) } }: one with all regions, or one per region with its
-- threads.
local function tables_of(record, argument)
    local chosen, tables = chosen_regions(record, argument.region), {}
    local all = { title = "", columns = {} }
    for _, region in ipairs(chosen) do
        local name = record.regions[region + 1]
        local own = { title = name ~= "" and "region " .. name or "", columns = {} }
        for k, leaf in ipairs(record.system) do
            own.columns[k] = new_column(("%d.%d"):format(leaf.process, leaf.thread), region, k - 1)
        end
        tables[#tables + 1] = own
        all.columns[#all.columns + 1] = new_column(name, region)
    end
    return argument.threads and tables or { all }
end

local function rows_of(record, columns)
    local _, entries = lists.group(record.values, "metric")
    local rows, roots = {}, {} -- roots: by column, the value of the root of the current tree
    for i, metric in ipairs(record.metrics) do
        local depth = trees.depth(record.metrics, i - 1)
        local row = { ("  "):rep(depth) .. metric.name .. (depth == 0 and metric.unit ~= "" and " [" .. metric.unit .. "]" or "") }
        local is_there, spread = false, 0
        for k, column in ipairs(columns) do
            local sum = sum_of(entries[i - 1], column.takes)
            if depth == 0 then
                roots[k] = sum
            end
            row[2 * k], row[2 * k + 1] = cell_of(sum, roots[k])
            is_there = is_there or sum ~= nil
            spread = math.max(spread, sum and sum.spread_pct or 0)
        end
        row[2 * #columns + 2] = spread > 0.005 and ("spread %.2g %%"):format(spread) or ""
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

-- Number of columns that fit next to the tree in the terminal's width; at least one.
local function room_for(rows, columns, width)
    local widths = cells.widths(rows)
    local used, last = widths[1], 0
    for k = 1, #columns do
        used = used + 2 * GAP + widths[2 * k] + widths[2 * k + 1]
        if k > 1 and width and used > width then
            break
        end
        last = k
    end
    return last
end

-- Adds a table, split into several parts if it is too wide.
local function add_table(lines, record, one, width)
    local first = 1
    while first <= #one.columns do
        local some = { table.unpack(one.columns, first) }
        local function rows_with(columns)
            local rows = rows_of(record, columns)
            if #one.columns > 1 or columns[1].title ~= "" then
                table.insert(rows, 1, heading_of(columns))
            end
            return rows
        end
        some = { table.unpack(some, 1, room_for(rows_with(some), some, width)) }
        lines[#lines + 1] = ""
        lines[#lines + 1] = one.title ~= "" and one.title or nil
        lists.append(lines, cells.lines(rows_with(some), GAP, cells.right(2, 2 * #some + 2)))
        first = first + #some
    end
end

-- "gzip -k FILE: 7 runs on the virtual node NAME (no evidence about silicon)"
function analysis.heading(record)
    local node = record.node
    return ("%s: %d run%s on the %s node %s%s%s"):format(table.concat(record.command, " "), #record.runs, #record.runs == 1 and "" or "s",
        node.kind, node.name,
        node.kind == "virtual" and " (no evidence about silicon)" or "",
        record.operation and (", %s of %s"):format(record.operation.name, table.concat(record.operation.of, ", ")) or "")
end

-- { record = an analysis record, width = of the terminal, threads = one column per thread |nil, region = show only this one |nil } ->
-- { text = }
function analysis.render(argument)
    local record = argument.record
    local lines = { analysis.heading(record) }
    for _, one in ipairs(tables_of(record, argument)) do
        add_table(lines, record, one, argument.width)
    end
    lines[#lines + 1] = ""
    lists.append(lines, record.messages)
    for _, failure in ipairs(record.failures) do
        local tail = failure.stderr_tail:gsub("%s*\n%s*", "; "):gsub("; $", "")
        lines[#lines + 1] = ("failed: %s: %s"):format(failure.command, tail)
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return analysis
