-- siblings.lua - groups of one architecture disagree about boxes or bytes of one event. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

local function report(by_key, use)
    for _, key in ipairs(lists.sorted(by_key)) do
        local seen = by_key[key]
        local usual, others = linted.majority(seen)
        for _, one in ipairs(usual and seen or {}) do
            if one.value ~= usual then
                use(one, usual, others[1])
            end
        end
    end
end

-- Number of boxes that count an event in each group.
local function check_boxes(groups, say)
    local by_key = {}
    for _, group in ipairs(groups) do
        local boxes = lists.filter(group.events, function(event) return event.box and event.exists end)
        for _, events in ipairs(lists.group(boxes, function(event) return event.kind .. " " .. event.key end)) do
            if #events > 1 then
                lists.push(by_key, events[1].kind .. " " .. events[1].key, { value = #events, group = group, event = events[#events] })
            end
        end
    end
    report(by_key, function(one, usual, other)
        say(one.group, one.event.line, ("%s is programmed on %d boxes, in %s and others on %d"):format(one.event.key, one.value,
            other.group.name, usual), one.value < usual and ("a sum is %s if the boxes count alike"):format(
            linted.times(one.value / usual)) or "if the others are right, some of these boxes do not exist")
    end)
end

-- Bytes of a count in each group's volumes and bandwidths.
local function check_bytes(groups, say)
    local by_key = {}
    for _, group in ipairs(groups) do
        linted.each_volume(group, function(event, bytes, metric)
            lists.push(by_key, event.key .. " " .. metric.name, { value = bytes, group = group, metric = metric, event = event })
        end)
    end
    report(by_key, function(one, usual, other)
        say(one.group, one.metric.line, ("metric '%s' takes a count of %s for %s bytes, in %s and others for %s"):format(one.metric.title,
            one.event.key, one.value, other.group.name, usual), ("its value is %s of theirs"):format(linted.times(one.value / usual)))
    end)
end

return {
    name = "siblings", class = "S16", severity = "warning", about = "groups",
    title = "groups of one architecture program an event on different boxes, or take its counts for different bytes",
    check = function(groups, say)
        check_boxes(groups, say)
        check_bytes(groups, say)
    end,
}
