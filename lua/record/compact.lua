-- compact.lua - extremes of a metric's samples, for a record without samples: they determine the largest errors after any correction.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- After a correction (y - offset * regions) / factor, a sample with the measured amount y has, relative to an end x of its interval,
-- the error (y/x) / factor - offset * (regions/x) / factor - 1. This is linear in y/x and regions/x for any constants, as is the error
-- relative to the nominal value. So the largest and smallest errors are always at corners of the convex hull of the points (y/x,
-- regions/x); samples inside the hull are not needed.
local array = require "input.array"
local deviation = require "judge.deviation"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"

local compact = {}

-- Is b on the left of the line from a to c, or on it?
local function is_left(a, b, c)
    return (b.u - a.u) * (c.v - a.v) <= (b.v - a.v) * (c.u - a.u)
end

local function add_chain(kept, points, first, last, step)
    local chain = {}
    for i = first, last, step do
        while #chain > 1 and is_left(chain[#chain - 1], chain[#chain], points[i]) do
            chain[#chain] = nil
        end
        chain[#chain + 1] = points[i]
    end
    for _, point in ipairs(chain) do
        kept[point.row] = true
    end
end

-- Marks the rows that are corners of the convex hull of points { u =, v =, row = }.
local function add_corners(kept, points)
    table.sort(points, lists.by("u", "v"))
    add_chain(kept, points, 1, #points, 1)
    add_chain(kept, points, #points, 1, -1)
end

-- Rows of deviation.row without duplicates that differ only in point or repetition.
local function distinct(rows)
    local seen, list = {}, {}
    for _, row in ipairs(rows) do
        local key = ("%.17g %.17g %.17g %.17g %.17g %d"):format(row.low, row.high, row.y, row.scale, row.x, row.regions)
        if not seen[key] then
            seen[key] = true
            list[#list + 1] = row
        end
    end
    return list
end

-- Reference values of a row's errors: the ends of its interval, and the scale of its nominal error or residue.
local function references(row)
    if row.high <= 0 then
        return { work = row.scale }
    end
    return { low = row.low > 0 and row.low or nil, high = row.high, [row.x > 0 and "nominal" or "most"] = row.scale }
end

-- Rows of deviation.row -> corners of the hulls, in their order.
local function deciding(rows)
    local against = { low = {}, high = {}, nominal = {}, most = {}, work = {} }
    local different = distinct(rows)
    for i, row in ipairs(different) do
        for key, reference in pairs(references(row)) do
            table.insert(against[key], { u = row.y / reference, v = row.regions / reference, row = i })
        end
    end
    local kept, list = {}, array()
    for _, points in pairs(against) do
        add_corners(kept, points)
    end
    lists.append(list, different, function(row, i)
        return kept[i] and array { row.low, row.high, row.y, row.scale, row.x, row.regions }
    end)
    return list
end

-- { record = } -> array, for each of its metrics: { errors =, residues = number of samples with an error, with a
-- residue, rows = array of { low, high, y, scale, x, regions } (deviation.row) }.
function compact.extremes(argument)
    local bins, list = {}, array()
    for _, sample in ipairs(argument.record.samples) do
        if sample.measured and sample.expected then
            local key = vocabulary.identity(sample)
            lists.push(bins, key, deviation.row(sample))
        end
    end
    for i, metric in ipairs(argument.record.metrics) do
        local rows = bins[vocabulary.identity(metric)] or {}
        local _, errors, residues = deviation.list(rows)
        list[i] = { errors = #errors, residues = #residues, rows = deciding(rows) }
    end
    return list
end

-- Restores a metric's rows as far as deviation.list needs them. Older records lack x and regions.
function compact.rows(extremes)
    return lists.map(extremes.rows, function(row)
        local x = row[5] or row[2] > 0 and row[4] or 0
        return { low = row[1], high = row[2], y = row[3], scale = row[4], x = x, regions = row[6] or 1 }
    end)
end

return compact
