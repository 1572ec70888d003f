-- fit.lua - decides whether events can be counted at the same time, and on which counters.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- event: { name =, event =, options =, box = name of the kind of counters, allowed = its indices there |nil: all }
-- boxes: { [name] = { count =, fixed = |nil, shared_options = |nil, event_options = |nil } }, as in machine.counters. All boxes of a
-- kind get the same events, so one stands for all.
local lists = require "input.lists"

local fit = {}

local function option_of(event, name)
    return event.options:match("%f[%w]" .. name .. "=(%w+)")
end

-- Do two events have equal values for the listed options?
local function agree(names, a, b)
    for _, name in ipairs(names or {}) do
        local left, right = option_of(a, name), option_of(b, name)
        if left and right and left ~= right then
            return false
        end
    end
    return true
end

-- Can two different events be programmed at the same time in one box? All counters of a box share its filter register, and all
-- counters of an event share the register that selects its response.
function fit.agree(box, a, b)
    return agree(box.shared_options, a, b) and (a.event ~= b.event or agree(box.event_options, a, b))
end

local function may_use(box, event, index)
    if event.allowed then
        return lists.contains(event.allowed, index)
    end
    return index < box.count
end

-- The highest index that an event of the box may have.
local function last_index(box, events)
    local last = box.count - 1
    for _, event in ipairs(events) do
        for _, index in ipairs(event.allowed or {}) do
            last = math.max(last, index)
        end
    end
    return last
end

-- Finds a counter for the event: the lowest that is free, else one that is made free by moving others (augmenting paths), which changes
-- their order. holder: { [index] = event }.
local function assign(box, event, holder, last, tried)
    for index = 0, last do
        if may_use(box, event, index) and not holder[index] then
            holder[index] = event
            return true
        end
    end
    for index = 0, last do
        if may_use(box, event, index) and not tried[index] then
            tried[index] = true
            if assign(box, holder[index], holder, last, tried) then
                holder[index] = event
                return true
            end
        end
    end
    return false
end

-- Events with the fewest allowed counters first; then those without options, whose setup may clear the filter of an earlier event.
local function in_order(events)
    local order = { table.unpack(events) }
    table.sort(order, function(a, b)
        local left, right = a.allowed and #a.allowed or math.huge, b.allowed and #b.allowed or math.huge
        if left ~= right then
            return left < right
        elseif (a.options == "") ~= (b.options == "") then
            return a.options == ""
        end
        return a.name < b.name
    end)
    return order
end

local function assign_box(box, events, found)
    for i, event in ipairs(events) do
        for k = 1, i - 1 do
            if not fit.agree(box, event, events[k]) then
                return false
            end
        end
    end
    local holder, last = {}, last_index(box, events)
    for _, event in ipairs(in_order(events)) do
        if not assign(box, event, holder, last, {}) then
            return false
        end
    end
    for index, event in pairs(holder) do
        found[event.name] = index
    end
    return true
end

-- { [event's name] = index of its counter }, nil if they do not fit. No event is in the list twice.
function fit.assign(events, boxes)
    local by_box, found = {}, {}
    for _, event in ipairs(events) do
        lists.push(by_box, event.box, event)
    end
    for name, some in pairs(by_box) do
        if not assign_box(boxes[name], some, found) then
            return nil
        end
    end
    return found
end

return fit
