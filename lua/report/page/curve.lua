-- curve.lua - events over one axis, as SVG: dots for measured counts, bands for known counts, dashed lines for a naive guess, dotted
-- lines for the median of executions.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each tick of the axis is twice the previous one. The drawing carries its own colours (Okabe and Ito's) for paper and dark screens, so
-- it looks the same in a page and as a file.
local html = require "report.page.html"
local lists = require "input.lists"
local plot = require "report.page.plot"
local words = require "report.text.curves"

local add, escape = html.add, html.escape

local curve = {}

local WIDTH, PLOT_HEIGHT = 620, 240
local LEFT, RIGHT, TOP = 56, 14, 22
local BOTTOM = TOP + PLOT_HEIGHT
local ROW = 18 -- height of a line of the legend
local SPACE = 1.06 -- length of the axis relative to the largest value
local BAND_LEAST = 5 -- pixels: makes the band of an exactly known count visible
local TICKS = 7
curve.STYLE = [[
svg.curve{max-width:760px;background:#fff;font:12px "Helvetica Neue",Arial,sans-serif}.curve text{fill:#596575}.curve .t{fill:#1b2430}
.curve .grid{stroke:#d9dfe6}.curve .mark{stroke:#596575;stroke-dasharray:2 3}.curve .line{fill:none;stroke-width:1.2}
.curve .naive{fill:none;stroke-dasharray:6 4}.curve .median{fill:none;stroke-dasharray:1 3}.curve .known{fill-opacity:.25}
.curve .c1{fill:#0072b2;stroke:#0072b2}.curve .c2{fill:#e69f00;stroke:#e69f00}.curve .c3{fill:#009e73;stroke:#009e73}
.curve .c4{fill:#cc79a7;stroke:#cc79a7}.curve .known{stroke:none}.curve .line,.curve .naive,.curve .median{fill:none}
@media (prefers-color-scheme:dark){svg.curve{background:#12171d}.curve text{fill:#9daaba}.curve .t{fill:#e4e9ef}
.curve .grid{stroke:#323c48}}
]]

-- Functions that map a place on the axis to x and a count to y, in pixels.
local function make_scale(drawing)
    local first, last, most = math.huge, 0, 0
    for _, line in ipairs(drawing.lines) do
        for _, point in ipairs(line.points) do
            first, last = math.min(first, point.x), math.max(last, point.x)
            most = math.max(most, point.measured, point.median or 0, point.known and point.known.max or 0, point.naive or 0)
        end
    end
    most = most > 0 and most * SPACE or 1
    local span = math.max(math.log(last / first, 2), 1e-9)
    return {
        first = first,
        last = last,
        most = most,
        x = function(place) return LEFT + 8 + math.log(place / first, 2) / span * (WIDTH - LEFT - RIGHT - 16) end,
        y = function(count) return BOTTOM - count / most * PLOT_HEIGHT end,
    }
end

local function add_axes(lines, drawing, scale)
    local step = plot.tick_step(scale.most)
    for tick = 0, math.floor(scale.most / step) do
        local y = scale.y(tick * step)
        add(lines, '<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>', LEFT, WIDTH - RIGHT, y, y)
        add(lines, '<text x="%d" y="%.1f" text-anchor="end">%.4g</text>', LEFT - 6, y + 4, tick * step)
    end
    local octaves = math.ceil(math.log(scale.last, 2)) - math.ceil(math.log(scale.first, 2))
    local every = math.max(1, math.ceil(octaves / TICKS))
    for power = math.ceil(math.log(scale.first, 2) - 1e-9), math.floor(math.log(scale.last, 2) + 1e-9), every do
        add(lines, '<text x="%.1f" y="%d" text-anchor="middle">%s</text>', scale.x(2 ^ power), BOTTOM + 16,
            escape(words.place(drawing.curve, 2 ^ power)))
    end
    add(lines, '<text x="%d" y="%d" text-anchor="end">%s</text>', WIDTH - RIGHT, BOTTOM + 32, escape(drawing.curve.axis))
    add(lines, '<text transform="translate(12 %.1f) rotate(-90)" text-anchor="middle">%s</text>', (TOP + BOTTOM) / 2,
        escape(drawing.curve.label or "for each " .. drawing.curve.per))
end

local function add_marks(lines, drawing, scale)
    for _, mark in ipairs(drawing.curve.marks) do
        if mark.x >= scale.first and mark.x <= scale.last then
            local x = scale.x(mark.x)
            add(lines, '<line class="mark" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>', x, x, TOP, BOTTOM)
            add(lines, '<text x="%.1f" y="%d" text-anchor="middle">%s</text>', x, TOP - 6, escape(mark.text))
        end
    end
end

-- Runs of consecutive points that have this key, as arrays: a line is broken where a value is absent.
local function runs_with(points, key)
    local list, has_before = {}, false
    for _, point in ipairs(points) do
        local has = point[key] ~= nil
        list[#list + 1] = has and not has_before and {} or nil
        if has then
            table.insert(list[#list], point)
        end
        has_before = has
    end
    return list
end

local function add_known(lines, line, number, scale)
    for _, points in ipairs(runs_with(line.points, "known")) do
        local there, back = {}, {}
        for i, point in ipairs(points) do
            local high, low = scale.y(point.known.max), scale.y(point.known.min)
            local more = math.max(0, BAND_LEAST - (low - high)) / 2
            there[i] = ("%.1f,%.1f"):format(scale.x(point.x), high - more)
            table.insert(back, 1, ("%.1f,%.1f"):format(scale.x(point.x), low + more))
        end
        add(lines, '<polygon class="known c%d" points="%s %s"/>', number, table.concat(there, " "), table.concat(back, " "))
    end
end

-- Coordinates of a polyline through the points that have this key; x, y = functions that map values to pixels.
function curve.coordinates(points, key, x, y)
    return lists.join(points, " ", function(point) return point[key] and ("%.1f,%.1f"):format(x(point.x), y(point[key])) end)
end

local function add_line(lines, line, number, scale)
    for _, key in ipairs { "naive", "median" } do
        lists.append(lines, runs_with(line.points, key), function(points)
            return ('<polyline class="%s c%d" points="%s"/>'):format(key, number, curve.coordinates(points, key, scale.x, scale.y))
        end)
    end
    add(lines, '<polyline class="line c%d" points="%s"/>', number, curve.coordinates(line.points, "measured", scale.x, scale.y))
    for _, point in ipairs(line.points) do
        add(lines, '<circle class="c%d" cx="%.1f" cy="%.1f" r="2.2"/>', number, scale.x(point.x), scale.y(point.measured))
    end
end

-- drawing = { curve = events.judge.curves.find(), or { title =, axis =, label = of the other axis, marks = }, lines = at most four of its
-- lines, about = caption |nil } -> SVG.
function curve.svg(drawing)
    local scale = make_scale(drawing)
    local height = BOTTOM + 44 + ROW * #drawing.lines
    local lines = { ('<svg xmlns="http://www.w3.org/2000/svg" class="curve" viewBox="0 0 %d %d" role="img" aria-label="%s">'):format(WIDTH,
        height, escape(drawing.curve.title)), "<style>" .. curve.STYLE .. "</style>" }
    add_axes(lines, drawing, scale)
    add_marks(lines, drawing, scale)
    for number, line in ipairs(drawing.lines) do
        add_known(lines, line, number, scale)
    end
    for number, line in ipairs(drawing.lines) do
        add_line(lines, line, number, scale)
        local y = BOTTOM + 36 + ROW * number
        add(lines, '<rect class="c%d" x="%d" y="%.1f" width="11" height="11"/>', number, LEFT, y - 10)
        add(lines, '<text class="t" x="%d" y="%.1f">%s%s</text>', LEFT + 18, y, escape(line.event),
            line.said and escape(": " .. line.said) or "")
    end
    if drawing.about then
        add(lines, '<text x="%d" y="%d">%s</text>', LEFT, BOTTOM + 32, escape(drawing.about))
    end
    lines[#lines + 1] = "</svg>"
    return table.concat(lines, "\n")
end

return curve
