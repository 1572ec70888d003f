-- oracles.lua - one quantity, up to four counts: reported by LIKWID, predicted by the model, counted in the code, simulated.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local report = require "report.text.report"

local oracles = {}

local NAMES = { "predicted", "counted", "simulated" }

-- "12.3 MB (+0.1 %)": an oracle's value, and the reported value's distance from it.
local function cell(found, name, unit)
    local value = found[name]
    if not value then
        return "-"
    elseif value == 0 or not found.reported then
        return report.amount(value, unit)
    end
    return ("%s (%s %%)"):format(report.amount(value, unit), report.percent(100 * (found.reported / value - 1)))
end

-- A metric's code, its reported count, and the count of each oracle.
local function row_of(metric)
    local found = metric.oracles
    return lists.append({ metric.code or "all", report.amount(found.reported, metric.unit) }, NAMES,
        function(oracle) return cell(found, oracle, metric.unit) end)
end

-- { record = } -> { text = lines that end with a newline }: a heading, and a row per metric that has oracles. Each oracle is
-- followed by the difference of the reported count from it.
function oracles.render(argument)
    local shown = lists.filter(argument.record.metrics, "oracles")
    if #shown == 0 then
        return { text = "no metric of this record was counted in the code or simulated\n" }
    end
    local titles = { "code", "reported", table.unpack(NAMES) }
    local widths = cells.widths(lists.append({ titles }, shown, row_of))
    local lines = { cells.line(titles, widths, 2) }
    for _, block in ipairs(lists.group(shown, report.block_of)) do
        lists.append(lines, { "", report.block_of(block[1]) })
        lists.append(lines, block, function(metric) return cells.line(row_of(metric), widths, 2) end)
    end
    return { text = table.concat(lines, "\n") .. "\n" }
end

return oracles
