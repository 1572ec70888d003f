-- compare.lua - analyses side by side: the same hierarchies on different machines, or of different programs.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Values are sums over all threads. What an architecture has nothing for is "-", which is not 0; what could not be counted is blank.
local analysis = require "report.text.analysis"
local cells = require "report.text.cells"

local compare = {}

local GAP = 2

local function check(records, files)
    for i = 2, #records do
        if records[i].node.kind ~= records[1].node.kind then
            error(("%s is of a %s node, %s of a %s one, which never share a table"):format(files[1], records[1].node.kind, files[i],
                records[i].node.kind), 0)
        end
    end
end

-- All metrics of all records under their paths, children behind their parents: array of { name =, depth =, unit =, index = { [record] =
-- index from 1 } }.
local function unite(records)
    local roots, nodes = {}, {}
    for i, record in ipairs(records) do
        local paths = {}
        for k, metric in ipairs(record.metrics) do
            local parent = metric.parent and nodes[paths[metric.parent + 1]]
            local path = (metric.parent and paths[metric.parent + 1] .. "/" or "") .. metric.name
            paths[k] = path
            if not nodes[path] then
                nodes[path] = { name = metric.name, depth = parent and parent.depth + 1 or 0, unit = metric.unit, index = {},
                    children = {} }
                table.insert(parent and parent.children or roots, nodes[path])
            end
            nodes[path].index[i] = nodes[path].index[i] or k
        end
    end
    local list = {}
    local function walk(some)
        for _, node in ipairs(some) do
            list[#list + 1] = node
            walk(node.children)
        end
    end
    walk(roots)
    return list
end

local function region_index(record, name)
    for i, region in ipairs(record.regions) do
        if region == name then
            return i - 1
        end
    end
    return nil
end

-- { [metric's index from 1] = { value =, partial = } } in the region
local function sums_of(record, name)
    local region, sums = region_index(record, name), {}
    for _, one in ipairs(record.values) do
        if one.region == region then
            local sum = sums[one.metric + 1] or { value = 0, partial = false }
            sum.value, sum.partial = sum.value + one.value, sum.partial or one.partial
            sums[one.metric + 1] = sum
        end
    end
    return sums
end

-- Regions that all records have, in the order of the first.
local function common_regions(records)
    local common = {}
    for _, name in ipairs(records[1].regions) do
        local is_common = true
        for _, record in ipairs(records) do
            is_common = is_common and region_index(record, name) ~= nil
        end
        common[#common + 1] = is_common and name or nil
    end
    return common
end

local function rows_of(nodes, sums)
    local rows, roots = {}, {}
    for _, node in ipairs(nodes) do
        local row = { ("  "):rep(node.depth) .. node.name .. (node.depth == 0 and node.unit ~= "" and " [" .. node.unit .. "]" or "") }
        local has_value = false
        for i, of in ipairs(sums) do
            local sum = node.index[i] and of[node.index[i]]
            roots[i] = node.depth == 0 and (sum or {}) or roots[i]
            local root = roots[i].value
            row[2 * i] = not node.index[i] and "-" or sum and (sum.partial and "~" or "") .. analysis.number(sum.value) or ""
            row[2 * i + 1] = sum and root and root ~= 0 and ("%.1f %%"):format(100 * sum.value / root) or ""
            has_value = has_value or sum ~= nil
        end
        if has_value then
            if node.depth == 0 and #rows > 0 then
                rows[#rows + 1] = {}
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

-- { records =, files = their names } -> { text = }
function compare.render(argument)
    local records, files, lines = argument.records, argument.files, {}
    check(records, files)
    for i, record in ipairs(records) do
        lines[i] = ("%s: %s"):format(files[i], analysis.heading(record))
    end
    local nodes, regions = unite(records), common_regions(records)
    if #regions == 0 then
        error(("%s and %s have no region in common"):format(files[1], files[2]), 0)
    end
    for _, name in ipairs(regions) do
        local sums, heading, where = {}, { name ~= "" and "region " .. name or "" }, { "" }
        for i, record in ipairs(records) do
            sums[i] = sums_of(record, name)
            heading[2 * i], heading[2 * i + 1], where[2 * i], where[2 * i + 1] = files[i], "", record.node.name, ""
        end
        local rows, right = rows_of(nodes, sums), {}
        table.insert(rows, 1, where)
        table.insert(rows, 1, heading)
        local widths = cells.widths(rows)
        for i = 2, #widths do
            right[i] = true
        end
        lines[#lines + 1] = ""
        for _, row in ipairs(rows) do
            for i = 1, #widths do
                row[i] = row[i] or ""
            end
            lines[#lines + 1] = cells.line(row, widths, GAP, right)
        end
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return compare
