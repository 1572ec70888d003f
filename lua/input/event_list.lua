-- event_list.lua - reads LIKWID's own list of an architecture's events (likwid-perfctr -e). SPDX-License-Identifier: GPL-3.0-or-later
--
-- Behind "This architecture has N events." a line of each: NAME, CODE, MASK, COUNTERS[, OPTIONS], where COUNTERS are a kind of counters
-- ("PMC", "CBOX") or single ones ("PMC2", "CBOX0C0|CBOX1C0"), and OPTIONS what LIKWID sets by itself.
local array = require "input.array"

local event_list = {}

-- { text = } -> array of { event =, counters = "PMC" }.
function event_list.read(argument)
    local list, is_there = array(), false
    for line in (argument.text .. "\n"):gmatch "(.-)\r?\n" do
        local name, counters = line:match "^([%w_]+), 0x%x+, 0x%x+, ([%w|]+)"
        is_there = is_there or line:find "^This architecture has %d+ events" ~= nil
        if is_there and name then
            list[#list + 1] = { event = name, counters = counters }
        end
    end
    if #list == 0 then
        error("likwid-perfctr -e lists no events; assay doctor says what stands in the way", 0)
    end
    return list
end

return event_list
