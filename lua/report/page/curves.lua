-- curves.lua - a record of curves as a page: event counts over sizes, pages or probabilities, next to known counts.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   curves.page{ record =, file =, style = } -> { text = the self-contained page }
--   curves.files{ record =, style = } -> array of { name =, text = an SVG file for any page }, one per drawing
local array = require "input.array"
local draw = require "report.page.curve"
local frame = require "report.page.frame"
local lists = require "input.lists"
local record_parts = require "report.page.record"
local plot = require "report.page.plot"
local words = require "report.text.curves"

local curves = {}

local add, escape = record_parts.add, plot.escape

local MOST = 4 -- lines in a drawing

-- Drawings of a curve: { curve =, lines = array of at most MOST }, in order.
local function drawings(curve)
    local list = {}
    for first = 1, #curve.lines, MOST do
        list[#list + 1] = { curve = curve, lines = table.move(curve.lines, first, math.min(#curve.lines, first + MOST - 1), 1, {}) }
    end
    return list
end

local function add_drawing(lines, drawing)
    add(lines, "<figure><figcaption>%s</figcaption>", escape(drawing.curve.title))
    lines[#lines + 1] = draw.svg(drawing)
    add(lines, '<details><summary>values</summary><table class="plain"><thead><tr><th scope="col">event</th><th scope="col">said</th>'
        .. '<th scope="col">against what is known</th><th scope="col" class="n">error %%</th></tr></thead><tbody>')
    for _, line in ipairs(drawing.lines) do
        add(lines, '<tr><th scope="row">%s</th><td>%s</td><td>%s</td><td class="n">%s</td></tr>', escape(line.event),
            escape(line.said or "-"), escape(words.judgement(line)), line.error_pct and ("%+.2f"):format(line.error_pct) or "")
    end
    add(lines, "</tbody></table></details></figure>")
end

function curves.page(argument)
    local record = argument.record
    local links = lists.map(record.curves, function(curve, i) return { "curve" .. i, curve.name } end)
    local lines = frame.open(argument, "Curves of events", links)
    add(lines, "<p>Dots: counted. Bands: what is known, from the code and the sizes of the node. Where there is no band, some of what is "
        .. "visited again is still there and some is not, and nothing is said. Broken lines: what one would think. Dotted lines: the "
        .. "median of several executions, where dots are the least of them.</p>")
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
