-- algebra.lua - combines analysis records: the merge of several runs, their mean, or their difference.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Raw counts are combined and metrics derived again, so that records can complete each other. A count that a record lacks is absent in
-- a difference and ignored in a mean. Records of native and virtual nodes, or of different architectures, are not combined.
local array = require "input.array"
local lists = require "input.lists"
local metrics = require "program.judge.metrics"
local node_state = require "judge.node_state"
local program_counts = require "program.read.program_counts"
local stats = require "numeric.stats"

local algebra = {}

local function check(records, files)
    for i = 2, #records do
        local first, node = records[1].node, records[i].node
        for _, key in ipairs { "kind", "arch" } do
            if node[key] ~= first[key] then
                error(("%s is of %s, %s of %s: these are not combined; assay compare shows architectures side by side"):format(files[1],
                    first[key], files[i], node[key]), 0)
            end
        end
    end
end

-- The union of lists of named things: `name_of` gives the name. Returns the union and for each list { [its index] = index in the union }.
local function unite(all, name_of)
    local union, place, maps = array(), {}, {}
    for i, list in ipairs(all) do
        maps[i] = {}
        for k, one in ipairs(list) do
            local name = name_of(one)
            if not place[name] then
                union[#union + 1], place[name] = one, #union + 1
            end
            maps[i][k - 1] = place[name] - 1
        end
    end
    return union, maps
end

-- What a sum lacks in all records that have it.
local function common_lacks(mine, other)
    local lacks = lists.filter(mine or {}, function(name) return lists.contains(other or {}, name) end)
    return #lacks > 0 and array(lacks) or nil
end

local function copy_metric(metric, parent)
    local copy = lists.copy(metric)
    copy.parent, copy.lacks = parent, common_lacks(metric.lacks, metric.lacks)
    return copy
end

-- Orders metrics as records do: each followed by its children; parents are indices from 0.
local function in_trees(list)
    local children, ordered = {}, array()
    for i, metric in ipairs(list) do
        local parent = metric.parent or -1
        lists.push(children, parent, i)
    end
    local function add(parent, place)
        for _, i in ipairs(children[parent] or {}) do
            list[i].parent = place
            ordered[#ordered + 1] = list[i]
            add(i - 1, #ordered - 1)
        end
    end
    add(-1, nil)
    return ordered
end

-- All metrics of all records, each by its path.
local function unite_metrics(records, files)
    local union, place, from = array(), {}, {}
    for i, record in ipairs(records) do
        local paths = {}
        for k, metric in ipairs(record.metrics) do
            local parent = metric.parent and paths[metric.parent + 1]
            local path = (parent and parent .. "/" or "") .. metric.name
            paths[k] = path
            local known = union[place[path]]
            if not known then
                union[#union + 1] = copy_metric(metric, parent and place[parent] - 1)
                place[path], from[path] = #union, files[i]
            elseif known.kind ~= metric.kind or (known.kind ~= "composed" and known.text ~= metric.text) then
                error(("%s is %s in %s and %s in %s; analyse both with the same hierarchy"):format(metric.name, known.text, from[path],
                    metric.text, files[i]), 0)
            else
                known.lacks = common_lacks(known.lacks, metric.lacks)
            end
        end
    end
    return in_trees(union)
end

-- Combines the records' values of one event in one place; `of` = the values of each record, {} if it has none; nil: no combined value.
local COMBINE = {
    merge = function(of) return lists.flat(of, function(values) return values end) end,
    mean = function(of) return lists.collect(of, function(values) return stats.mean(values) end) end,
    subtract = function(of)
        local first, second = stats.mean(of[1]), stats.mean(of[2])
        return first and second and { first - second }
    end,
}

-- Combines the entries of a list with values in a region and leaf, in the order of appearance.
local function combine(context, key)
    local order, found = {}, {}
    for i, record in ipairs(context.records) do
        for _, one in ipairs(record[key]) do
            local region, leaf = context.regions[i][one.region], context.leaves[i][one.leaf]
            local name = ("%s\t%s\t%d\t%d"):format(one.event, one.options or "", region, leaf)
            lists.bin(found, name, { event = one.event, options = one.options, region = region, leaf = leaf, of = {} }, order)
            found[name].of[i] = one.values
        end
    end
    return array(lists.filter(order, function(one)
        local values = COMBINE[context.name](lists.map(context.records, function(_, i) return one.of[i] or {} end))
        one.values, one.of = values and array(values), nil
        return values
    end))
end

local function combine_witness(context)
    local list = combine(context, "witness")
    for _, one in ipairs(list) do
        one.steady = program_counts.is_steady(one.values)
    end
    return list
end

local function append_all(records, key)
    return array(lists.distinct(lists.flat(records, key)))
end

local function add_differences(messages, records, files)
    local first = table.concat(records[1].command, " ")
    for i = 2, #records do
        local other = table.concat(records[i].command, " ")
        if other ~= first then
            messages[#messages + 1] = ("%s is of '%s', %s of '%s'"):format(files[1], first, files[i], other)
        end
        if records[i].node.name ~= records[1].node.name then
            messages[#messages + 1] = ("%s is of node %s, %s of %s"):format(files[1], records[1].node.name, files[i], records[i].node.name)
        end
    end
    messages[#messages + 1] = node_state.among(lists.map(records, function(record, i) return { label = files[i], node = record.node } end))
end

-- { name = "merge" | "mean" | "subtract", records =, files = their names } -> the new record's keys that replace those of the first
-- record
function algebra.combine(argument)
    local records, files, name = argument.records, argument.files, argument.name
    check(records, files)
    local context = { records = records, name = name }
    local regions, system
    regions, context.regions = unite(lists.map(records, "regions"), function(region) return region end)
    system, context.leaves = unite(lists.map(records, "system"), function(leaf) return ("%d.%d"):format(leaf.process, leaf.thread) end)
    local counts = combine(context, "counts")
    local seconds = lists.sum(records, "seconds")
    local made = metrics.complete { metrics = unite_metrics(records, files), regions = regions, system = system, counts = counts }
    local messages = append_all(records, "messages")
    add_differences(messages, records, files)
    return {
        system = system,
        regions = regions,
        metrics = made.metrics,
        values = made.values,
        counts = counts,
        runs = append_all(records, "runs"),
        witness = name == "subtract" and array() or combine_witness(context),
        messages = messages,
        failures = append_all(records, "failures"),
        faults = append_all(records, "faults"),
        hierarchy = append_all(records, "hierarchy"),
        seconds = seconds,
        operation = { name = name, of = array { table.unpack(files) } },
    }
end

return algebra
