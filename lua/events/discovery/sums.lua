-- sums.lua - weighted sums of events over all rows of probes. SPDX-License-Identifier: GPL-3.0-or-later
local identify = require "events.judge.identify"
local lists = require "input.lists"
local rows = require "events.judge.rows"

local sums = {}

-- { [name] = weight } as "A + 2 B", sorted by name.
function sums.words(weights)
    return lists.join(lists.sorted(weights), " + ", function(name)
        return weights[name] == 1 and name or ("%.4g %s"):format(weights[name], name)
    end)
end

-- The weighted sum of events' slopes in rows 1 .. count; and the sum of absolute weights, by which a row's slack is multiplied.
function sums.of(slopes_by_event, weights, count)
    local added, reach = {}, 0
    for row = 1, count do
        added[row] = 0
    end
    for i, slopes in ipairs(slopes_by_event) do
        reach = reach + math.abs(weights[i])
        for row = 1, count do
            added[row] = added[row] + weights[i] * slopes[row]
        end
    end
    return added, math.max(1, reach)
end

-- Slacks for a sum: those of one event times `reach`.
local function wider(slacks, reach)
    return lists.map(slacks, function(slack) return slack * reach end)
end

-- Does the sum of slopes equal the expectation in all rows?
function sums.are_right(slopes_by_event, weights, expected, slacks)
    local added, reach = sums.of(slopes_by_event, weights, #slacks)
    return identify.fits(added, expected, wider(slacks, reach), 1)
end

-- The largest errors of the sum: { error_pct =, row = its number } over rows that expect some, and { count =, row = } over rows that
-- expect none; each is nil if there is no such row or no error.
function sums.worst(slopes_by_event, weights, expected, slacks)
    local added, reach = sums.of(slopes_by_event, weights, #slacks)
    local off, stray
    for row, slack in ipairs(wider(slacks, reach)) do
        local known = expected[row]
        local percent = known and rows.off(added[row], known, slack)
        if percent and percent ~= 0 and (not off or math.abs(percent) > math.abs(off.error_pct)) then
            off = { error_pct = percent, row = row }
        elseif known and known.max <= slack and not identify.holds(added[row], 1, known, slack)
            and (not stray or math.abs(added[row]) > math.abs(stray.count)) then
            stray = { count = added[row], row = row }
        end
    end
    return off, stray
end

-- Distance of a quotient from its known interval in %; nil if inside, or if it is above 0 and known to be 0.
local function off_of(ratio, known, slack)
    if identify.holds(ratio, 1, known, slack) then
        return nil
    end
    local nearest = math.max(known.min, math.min(known.max, ratio))
    return nearest > 0 and 100 * (ratio - nearest) / nearest or math.huge
end

-- Does over / under, each { slopes =, weights = }, equal its expectation in all rows with a nonzero denominator? Returns "right" or
-- "wrong", and { error_pct =, row = } of the largest error |nil. Slacks of both sides are taken into account.
function sums.compare_quotient(over, under, expected_over, expected_under, slacks)
    local above, reach_above = sums.of(over.slopes, over.weights, #slacks)
    local below, reach_below = sums.of(under.slopes, under.weights, #slacks)
    local worst
    for row, slack in ipairs(slacks) do
        local one, other = expected_over[row], expected_under[row]
        if one and other and other.min > rows.SOME * slack * reach_below then
            local known = { min = one.min / other.max, max = one.max / other.min }
            local ratio = below[row] ~= 0 and above[row] / below[row] or math.huge
            local percent = off_of(ratio, known, slack * (reach_above + known.max * reach_below) / other.min)
            worst = percent and (not worst or math.abs(percent) > math.abs(worst.error_pct)) and { error_pct = percent, row = row } or worst
        end
    end
    return worst and "wrong" or "right", worst
end

return sums
