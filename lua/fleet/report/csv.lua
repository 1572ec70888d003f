-- csv.lua - a fleet as CSV: a row per node, a column per metric, values are mean errors in %; RFC 4180 with \n, an empty field is an
-- absent value.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- csv.render{ collection =, found = } -> { text = }
local field = require "report.text.csv"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local csv = {}

local FIRST = { "node", "kind", "group", "stand_out", "verdicts_differ", "failed_runs" }

local function heading(metrics)
    return table.concat(lists.append(lists.joined(FIRST), metrics, function(metric)
        return field.quoted((vocabulary.identity(metric):gsub("\t", "/")))
    end), ",")
end

function csv.render(argument)
    local metrics, nodes = argument.collection.metrics, argument.collection.nodes
    local lines = { heading(metrics) }
    local of_node = lists.index(argument.found.nodes, "node")
    for i, node in ipairs(nodes) do
        local entry = of_node[i]
        local fields = { field.quoted(node.host), node.node.kind, ("%d"):format(entry.group), ("%d"):format(#entry.outliers),
            ("%d"):format(#entry.verdicts), ("%d"):format(node.failures) }
        for metric = 1, #metrics do
            local value = node.values[metric]
            fields[#fields + 1] = value and ("%.10g"):format(value) or ""
        end
        lines[#lines + 1] = table.concat(fields, ",")
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return csv
