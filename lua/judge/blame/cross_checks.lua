-- cross_checks.lua - finds counts that are likely right because another metric of the same region uses them and is right.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A cross-check is a right item with a narrow interval and one event that contributes most of it. The event's counts there are likely
-- right. They are sure if the item contains no other event, or only sure ones; otherwise two swapped events could still give the right
-- sum. Each result states the share by which the counts may still be wrong: a smaller error would not violate the cross-check.
local lists = require "input.lists"

local cross_checks = {}

local SHARP, MOST = 0.05, 0.5 -- of the expected value: widest interval of a cross-check; least contribution of its event

-- Items that qualify as cross-checks.
local function candidates(items)
    return lists.filter(items, function(item)
        local expected = item.sample.expected
        local is_right = not item.violated and not item.is_ratio and item.nominal ~= nil
        return is_right and expected.max - expected.min <= SHARP * item.scale
    end)
end

-- The largest error that the candidate does not detect, as a share of the expected value.
local function unnoticed(item)
    return (item.sample.expected.max - item.sample.expected.min) / item.scale + item.tolerance
end

-- Contribution of each event to the candidate, as a share of the expected value.
local function shares_of(item)
    local shares = {}
    for _, part in ipairs(item.nominal.parts) do
        shares[part.term.event] = (shares[part.term.event] or 0) + math.abs(part.g)
    end
    return shares
end

-- The places (items.lua) of the event that the item has counts of.
local function places_of(item, event)
    local places = {}
    for term in pairs(item.terms) do
        places[#places + 1] = term.event == event and term.place or nil
    end
    return places
end

-- Records that the event's counts in the item are right up to a share. Returns true if this is new for its places.
local function note(found, item, event, share)
    local counts, places, is_new = item.entries[1].counts, places_of(item, event), false
    for _, place in ipairs(places) do
        local own = lists.bin(lists.bin(found, counts, {}), place, {})
        is_new = is_new or not own[#places]
        own[#places] = math.min(own[#places] or math.huge, share)
    end
    return is_new
end

-- The smallest recorded share among cross-checks with at most `places` places; nil if there are none.
local function least(own, places)
    local found = nil
    for number, share in pairs(own or {}) do
        found = number <= places and math.min(found or math.huge, share) or found
    end
    return found
end

-- The share up to which all counts of the event in the item are right according to `found` (survey's sure or likely); nil if unknown. A
-- cross-check of a sum over boxes says nothing of a subset: an excess on one box may hide a deficit on another.
function cross_checks.share(found, item, event)
    local most, places = nil, places_of(item, event)
    for _, one in ipairs(item.entries) do
        for _, place in ipairs(places) do
            local share = found[one.counts] and least(found[one.counts][place], #places)
            if not share then
                return nil
            end
            most = math.max(most or 0, share)
        end
    end
    return most
end

-- Possible error of the item's other events together, as a share of the expected value; nil if one of them is not sure.
local function left_by_others(sure, item, event, shares)
    local sum = 0
    for other in pairs(item.events) do
        local share = other ~= event and cross_checks.share(sure, item, other)
        if other ~= event and not share then
            return nil
        end
        sum = sum + (share or 0) * (shares[other] or 0)
    end
    return sum
end

-- All items -> { sure =, likely = { [entry's counts] = { [place] = { [number of places in the cross-check] = share up to which the counts
-- of the place's event are right } } } }.
function cross_checks.survey(items)
    local found, list, is_more = { sure = {}, likely = {} }, candidates(items), true
    while is_more do
        is_more = false
        for _, item in ipairs(list) do
            local shares = shares_of(item)
            for _, event in ipairs(lists.sorted(shares)) do
                local share = shares[event]
                if share >= MOST then
                    local left = left_by_others(found.sure, item, event, shares)
                    note(found.likely, item, event, unnoticed(item) / share)
                    is_more = left and note(found.sure, item, event, (unnoticed(item) + left) / share) or is_more
                end
            end
        end
    end
    return found
end

return cross_checks
