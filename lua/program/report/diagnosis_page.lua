-- diagnosis_page.lua - a diagnosis as a page: its text, the roofline of the regions, and the scaling over cores.
-- SPDX-License-Identifier: GPL-3.0-or-later
local diagnosis = require "program.report.diagnosis"
local frame = require "report.page.frame"
local html = require "report.page.html"
local lists = require "input.lists"
local roofline = require "report.page.roofline"
local scaling = require "program.report.scaling"

local page = {}

local add, escape = html.add, html.escape

local WIDTH = 160
local LINKS = { { "findings", "Findings" }, { "roofline", "Roofline" }, { "scaling", "Scaling" }, { "node", "Node" } }

local function add_roofline(lines, record)
    local points = lists.collect(record.rates or {}, function(rate)
        return rate.performance and rate.intensity and { code = scaling.title(record.regions[rate.region + 1]), intensity = rate.intensity,
            performance = rate.performance, roofs = rate.roofs }
    end)
    add(lines, '<section id="roofline"><h2>Roofline of the regions</h2>')
    -- Regions on the same threads and sockets have the same roofs.
    local groups = lists.group(points, function(point)
        return ("%s %s"):format(point.roofs.performance, point.roofs.bandwidth)
    end)
    for _, some in ipairs(groups) do
        local roofs = some[1].roofs
        local function roof(value, unit)
            return value and ("%.4g %s"):format(value, unit) or "none validated"
        end
        add(lines, "<figure><figcaption>Broken: the roofs of memory, %s, and of the cores, %s</figcaption>%s</figure>",
            roof(roofs.bandwidth, "MB/s"), roof(roofs.performance, "MFLOP/s"), roofline.draw(some,
                {
                    bandwidth = roofs.bandwidth and { value = roofs.bandwidth }, peak = roofs.performance and { value = roofs.performance },
                }))
    end
    add(lines, "<p>%s</p></section>", #points > 0 and (record.node.kind == "virtual"
        and "The roof of memory is that of the virtual node's time model, which gives written lines no time. The roof of the cores is"
        or "The roofs are")
        .. " the largest rate in the record of the verdicts, for so many cores. FLOPs are those of the group ASSAY_INTENSITY."
        or "No region has both FLOPs and bytes at memory in validated metrics.")
end

local function add_scaling(lines, record)
    add(lines, '<section id="scaling"><h2>Scaling</h2>')
    for _, drawing in ipairs(record.scale and scaling.drawings(record) or {}) do
        add(lines, "<figure><figcaption>Speed-up over cores; broken: ideal</figcaption>%s</figure>", drawing)
    end
    for _, one in ipairs(record.scale and scaling.tables(record) or {}) do
        local titles = lists.map(one.rows[1], function(title) return ">" .. title end)
        html.add_table(lines, ('<table class="plain"><caption>%s</caption>'):format(escape(scaling.title(one.name))),
            titles, { table.unpack(one.rows, 2) }, "")
    end
    add(lines, "%s</section>", record.scale and "" or "<p>Measured on one number of cores only (--scale).</p>")
end

-- { record =, file =, style = } -> { text = the self-contained page }
function page.page(argument)
    local record = argument.record
    local lines = frame.open(argument, "Patterns of a program", LINKS)
    add(lines, '<section id="findings"><pre>%s</pre></section>', escape(diagnosis.render({ record = record, width = WIDTH }).text))
    add_roofline(lines, record)
    add_scaling(lines, record)
    return frame.close(lines, record)
end

return page
