-- deviation.lua - how far samples are from what is expected of them, in %.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The error of a sample is 0 inside the expected interval, else the signed distance to its nearest end in % of that end. Where the
-- interval is [0, 0] there is no error in %: the residue in % of the work (what the code touches, in the metric's unit) takes its place.
local deviation = {}

local RIGHT = 0.01 -- share that a right count may be off by, the usual tolerance

-- Signed error in % of the nearest end of the interval (of the other end where the nearest is 0); 0 inside. nil where the
-- expectation is 0 only.
function deviation.error_pct(measured, expected)
    if expected.max <= 0 then
        return nil
    end
    local nearest = math.min(math.max(measured, expected.min), expected.max)
    if nearest == measured then
        return 0.0
    end
    return 100 * (measured - nearest) / (nearest > 0 and nearest or expected.max)
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
-- amounts: those of a rate are its values times the region's seconds, for a counter that adds or loses counts does so per region,
-- however long the region lasts.
--   { point = key of what was repeated, x, low, high = expected, y = measured, work =, per = seconds|1,
--     scale = what y is compared with, x or, where that is 0, the interval's end or the work,
--     weight = 1 / variance up to a constant: a right count is off by a share of its own (RIGHT), and where the truth lies inside
--         the expected interval is unknown as well: points whose interval is wide say little about constants }
function deviation.row(sample)
    check(sample)
    local expected, per = sample.expected, sample.seconds or 1
    local row = {
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

-- Deviation in % of the amount `value` in a row's place: the error, or where 0 is expected the residue; and true for a residue.
function deviation.of(row, value)
    if row.high > 0 then
        return deviation.error_pct(value, { min = row.low, max = row.high }), false
    end
    return value == 0 and 0.0 or 100 * value / row.scale, true
end

-- Deviations of all rows after correct(row) (default: as measured), in the rows' order; the errors among them, and the residues.
function deviation.list(rows, correct)
    local all, errors, residues = {}, {}, {}
    for i, row in ipairs(rows) do
        local percent, is_residue = deviation.of(row, correct and correct(row) or row.y)
        local kind = is_residue and residues or errors
        all[i], kind[#kind + 1] = percent, percent
    end
    return all, errors, residues
end

return deviation
