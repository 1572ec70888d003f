-- used.lua - the events of an architecture's groups, for one without pmu.events. SPDX-License-Identifier: GPL-3.0-or-later
--
-- The lines have the syntax of pmu.events. Code and unit mask are the vendor's, or 0, which says nothing. Events with a register of their
-- own have their line from the family's pmu.events.
local used = {}

-- { [event] = its line } of pmu.events, of the events with a register of their own.
local function responses(lines)
    local found = {}
    for _, line in ipairs(lines) do
        local name = line:match "^response %S+ %S+ %S+ ([%w_]+)"
        if name then
            found[name] = line
        end
    end
    return found
end

-- groups: array of arrays of lines of group files, expanded (group_text.lua); family: lines of the family's pmu.events; code_of:
-- meanings.codes -> array of lines
function used.lines(groups, family, code_of)
    local line_of, list, seen = responses(family), {}, {}
    for _, lines in ipairs(groups) do
        for line in table.concat(lines, "\n"):gmatch "[^\n]+" do
            local counter, event = line:match "^(%u%w+)%S* ([%w_]+)$"
            local unit = counter and (counter:match "^(%u%w-)%d+C%d+$" or counter:match "^(%u+)%d+$")
            if unit and not seen[event] then
                list[#list + 1] = line_of[event] or ("event %s %s %s"):format(unit, code_of(unit, event) or "0 0", event)
                seen[event] = true
            end
        end
    end
    table.sort(list)
    return list
end

return used
