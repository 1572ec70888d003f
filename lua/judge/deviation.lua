-- deviation.lua - distance of samples from their expectations, in %.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- There are two numbers. The error, shown in tables, is the distance from the nominal value. The deviation is the distance from the
-- expected interval, in % of the nearest end. Inside it is 0, because correct hardware may show any of these values. Only the deviation
-- decides the class. If the interval is [0, 0], the residue replaces both: the value in % of the work (the amount of data or operations
-- that the code handles, in the metric's unit).
local deviation = {}

local RIGHT = 0.01 -- relative error that a correct counter may have; the usual tolerance

-- Signed error in % of the nominal value, or of the interval's upper end if the nominal value is 0; nil if only 0 is expected.
function deviation.error_pct(measured, expected)
    if expected.max <= 0 then
        return nil
    end
    return 100 * (measured - expected.value) / (expected.value > 0 and expected.value or expected.max)
end

-- Signed distance from low .. high in % of the nearest end, of `high` if that end is 0; 0 inside.
local function outside(value, low, high)
    local nearest = math.min(math.max(value, low), high)
    if nearest == value then
        return 0.0
    end
    return 100 * (value - nearest) / (nearest > 0 and nearest or high)
end

local function describe(sample)
    return ("%s of %s, point %s"):format(sample.metric or "a metric", sample.group or "a group", sample.point or "?")
end

local function check(sample)
    local expected = sample.expected
    for _, key in ipairs { "min", "value", "max" } do
        local value = expected[key]
        if type(value) ~= "number" or value ~= value or value == math.huge or value < 0 then
            error(("%s: the model expects %s = %s, which is no count"):format(describe(sample), key, tostring(value)), 0)
        end
    end
    if expected.min > expected.value or expected.value > expected.max then
        error(("%s: the expected value %g is not inside its interval %g .. %g"):format(describe(sample), expected.value, expected.min,
            expected.max), 0)
    end
    if expected.max == 0 and sample.measured ~= 0 and not (sample.work and sample.work > 0) then
        error(("%s: 0 is expected, but there is no work to compare %g with"):format(describe(sample), sample.measured), 0)
    end
end

-- Makes a row for the judgement from a sample with a value and an expectation; raises an error if the expectation is not a valid count. All
-- numbers are amounts: a rate is multiplied by the region's seconds, because a counter adds or loses counts per region, not per second.
--   { point = key of the point and thread, the same in all repetitions,
--     size = key of the point alone, which a region and a difference of two share,
--     regions = number of region starts in it: 1, or 0 for a difference of two regions,
--     x, low, high = expected, y = measured, work =, per = seconds|1,
--     scale = what y is compared with: x; if x is 0, the interval's end or the work,
--     weight = 1 / variance up to a constant factor. The variance covers the share RIGHT and the width of the expected interval, in
--         which the truth may lie anywhere: points with a wide interval say little about constants }
function deviation.row(sample)
    check(sample)
    local expected, per = sample.expected, sample.seconds or 1
    local row = {
        size = (tostring(sample.point):gsub("%.difference$", "")),
        regions = sample.regions or 1,
        point = ("%s\t%s"):format(tostring(sample.point), tostring(sample.thread)),
        x = expected.value * per,
        low = expected.min * per,
        high = expected.max * per,
        y = sample.measured * per,
        work = (sample.work or 0) * per,
        per = per,
    }
    row.scale = row.x > 0 and row.x or row.high > 0 and row.high or row.work > 0 and row.work or 1
    row.weight = 1 / (row.scale ^ 2 + ((row.high - row.low) / 2 / RIGHT) ^ 2)
    return row
end

-- The deviation and the error of `value` (an amount) in place of the row's measured value, in %. If 0 is expected, both are the
-- residue, and the third result is true.
function deviation.of(row, value)
    local from_nominal = value == row.x and 0.0 or 100 * (value - row.x) / row.scale
    if row.high > 0 then
        return outside(value, row.low, row.high), from_nominal, false
    end
    return from_nominal, from_nominal, true
end

-- Applies deviation.of to all rows after correct(row) (default: as measured): list of deviations, in the rows' order; errors;
-- residues.
function deviation.list(rows, correct)
    local all, errors, residues = {}, {}, {}
    for i, row in ipairs(rows) do
        local beyond, error_pct, is_residue = deviation.of(row, correct and correct(row) or row.y)
        local kind = is_residue and residues or errors
        all[i], kind[#kind + 1] = beyond, error_pct
    end
    return all, errors, residues
end

return deviation
