-- used.lua - the events of an architecture's groups, for one without pmu.events. SPDX-License-Identifier: GPL-3.0-or-later
--
-- The lines have the syntax of pmu.events. An event of the family's pmu.events has its line there, with code and unit mask; another one
-- has code and unit mask 0, which say nothing.
local used = {}

-- { [event] = its line } of pmu.events.
local function known(lines)
    local found = {}
    for _, line in ipairs(lines) do
        local name = line:match "^event %S+ %S+ %S+ ([%w_]+)" or line:match "^response %S+ %S+ %S+ ([%w_]+)"
        if name then
            found[name] = line
        end
    end
    return found
end

-- groups: array of arrays of lines of group files, expanded (group_text.lua); family: lines of the family's pmu.events -> array of lines
function used.lines(groups, family)
    local line_of, list, seen = known(family), {}, {}
    for _, lines in ipairs(groups) do
        for line in table.concat(lines, "\n"):gmatch "[^\n]+" do
            local counter, event = line:match "^(%u%w+)%S* ([%w_]+)$"
            local unit = counter and (counter:match "^(%u%w-)%d+C%d+$" or counter:match "^(%u+)%d+$")
            if unit and not seen[event] then
                list[#list + 1] = line_of[event] or ("event %s 0 0 %s"):format(unit, event)
                seen[event] = true
            end
        end
    end
    table.sort(list)
    return list
end

return used
