-- absences.lua - searches LIKWID's list of events for what a machine file says cannot be counted (groups/absences.txt).
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local lists = require "input.lists"

local absences = {}

-- groups/absences.txt -> { [QUANTITY] = { Lua pattern, .. } }
function absences.patterns(text)
    local found = {}
    for quantity, words in text:gmatch "%f[^\0\n]([^#=\n]-)%s*=%s*([^\n]+)" do
        found[quantity] = lists.words(words)
    end
    return found
end

-- Is the event's name one that counts the quantity of these patterns?
function absences.matches(patterns, event)
    return lists.any(patterns, function(pattern) return event:find(pattern) ~= nil end)
end

-- { machine =, patterns = groups/absences.txt, list = event_list.read() } -> array of { quantity =, reason = the machine file's, events =
-- those of LIKWID's list that may count it }, for quantities of `cannot` that have patterns.
function absences.search(argument)
    local known, rows = absences.patterns(argument.patterns), array()
    for _, absent in ipairs(argument.machine.cannot or {}) do
        local patterns = known[absent.quantity]
        local function counts(one) return absences.matches(patterns, one.event) and one.event end
        rows[#rows + 1] = patterns and { quantity = absent.quantity, reason = absent.reason,
            events = array(lists.collect(argument.list, counts)) } or nil
    end
    return rows
end

return absences
