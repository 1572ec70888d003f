-- boundary.lua - finds how far behind an array's start the next page begins: a pair of loads misses a TLB once in one page, twice in two.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The first load is at the array's start, the second a distance behind it; from some distance on it is in the next page (after the
-- "padding benchmark" of Maxwell, Teller, Salayandia, Moore, "Accuracy of Performance Monitoring Hardware").
local array = require "input.array"

local boundary = {}

local AT_ONCE = 15 -- distances per round
local NEAR = 0.05 -- tolerance in misses, for other translations in between

-- points = { { apart =, misses = per pair } .. } in any order, unit = bytes of a page -> the smallest distance at which a pair is in two
-- pages; or nil and the distances to measure next; or nil, nil and the reason why it cannot be found.
function boundary.find(points, unit)
    local low, high = 0, unit
    for _, point in ipairs(points) do
        if math.abs(point.misses - 1) <= NEAR then
            low = math.max(low, point.apart)
        elseif math.abs(point.misses - 2) <= NEAR then
            high = math.min(high, point.apart)
        else
            return nil, nil, ("a pair of loads is %.3g misses, not 1 or 2"):format(point.misses)
        end
    end
    if low >= high then
        return nil, nil, ("pairs %d bytes apart are in one page, and in two if they are %d"):format(low, high)
    elseif high - low == 1 then
        return high
    end
    local wanted, count = array(), math.min(AT_ONCE, high - low - 1)
    for i = 1, count do
        wanted[i] = low + (high - low) * i // (count + 1)
    end
    return nil, wanted
end

return boundary
