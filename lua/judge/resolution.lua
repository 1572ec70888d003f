-- resolution.lua - the smallest detectable error of an exact metric: the wrong factor or offset at which its samples would not be exact.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A row (deviation.lua) is within the tolerance from `least` to `most`: the ends of its interval, widened by the tolerance, or where 0
-- is expected the tolerance's share of the work. A measured amount y leaves that range if multiplied by
-- most / y or least / y, or with most - y more in its region. The first row that leaves it changes the metric's class. In closed form:
--     factor_up    the smallest f > 1: min over rows of most / y
--     factor_down  the largest f < 1:  max over rows of least / y
--     offset       the smallest amount more in every region: min over rows of (most - y) / (regions that the row adds up)
-- each absent where no row would notice any. A difference of two regions (`regions` 0) loses what every region has too much.
local resolution = {}

local TWICE = 2 -- tolerances that a factor's resolution may be off by: the measured value may lie at one end, the truth at the other

-- Amounts between which a row is within the tolerance; no least where a count of 0 is.
local function bounds(row, share)
    if row.high <= 0 then
        return nil, share * row.scale
    end
    return row.low > 0 and row.low * (1 - share) or nil, row.high * (1 + share)
end

-- The smaller (pick = math.min) or larger of two numbers; either may be nil.
local function choose(pick, a, b)
    return a and b and pick(a, b) or a or b
end

-- rows of a metric that is exact, tolerance -> { factor_up = |nil, factor_down = |nil, offset = |nil }
function resolution.of(rows, tolerance_pct)
    local found, share = {}, tolerance_pct / 100
    for _, row in ipairs(rows) do
        local least, most = bounds(row, share)
        if row.y > 0 then
            found.factor_up = choose(math.min, found.factor_up, most / row.y)
            found.factor_down = choose(math.max, found.factor_down, least and least / row.y)
        end
        if row.regions > 0 then
            found.offset = choose(math.min, found.offset, (most - row.y) / row.regions)
        end
    end
    return found
end

-- Was anything but 0 expected of any row?
function resolution.is_tested(rows)
    for _, row in ipairs(rows) do
        if row.high > 0 then
            return true
        end
    end
    return false
end

-- What of a factor nobody would have noticed, in %, the worse of up and down; nil where none would be noticed.
function resolution.percent(found)
    if not found or not found.factor_up or not found.factor_down then
        return nil
    end
    return 100 * math.max(found.factor_up - 1, 1 - found.factor_down)
end

-- Is a factor noticed that is off by twice the tolerance?
function resolution.is_sharp(found, tolerance_pct)
    local percent = resolution.percent(found)
    return percent ~= nil and percent <= TWICE * tolerance_pct
end

return resolution
