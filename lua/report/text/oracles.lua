-- oracles.lua - one quantity, up to four counts: reported by LIKWID, predicted by the model, counted in the code, simulated.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local report = require "report.text.report"

local oracles = {}

local WIDTH = 100
local NAMES = { "predicted", "counted", "simulated" }

-- "12.3 MB (+0.1 %)": an oracle's value, and how far the reported one is from it.
local function cell(found, name, unit)
    local value = found[name]
    if not value then
        return "-"
    elseif value == 0 or not found.reported then
        return report.amount(value, unit)
    end
    return ("%s (%s %%)"):format(report.amount(value, unit), report.percent(100 * (found.reported / value - 1)))
end

-- { block = pattern, metric, level and placement, rows = { code, reported, oracle .. } } of metrics that have oracles.
local function make_blocks(metrics)
    local blocks = {}
    for _, metric in ipairs(metrics) do
        local found = metric.oracles
        if found then
            local name = report.block_of(metric)
            lists.bin(blocks, name, { name = name, rows = {} }, blocks)
            local row = { metric.code or "all", report.amount(found.reported, metric.unit) }
            for i, oracle in ipairs(NAMES) do
                row[i + 2] = cell(found, oracle, metric.unit)
            end
            table.insert(blocks[name].rows, row)
        end
    end
    return blocks
end

-- { record =, width = columns|nil } -> { text = lines that end with a newline }: a row per metric that has oracles, below a line that
-- says what it is of. After each oracle stands by how much the reported count differs from it. Only codes give way to the width.
function oracles.render(argument)
    local blocks = make_blocks(argument.record.metrics)
    if #blocks == 0 then
        return { text = "no metric of this record was counted in the code or simulated\n" }
    end
    local titles = { "code", "reported", table.unpack(NAMES) }
    local all = { titles }
    for _, block in ipairs(blocks) do
        lists.append(all, block.rows)
    end
    local widths = cells.widths(all)
    cells.shrink(widths, { 1 }, 2, argument.width or WIDTH)
    local lines = { cells.line(titles, widths, 2) }
    for _, block in ipairs(blocks) do
        lines[#lines + 1] = ""
        lines[#lines + 1] = block.name
        lists.append(lines, block.rows, function(row) return cells.line(row, widths, 2) end)
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return oracles
