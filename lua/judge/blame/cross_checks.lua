-- cross_checks.lua - whose counts show to be right: in the same region another metric is made of them, and is right.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A cross-check is a right item with a narrow interval to which one event contributes most. The event's counts there are then likely right.
-- They are surely right if the item contains no other event, or only events that are sure: a sum is also right if two events are
-- exchanged. The share by which the counts may still be wrong is what the cross-check would not have detected.
local lists = require "input.lists"

local cross_checks = {}

local SHARP, MOST = 0.05, 0.5 -- shares of what is expected: a cross-check's freedom at most, and what the event has of it at least

-- Those of the items that may be cross-checks.
local function candidates(items)
    return lists.filter(items, function(item)
        local expected = item.sample.expected
        local is_right = not item.violated and not item.is_ratio and item.nominal ~= nil
        return is_right and expected.max - expected.min <= SHARP * item.scale
    end)
end

-- What the candidate would not have noticed, in shares of what is expected.
local function unnoticed(item)
    return (item.sample.expected.max - item.sample.expected.min) / item.scale + item.tolerance
end

-- What each event has of the candidate, in shares of what is expected.
local function shares_of(item)
    local shares = {}
    for _, part in ipairs(item.nominal.parts) do
        shares[part.term.event] = (shares[part.term.event] or 0) + math.abs(part.g)
    end
    return shares
end

-- The places (terms) on which the item has counts of the event.
local function places_of(item, event)
    local places = {}
    for term in pairs(item.terms) do
        places[#places + 1] = term.event == event and term.place or nil
    end
    return places
end

-- Notes that the counts of the event in the item are right up to a share of them; true if that was not known of these places.
local function note(found, item, event, share)
    local counts, places, is_new = item.entries[1].counts, places_of(item, event), false
    found[counts] = found[counts] or {}
    for _, place in ipairs(places) do
        local own = found[counts][place] or {}
        found[counts][place], is_new = own, is_new or not own[#places]
        own[#places] = math.min(own[#places] or math.huge, share)
    end
    return is_new
end

-- The least share of those that cross-checks with at most so many places leave; nil for none.
local function least(own, places)
    local found = nil
    for number, share in pairs(own or {}) do
        found = number <= places and math.min(found or math.huge, share) or found
    end
    return found
end

-- The share up to which all counts of the event in the item are right, as `found` (survey's sure or likely) knows it; nil: it does not.
-- What is known of a sum over boxes says nothing of fewer ones: what one counts too many may be what another one lacks.
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

-- What all events of the item but one may be wrong by, in shares of what is expected; nil if one of them is not sure.
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

-- All items -> { sure =, likely = { [entry's counts] = { [place] = { [how many places the cross-check has] = share up to which the counts
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
