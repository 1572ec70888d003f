-- threshold.lua - do a metric's values in the pattern's controls lie clearly apart, and where is the line between them?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The controls are codes in which the pattern is present and absent (the pattern file's `controls`); their values are compared as
-- measured, wrong or not, for that is what a tool will see. All points, sizes, numbers of threads and repetitions count:
--   worst    of present and absent are those values that are nearest to the other control's
--   margin   the larger worst / the smaller worst: how many times apart the controls are at least; under 1 they overlap
--   value    the geometric mean of the two worst: by the same factor, root of the margin, away from both. Where the smaller worst
--            is 0 there is no ratio and no margin; the value is then half of the larger worst.
--   band     around the value, where nobody can say: nothing was measured between the two worst. What an event costs grows with its
--            count, so a quarter of the difference next to each of them still counts as its side, for machines and codes that are not
--            the controls; but next to the smaller one not more than up to the value, which is nearer to it if the two are far apart.
-- A value, and with it a band, is given only if the controls are clearly apart: a margin of LEAST_MARGIN, and LEAST_SAMPLES of each
-- control. Without one nobody can say whatever is measured; what is known then is in `roc` (roc.lua).
local controls = require "plan.controls"
local placement = require "plan.placement"
local roc = require "judge.roc"
local stats = require "numeric.stats"

local threshold = {}

local LEAST_MARGIN = 2 -- leaves a factor of 1.4 to each side for machines and codes that are not the controls
local LEAST_SAMPLES = 2 -- one value has no worst
local SIDE = 1 / 4 -- of the difference between the worst values what still counts as the side of each

local function collect(samples, control, threads)
    local values = {}
    for _, sample in ipairs(samples) do
        if sample.measured and controls.matches(sample, control) then
            values[#values + 1] = sample.measured
            threads[#threads + 1] = sample.placement and placement.threads(sample.placement)
        end
    end
    return values
end

local function ratio(larger, smaller)
    return smaller > 0 and larger / smaller or larger > 0 and math.huge or 0
end

local function band_of(smaller, larger, value)
    local side = SIDE * (larger - smaller)
    return { low = math.min(smaller + side, value), high = larger - side }
end

-- Two lists of measured values -> { value =, band = { low =, high = } (each |nil: not clearly apart), margin = |nil (a control is 0),
-- present_is = "above"|"below", present = { min =, max = }, absent = { min =, max = }, gap = the two worst, { present =, absent = },
-- roc = (roc.lua) }, or nil if one is empty or a value is negative.
function threshold.between(present, absent)
    local present_low, present_high = stats.range(present)
    local absent_low, absent_high = stats.range(absent)
    if not present_low or not absent_low or math.min(present_low, absent_low) < 0 then
        return nil
    end
    local above, below = ratio(present_low, absent_high), ratio(absent_low, present_high)
    local is_above = above >= below
    local margin = is_above and above or below
    local larger, smaller = present_low, absent_high
    if not is_above then
        larger, smaller = absent_low, present_high
    end
    local result = {
        present_is = is_above and "above" or "below",
        present = { min = present_low, max = present_high },
        absent = { min = absent_low, max = absent_high },
        gap = { present = is_above and larger or smaller, absent = is_above and smaller or larger },
        margin = margin < math.huge and margin or nil,
        roc = roc.of(present, absent, is_above),
    }
    if margin >= LEAST_MARGIN and math.min(#present, #absent) >= LEAST_SAMPLES then
        result.value = smaller > 0 and math.sqrt(larger * smaller) or larger / 2
        result.band = band_of(smaller, larger, result.value)
    end
    return result
end

-- Samples of one metric over all codes, levels and placements; of = { present = control, absent = control }|nil; where = { kind =, arch = }
-- of the node. The result has the `domain` that was validated: the node's, and { threads = { min =, max = } } that the controls ran.
function threshold.find(samples, of, where)
    if not of or not of.present or not of.absent then
        return nil
    end
    local threads = {}
    local found = threshold.between(collect(samples, of.present, threads), collect(samples, of.absent, threads))
    if found then
        local least, most = stats.range(threads)
        found.domain = { kind = where.kind, arch = where.arch, threads = least and { min = least, max = most } }
    end
    return found
end

-- What a value says: "present", "absent", or "cannot say": in the band, without a threshold, and beyond `most`, which no right value is.
function threshold.answer(found, value, most)
    if not value or value ~= value or not found or not found.band or most and value > most then
        return "cannot say"
    elseif value > found.band.low and value < found.band.high then
        return "cannot say"
    end
    return (value >= found.band.high) == (found.present_is == "above") and "present" or "absent"
end

return threshold
