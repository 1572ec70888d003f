-- sets.lua - packs events into as few sets as the counters allow, keeping events that belong together in one set.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A want is a list of events that must be counted at the same time (those of a computed metric). A want that fits into no set is split.
-- An event of several wants may be in several sets. The first solution is first fit in the given order, after merging wants that share
-- events, largest first. If it has more sets than a lower bound, all assignments of wants to sets are searched (branch and bound), with
-- at most LOOKS trials.
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

-- The set with the want added; nil if there is no room.
local function joined(set, want, boxes)
    local all = union(set, want)
    return (#all == #set or fit.assign(all, boxes)) and all or nil
end

local function first_fit(wants, boxes)
    local open = {}
    for _, want in ipairs(wants) do
        local at, larger = 0
        repeat
            at = at + 1
            larger = open[at] == nil and want or joined(open[at], want, boxes)
        until larger
        open[at] = larger
    end
    return open
end

-- Drops wants that are part of another want.
local function without_parts(wants)
    return lists.filter(wants, function(want, i)
        return not lists.any(wants, function(other, k)
            return k ~= i and (#other > #want or k < i) and #union(other, want) == #other
        end)
    end)
end

-- Merges wants that share events as long as they fit into one set: an event in two sets takes a counter twice.
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

-- Lower bound of the number of sets that must count the event: of its wants, those that do not fit together in pairs.
local function copies(event, wants, boxes)
    local apart = {}
    for _, want in ipairs(wants) do
        local is_apart = lists.contains(want, event) and not lists.any(apart, function(other) return joined(other, want, boxes) end)
        apart[#apart + 1] = is_apart and want or nil
    end
    return #apart
end

-- Lower bound of the number of sets: for events that share counters, the copies needed over the number of counters.
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

-- Searches all assignments of wants to fewer sets than `best` has; returns true if the search was complete.
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
                    return -- a want that adds no events belongs there
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
    local sized = lists.map(wants, function(want, place) return { -#want, place, want = want } end)
    table.sort(sized, lists.by(1, 2))
    return lists.map(sized, "want")
end

-- { wants = array of { name =, events = array as in fit.lua }, boxes = as in fit.lua } -> { sets = array of arrays of events, least = lower
-- bound, exact = is it known that no fewer sets suffice?, first_fit = number of sets of first fit, split = names of wants that were split
-- }
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
