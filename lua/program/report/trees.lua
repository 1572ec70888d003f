-- trees.lua - the three trees of an analysis record (metrics, regions, system) and the values at their intersections.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   trees.of(record) -> { metrics =, regions =, system = arrays of nodes, parents before their children, cell =, leaves =
--     indices of all entries of record.system }
--
-- A node of metrics: { name =, parent =, kind =, unit =, is_sum = can values be summed over regions and threads?, is_shown = has it or a
-- descendant a value? }.
-- A node of regions or system: { name =, parent =, kind = "group", "host", "process", "thread" or "region", of = indices of its entries in
-- the record's list }. Indices and `parent` count from 0, as in the record.
-- cell(metric, region, leaf) is an entry of the record's values, or nil.
local array = require "input.array"
local formula = require "input.formula"
local lists = require "input.lists"

local trees = {}

local WHOLE = "whole program"

-- Measured and composed metrics are sums; for a computed one its expression decides.
local function is_sum(metric)
    if metric.kind ~= "computed" then
        return true
    end
    local ok, parsed = pcall(formula.parse, metric.text)
    return ok and formula.is_linear(parsed)
end

local function metrics_of(record)
    local nodes = array(lists.map(record.metrics, function(metric)
        return { name = metric.name, parent = metric.parent, kind = metric.kind, unit = metric.unit, is_sum = is_sum(metric),
            is_shown = false }
    end))
    for _, one in ipairs(record.values) do
        local at = one.metric
        while at and not nodes[at + 1].is_shown do
            nodes[at + 1].is_shown, at = true, nodes[at + 1].parent
        end
    end
    return nodes
end

local function add_node(nodes, name, kind, parent)
    nodes[#nodes + 1] = { name = name, kind = kind, parent = parent, of = array() }
    return #nodes - 1
end

-- Adds index `index` of the record's list to the node and all its ancestors.
local function put(nodes, node, index)
    while node do
        table.insert(nodes[node + 1].of, index)
        node = nodes[node + 1].parent
    end
end

-- Regions have only the program as parent, because LIKWID does not record nesting.
local function regions_of(record)
    local nodes = array()
    local root = #record.regions > 1 and add_node(nodes, "all regions", "group") or nil
    for i, name in ipairs(record.regions) do
        put(nodes, add_node(nodes, name == "" and WHOLE or name, "region", root), i - 1)
    end
    return nodes
end

local function find(nodes, seen, key, name, kind, parent)
    seen[key] = seen[key] or add_node(nodes, name, kind, parent)
    return seen[key]
end

-- Machines, their processes, their threads. Several machines get a common parent node.
local function system_of(record)
    local nodes, seen = array(), {}
    local hosts = lists.set(record.system, "host")
    local root = next(hosts, next(hosts)) and add_node(nodes, "all machines", "group") or nil
    for i, leaf in ipairs(record.system) do
        local host = find(nodes, seen, "host " .. leaf.host, leaf.host, "host", root)
        local process = ("process %d"):format(leaf.process)
        local around = find(nodes, seen, process .. " " .. leaf.host, process, "process", host)
        put(nodes, add_node(nodes, ("thread %d, core %d"):format(leaf.thread, leaf.core), "thread", around), i - 1)
    end
    return nodes
end

local function cells_of(record)
    local cells = lists.index(record.values, function(one)
        return (one.metric * #record.regions + one.region) * #record.system + one.leaf
    end)
    return function(metric, region, leaf)
        return cells[(metric * #record.regions + region) * #record.system + leaf]
    end
end

function trees.of(record)
    return { metrics = metrics_of(record), regions = regions_of(record), system = system_of(record), cell = cells_of(record),
        leaves = lists.map(record.system, function(_, i) return i - 1 end) }
end

-- A metric's total over regions and leaves (arrays of indices): { value =, partial =, count = number of values }; nil if there is no
-- value or values cannot be summed.
function trees.total(found, metric, regions, leaves)
    local total = { value = 0, partial = false, count = 0 }
    for _, region in ipairs(regions) do
        for _, leaf in ipairs(leaves) do
            local cell = found.cell(metric, region, leaf)
            if cell then
                total.value, total.partial, total.count = total.value + cell.value, total.partial or cell.partial, total.count + 1
            end
        end
    end
    local adds_up = found.metrics[metric + 1].is_sum or #regions * #leaves == 1
    return total.count > 0 and adds_up and total or nil
end

-- Index of a node -> indices of its children; roots are at -1.
function trees.children(nodes)
    local children = { [-1] = {} }
    for i, node in ipairs(nodes) do
        children[i - 1] = {}
        table.insert(children[node.parent or -1], i - 1)
    end
    return children
end

-- Indices of all nodes in depth-first order, parents before children.
function trees.order(nodes)
    local children, order = trees.children(nodes), {}
    local function visit(list)
        for _, node in ipairs(list) do
            order[#order + 1] = node
            visit(children[node])
        end
    end
    visit(children[-1])
    return order
end

-- The root of a node's tree.
function trees.root(nodes, node)
    while nodes[node + 1].parent do
        node = nodes[node + 1].parent
    end
    return node
end

function trees.depth(nodes, node)
    local depth = 0
    while nodes[node + 1].parent do
        node, depth = nodes[node + 1].parent, depth + 1
    end
    return depth
end

return trees
