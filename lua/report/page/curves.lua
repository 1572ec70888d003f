-- curves.lua - a record of curves as a page: event counts over sizes, pages or probabilities, next to known counts.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   curves.page{ record =, file =, style = } -> { text = the self-contained page }
--   curves.files{ record =, style = } -> array of { name =, text = an SVG file for any page }, one per drawing
local array = require "input.array"
local draw = require "report.page.curve"
local frame = require "report.page.frame"
local lists = require "input.lists"
local html = require "report.page.html"
local words = require "report.text.curves"

local curves = {}

local add, escape = html.add, html.escape

local MOST = 4 -- lines in a drawing

-- Drawings of a curve: { curve =, lines = array of at most MOST }, in order.
local function drawings(curve)
    return lists.map(lists.parts(curve.lines, MOST), function(lines) return { curve = curve, lines = lines } end)
end

local function add_drawing(lines, drawing)
    add(lines, "<figure><figcaption>%s</figcaption>", escape(drawing.curve.title))
    lines[#lines + 1] = draw.svg(drawing)
    local rows = lists.map(drawing.lines, function(line)
        return { line.event, line.said or "-", words.judgement(line), line.error_pct and ("%+.2f"):format(line.error_pct) or "" }
    end)
    html.add_table(lines, '<details><summary>values</summary><table class="plain">',
        { "#event", "said", "against what is known", ">error %" }, rows, "</details></figure>")
end

function curves.page(argument)
    local record = argument.record
    local links = lists.map(record.curves, function(curve, i) return { "curve" .. i, curve.name } end)
    local lines = frame.open(argument, "Curves of events", links)
    add(lines, "<p>Dots: counted. Bands: what is known, from the code and the sizes of the node. Where there is no band, some of what is "
        .. "visited again is still there and some is not, and nothing is said. Broken lines: what one would naively expect. Dotted lines: "
        .. "the median of several executions, where dots are the least of them.</p>")
    for i, curve in ipairs(record.curves) do
        add(lines, '<section id="curve%d"><h2>%s</h2>', i, escape(curve.name))
        for _, text in ipairs { words.executions(curve), words.marks(curve) } do
            lines[#lines + 1] = text ~= "" and ("<p>%s</p>"):format(escape(text)) or nil
        end
        add(lines, '<div class="figures">')
        for _, drawing in ipairs(drawings(curve)) do
            add_drawing(lines, drawing)
        end
        add(lines, "</div></section>")
    end
    return frame.close(lines, record)
end

function curves.files(argument)
    local files, kind = array(), argument.record.node.kind
    for _, curve in ipairs(argument.record.curves) do
        for i, drawing in ipairs(drawings(curve)) do
            local name = ("%s-%d.svg"):format(curve.name:gsub("[^%w]+", "-"), i)
            drawing.about = ("%s node %s"):format(kind, argument.record.node.name or "?")
            files[#files + 1] = { name = name, text = draw.svg(drawing) .. "\n" }
        end
    end
    return files
end

return curves
