-- frame.lua - the start and end of all pages: style, title, node, warning about a virtual node.
-- SPDX-License-Identifier: GPL-3.0-or-later
local counted = require "report.counted"
local faults = require "report.faults"
local html = require "report.page.html"
local lists = require "input.lists"
local published = require "report.published"
local record_parts = require "report.page.record"
local stand_in = require "report.stand_in"

local frame = {}

local add, escape = html.add, html.escape

-- Prevents the page from loading anything, whatever the record's texts contain.
local POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

local function banner(record)
    local node = record.node
    if node.kind == "virtual" then
        return ('<p class="banner virtual"><strong>Virtual node %s.</strong> Simulated processor and registers: a test of the suite, '
            .. 'the groups and the models. It is no evidence about silicon.</p>'):format(escape(node.name or "?"))
    end
    if node.kind == "historical" then
        return ('<p class="banner historical"><strong>Historical node %s.</strong> Figures of others, not measured by Assay: %s.</p>')
            :format(escape(node.name or "?"), escape(published(record)))
    end
    return ('<p class="banner native"><strong>Native node %s.</strong> Measured on its own counters.</p>'):format(escape(node.name or "?"))
end

local function add_head(lines, argument, what, links)
    local record = argument.record
    local node = record.node
    add(lines, '<header><h1>%s of %s</h1>', what, escape(node.name or "a node"))
    add(lines, '<p class="facts">%s%s, %s, Assay %s, %s</p>', node.arch and escape(node.arch) .. ", " or "",
        escape(node.cpu or "unknown processor"), escape(counted(node) or "LIKWID ?"), escape(record.assay or "?"),
        escape(record.started or "?"))
    add(lines, banner(record))
    local warning = stand_in(node)
    if warning then
        add(lines, '<p class="banner fault"><strong>%s</strong></p>', escape(warning))
    end
    local injected = faults(record)
    if #injected > 0 then
        add(lines, '<p class="banner fault"><strong>%d injected faults.</strong> The node was made wrong on purpose: <code>%s</code></p>',
            #injected, escape(table.concat(injected, "; ")))
    end
    local parts = lists.map(links, function(link) return ('<a href="#%s">%s</a>'):format(escape(link[1]), escape(link[2])) end)
    add(lines, '<nav aria-label="Sections">%s</nav></header>', table.concat(parts, " "))
    add(lines, '<p class="source">From the record <code>%s</code></p>', escape(argument.file or "?"))
end

-- The lines of a page up to the content of <body>.
function frame.begin(lines, title, style)
    add(lines, "<!DOCTYPE html>")
    add(lines, '<html lang="en"><head><meta charset="utf-8">')
    add(lines, '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">')
    add(lines, '<meta http-equiv="Content-Security-Policy" content="%s">', POLICY)
    add(lines, "<title>%s</title>", escape(title))
    lines[#lines + 1] = "<style>\n" .. style .. "</style></head><body>"
end

-- argument = { record =, file = its name, style = text of page.css }, what = text about the page, links = array of { section's id, text
-- } -> the page's first lines, up to the content of <main>.
function frame.open(argument, what, links)
    local record, lines = argument.record, {}
    frame.begin(lines, ("Assay: %s, %s"):format(record.node.name or "?", record.started or "?"), argument.style)
    add_head(lines, argument, what, links)
    lines[#lines + 1] = "<main>"
    return lines
end

-- Ends the page with the description of the record's node: { text = the page }.
function frame.close(lines, record)
    record_parts.add_node(lines, record)
    lines[#lines + 1] = "</main></body></html>"
    return { text = table.concat(lines, "\n") .. "\n" }
end

return frame
