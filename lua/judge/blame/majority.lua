-- majority.lua - finds constants with which an event is right in most benchmarks, and the benchmarks that they do not fit.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Uses items that contain this event only. A search through sets with many exceptions takes long; this result is its start.
local linear = require "linear"
local lists = require "input.lists"

local majority = {}

local MOST = 1e4 -- largest factor, and largest offset in units of the largest count

-- Bounds of all items by place, as { a, b, low |nil, high |nil }: low <= a * g - b * h <= high.
local function by_place(items)
    local places = {}
    for _, item in ipairs(items) do
        for _, row in ipairs(item.rows) do
            lists.push(places, item.place, { lists.sum(row.parts, "g"), lists.sum(row.parts, "h"),
                row.low and row.low - row.slack - row.base, row.high and row.high + row.slack - row.base })
        end
    end
    return places
end

local function holds(bounds, g, h)
    return not lists.find(bounds, function(one)
        local value, slip = one[1] * g - one[2] * h, 1e-9 * (math.abs(one[1] * g) + math.abs(one[2] * h))
        return one[3] and value < one[3] - slip or one[4] and value > one[4] + slip
    end)
end

-- The largest count, the unit of offsets: the simplex method needs numbers of similar size.
local function largest(bounds)
    local most = lists.most(bounds, 0, function(one) return one[2] ~= 0 and math.abs(one[1] / one[2]) or 0 end)
    return most > 0 and most or 1
end

-- g and h that satisfy all bounds, from the middle of the range of g (of h, if g is fixed); nil if there are none.
local function solve(bounds, fixed_g, fixed_h)
    local column, unit = fixed_g and 2 or 1, largest(bounds)
    local rows = lists.collect(bounds, function(one) return { low = one[3], high = one[4], terms = { one[1], -one[2] * unit } } end)
    local program = { columns = { { low = fixed_g or -MOST, high = fixed_g or MOST }, { low = fixed_h or -MOST, high = fixed_h or MOST } },
        rows = rows, objective = { [column] = 1 } }
    local least = linear.solve(program)
    program.maximise = true
    local most = least and linear.solve(program)
    if not most then
        return nil
    end
    return (least.columns[1] + most.columns[1]) / 2, (least.columns[2] + most.columns[2]) / 2 * unit
end

-- Constants to try: none, then a factor from each place, an offset from each place, both from each pair of places.
local function candidates(places, names)
    local list = { { 1, 0 } }
    local function add(g, h)
        list[#list + 1] = g and { g, h } or nil
    end
    for _, name in ipairs(names) do
        add(solve(places[name], nil, 0))
    end
    for _, name in ipairs(names) do
        add(solve(places[name], 1, nil))
    end
    for i, first in ipairs(names) do
        for k = i + 1, #names do
            add(solve(lists.joined(places[first], places[names[k]]), nil, nil))
        end
    end
    return list
end

-- The places that constants do not fit, if they are fewer than `most`; else nil, as soon as that is known. Moves them to the front of
-- `order`: what does not fit there does not fit most other constants either.
local function misfits(places, order, constants, most)
    local odd = {}
    for number, name in ipairs(order) do
        if #odd >= most then
            break
        elseif not holds(places[name], constants[1], constants[2]) then
            odd[#odd + 1] = name
            table.insert(order, #odd, table.remove(order, number))
        end
    end
    return #odd < most and odd or nil
end

-- items = those with one event only -> is_wrong = true if most places need constants, odd = { [place] = true } for
-- places that these constants do not fit. nil if no constants fit more than half of the places.
function majority.find(items)
    local places = by_place(items)
    local names, best = lists.sorted(places), nil
    local order = lists.joined(names)
    for number, constants in ipairs(candidates(places, names)) do
        local odd = misfits(places, order, constants, best and #best.odd or math.huge)
        best = odd and { is_wrong = number > 1, odd = odd } or best
    end
    if not best or 2 * #best.odd >= #names then
        return nil
    end
    return best.is_wrong, lists.set(best.odd)
end

return majority
