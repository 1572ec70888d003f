-- oracles.lua - one quantity, up to four counts: reported by LIKWID, predicted by the model, counted in the code, simulated.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
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

local function make_rows(metrics)
    local has_levels = false
    for _, metric in ipairs(metrics) do
        has_levels = has_levels or metric.oracles and metric.level ~= nil
    end
    local rows = { { "code", has_levels and "level" or "", "metric", "reported", table.unpack(NAMES) } }
    for _, metric in ipairs(metrics) do
        local found = metric.oracles
        if found then
            local level = has_levels and (metric.level or "-") or ""
            local row = { metric.code or "all", level, metric.metric, report.amount(found.reported, metric.unit) }
            for _, name in ipairs(NAMES) do
                row[#row + 1] = cell(found, name, metric.unit)
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

-- { record =, width = columns|nil } -> { text = lines that end with a newline }: a row per metric that has oracles. Behind each
-- oracle stands by how much the reported count differs from it.
function oracles.render(argument)
    local rows = make_rows(argument.record.metrics)
    if #rows == 1 then
        return { text = "no metric of this record was counted in the code or simulated\n" }
    end
    local lines, widths = {}, cells.widths(rows)
    for i, row in ipairs(rows) do
        lines[i] = cells.cut(cells.line(row, widths, 2), argument.width or WIDTH, "")
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return oracles
