-- merge.lua - sorts records for tables: by architecture, by kind of node (each kind has its own tables), by node.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- merge.archs(records) -> array of { arch =, sections = array of section }, by name
--   section  { kind = "native"|"historical"|"virtual", faulty = bool, key =, nodes = array of node }: in this order, injected faults last
--   node     { name =, label =, key = (for file names), description = the newest record's node, records =, metrics =, samples =,
--            failures = }; a metric and its samples are taken from the node's newest record that has the metric
local injected = require "report.faults"
local lists = require "input.lists"
local text = require "report.wiki.text"
local vocabulary = require "judge.vocabulary"

local merge = {}

local KINDS = { "native", "historical", "virtual" }
local ORDER = { "native", "historical", "virtual", "native-faults", "virtual-faults" }

-- Newest first; records of the same second by file name, so that the order of the command line does not matter.
local function is_newer(a, b)
    if a.record.started ~= b.record.started then
        return a.record.started > b.record.started
    end
    return a.file < b.file
end

-- Key of a metric; skipped entries without metric or code also need their reason to be distinct.
local function metric_key(metric)
    return vocabulary.identity(metric) .. (metric.metric == nil and "\t" .. (metric.reason or "") or "")
end

local function fill(node)
    table.sort(node.records, is_newer)
    node.description = node.records[1].record.node
    node.metrics, node.samples, node.failures = {}, {}, {}
    local giver = {}
    for _, entry in ipairs(node.records) do
        lists.append(node.metrics, entry.record.metrics, function(metric)
            local key = metric_key(metric)
            local is_new = not giver[key]
            giver[key] = giver[key] or entry
            return is_new and metric
        end)
        lists.append(node.samples, entry.record.samples, function(sample)
            return giver[vocabulary.identity(sample)] == entry and sample
        end)
        lists.append(node.failures, entry.record.failures)
    end
end

local function make_section(key, nodes)
    local section = { key = key, kind = key:match "^%a+", faulty = key:find("faults", 1, true) ~= nil, nodes = {} }
    local used = {}
    for number, id in ipairs(lists.sorted(nodes)) do
        local node = nodes[id]
        fill(node)
        node.key = text.file_part(node.name) .. (section.faulty and ".f" .. number or "")
        if used[node.key] then -- another name that gives the same file name
            node.key = node.key .. "." .. number
        end
        used[node.key] = true
        section.nodes[number] = node
    end
    return section
end

local function check(entry)
    local node = entry.record.node
    if not lists.contains(KINDS, node.kind) then
        error(("%s: node.kind is %s, not native, historical or virtual"):format(entry.file, tostring(node.kind)), 0)
    end
    for _, key in ipairs { "name", "arch" } do
        if type(node[key]) ~= "string" then
            error(("%s: node.%s is missing"):format(entry.file, key), 0)
        end
    end
end

local function sort_in(archs, entry)
    local node, faults = entry.record.node, table.concat(entry.record.faults, "; ")
    local key = node.kind .. (#injected(entry.record) > 0 and "-faults" or "")
    local nodes = lists.bin(lists.bin(archs, node.arch, {}), key, {})
    local by = node.interface and " by " .. node.interface or ""
    local id = node.name .. by .. "\t" .. faults
    local label = node.name .. by .. (faults ~= "" and " with " .. faults or "")
    table.insert(lists.bin(nodes, id, { name = node.name, label = label, records = {} }).records, entry)
end

-- records = array of { file =, record = }; for the result see the top of this file.
function merge.archs(records)
    local archs = {}
    for _, entry in ipairs(records) do
        check(entry)
        sort_in(archs, entry)
    end
    return lists.map(lists.sorted(archs), function(arch)
        return { arch = arch, sections = lists.collect(ORDER, function(key)
            return archs[arch][key] and make_section(key, archs[arch][key])
        end) }
    end)
end

return merge
