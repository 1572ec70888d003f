-- threshold.lua - do a metric's values in the pattern's controls lie clearly apart, and where is the line between them?
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The controls are codes in which the pattern is present and absent (the pattern file's `controls`); their values are compared as
-- measured, wrong or not, for that is what a tool will see. All points, threads and repetitions count:
--   worst    of present and absent are those values that are nearest to the other control's
--   margin   the larger worst / the smaller worst: how many times apart the controls are at least; under 1 they overlap
--   value    the geometric mean of the two worst: by the same factor, root of the margin, away from both. Where the smaller worst
--            is 0 there is no ratio and no margin; the value is then half of the larger worst.
-- A value is given only if the controls are clearly apart: a margin of LEAST_MARGIN, and LEAST_SAMPLES of each control.
local placement = require "plan.placement"
local stats = require "judge.stats"

local threshold = {}

local LEAST_MARGIN = 2 -- leaves a factor of 1.4 to each side for machines and codes that are not the controls
local LEAST_SAMPLES = 2 -- one value has no worst

local MATCHED = { "code", "level", "thread" }

-- A pattern names placements "core" and "socket"; samples carry LIKWID's "S0:THREADS".
local function is_placed(sample, word)
    return word == nil or sample.placement == word or sample.placement ~= nil and placement.is_called(sample.placement, word)
end

-- Does a sample belong to a control { code =, level =, placement =, thread = (each |nil: any) }?
function threshold.matches(sample, control)
    for _, key in ipairs(MATCHED) do
        if control[key] ~= nil and control[key] ~= sample[key] then
            return false
        end
    end
    return is_placed(sample, control.placement)
end

local function collect(samples, control)
    local values = {}
    for _, sample in ipairs(samples) do
        if sample.measured and threshold.matches(sample, control) then
            values[#values + 1] = sample.measured
        end
    end
    return values
end

local function ratio(larger, smaller)
    return smaller > 0 and larger / smaller or larger > 0 and math.huge or 0
end

-- Two lists of measured values -> { value = |nil (not clearly apart), margin = |nil (a control is 0), present_is = "above"|"below",
-- present = { min =, max = }, absent = { min =, max = } }, or nil if one is empty or a value is negative.
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
        margin = margin < math.huge and margin or nil,
    }
    if margin >= LEAST_MARGIN and math.min(#present, #absent) >= LEAST_SAMPLES then
        result.value = smaller > 0 and math.sqrt(larger * smaller) or larger / 2
    end
    return result
end

-- Samples of one metric over all codes, levels and placements; controls = { present = control, absent = control }|nil.
function threshold.find(samples, controls)
    if not controls or not controls.present or not controls.absent then
        return nil
    end
    return threshold.between(collect(samples, controls.present), collect(samples, controls.absent))
end

return threshold
