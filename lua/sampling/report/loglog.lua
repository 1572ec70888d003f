-- loglog.lua - SVG plot with two logarithmic axes: dots and lines for values, dashed lines for expectations.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A value of 0 is drawn at the lower end of its axis. Style and colours are those of curve.lua.
local curve = require "report.page.curve"
local html = require "report.page.html"

local loglog = {}

local add, escape = html.add, html.escape

local WIDTH, PLOT_HEIGHT = 620, 240
local LEFT, RIGHT, TOP = 64, 30, 14
local BOTTOM = TOP + PLOT_HEIGHT
local ROW = 18 -- height of a line of the legend
local ZERO = 0.5 -- decades below the smallest value, where 0 is drawn
local TICKS = 8

local function range(drawing, key)
    local low, high = math.huge, 0
    for _, line in ipairs(drawing.lines) do
        for _, point in ipairs(line.points) do
            local value = point[key]
            low, high = value > 0 and math.min(low, value) or low, math.max(high, value)
            local expected = key == "y" and point.expected or 0
            low, high = expected > 0 and math.min(low, expected) or low, math.max(high, expected)
        end
    end
    return high > 0 and low or 1, high > 0 and high or 10
end

-- Maps values to pixels between two ends, over whole decades.
local function make_axis(low, high, from, to, below)
    local first, last = math.log(low, 10) - below, math.log(high, 10)
    first, last = math.floor(first + 1e-9), math.ceil(last - 1e-9)
    last = math.max(last, first + 1)
    local axis = { first = first, last = last }
    function axis.at(value)
        local decade = value > 0 and math.log(value, 10) or first
        return from + (math.max(decade, first) - first) / (last - first) * (to - from)
    end
    return axis
end

local function add_axes(lines, drawing, x, y)
    for decade = y.first, y.last, math.ceil((y.last - y.first) / TICKS) do
        local at = y.at(10.0 ^ decade)
        add(lines, '<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>', LEFT, WIDTH - RIGHT, at, at)
        add(lines, '<text x="%d" y="%.1f" text-anchor="end">%g</text>', LEFT - 6, at + 4, 10.0 ^ decade)
    end
    for decade = x.first, x.last, math.ceil((x.last - x.first) / TICKS) do
        local at = x.at(10.0 ^ decade)
        add(lines, '<line class="grid" x1="%.1f" x2="%.1f" y1="%d" y2="%d"/>', at, at, TOP, BOTTOM)
        add(lines, '<text x="%.1f" y="%d" text-anchor="middle">%g</text>', at, BOTTOM + 16, 10.0 ^ decade)
    end
    add(lines, '<text x="%d" y="%d" text-anchor="end">%s</text>', WIDTH - RIGHT, BOTTOM + 32, escape(drawing.x))
    add(lines, '<text transform="translate(12 %.1f) rotate(-90)" text-anchor="middle">%s</text>', (TOP + BOTTOM) / 2, escape(drawing.y))
end

local function add_line(lines, line, number, x, y)
    add(lines, '<polyline class="naive c%d" points="%s"/>', number, curve.coordinates(line.points, "expected", x.at, y.at))
    add(lines, '<polyline class="line c%d" points="%s"/>', number, curve.coordinates(line.points, "y", x.at, y.at))
    for _, point in ipairs(line.points) do
        add(lines, '<circle class="c%d" cx="%.1f" cy="%.1f" r="%s"/>', number, x.at(point.x), y.at(point.y), point.marked and "4" or "2.2")
    end
    local place = BOTTOM + 36 + ROW * number
    add(lines, '<rect class="c%d" x="%d" y="%.1f" width="11" height="11"/>', number, LEFT, place - 10)
    add(lines, '<text class="t" x="%d" y="%.1f">%s</text>', LEFT + 18, place, escape(line.label))
end

-- drawing = { title =, x =, y = titles of the axes, about = caption |nil, lines = array, at most four, of { label =, points = array of
-- { x =, y =, expected = |nil, marked = a larger dot |nil } } } -> SVG.
function loglog.svg(drawing)
    local x_low, x_high = range(drawing, "x")
    local y_low, y_high = range(drawing, "y")
    local x, y = make_axis(x_low, x_high, LEFT, WIDTH - RIGHT, 0), make_axis(y_low, y_high, BOTTOM, TOP, ZERO)
    local lines = { ('<svg xmlns="http://www.w3.org/2000/svg" class="curve" viewBox="0 0 %d %d" role="img" aria-label="%s">'):format(WIDTH,
        BOTTOM + 44 + ROW * #drawing.lines, escape(drawing.title)), "<style>" .. curve.STYLE .. "</style>" }
    add_axes(lines, drawing, x, y)
    for number, line in ipairs(drawing.lines) do
        add_line(lines, line, number, x, y)
    end
    if drawing.about then
        add(lines, '<text x="%d" y="%d">%s</text>', LEFT, BOTTOM + 32, escape(drawing.about))
    end
    lines[#lines + 1] = "</svg>"
    return table.concat(lines, "\n")
end

return loglog
