-- csv.lua - a fleet as CSV: a row per node; columns for the settings of the node's state, and one per metric, whose values are mean errors
-- in %. RFC 4180 with \n; an empty field is an absent value.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- csv.render{ collection =, found = } -> { text = }
local field = require "report.text.csv"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local vocabulary = require "judge.vocabulary"

local csv = {}

local FIRST = lists.joined({ "node", "kind", "group", "stand_out", "verdicts_differ", "failed_runs", "state_differs" }, node_state.KEYS)

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
            ("%d"):format(#entry.verdicts), ("%d"):format(node.failures), field.quoted(table.concat(entry.state, "; ")) }
        lists.append(fields, node_state.KEYS, function(key) return field.quoted(node_state.text(node.node, key) or "") end)
        lists.append(fields, metrics, function(_, metric)
            return node.values[metric] and ("%.10g"):format(node.values[metric]) or ""
        end)
        lines[#lines + 1] = table.concat(fields, ",")
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return csv
