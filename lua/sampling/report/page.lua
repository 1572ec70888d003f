-- page.lua - a sampling record as a page: errors over the period, in total and by function.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
--   sampling.page{ record =, file =, style = } -> { text = the self-contained page }
--   sampling.files{ record =, style = } -> array of { name =, text = an SVG file for any page }, one per drawing
local array = require "input.array"
local draw = require "sampling.report.loglog"
local frame = require "report.page.frame"
local lists = require "input.lists"
local html = require "report.page.html"
local words = require "sampling.report.text"

local sampling = {}

local add, escape = html.add, html.escape

local MOST = 4 -- runs in a drawing: the longest

local KINDS = {
    {
        name = "functions",
        y = "misplaced samples, %",
        title = "%s: samples that are another function's, over the period",
        value = function(row) return row.misplaced_pct end,
        expected = function(row) return row.chance_pct end,
        marked = function(row) return row.beyond end,
    },
    {
        name = "all",
        y = "error in all, %",
        title = "%s: error of the estimate in all, over the period",
        value = function(row) return row.error_pct and math.abs(row.error_pct) end,
        -- The estimate is less than one period too low, on average half a period.
        expected = function(row) return row.counted > 0 and 50 * row.period / row.counted or nil end,
        marked = function() return false end,
    },
}

local function label(row)
    return row.rounds and ("%d rounds, %d events"):format(row.rounds, row.counted) or ("%d events"):format(row.counted)
end

-- One line for each run.
local function lines_of(event, kind)
    local list = lists.map(lists.group(event.rows, "run"), function(rows)
        return { label = label(rows[1]), points = lists.collect(rows, function(row)
            local value = kind.value(row)
            return value and { x = row.period, y = value, expected = kind.expected(row), marked = kind.marked(row) }
        end) }
    end)
    return table.move(list, math.max(1, #list - MOST + 1), #list, 1, {})
end

-- { name =, title =, svg = } of an event.
local function drawings(event, about)
    return lists.map(event.reason and {} or KINDS, function(kind)
        local title = kind.title:format(event.event)
        local svg = draw.svg { title = title, x = "period, events", y = kind.y, about = about, lines = lines_of(event, kind) }
        return { name = kind.name, title = title, svg = svg }
    end)
end

local function number(value)
    return value and ("%.3g"):format(value) or "-"
end

local function add_rows(lines, event)
    local rows = lists.map(event.rows, function(row)
        return { ("%d"):format(row.counted), ("%d"):format(row.period), tostring(row.places or "-"), ("%d"):format(row.samples),
            number(row.error_pct), number(row.misplaced_pct) .. (row.beyond and "!" or ""), number(row.chance_pct) }
    end)
    html.add_table(lines, '<details><summary>values</summary><table class="plain">',
        { "events", "period", "places of a round", "samples", ">in all %", ">misplaced %", ">by chance %" }, rows, "</details>")
end

local function add_functions(lines, event, periods)
    add(lines, '<details><summary>functions</summary><table class="plain"><thead><tr><th scope="col">function</th>'
        .. '<th scope="col" class="n">counted</th>')
    for _, period in ipairs(periods) do
        add(lines, '<th scope="col" class="n">error %% at %d</th>', period)
    end
    add(lines, "</tr></thead><tbody>")
    for _, one in ipairs(event.functions) do
        add(lines, '<tr><th scope="row">%s</th><td class="n">%.0f</td>', escape(one["function"]), one.counted)
        for _, estimate in ipairs(one.estimates) do
            add(lines, '<td class="n">%s</td>', one.counted > 0 and ("%+.3g"):format(100 * (estimate / one.counted - 1)) or "-")
        end
        add(lines, "</tr>")
    end
    add(lines, "</tbody></table></details>")
end

function sampling.page(argument)
    local record = argument.record
    local links = lists.map(record.events, function(event, i) return { "event" .. i, event.event } end)
    local lines = frame.open(argument, "Samples of events", links)
    add(lines, "<p>Estimates are samples times the period. Dots: measured; large ones are further off than chance explains. Broken lines: "
        .. "the expected error: of functions, if each sample fell by chance; in all, half a period.</p>")
    for i, event in ipairs(record.events) do
        add(lines, '<section id="event%d"><h2>%s</h2><p>%s%s</p><div class="figures">', i, escape(event.event),
            event.said and escape(event.said) .. "; " or "", escape(words.verdict(event)))
        for _, drawing in ipairs(drawings(event)) do
            add(lines, "<figure><figcaption>%s</figcaption>", escape(drawing.title))
            lines[#lines + 1] = drawing.svg .. "</figure>"
        end
        add(lines, "</div>")
        if not event.reason then
            add_rows(lines, event)
            add_functions(lines, event, record.periods)
        end
        add(lines, "</section>")
    end
    return frame.close(lines, record)
end

function sampling.files(argument)
    local files, node = array(), argument.record.node
    for _, event in ipairs(argument.record.events) do
        for _, drawing in ipairs(drawings(event, ("%s node %s"):format(node.kind, node.name or "?"))) do
            files[#files + 1] = { name = ("%s-%s.svg"):format(event.event:gsub("[^%w]+", "-"), drawing.name), text = drawing.svg .. "\n" }
        end
    end
    return files
end

return sampling
