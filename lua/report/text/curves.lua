-- curves.lua - what events count along curves, as tables. SPDX-License-Identifier: GPL-3.0-or-later
local cells = require "report.text.cells"
local lists = require "input.lists"

local curves = {}

local GAP = 2
local UNITS = { "bytes", "KiB", "MiB", "GiB" }

-- A place on the curve's axis as text.
function curves.place(curve, x)
    local unit = 1
    while curve.is_bytes and x >= 1024 and unit < #UNITS do
        x, unit = x / 1024, unit + 1
    end
    return curve.is_bytes and ("%.4g %s"):format(x, UNITS[unit]) or ("%g"):format(x)
end

-- "L1 32 KiB, L2 256 KiB"
function curves.marks(curve)
    return lists.join(curve.marks, ", ", function(mark)
        return ("%s %s"):format(mark.text, curves.place(curve, mark.x))
    end)
end

-- "least of 5 executions (why not more)"; "" for curves that are not measured by repeated executions.
function curves.executions(curve)
    local why = curve.why_fewer and (" (%s)"):format(curve.why_fewer) or ""
    return curve.executions and ("least of %d executions%s"):format(curve.executions, why) or ""
end

-- "known in 41 of 60 points, missed in 1"; nothing for an event without known counts.
function curves.judgement(line)
    if line.known == 0 then
        return "nothing is known of it"
    end
    return ("known in %d of %d points, %s"):format(line.known, #line.points,
        line.missed == 0 and "right in all" or ("wrong in %d"):format(line.missed))
end

local function row_of(curve, line)
    local steps = lists.map(line.steps, function(step)
        return ("%s .. %s"):format(curves.place(curve, step.from), curves.place(curve, step.to))
    end)
    return { line.event, curves.judgement(line), line.error_pct and ("%+.2f"):format(line.error_pct) or "", table.concat(steps, ", ") }
end

-- "TITLE, for each PER; EXECUTIONS; MARKS"
local function heading_of(curve)
    local heading = ("%s, for each %s"):format(curve.title, curve.per)
    for _, words in ipairs { curves.executions(curve), curves.marks(curve) } do
        heading = words ~= "" and ("%s; %s"):format(heading, words) or heading
    end
    return heading
end

-- { curves = events.judge.curves.find() } -> { text = lines that end with a newline }.
function curves.render(argument)
    local lines = {}
    for _, curve in ipairs(argument.curves) do
        local rows = { { "event", "against what is known", "error %", "steps at" } }
        lines[#lines + 1] = heading_of(curve)
        lists.append(rows, curve.lines, function(line) return row_of(curve, line) end)
        lists.append(lines, cells.lines(rows, GAP, { [3] = true }, "  "))
        lines[#lines + 1] = ""
    end
    return { text = table.concat(lines, "\n") }
end

return curves
