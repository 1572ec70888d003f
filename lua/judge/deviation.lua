-- deviation.lua - how far samples are from what is expected of them, in %.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Two numbers. The error, which tables show, is the distance from the nominal value. The deviation is the distance from the expected
-- interval. It alone decides the class, because inside the interval the hardware is free: it is 0 there, else the signed distance to the
-- nearest end in % of that end. If the interval is [0, 0], the residue replaces both: % of the work (what the code touches, in the
-- metric's unit).
local deviation = {}

local RIGHT = 0.01 -- share that a right count may be off by, the usual tolerance

-- Signed error in % of the nominal value; of the interval's end where that is 0. nil where the expectation is 0 only.
function deviation.error_pct(measured, expected)
    if expected.max <= 0 then
        return nil
    end
    return 100 * (measured - expected.value) / (expected.value > 0 and expected.value or expected.max)
end

-- Signed distance in % of the nearest end of low .. high (of the other end where the nearest is 0); 0 inside.
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

-- A sample with a value and an expectation as a row of the judgement, or an error line for an expectation that is no count. All
-- numbers are amounts: a rate is multiplied by the region's seconds, because a counter adds or loses counts per region, however long.
--   { point = key of what was repeated, size = key of the true value: threads and regions of a point share one,
--     regions = number of region starts in it: 1, or 0 for a difference of two regions,
--     x, low, high = expected, y = measured, work =, per = seconds|1,
--     scale = what y is compared with: x; if x is 0, the interval's end or the work,
--     weight = 1 / variance up to a constant. A right count is off by the share RIGHT, and the truth may lie anywhere inside the expected
--         interval: points with a wide interval say little about constants }
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

-- Of the amount `value` in a row's place: how far it is outside of the interval and from the nominal value, in %, which are one and the
-- same where 0 is expected; and true for such a residue.
function deviation.of(row, value)
    local from_nominal = value == row.x and 0.0 or 100 * (value - row.x) / row.scale
    if row.high > 0 then
        return outside(value, row.low, row.high), from_nominal, false
    end
    return from_nominal, from_nominal, true
end

-- Of all rows after correct(row) (default: as measured): how far they are outside of their intervals, in the rows' order; the errors;
-- and the residues.
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
