-- roofline.lua - performance over arithmetic intensity, from a record alone, as SVG (Williams, Waterman, Patterson: Roofline, 2009).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A point is a code whose group shows both an intensity [FLOP/Byte] and a performance [MFLOP/s], both validated: the mean of its samples,
-- with a bar for the expected intensity. The roofs are measured, too: the largest validated memory bandwidth and the largest validated
-- FLOP rate on the same cores. A roof is left out if the record has no such value.
local lists = require "input.lists"
local html = require "report.page.html"
local stats = require "numeric.stats"
local vocabulary = require "judge.vocabulary"

local add, escape = html.add, html.escape

local roofline = {}

local WIDTH, PLOT_HEIGHT = 620, 300
local LEFT, RIGHT, TOP = 76, 14, 14
local BOTTOM = TOP + PLOT_HEIGHT
local ROW = 18 -- height of a line of the legend
local BAR_LEAST = 6 -- pixels: makes the bar of an exactly expected value visible
local COLOURS = 7 -- in the page's style
local INTENSITY, PERFORMANCE, BANDWIDTH = "FLOP/Byte", "MFLOP/s", "MBytes/s"

local function key_of(one, what)
    return table.concat({ one.pattern or "", one.placement or "", one.code or "", one.group or "", what }, "\t")
end

-- Validated metrics as { [key_of its metric] = true }.
local function find_validated(record)
    local validated = lists.filter(record.metrics, function(metric) return metric.verdict == "validated" end)
    return lists.set(validated, function(metric) return key_of(metric, metric.metric or "") end)
end

-- Mean of the samples with this unit (0 if there are none), and the last such sample.
local function mean_of(samples, unit)
    local list = lists.filter(samples, function(sample) return sample.unit == unit end)
    return stats.mean(lists.map(list, "measured")) or 0, list[#list]
end

-- Points with both values, in the record's order: array of { code =, placement =, intensity =, performance =, expected
-- = { min =, value =, max = } }.
function roofline.points(record)
    local validated = find_validated(record)
    local shown = lists.filter(record.samples or {}, function(sample)
        local is_of = sample.unit == INTENSITY or sample.unit == PERFORMANCE
        return is_of and sample.measured and validated[key_of(sample, sample.metric)]
    end)
    return lists.collect(lists.group(shown, function(sample) return key_of(sample, sample.point or "") end), function(samples)
        local intensity, last = mean_of(samples, INTENSITY)
        local performance = mean_of(samples, PERFORMANCE)
        return intensity > 0 and performance > 0 and { code = last.code, placement = last.placement, intensity = intensity,
            performance = performance, expected = last.expected }
    end)
end

local function largest(record, placed, unit, is_of)
    return lists.best(lists.collect(record.metrics, function(metric)
        local value = placed[metric.placement] and metric.verdict == "validated" and metric.measured and metric.measured.max
        return metric.unit == unit and value and value > 0 and is_of(metric)
            and { value = value, code = metric.code or "all codes", metric = metric.metric }
    end), function(one, other) return one.value > other.value end)
end

-- { bandwidth = { value = in MBytes/s, code =, metric = } |nil, peak = the same in MFLOP/s |nil }
function roofline.roofs(record)
    local placed = lists.set(roofline.points(record), "placement")
    return {
        bandwidth = largest(record, placed, BANDWIDTH, function(metric) return (metric.boundary or ""):find "%-MEM$" ~= nil end),
        peak = largest(record, placed, PERFORMANCE, function() return true end),
    }
end

-- Both axes double from tick to tick and begin and end at a power of two.
local function make_axis(values, from, to)
    local low, high = stats.range(values)
    low, high = math.floor(math.log(low, 2) - 0.2), math.ceil(math.log(high, 2) + 0.2)
    return {
        low = low,
        high = high,
        place = function(value) return from + (math.log(value, 2) - low) / (high - low) * (to - from) end,
    }
end

local function add_axes(lines, x, y)
    for power = y.low, y.high do
        local at = y.place(2 ^ power)
        add(lines, '<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>', LEFT, WIDTH - RIGHT, at, at)
        add(lines, '<text x="%d" y="%.1f" text-anchor="end">%.4g</text>', LEFT - 6, at + 4, 2.0 ^ power)
    end
    for power = x.low, x.high do
        local text = power < 0 and ("1/%d"):format(2 ^ -power) or ("%d"):format(2 ^ power)
        add(lines, '<text x="%.1f" y="%d" text-anchor="middle">%s</text>', x.place(2 ^ power), BOTTOM + 16, text)
    end
    add(lines, '<text x="%d" y="%d" text-anchor="end">FLOP/Byte at memory</text>', WIDTH - RIGHT, BOTTOM + 32)
    add(lines, '<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>', (TOP + BOTTOM) // 2, PERFORMANCE)
end

-- Draws min(peak, bandwidth * intensity), as far as roofs are known, clipped to the drawing.
local function add_roof(lines, roofs, x, y)
    local peak, bandwidth = roofs.peak and roofs.peak.value, roofs.bandwidth and roofs.bandwidth.value
    local from, to, corners = 2.0 ^ x.low, 2.0 ^ x.high, {}
    local function add_corner(intensity, performance)
        corners[#corners + 1] = ("%.1f,%.1f"):format(x.place(intensity), y.place(performance))
    end
    if bandwidth then
        local first, last = math.max(from, 2.0 ^ y.low / bandwidth), math.min(to, (peak or 2.0 ^ y.high) / bandwidth)
        if first < last then
            add_corner(first, first * bandwidth)
            add_corner(last, last * bandwidth)
        end
    end
    if peak then
        local knee = bandwidth and peak / bandwidth or from
        if knee < to then
            add_corner(math.max(knee, from), peak)
            add_corner(to, peak)
        end
    end
    if #corners > 1 then
        add(lines, '<polyline class="roof" points="%s"/>', table.concat(corners, " "))
    end
end

local function add_point(lines, point, class, x, y)
    local at = y.place(point.performance)
    if point.expected then
        local left, right = x.place(point.expected.min), x.place(point.expected.max)
        local more = math.max(0, BAR_LEAST * 2 - (right - left)) / 2
        add(lines, '<rect class="%s range" x="%.1f" y="%.1f" width="%.1f" height="3"/>', class, left - more, at - 1.5,
            right - left + 2 * more)
    end
    add(lines, '<circle class="%s average" cx="%.1f" cy="%.1f" r="3.5"><title>%s: %.4g FLOP/Byte, %.4g MFLOP/s</title></circle>', class,
        x.place(point.intensity), at, escape(point.code), point.intensity, point.performance)
end

-- The drawing of points and roofs as above; nil if there are no points.
function roofline.draw(points, roofs)
    if #points == 0 then
        return nil
    end
    local x = make_axis(lists.map(points, "intensity"), LEFT, WIDTH - RIGHT)
    local y = make_axis(lists.append({ roofs.peak and roofs.peak.value }, points, "performance"), BOTTOM, TOP)
    local codes, classes = vocabulary.values(points, "code"), {}
    for i, code in ipairs(codes) do
        classes[code] = "s" .. (i - 1) % COLOURS + 1
    end
    local lines = { ('<svg viewBox="0 0 %d %d" role="img" aria-label="Performance over arithmetic intensity">'):format(WIDTH,
        BOTTOM + 44 + ROW * #codes) }
    add_axes(lines, x, y)
    add_roof(lines, roofs, x, y)
    for _, point in ipairs(points) do
        add_point(lines, point, classes[point.code], x, y)
    end
    for i, code in ipairs(codes) do
        local row = BOTTOM + 40 + ROW * i
        add(lines, '<rect class="%s average" x="%d" y="%d" width="11" height="11"/>', classes[code], LEFT, row - 10)
        add(lines, '<text x="%d" y="%d">%s</text>', LEFT + 18, row, escape(code))
    end
    lines[#lines + 1] = "</svg>"
    return table.concat(lines, "\n")
end

-- The drawing of a record of `assay validate`.
function roofline.svg(record)
    return roofline.draw(roofline.points(record), roofline.roofs(record))
end

local function say_roof(one, unit, what)
    return one and ("%s: %.4g %s, %s of %s."):format(what, one.value, unit, one.metric, one.code)
        or ("%s: none, as this record has no validated one."):format(what)
end

-- The text next to the drawing: where the roofs come from, and what they mean on this kind of node.
function roofline.about(record)
    local roofs = roofline.roofs(record)
    local said = { say_roof(roofs.bandwidth, BANDWIDTH, "Roof of memory"), say_roof(roofs.peak, PERFORMANCE, "Roof of the core") }
    said[#said + 1] = record.node.kind == "virtual"
            and "Virtual node: the intensity is counted; the height and both roofs follow from the node's model of time, not from silicon."
        or nil
    return table.concat(said, " ")
end

return roofline
