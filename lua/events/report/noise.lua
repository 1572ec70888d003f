-- noise.lua - table of the variation of events over repetitions. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"

local noise = {}

local GAP = 2

local function percent(value)
    return ("%.3g"):format(value)
end

local function titles_of(events)
    local titles = { "event", "deviation %", "mean %" }
    for _, one in ipairs(events) do
        for i, block in ipairs(one.blocks or {}) do
            titles[2 + 2 * i] = ("least of %d"):format(block.size)
            titles[3 + 2 * i] = ("median of %d"):format(block.size)
        end
    end
    titles[#titles + 1] = "point"
    return titles
end

local function row_of(one, columns)
    local row = { one.event .. (one.options ~= "" and ":" .. one.options or "") }
    row[columns] = one.reason or one.row
    if not one.blocks then
        return row
    end
    row[2], row[3] = percent(one.sd_pct), ("%+.3g"):format(one.mean_error_pct)
    for i, block in ipairs(one.blocks) do
        row[2 + 2 * i], row[3 + 2 * i] = percent(block.least_pct), percent(block.median_pct)
    end
    return row
end

-- Result of judge.noise.find -> array of lines without newlines.
function noise.lines(events)
    local titles = titles_of(events)
    local rows = lists.append({ titles }, events, function(one) return row_of(one, #titles) end)
    return cells.lines(rows, GAP, cells.right(2, #titles - 1))
end

-- { events = result of judge.noise.find } -> { text = }
function noise.render(argument)
    local lines = lists.append(noise.lines(argument.events), { "",
        "standard deviation, error of the mean, and errors of the least and the median of n repetitions, in %" })
    return { text = table.concat(lines, "\n") .. "\n" }
end

return noise
