-- threshold.lua - decides if a metric's values in a pattern's controls lie clearly apart, and puts a threshold between them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The controls are codes with and without the pattern (the pattern file's `controls`). Their values are compared as measured, wrong or
-- not, because a tool will see the same values. All points, sizes, numbers of threads and repetitions are used:
--   worst    of each control the value nearest to the other control's values
--   margin   the larger worst / the smaller worst: the ratio by which the controls are apart; below 1 they overlap
--   value    the threshold: the geometric mean of the two worst values, a factor of sqrt(margin) from both. If the smaller worst is 0,
--            there is no margin, and the value is half of the larger worst.
--   band     the range around the value without an answer, because nothing was measured between the two worst values. Other
--            machines and codes differ from the controls. So the quarter of the gap next to each worst value still belongs to its side
--            (a share of the difference, because the cost of an event is proportional to its count). The lower quarter ends at the value
--            if that is smaller.
-- Value and band are given only if the controls are clearly apart: a margin of LEAST_MARGIN, and LEAST_SAMPLES of each control. Otherwise
-- every answer is "cannot say", and `roc` (roc.lua) shows how well the metric separates the controls.
local controls = require "plan.controls"
local placement = require "plan.placement"
local roc = require "judge.roc"
local stats = require "numeric.stats"

local threshold = {}

local LEAST_MARGIN = 2 -- leaves a factor of 1.4 to each side for other machines and codes
local LEAST_SAMPLES = 2 -- a single value shows no spread
local SIDE = 1 / 4 -- share of the gap next to each worst value that still belongs to its side

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

-- Two lists of measured values -> { value =, band = { low =, high = } (each |nil: not clearly apart), margin = |nil (a worst value is
-- 0), present_is = "above"|"below", present = { min =, max = }, absent = { min =, max = }, gap = { present =, absent = } the worst
-- values, roc = (roc.lua) }, or nil if a list is empty or a value is negative.
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

-- Samples of one metric over all codes, levels and placements; of = { present = control, absent = control }|nil; where = the node's {
-- kind =, arch = }. The result's `domain`, in which it is valid, is `where` with { threads = { min =, max = } } of the controls' runs.
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

-- Answer for a value: "present", "absent", or "cannot say": inside the band, without a threshold, or above `most`, the largest possible
-- value.
function threshold.answer(found, value, most)
    if not value or value ~= value or not found or not found.band or most and value > most then
        return "cannot say"
    elseif value > found.band.low and value < found.band.high then
        return "cannot say"
    end
    return (value >= found.band.high) == (found.present_is == "above") and "present" or "absent"
end

return threshold
