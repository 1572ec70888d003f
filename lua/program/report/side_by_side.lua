-- side_by_side.lua - compares analyses with the same metric hierarchies, of different machines or programs.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   side_by_side.of{ records =, files = their names } -> regions of all records: { name =, rows = metrics in tree order }
--   side_by_side.states(the same) -> text: in which settings their nodes differ, or nil
--
-- A row: { name =, unit =, depth =, parent = its row, cells = one per record }.
-- A cell: { value =, partial =, percent = of the root |nil }, or "none": the record's architecture cannot count the metric (not 0), or
-- "uncounted": it was not counted, or it is a ratio, which cannot be summed over threads.
-- A metric without any value has no row. Values are sums over all threads.
local lists = require "input.lists"
local node_state = require "judge.node_state"
local trees = require "program.report.trees"

local side_by_side = {}

local function check(records, files)
    for i = 2, #records do
        if records[i].node.kind ~= records[1].node.kind then
            error(("%s is of a %s node, %s of a %s one, which never share a table"):format(files[1], records[1].node.kind, files[i],
                records[i].node.kind), 0)
        end
    end
end

-- All metrics of all records by their paths, as tree nodes { name =, unit =, parent =, index = { [record] = index in it } }.
local function unite(records)
    local nodes, places = {}, {}
    for i, record in ipairs(records) do
        local paths = {}
        for k, metric in ipairs(record.metrics) do
            local around = metric.parent and paths[metric.parent + 1]
            local path = (around and around .. "/" or "") .. metric.name
            paths[k] = path
            if not places[path] then
                nodes[#nodes + 1] = { name = metric.name, unit = metric.unit, parent = places[around], index = {} }
                places[path] = #nodes - 1
            end
            local index = nodes[places[path] + 1].index
            index[i] = index[i] or k - 1
        end
    end
    return nodes
end

local function place_of(list, wanted)
    for i, one in ipairs(list) do
        if one == wanted then
            return i - 1
        end
    end
    return nil
end

local function common_regions(records)
    return lists.filter(records[1].regions, function(name)
        return lists.all(records, function(record) return lists.contains(record.regions, name) end)
    end)
end

-- Totals of one record's metrics over all threads, by index: function(metric) -> total or nil
local function totals_in(record, found, name)
    local region = place_of(record.regions, name)
    return function(metric) return trees.total(found, metric, { region }, found.leaves) end
end

local function cell_of(node, root, record, total_of)
    if not node.index[record] then
        return "none"
    end
    local total, all = total_of(node.index[record]), root.index[record] and total_of(root.index[record])
    if not total then
        return "uncounted"
    end
    return { value = total.value, partial = total.partial, percent = all and all.value ~= 0 and 100 * total.value / all.value or nil }
end

local function rows_of(nodes, totals)
    local rows, row_of = {}, {}
    for _, place in ipairs(trees.order(nodes)) do
        local node, root = nodes[place + 1], nodes[trees.root(nodes, place) + 1]
        local row = { name = node.name, unit = node.unit, depth = trees.depth(nodes, place), parent = row_of[node.parent] }
        row.cells = lists.map(totals, function(total_of, i) return cell_of(node, root, i, total_of) end)
        if lists.any(row.cells, function(cell) return type(cell) == "table" end) then
            rows[#rows + 1] = row
            row_of[place] = #rows
        end
    end
    return rows
end

function side_by_side.of(argument)
    local records, files = argument.records, argument.files
    check(records, files)
    local nodes, found = unite(records), lists.map(records, trees.of)
    local regions = lists.map(common_regions(records), function(name)
        local totals = lists.map(records, function(record, i) return totals_in(record, found[i], name) end)
        return { name = name, rows = rows_of(nodes, totals) }
    end)
    if #regions == 0 then
        error(("%s and %s have no region in common"):format(files[1], files[2]), 0)
    end
    return regions
end

function side_by_side.states(argument)
    return node_state.among(lists.map(argument.records, function(record, i) return { label = argument.files[i], node = record.node } end))
end

return side_by_side
