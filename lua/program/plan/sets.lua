-- sets.lua - as few sets of events as the counters allow, with what belongs together in one set.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A want is a list of events that have to be counted at once (those of a computed metric). One that no set has room for is taken apart. An
-- event of several wants may be in several sets. First fit, in the order given, with the largest first and with what overlaps put together,
-- is a beginning; if it has more sets than a lower bound, all ways to put wants into sets are searched (branch and bound), as long as
-- that takes less than LOOKS trials.
local array = require "input.array"
local fit = require "program.plan.fit"
local lists = require "input.lists"

local sets = {}

local LOOKS = 30000

local function union(list, more)
    local all = { table.unpack(list) }
    local seen = lists.set(list, "name")
    for _, event in ipairs(more) do
        if not seen[event.name] then
            seen[event.name] = true
            all[#all + 1] = event
        end
    end
    return all
end

-- The set with the want in it, nil if there is no room.
local function joined(set, want, boxes)
    local all = union(set, want)
    return (#all == #set or fit.assign(all, boxes)) and all or nil
end

local function first_fit(wants, boxes)
    local open = {}
    for _, want in ipairs(wants) do
        local at
        for i, set in ipairs(open) do
            local larger = joined(set, want, boxes)
            if larger then
                at, open[i] = i, larger
                break
            end
        end
        if not at then
            open[#open + 1] = want
        end
    end
    return open
end

-- Wants that are part of another one are seen to with it.
local function without_parts(wants)
    return lists.collect(wants, function(want, i)
        local is_part = false
        for k, other in ipairs(wants) do
            local more = #union(other, want) - #other
            is_part = is_part or k ~= i and more == 0 and (#other > #want or k < i)
        end
        return not is_part and want or nil
    end)
end

-- Wants that have events in common put together as long as one set has room for them: an event that is in two sets takes a counter twice.
local function gathered(wants, boxes)
    local heaps = {}
    for _, want in ipairs(wants) do
        local heap = want
        for i = #heaps, 1, -1 do
            local all = union(heaps[i], heap)
            if #all < #heaps[i] + #heap and fit.assign(all, boxes) then
                heap = all
                table.remove(heaps, i)
            end
        end
        heaps[#heaps + 1] = heap
    end
    return heaps
end

-- How often the event has to be counted: in no set are two wants together that have it and do not fit together.
local function copies(event, wants, boxes)
    local apart = {}
    for _, want in ipairs(wants) do
        local is_apart = lists.contains(want, event)
        for _, other in ipairs(is_apart and apart or {}) do
            is_apart = is_apart and not joined(other, want, boxes)
        end
        apart[#apart + 1] = is_apart and want or nil
    end
    return #apart
end

-- No fewer sets than this: events that share counters, as often as they have to be counted, over how many counters they share.
local function bound(wants, boxes)
    local places, seen, most = {}, {}, #wants > 0 and 1 or 0
    local function add(key, capacity, count)
        places[key] = (places[key] or 0) + count
        most = math.max(most, math.ceil(places[key] / capacity))
    end
    for _, want in ipairs(wants) do
        for _, event in ipairs(want) do
            local box = boxes[event.box]
            if not seen[event.name] and not box.fixed then
                local count = copies(event, wants, boxes)
                seen[event.name] = true
                add(event.box, box.count, count)
                if event.allowed then
                    add(event.box .. table.concat(event.allowed, ","), #event.allowed, count)
                end
            end
        end
    end
    return most
end

-- All ways to put the wants into fewer sets than `best` has; true: none was left out.
local function search(wants, boxes, least, best)
    local looks = 0
    local function place(number, open)
        if #open >= #best.sets then
            return
        elseif number > #wants then
            best.sets = { table.unpack(open) }
            return
        end
        for i = 1, #open do
            looks = looks + 1
            local before = open[i]
            local larger = looks <= LOOKS and joined(before, wants[number], boxes)
            if larger then
                open[i] = larger
                place(number + 1, open)
                open[i] = before
                if #larger == #before then
                    return -- it costs nothing there
                end
            end
            if #best.sets == least or looks > LOOKS then
                return
            end
        end
        open[#open + 1] = wants[number]
        place(number + 1, open)
        open[#open] = nil
    end
    place(1, {})
    return looks <= LOOKS
end

local function by_size(wants)
    local order, place = { table.unpack(wants) }, {}
    for i, want in ipairs(wants) do
        place[want] = i
    end
    table.sort(order, function(a, b)
        if #a ~= #b then
            return #a > #b
        end
        return place[a] < place[b]
    end)
    return order
end

-- { wants = array of { name =, events = array of fit.lua's }, boxes = fit.lua's } -> { sets = array of arrays of events, least = no fewer
-- are enough, exact = it is known that no fewer are, first_fit = how many that takes, split = names of the wants that were taken apart }
function sets.pack(argument)
    local boxes, wants, split = argument.boxes, {}, array()
    for _, want in ipairs(argument.wants) do
        if fit.assign(want.events, boxes) then
            wants[#wants + 1] = want.events
        else
            split[#split + 1] = want.name
            lists.append(wants, want.events, function(event) return { event } end)
        end
    end
    wants = without_parts(wants)
    local least, simple = bound(wants, boxes), first_fit(wants, boxes)
    local ordered, best = by_size(wants), { sets = simple }
    for _, order in ipairs { by_size(gathered(wants, boxes)), ordered } do
        local found = first_fit(order, boxes)
        best.sets = #found < #best.sets and found or best.sets
    end
    local is_exact = #best.sets == least or search(ordered, boxes, least, best)
    return { sets = array(best.sets), least = least, exact = is_exact or #best.sets == least, first_fit = #simple, split = split }
end

return sets
