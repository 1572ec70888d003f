-- event_counters.lua - finds the counters of a node that can count an event, from the words of LIKWID's list (input/event_list.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local boxes = require "plan.boxes"
local lists = require "input.lists"
local pack = require "plan.pack"

local event_counters = {}

-- All boxes of the kind "CBOX" that the node has, each by its first counter; nil if the machine has no such kind.
local function of_kind(kind, machine, node)
    local box = lists.find(machine.counters, function(one) return one.name == kind end)
    local found = box and array { not box.boxes and kind .. "0" or nil }
    for number = 0, box and box.boxes and box.boxes - 1 or -1 do
        found[#found + 1] = boxes.has(box, number, machine, node) and ("%s%dC0"):format(kind, number) or nil
    end
    return found
end

-- Is it a counter of a core?
function event_counters.is_core(counter)
    return counter:find "^PMC%d" ~= nil or counter:find "^FIXC%d" ~= nil
end

-- Does the node have that counter?
local function is_there(counter, machine, node)
    local slot, index, box = pack.locate(machine, counter)
    local number = slot and box.boxes and tonumber(slot:match "(%d+)C$")
    return slot ~= nil and index < box.count and (not number or boxes.has(box, number, machine, node))
end

-- words = "PMC" or "PMC1|PMC2" .. -> array of counters, one per box, and { [box's name] = { indices } } if only certain counters are
-- allowed; nil if there are none.
function event_counters.find(words, machine, node)
    local kind = of_kind(words, machine, node)
    if kind then
        return kind, {}
    end
    local found, only, seen = array(), {}, {}
    for counter in words:gmatch "[^|]+" do
        if is_there(counter, machine, node) then
            local slot, index, box = pack.locate(machine, counter)
            lists.bin(seen, slot, counter, found)
            only[box.name] = only[box.name] or array()
            table.insert(only[box.name], index)
        end
    end
    return found[1] and found or nil, only
end

-- The machine, with counters restricted for some events to `only`, { [event] = { [box's name] = indices } }.
function event_counters.bound(machine, only)
    local list = array()
    for i, box in ipairs(machine.counters) do
        local own = setmetatable({}, { __index = box.only })
        for event, by_box in pairs(only) do
            own[event] = by_box[box.name]
        end
        list[i] = setmetatable({ only = own }, { __index = box })
    end
    return setmetatable({ counters = list }, { __index = machine })
end

return event_counters
