-- orphans.lua - events limited to counters that do not exist, counters without events. SPDX-License-Identifier: GPL-3.0-or-later
local linted = require "lint.linted"
local lists = require "input.lists"

-- Kinds of the counters that a word in a limit stands for.
local function kinds_of(word, arch)
    if arch.counters[word] or arch.made and arch.made[linted.kind(word)] then
        return { [linted.kind(word)] = true }
    end
    local kinds = {}
    for counter in pairs(arch.counters) do
        if linted.limit_has(word, counter) then
            kinds[linted.kind(counter)] = true
        end
    end
    return kinds
end

return {
    name = "orphans", class = "S21", severity = "warning", about = "table", needs = "counters",
    title = "events are limited to counters that do not exist, or counters have no events",
    check = function(one, say, arch)
        local lost, known, kinds, there = {}, {}, {}, {}
        for counter in pairs(arch.counters) do
            kinds[linted.kind(counter)] = (kinds[linted.kind(counter)] or 0) + 1
        end
        for _, event in ipairs(one.events) do
            local limit = event.limit
            for word in (there[limit] == nil and limit or ""):gmatch "[^|]+" do
                known[word] = known[word] or kinds_of(word, arch)
                there[limit] = there[limit] or next(known[word]) ~= nil
            end
            there[limit] = there[limit] or false
            if not there[limit] then
                lists.push(lost, event.limit, event)
            end
        end
        for _, limit in ipairs(lists.sorted(lost)) do
            say(lost[limit][1].line, ("%d event%s limited to %s; there is no such counter"):format(#lost[limit],
                #lost[limit] == 1 and " is" or "s are", limit), "LIKWID cannot count them")
        end
        for _, word in pairs(known) do
            for kind in pairs(word) do
                kinds[kind] = nil
            end
        end
        for _, kind in ipairs(lists.sorted(kinds)) do
            say(1, ("%d counter%s of %s have no event"):format(kinds[kind], kinds[kind] == 1 and "" or "s", kind),
                "the unit cannot be measured")
        end
    end,
}
