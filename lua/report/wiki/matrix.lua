-- matrix.lua - the confusion matrix of a node's records and the effect of wrong counters, as Markdown.
-- SPDX-License-Identifier: GPL-3.0-or-later
local describe = require("report.matrix").describe
local lists = require "input.lists"
local text = require "report.wiki.text"

local matrix = {}

local FIRST_NUMBER = 3 -- first column of numbers, after the names

local function add_table(lines, titles, rows)
    local columns = lists.map(titles, function(title, i) return (i >= FIRST_NUMBER and ">" or "") .. text.escape(title) end)
    text.add_table(lines, columns, lists.map(rows, function(row) return lists.map(row, text.escape) end))
end

-- Adds the matrix of each node's newest record that has one.
function matrix.add(lines, nodes)
    for _, node in ipairs(nodes) do
        local newest = lists.find(node.records, function(entry) return entry.record.matrix end)
        local found = newest and describe(newest.record)
        if found then
            text.add(lines, "### Controls against signatures on %s", text.escape(node.label))
            add_table(lines, found.titles, found.rows)
            text.add(lines, text.escape(found.legend))
            lists.append(lines, found.notes, function(note) return "- " .. text.escape(note) end)
            lines[#lines + 1] = ""
            text.add(lines, "### Wrong counters against diagnoses on %s", text.escape(node.label))
            add_table(lines, found.flips.titles, found.flips.rows)
            text.add(lines, text.escape(found.flips.legend))
        end
    end
end

return matrix
