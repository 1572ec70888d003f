-- roc.lua - how well a metric separates two sets of values, over all thresholds: the receiver operating characteristic.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A cut calls values above it (or below it) present. Sensitivity is the share of present values that it calls present; specificity is the
-- share of absent values that it calls absent.
--   area    under the curve of sensitivity over 1 - specificity: the probability that a present value lies beyond an absent one, ties
--           counting half (Mann and Whitney's U over all pairs; J. A. Hanley and B. J. McNeil, Radiology 143 (1982) 29)
--   youden  the largest sensitivity + specificity - 1 of any cut: 1 if a cut separates all values, 0 if none is better than chance
--           (W. J. Youden, Cancer 3 (1950) 32)
--   cut     half way between the two values around the best cut; the lowest of several. Absent if no cut is better than chance
--   sensitivity, specificity    at the cut, { rate =, low =, high =, n = } with Wilson's interval
local lists = require "input.lists"
local stats = require "numeric.stats"

local roc = {}

-- Distinct values in order, each with its number of occurrences in either set.
local function tally(present, absent)
    local at, list = {}, {}
    for which, values in pairs { present = present, absent = absent } do
        for _, value in ipairs(values) do
            local level = lists.bin(at, value, { value = value, present = 0, absent = 0 }, list)
            level[which] = level[which] + 1
        end
    end
    table.sort(list, lists.by "value")
    return list
end

-- present, absent: non-empty lists of numbers; is_above: present values lie above a cut -> see the top of this file.
function roc.of(present, absent, is_above)
    local levels, pairs_right = tally(present, absent), 0
    local below = { present = 0, absent = 0 } -- number of values of each set below the current level
    local best = { youden = 0 }
    for index, level in ipairs(levels) do
        pairs_right = pairs_right + level.present * (below.absent + level.absent / 2)
        below.present, below.absent = below.present + level.present, below.absent + level.absent
        local missed, rejected = below.present / #present, below.absent / #absent
        if not is_above then
            missed, rejected = 1 - missed, 1 - rejected
        end
        local youden = rejected - missed
        if youden > best.youden then -- never true beyond the last level
            best = { youden = youden, cut = (level.value + levels[index + 1].value) / 2, below = { below.present, below.absent } }
        end
    end
    local area = pairs_right / (#present * #absent)
    local result = { area = is_above and area or 1 - area, youden = best.youden, cut = best.cut }
    if best.cut then
        local present_below, absent_below = table.unpack(best.below)
        result.sensitivity = stats.rate(is_above and #present - present_below or present_below, #present)
        result.specificity = stats.rate(is_above and absent_below or #absent - absent_below, #absent)
    end
    return result
end

return roc
