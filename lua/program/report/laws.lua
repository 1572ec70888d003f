-- laws.lua - laws between counters as text: broken laws, what explains them, and errors that would not be detected.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local laws = {}

local GAP = 2
local SMALL_PCT = 5 -- an event is listed if it may be wrong by more than this
local RIGHT = { [2] = true, [3] = true, [4] = true }

-- A number as in a record, with twelve digits: a product with seconds may differ from a whole number in its last bit.
local function count_text(value)
    value = tonumber(("%.12g"):format(value))
    return value == math.floor(value) and ("%.0f"):format(value) or ("%.6g"):format(value)
end

local function share_text(pct)
    return pct and (pct >= 0.01 and ("%.3g %%"):format(pct) or pct > 0 and "< 0.01 %" or "0 %") or "-"
end

local function where_of(worst)
    local parts = { worst.place }
    if worst.region ~= "" then
        parts[2] = "region " .. worst.region
    end
    return table.concat(parts, ", ")
end

-- Adds both sides of each broken law, with its explanation below.
local function add_broken(lines, record, width)
    local rows = { { "broken law", "left", "right", "off by", "where" } }
    local words = {}
    for _, law in ipairs(record.laws) do
        if law.status == "broken" then
            local worst = law.worst
            local larger = math.max(math.abs(worst.left), math.abs(worst.right))
            rows[#rows + 1] = { law.name, count_text(worst.left), count_text(worst.right),
                share_text(100 * math.abs(worst.left - worst.right) / larger), where_of(worst) }
            words[#rows] = { law.text, "because " .. law.why .. " (" .. law.where .. ")" }
        end
    end
    local widths = cells.widths(rows)
    for number, row in ipairs(rows) do
        lines[#lines + 1] = cells.line(row, widths, GAP, RIGHT)
        for _, text in ipairs(words[number] or {}) do
            lines[#lines + 1] = "    " .. cells.cut(text, math.max(width - 4, 40))
        end
    end
end

local function add_all(lines, record)
    local rows = { { "law", "detects from", "left", "right", "" } }
    for _, law in ipairs(record.laws) do
        local worst = law.worst
        rows[#rows + 1] = { law.name, worst and share_text(law.sees_pct) or "-", worst and count_text(worst.left) or "-",
            worst and count_text(worst.right) or "-", law.reason or law.status == "broken" and "broken" or law.text }
    end
    lists.append(rows, record.left_out, function(one) return { one.name, "-", "-", "-", "left out: " .. one.reason } end)
    lists.append(lines, cells.lines(rows, GAP, RIGHT))
end

local function list_of(events, takes)
    return lists.collect(events, function(one) return takes(one) and one.event or nil end)
end

-- Adds events for which no law would detect an error of SMALL_PCT, and events that count nothing here.
local function add_unseen(lines, record)
    local loose = list_of(record.events, function(one) return one.counted and (one.up_pct or math.huge) > SMALL_PCT end)
    local silent = list_of(record.events, function(one) return not one.counted end)
    if #loose > 0 then
        lines[#lines + 1] = ("%d %% more would not be noticed of: %s"):format(SMALL_PCT, table.concat(loose, ", "))
    end
    if #silent > 0 then
        lines[#lines + 1] = ("nothing is counted here of: %s"):format(table.concat(silent, ", "))
    end
end

local function summary(record)
    local count = vocabulary.count(record.laws, "status")
    local text = ("%d laws on %d runs: %d hold, %d broken"):format(#record.laws, #record.runs, count.holds or 0, count.broken or 0)
    return text .. (count.unmeasured and (", %d without counts"):format(count.unmeasured) or ""), count
end

-- { record = of kind "laws", width =, all = show all laws |nil } -> { text = }
function laws.render(argument)
    local record, lines = argument.record, {}
    local text, count = summary(record)
    if argument.all then
        add_all(lines, record)
    end
    if count.broken then
        add_broken(lines, record, argument.width)
        lists.append(lines, record.blame, "text")
    end
    if argument.all then
        add_unseen(lines, record)
    end
    lists.append(lines, record.messages or {})
    lines[#lines + 1] = text
    return { text = table.concat(lines, "\n") .. "\n" }
end

return laws
