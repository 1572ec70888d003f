-- undefined_counter.lua - a formula uses a counter that EVENTSET does not program. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

-- The only programmed counter of that name with other options; nil if there is none or a choice.
local function meant(group, name)
    local counter = name:match "^[^:]+"
    local same = lists.filter(group.events, function(event) return event.counter == counter end)
    return #same == 1 and same[1].name or nil
end

return {
    name = "undefined-counter", class = "S1", severity = "error", about = "group",
    title = "a formula uses a counter that EVENTSET does not program; its options belong to its name",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            local names = lists.filter(lists.sorted(metric.uses), function(name)
                return not group.of[name] and not linted.is_provided(name)
            end)
            if #names > 0 then
                local other = lists.collect(names, function(name) return meant(group, name) end)
                local lacks = group.words.lacks or group.words.set .. " does not program"
                say(metric.line, ("metric '%s' uses %s, which %s%s"):format(metric.title, table.concat(names, ", "), lacks,
                    #other > 0 and "; it programs " .. table.concat(other, ", ") or ""),
                    group.words.undefined,
                    #other == #names and { metric = metric, replace = names, by = other } or nil)
            end
        end
    end,
}
