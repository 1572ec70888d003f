-- plots.lua - error plots for gnuplot: per code and series a box for the average and a bar from the smallest to the largest error.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   plots.script{ title =, categories = { text, .. }, series = { { label =, points = { point .. } } .. } }
--     point = { at = category's number, avg =, min =, max = } -> { text = a gnuplot script that prints an SVG }
--   plots.finish{ svg = what gnuplot printed, title =, about = } -> { text = the file }
-- Equal input gives equal bytes: the file depends neither on gnuplot's version nor on installed fonts or the time. Colours are Okabe
-- and Ito's. Every box is outlined, and the legend has the order of the boxes. The background is opaque and follows the reader's
-- colour scheme together with the text, so that the plot is readable on any page.
local lists = require "input.lists"
local marker = require "report.wiki.marker"

local plots = {}

local INK, GRID, PAPER = "#1f2328", "#d0d7de", "#ffffff"
local DARK = { [INK] = "#e6edf3", [GRID] = "#3d444d", [PAPER] = "#0d1117" }
local COLOURS = { "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999" }
plots.MOST_SERIES = #COLOURS

local BOX, GAP = 13, 14 -- pixels: width of a box, gap between categories
local LEFT_LEAST, RIGHT = 92, 40
local WIDTH_LEAST = 640
local PLOT_HEIGHT, TITLE, LEGEND_ROW = 300, 44, 22
local LETTER = 8.2 -- pixels, width of a wide letter of the font below
local SLANT = math.sqrt(0.5) -- horizontal and vertical extent of a label at 45 degrees, per length
local FONT, FONT_SIZE, TITLE_SIZE = "Helvetica,Arial,sans-serif", 13, 15

-- Quotes a value as a double-quoted string of gnuplot.
local function quote(value)
    return '"' .. value:gsub("[%c]", " "):gsub('[\\"]', "\\%0"):gsub("`", "'") .. '"'
end

local function range(series)
    local low, high = 0, 0
    for _, one in ipairs(series) do
        for _, point in ipairs(one.points) do
            low, high = math.min(low, point.min), math.max(high, point.max)
        end
    end
    if high - low < 1e-6 then
        return -1, 1
    end
    local pad = 0.06 * (high - low)
    return low < 0 and low - pad or -pad, high > 0 and high + pad or pad
end

local function longest(texts)
    return lists.most(texts, 0, function(one) return utf8.len(one) or #one end)
end

-- Positions in pixels. Labels of codes slant down and to the left from their tic, so the longest label determines two
-- margins.
local function layout(argument)
    local count = #argument.series
    local labels = lists.map(argument.series, "label")
    local page = { pitch = count * BOX + GAP }
    local reach = longest(argument.categories) * LETTER * SLANT
    page.left = math.ceil(math.max(LEFT_LEAST, reach - page.pitch / 2 + 16))
    local entry = longest(labels) * LETTER + 70
    page.width = math.ceil(math.max(WIDTH_LEAST, page.left + RIGHT + math.max(#argument.categories * page.pitch, entry),
        longest { argument.title } * LETTER * TITLE_SIZE / FONT_SIZE + RIGHT))
    page.columns = math.max(1, math.min(count, (page.width - page.left - RIGHT) // entry))
    page.top = TITLE + LEGEND_ROW * math.ceil(count / page.columns) + 8
    page.bottom = math.ceil(reach + 34)
    page.height = page.top + PLOT_HEIGHT + page.bottom
    return page
end

local function add(lines, line, ...)
    lines[#lines + 1] = line:format(...)
end

local function add_frame(lines, argument, page)
    local low, high = range(argument.series)
    add(lines, "set encoding utf8")
    add(lines, "set terminal svg size %d,%d fixed noenhanced font '%s,%d' background '%s'", page.width, page.height, FONT, FONT_SIZE,
        PAPER)
    add(lines, "set lmargin at screen %.6f", page.left / page.width)
    add(lines, "set rmargin at screen %.6f", 1 - RIGHT / page.width)
    add(lines, "set tmargin at screen %.6f", 1 - page.top / page.height)
    add(lines, "set bmargin at screen %.6f", page.bottom / page.height)
    add(lines, "set label 1 %s at screen %.6f,%.6f left front textcolor rgb '%s' font ',%d'", quote(argument.title),
        16 / page.width, 1 - 24 / page.height, INK, TITLE_SIZE)
    add(lines, "set border 3 linecolor rgb '%s'", INK)
    add(lines, "set grid ytics linecolor rgb '%s' dashtype solid linewidth 1", GRID)
    add(lines, "set ytics nomirror textcolor rgb '%s' format '%%g'", INK)
    add(lines, "set ylabel 'error in %% of expected' textcolor rgb '%s'", INK)
    add(lines, "set xrange [0.5:%g]", #argument.categories + 0.5)
    add(lines, "set yrange [%.9g:%.9g]", low, high)
    add(lines, "set key at screen %.6f,%.6f left top horizontal maxcols %d Left reverse samplen 1.5 width 2 textcolor rgb '%s'",
        page.left / page.width, 1 - (TITLE - 2) / page.height, page.columns, INK)
    add(lines, "set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead linecolor rgb '%s' linewidth 1 front", INK)
end

local function add_tics(lines, categories)
    add(lines, "set xtics nomirror scale 0 rotate by 45 right textcolor rgb '%s' (%s)", INK, lists.join(categories, ", ", function(name, i)
        return ("%s %d"):format(quote((name:gsub("%%", "%%%%"))), i) -- gnuplot reads a tic's label as a format
    end))
end

-- Columns of a data block: position, average, smallest, largest.
local function add_data(lines, argument, page)
    local step = BOX / page.pitch
    for number, one in ipairs(argument.series) do
        add(lines, "$series%d << END", number)
        for _, point in ipairs(one.points) do
            local at = point.at + (number - (#argument.series + 1) / 2) * step
            add(lines, "%.6f %.9g %.9g %.9g", at, point.avg, point.min, point.max)
        end
        add(lines, "END")
    end
    return step
end

function plots.script(argument)
    local lines, page = {}, layout(argument)
    add_frame(lines, argument, page)
    add_tics(lines, argument.categories)
    local step = add_data(lines, argument, page)
    local parts, border = {}, ("border linecolor rgb '%s'"):format(INK)
    for number, one in ipairs(argument.series) do
        add(parts, "$series%d using 1:2:(%.6f) with boxes fillstyle solid 1.0 %s fillcolor rgb '%s' title %s", number, step * 0.86, border,
            COLOURS[number], quote(one.label))
    end
    for number in ipairs(argument.series) do
        add(parts, "$series%d using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.35 linecolor rgb '%s' notitle", number, INK)
    end
    add(lines, "set errorbars 0.5")
    lines[#lines + 1] = "plot " .. table.concat(parts, ", ")
    return { text = table.concat(lines, "\n") .. "\n" }
end

local function escape_xml(value)
    return (value:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

local function hexadecimal(red, green, blue)
    return ("#%02x%02x%02x"):format(tonumber(red), tonumber(green), tonumber(blue))
end

-- Colours of a dark colour scheme, for each way in which gnuplot sets a colour.
local function style()
    local rules = {}
    for _, light in ipairs { INK, GRID, PAPER } do
        for _, property in ipairs { "stroke", "fill", "color" } do
            rules[#rules + 1] = ('[%s="%s"]{%s:%s}'):format(property, light, property, DARK[light])
        end
    end
    return "<style>@media (prefers-color-scheme: dark){" .. table.concat(rules) .. "}</style>"
end

function plots.finish(argument)
    local svg, found = argument.svg:gsub("^.-<svg", "<svg", 1)
    if found == 0 or not svg:find("</svg>", 1, true) then
        error(("%s: gnuplot printed no SVG; install gnuplot with its svg terminal (Debian: gnuplot-nox)"):format(argument.title), 0)
    end
    svg = svg:gsub("<title>.-</title>%s*", ""):gsub("<desc>.-</desc>%s*", ""):gsub("<filter.->.-</filter>%s*", "")
    svg = svg:gsub("rgb%(%s*(%d+),%s*(%d+),%s*(%d+)%)", hexadecimal)
    svg = svg:gsub("<use [^<>]*color='#FFFFFF'/>%s*", "") -- a white disc behind each point, which would cut into boxes
    svg = svg:gsub('color="#FFFFFF"', 'color="' .. PAPER .. '"'):gsub("color='#FFFFFF'", "color='" .. PAPER .. "'")
    for _ = 1, 2 do -- empty groups, and groups that contained only empty ones
        svg = svg:gsub("<g [^<>]*>%s*</g>%s*", "")
    end
    svg = svg:gsub("[ \t]+\n", "\n"):gsub("\n\n+", "\n")
    svg = svg:gsub("^<svg", '<svg role="img" aria-labelledby="title about"', 1)
    local head = ('<title id="title">%s</title>\n<desc id="about">%s</desc>\n%s\n'):format(escape_xml(argument.title),
        escape_xml(argument.about or ""), style())
    svg = svg:gsub("^(<svg.->)", function(open)
        return open .. "\n" .. head
    end, 1)
    return { text = marker.LINE .. "\n" .. svg:gsub("%s*$", "\n") }
end

return plots
