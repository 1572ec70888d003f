-- needed_rows.lua - selects the rows of probes that a check of a few metrics needs.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Probes that produce a requested concept run whole, because their other rows show counts where none are expected. Of the other probes,
-- one row per code is enough for that. Rows of one code with the same concepts differ in size only: the two cheapest are kept.
local concepts = require "input.concepts"
local lists = require "input.lists"

local needed_rows = {}

local OF_A_KIND = 2

-- Documented concepts of the events, and concepts of the quantities: { [concept] = true }.
function needed_rows.concepts(argument, events)
    local asked = {}
    local function add(terms)
        for concept in pairs(terms or {}) do
            asked[concept] = true
        end
    end
    for _, event in ipairs(events) do
        add((concepts.said_of(argument.said, event) or {}).terms)
    end
    for _, one in ipairs(argument.quantities) do
        add(one.over and one.over.terms)
        add(one.under and one.under.terms)
    end
    asked.instructions = nil -- every row has some
    return asked
end

local function makes(row, asked)
    for concept, amount in pairs(row.regions[1].counts) do
        if asked[concept] and amount and amount.value > 0 then
            return true
        end
    end
    return false
end

-- A key shared by rows that have the same code and produce the same concepts.
local function kind_of(row)
    local counts = row.regions[1].counts
    return table.concat(lists.append({ row.code }, lists.sorted(counts), function(concept)
        return (counts[concept] == false and "?" or counts[concept].value > 0 and "" or "-") .. concept
    end), " ")
end

local function cost_of(row)
    local region = row.regions[#row.regions]
    return region.counts.instructions and region.counts.instructions.value or 0
end

-- Rows of each kind, cheapest first: array of arrays.
local function by_kind(rows)
    local kinds = lists.group(rows, kind_of)
    for _, list in ipairs(kinds) do
        table.sort(list, function(a, b) return cost_of(a) < cost_of(b) end)
    end
    return kinds
end

-- rows of events/plan/events.lua, asked = needed_rows.concepts() -> { [row] = true } for rows to run.
function needed_rows.choose(rows, asked)
    local chosen, probes, codes = {}, {}, {}
    for _, row in ipairs(rows) do
        probes[row.probe] = probes[row.probe] or makes(row, asked)
    end
    for _, list in ipairs(by_kind(rows)) do
        local row = list[1]
        if not probes[row.probe] and (not codes[row.code] or cost_of(row) < cost_of(codes[row.code])) then
            codes[row.code] = row
        end
        for i = 1, probes[row.probe] and math.min(OF_A_KIND, #list) or 0 do
            chosen[list[i]] = true
        end
    end
    for _, row in pairs(codes) do
        chosen[row] = true
    end
    return chosen
end

return needed_rows
