-- plot.lua - error plots as inline SVG: per code a bar from the smallest to the largest error with a mark at the average.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Colours come from the page's style (classes s1 to s7), so that one drawing works for light, dark and paper.
local html = require "report.page.html"
local lists = require "input.lists"
local report = require "report.text.report"
local stats = require "numeric.stats"
local totals = require "report.totals"

local html_plot = {}

local add, escape = html.add, html.escape

local WIDTH, PLOT_HEIGHT = 620, 224
local LEFT, RIGHT, TOP = 76, 10, 14
local BOTTOM = TOP + PLOT_HEIGHT -- y of the axis
local LABEL_DROP = 3.9 -- height of a slanted label per letter
local SERIES_MAX = 7 -- colours of the Okabe-Ito palette without black
local FLAT = 0.001 -- %: least range of the error axis, for errors that are all 0
local STEPS = { 1, 2, 2.5, 5, 10 }

-- { { pattern, level, kind, codes = { name.. }, series = { { metric, group, placement, values = { [code] = metric } }.. } }.. }
local function make_panels(metrics)
    local panels, seen, total = {}, {}, totals.of(metrics)
    for _, metric in ipairs(metrics) do
        if metric.error_pct ~= nil and total.is_whole(metric) then
            local place = table.concat({ metric.pattern or "", metric.level or "", metric.kind or "" }, "\t")
            local panel = lists.bin(seen, place, { pattern = metric.pattern, level = metric.level, kind = metric.kind,
                codes = {}, series = {}, seen_codes = {}, seen_series = {}, placements = {} }, panels)
            local code = metric.code or "all"
            lists.bin(panel.seen_codes, code, code, panel.codes)
            local key = table.concat({ metric.group or "", metric.metric, metric.placement or "" }, "\t")
            local series = lists.bin(panel.seen_series, key,
                { metric = metric.metric, group = metric.group, placement = metric.placement, values = {} }, panel.series)
            series.values[code] = metric
            panel.placements[metric.placement or ""] = true
        end
    end
    return panels
end

-- Splits panels with more series than colours.
local function split(panels)
    return lists.flat(panels, function(panel)
        return lists.map(lists.parts(panel.series, SERIES_MAX), function(series)
            return setmetatable({ series = series }, { __index = panel })
        end)
    end)
end

local function label(series, panel)
    return next(panel.placements, next(panel.placements)) and series.placement
        and ("%s, %s"):format(series.metric, series.placement) or series.metric
end

local function metrics_of(panel)
    return lists.flat(panel.series, function(series) return lists.collect(panel.codes, function(code) return series.values[code] end) end)
end

-- A step of 1, 2, 2.5 or 5 times a power of ten that makes about five ticks.
function html_plot.tick_step(span)
    local power = 10 ^ math.floor(math.log(span / 5, 10))
    for _, step in ipairs(STEPS) do
        if span / (step * power) <= 6 then
            return step * power
        end
    end
    return 10 * power
end

local function make_scale(panel)
    local errors = lists.map(metrics_of(panel), "error_pct")
    local low, high = stats.range(lists.flat(errors, function(one) return { one.min, 0, one.max } end))
    if high - low < FLAT then
        low, high = -FLAT, FLAT
    end
    local step = html_plot.tick_step(high - low)
    low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return {
        low = low,
        high = high,
        step = step,
        y = function(value) return TOP + (high - value) / (high - low) * PLOT_HEIGHT end,
    }
end

local function add_axis(lines, scale)
    local decimals = math.max(0, -math.floor(math.log(scale.step, 10) + 1e-9))
    if math.abs(scale.step * 10 ^ decimals - math.floor(scale.step * 10 ^ decimals + 0.5)) > 1e-6 then
        decimals = decimals + 1
    end
    for tick = 0, math.floor((scale.high - scale.low) / scale.step + 0.5) do
        local value = scale.low + tick * scale.step
        local is_zero = math.abs(value) < scale.step / 1e3
        add(lines, '<line class="%s" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>', is_zero and "zero" or "grid", LEFT, WIDTH - RIGHT,
            scale.y(value), scale.y(value))
        add(lines, '<text x="%d" y="%.1f" text-anchor="end">%s</text>', LEFT - 6, scale.y(value) + 4,
            is_zero and "0" or ("%+." .. decimals .. "f"):format(value))
    end
    add(lines, '<text transform="translate(13 %.1f) rotate(-90)" text-anchor="middle">error in %%</text>', (TOP + BOTTOM) / 2)
end

local function add_tolerance(lines, panel, scale)
    local tolerance = lists.most(metrics_of(panel), 0, function(metric) return metric.tolerance_pct or 0 end)
    for _, value in ipairs { tolerance, -tolerance } do
        if value ~= 0 and value >= scale.low and value <= scale.high then
            add(lines, '<line class="tolerance" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>', LEFT, WIDTH - RIGHT, scale.y(value), scale.y(value))
        end
    end
    return tolerance
end

local function describe(series, panel, code, errors)
    return ("%s, %s: min %s, avg %s, max %s %%"):format(code, label(series, panel), report.percent(errors.min),
        report.percent(errors.avg), report.percent(errors.max))
end

local function add_bars(lines, panel, scale)
    local band = (WIDTH - LEFT - RIGHT) / #panel.codes
    local slot = math.min(band * 0.8 / #panel.series, 26)
    for i, code in ipairs(panel.codes) do
        local middle = LEFT + (i - 0.5) * band
        for k, series in ipairs(panel.series) do
            local metric = series.values[code]
            if metric then
                local errors = metric.error_pct
                local x = middle + (k - 0.5 - #panel.series / 2) * slot
                local width = slot * 0.72
                add(lines, '<g class="s%d"><title>%s</title>', k, escape(describe(series, panel, code, errors)))
                add(lines, '<rect class="range" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>', x - width / 2, scale.y(errors.max),
                    width, math.max(scale.y(errors.min) - scale.y(errors.max), 0.8))
                add(lines, '<rect class="average" x="%.1f" y="%.1f" width="%.1f" height="3"/></g>', x - width / 2,
                    scale.y(errors.avg) - 1.5, width)
            end
        end
        add(lines, '<text transform="translate(%.1f %d) rotate(-35)" text-anchor="end">%s</text>', middle + 4, BOTTOM + 16,
            escape(code))
    end
end

local function title_of(panel)
    return lists.join({ "pattern", "level", "kind" }, ", ", function(key) return panel[key] and panel[key]:gsub("_", " ") end)
end

-- Height of a panel, with room for the longest label below the axis.
local function height_of(panel)
    local longest = lists.most(panel.codes, 4, function(code) return #code end)
    return math.ceil(BOTTOM + 20 + longest * LABEL_DROP)
end

local function draw(panel)
    local scale = make_scale(panel)
    local lines = { ('<svg viewBox="0 0 %d %d" role="img" aria-label="Errors: %s">'):format(WIDTH, height_of(panel),
        escape(title_of(panel))) }
    add_axis(lines, scale)
    local tolerance = add_tolerance(lines, panel, scale)
    add_bars(lines, panel, scale)
    lines[#lines + 1] = "</svg>"
    return table.concat(lines, "\n"), tolerance
end

local function values_of(panel)
    return lists.flat(panel.codes, function(code)
        return lists.collect(panel.series, function(series, k)
            local errors = series.values[code] and series.values[code].error_pct
            return errors and { series = k, code, label(series, panel), report.percent(errors.min), report.percent(errors.avg),
                report.percent(errors.max) }
        end)
    end)
end

-- A record's metrics -> array of { title =, svg =, legend = { label of s1, .. }, rows = { { code, series, min, avg, max }.. },
-- tolerance_pct = |nil }, in the record's order.
function html_plot.panels(metrics)
    return lists.map(split(make_panels(metrics)), function(panel)
        local svg, tolerance = draw(panel)
        local legend = lists.map(panel.series, function(series) return label(series, panel) end)
        return { title = title_of(panel), svg = svg, legend = legend, rows = values_of(panel), tolerance_pct = tolerance }
    end)
end

return html_plot
