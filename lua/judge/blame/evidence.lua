-- evidence.lua - what items show about a single event or metric: silent, unsteady, swapped with another event, and so on.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each function's first argument is what is known (hypotheses.survey).
local items = require "judge.blame.items"
local lists = require "input.lists"
local repairs = require "judge.blame.repairs"
local stats = require "numeric.stats"

local evidence = {}

local ALIKE = 2 -- regions with equal counts needed before one event is said to count what another counts
local MANY = 1000 -- counts that are not equal on two boxes by chance
local MOST = 0.5 -- of the expected value: least contribution of an event that is missed where it counts nothing
local STEADY = 2 -- tolerances by which the counts of one point may differ between repetitions

-- Are there counts of the event (on the box, if given), and are all of them 0?
function evidence.is_silent(known, event, box)
    local any = false
    for _, count in items.counts(known.events[event].items, event, box) do
        if count ~= 0 then
            return false
        end
        any = true
    end
    return any
end

local function counted_nothing(item)
    return not lists.find(item.nominal.parts, function(part) return part.g ~= 0 end)
end

-- Does a metric of the event expect counts in benchmarks where none of its events counted, and is it right in none of these benchmarks?
-- Otherwise the hypothesis "counts nothing" would explain any amount.
function evidence.leaves_nothing(known, event)
    local wrong, right = {}, {}
    for _, item in ipairs(known.events[event].items) do
        if item.nominal and item.sample.expected.min > 0 and item.sample.regions ~= 0 then
            local of = not item.violated and right or counted_nothing(item) and wrong or {}
            lists.bin(of, item.metric, {})[item.place] = true
        end
    end
    for metric, places in pairs(wrong) do
        if not lists.find(lists.sorted(places), function(place) return right[metric] and right[metric][place] end) then
            return true
        end
    end
    return false
end

-- Do the event's counts differ between repetitions of a point by more than a right event's may? As shares of the expected value.
function evidence.is_unsteady(known, event)
    local ranges = {}
    for _, item in ipairs(known.events[event].items) do
        local sample = item.sample
        for _, part in ipairs(item.violated and sample.expected.max > 0 and item.nominal and item.nominal.parts or {}) do
            if part.term.event == event then
                local key = ("%s\t%s\t%s\t%s"):format(item.id, sample.point, tostring(sample.thread), part.term.key)
                lists.push(ranges, key, part.g)
                local low, high = stats.range(ranges[key])
                local freedom = (sample.expected.max - sample.expected.min) / item.scale
                if high - low > freedom + 2 * STEADY * item.tolerance then
                    return true
                end
            end
        end
    end
    return false
end

-- Items of a metric whose counts are known, without ratios.
function evidence.of_metric(known, metric)
    return lists.filter(known.metrics[metric].items, function(item) return not item.is_ratio and #item.rows > 0 end)
end

-- The repair of the metric's formula (repairs.lua); false if none is known.
function evidence.repair_of(known, metric)
    local own = known.metrics[metric]
    if own.repair == nil then
        own.repair = repairs.find(evidence.of_metric(known, metric)) or false
    end
    return own.repair
end

-- Would each wrong metric of the event be right with another event's counts in its place? If so, that event shows the right count.
function evidence.has_copy(known, event)
    local wrong = lists.filter(known.events[event].items, function(item) return item.violated and not item.is_ratio end)
    return #wrong > 0 and not lists.find(wrong, function(item)
        local repair = evidence.repair_of(known, item.metric)
        return not repair or repair.what ~= "replaced" or repair.event ~= event or repair.other == event
    end)
end

-- Are there enough values, and do they differ enough? Only then do two equal series have one source.
local function are_varied(values)
    local least, most = stats.range(values)
    return #values >= ALIKE and math.max(most, 0) > 2 * least
end

-- Does `a` count the same as `b` wherever both are counted, in enough regions to tell?
local function counts_alike(known, a, b)
    local seen = {}
    for place, count, all, item in items.counts(known.events[a].items, a) do
        local other = all[place.at[b] or false]
        if other and math.abs(count - other) > item.tolerance * math.max(count, other) then
            return false
        end
        seen[#seen + 1] = other
    end
    return are_varied(seen)
end

-- { [entry's counts] = { [box] = count } } of the event where some box counted.
local function counts_of_boxes(known, event)
    local entries = {}
    for place, count, all in items.counts(known.events[event].items, event) do
        if place.box and count > 0 and not entries[all] then
            entries[all] = {}
            for other, number in pairs(all) do
                entries[all][other.event == event and other.box or false] = number
            end
        end
    end
    return entries
end

-- Are the counts of two boxes equal in regions of different sizes, to the last digit?
local function are_equal(entries, a, b)
    local seen = {}
    for _, own in pairs(entries) do
        if own[a] ~= own[b] then
            return false
        end
        seen[#seen + 1] = own[a]
    end
    return are_varied(seen) and lists.any(seen, function(count) return count >= MANY end)
end

-- Is there a metric of this event alone, and is every one right? Then the event's counts are right, and equal boxes are no copies.
local function is_right_alone(known, event)
    local own = lists.filter(known.events[event].items, function(item) return next(item.events, next(item.events)) == nil end)
    return #own > 0 and not lists.any(own, "violated")
end

-- { [box] = the box whose counts of the event it shows }. Empty if more than half of the boxes would be copies: then they are even.
function evidence.mirrored(known, event)
    if is_right_alone(known, event) then
        return {}
    end
    local boxes, copies, count = lists.sorted(known.events[event].box), {}, 0
    local entries = #boxes > 2 and counts_of_boxes(known, event) or {}
    for i, box in ipairs(boxes) do
        copies[box] = lists.find({ table.unpack(boxes, 1, i - 1) }, function(other) return are_equal(entries, other, box) end)
        count = count + (copies[box] and 1 or 0)
    end
    return 2 * count <= #boxes and copies or {}
end

-- Does each box with an odd number show the counts of the box before it? A wrong stride of registers, half of their distance, does that:
-- for box k the registers of box k / 2 are read, rounded down. Boxes 2n and 2n + 1 then have equal counts.
function evidence.is_stride(known, event, copies)
    return next(copies, next(copies)) ~= nil and lists.all(lists.sorted(known.events[event].box), function(box)
        local kind, number = box:match "^(%a+)(%d+)$"
        return copies[box] == (number and number % 2 == 1 and kind .. number // 1 - 1 or nil)
    end)
end

-- { [point of a metric] = { [thread] = the event's part of the metric, shares of the expected value as second } } of single threads' boxes.
local function by_thread(known, event)
    local own, points = known.events[event], {}
    if own.by_thread then
        return own.by_thread
    end
    own.by_thread = points
    for _, item in ipairs(own.items) do
        local sample, sum, is_box = item.sample, 0, false
        for _, part in ipairs(sample.thread and item.nominal and item.nominal.parts or {}) do
            if part.term.event == event and part.term.box then
                sum, is_box = sum + part.g, true
            end
        end
        if is_box then
            local key = ("%s\t%s\t%s"):format(item.id, sample.point, tostring(sample.rep))
            lists.bin(points, key, {})[sample.thread] = { amount = sum * item.scale, share = sum, tolerance = item.tolerance,
                is_expected = sample.expected.min > 0 }
        end
    end
    return points
end

-- Threads on whose boxes the event counts nothing, in order, although it is expected there and counts on another thread's.
function evidence.silent_threads(known, event)
    local missed, counting, others = {}, {}, false
    for _, threads in pairs(by_thread(known, event)) do
        for thread, one in pairs(threads) do
            counting[thread] = counting[thread] or one.amount ~= 0
            missed[thread] = missed[thread] or one.is_expected
            others = others or one.share >= MOST
        end
    end
    return lists.filter(lists.sorted(missed), function(thread) return others and missed[thread] and not counting[thread] end)
end

-- { [thread] = another thread } if the event's counts are the same on both threads' boxes, within the tolerance, in regions of different
-- sizes.
function evidence.mirrored_threads(known, event)
    local by_pair, order, copies = {}, {}, {}
    for _, threads in pairs(by_thread(known, event)) do
        for thread, one in pairs(threads) do
            for other, two in pairs(threads) do
                local pair = lists.bin(by_pair, thread .. "\t" .. other, { thread = thread, other = other, amounts = {} },
                    order)
                pair.amounts[#pair.amounts + 1] = two.amount
                pair.differ = pair.differ or math.abs(one.amount - two.amount) > one.tolerance * math.max(one.amount, two.amount)
            end
        end
    end
    for _, pair in ipairs(order) do
        if pair.thread ~= pair.other and not pair.differ and are_varied(pair.amounts) then
            copies[pair.thread] = math.min(copies[pair.thread] or pair.other, pair.other)
        end
    end
    return copies
end

-- Does the event always have options?
function evidence.has_options(known, event)
    local options = lists.sorted(known.events[event].options)
    return #options > 0 and options[1] ~= ""
end

-- Would a swap of `a` and `b` make all their items right, and is at least one of these items wrong now?
local function is_exchanged(known, a, b)
    local mended = 0
    for _, event in ipairs { a, b } do
        local is_seen = false
        for _, item in ipairs(known.events[event] and known.events[event].items or {}) do
            local other = items.exchanged(known.context, item, a, b)
            if other == false or other and not items.is_right(other) then
                return false
            end
            is_seen = is_seen or other ~= nil
            mended = mended + (other and item.violated and 1 or 0)
        end
        if not is_seen then
            return false
        end
    end
    return mended >= ALIKE
end

-- Other events counted in the same entries for which test(other) holds, in order.
local function near(known, event, test)
    local found = {}
    for place in items.counts(known.events[event].items) do
        found[place.event] = place.event ~= event or nil
    end
    return lists.filter(lists.sorted(found), test)
end

-- Events with the same counts as this event wherever both are counted.
function evidence.copied(known, event)
    return near(known, event, function(other) return counts_alike(known, event, other) end)
end

-- Events whose counts are swapped with this event's.
function evidence.swapped(known, event)
    return near(known, event, function(other) return not counts_alike(known, event, other) and is_exchanged(known, event, other) end)
end

return evidence
