-- resolution.lua - the smallest detectable error of an exact metric: the smallest wrong factor or offset that would change its class.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A row (deviation.lua) is within the tolerance from `least` to `most`: the ends of its interval, widened by the tolerance; if 0 is
-- expected, up to the tolerance's share of the work. A measured amount y leaves this range if it is multiplied by most / y or least /
-- y, or if most - y is added in its region. The first row that leaves its range changes the metric's class:
--     factor_up    the smallest detected f > 1: min over rows of most / y
--     factor_down  the largest detected f < 1:  max over rows of least / y
--     offset       the smallest detected amount per region: min over rows of (most - y) / (region starts in the row)
-- Each is absent if no row detects any. An offset per region cancels in a difference of two regions (`regions` 0).
local lists = require "input.lists"

local resolution = {}

resolution.TWICE = 2 -- tolerances of a detectable factor: the measured value may lie at one end of the range, the truth at the other

-- Range in which a row is within the tolerance; `least` is nil if a count of 0 is within it, too.
local function bounds(row, share)
    if row.high <= 0 then
        return nil, share * row.scale
    end
    return row.low > 0 and row.low * (1 - share) or nil, row.high * (1 + share)
end

-- The smaller (pick = math.min) or larger (math.max) of two numbers, each of which may be nil.
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

-- Is anything but 0 expected of a row?
function resolution.is_tested(rows)
    return lists.any(rows, function(row) return row.high > 0 end)
end

-- The smallest detectable error of a factor in %, the worse of up and down; nil if none is detectable.
function resolution.percent(found)
    if not found or not found.factor_up or not found.factor_down then
        return nil
    end
    return 100 * math.max(found.factor_up - 1, 1 - found.factor_down)
end

return resolution
