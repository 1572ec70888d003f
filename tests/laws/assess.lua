-- assess.lua - takes the place of lua/program/laws/laws.lua in run.lua: judges what was measured, and again with each event wrong.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- To $LAWS_OUT goes a line for each, tabs between:
--     law  NAME  STATUS  SEES          of what was measured as it is; SEES: laws.lua's sees_pct
--     blame  TEXT                      a line of blame of what was measured as it is
--     fault  EVENT  WORD  LAWS  TEXT   the event 1.05 times, on all its counters in all runs; LAWS: how many are then broken, TEXT: who is
--                                      blamed
--         named     the event, or so few, EVENTS_MOST, that it is one of
--         many      more events than that, it among them
--         missed    no law is broken
--         misnamed  others are blamed, or none
--         same      so few that 1.05 times as many are as many
--     break  EVENT  LAWS               names of the laws that are broken if it counts FAR times, nothing, or FAR more (each apart); "|"
--                                      between
local rows = dofile(os.getenv "LAWS_ROOT" .. "/lua/program/laws/rows.lua")
local blame = dofile(os.getenv "LAWS_ROOT" .. "/lua/program/laws/blame.lua")
local real = dofile(os.getenv "LAWS_ROOT" .. "/lua/program/laws/laws.lua")
local law_counts = require "program.read.law_counts"
local lists = require "input.lists"

local assess = {}

local SCALE, FAR, EVENTS_MOST = 1.05, 1e6, 3

local function event_of(name)
    return name:match "^[^:]*"
end

-- Calls visit(counts, box) for all counts of the event.
local function each_count(entries, event, visit)
    for _, entry in ipairs(entries) do
        for name, own in pairs(entry.counts) do
            for box in pairs(event_of(name) == event and own or {}) do
                visit(own, box)
            end
        end
    end
end

-- Runs judge() with the event's counts as change(count) says; they are then what they were. Also: were they others?
local function with_fault(entries, event, change, judge)
    local kept, is_other = {}, false
    each_count(entries, event, function(own, box)
        kept[#kept + 1] = { own, box, own[box] }
        own[box] = change(own[box])
        is_other = is_other or own[box] ~= kept[#kept][3]
    end)
    local found = is_other and judge() or nil
    for _, one in ipairs(kept) do
        one[1][one[2]] = one[3]
    end
    return found
end

local function broken_laws(argument)
    local names = {}
    for _, row in ipairs((rows.make(argument))) do
        names[row.law.name] = rows.missed(row) > 0 or names[row.law.name]
    end
    return names
end

-- WORD and TEXT of what is blamed.
local function judge_blame(lines, event)
    local blamed, texts = {}, {}
    for _, entry in ipairs(lines) do
        texts[#texts + 1] = entry.text
        for _, cause in ipairs(entry.causes) do
            for _, part in ipairs(cause) do
                blamed[part.event] = true
            end
        end
    end
    local few = #lists.sorted(blamed) <= EVENTS_MOST
    local word = #lines == 0 and "missed" or not blamed[event] and "misnamed" or few and "named" or "many"
    return word, table.concat(texts, " | ")
end

local function try_event(argument, event, out)
    local lines, laws
    with_fault(argument.entries, event, function(count) return math.floor(SCALE * count) end, function()
        local found = rows.make(argument)
        lines, laws = blame.find(found), broken_laws(argument)
        return true
    end)
    local word, text = "same", ""
    if lines then
        word, text = judge_blame(lines, event)
    end
    out:write(("fault\t%s\t%s\t%d\t%s\n"):format(event, word, laws and #lists.sorted(laws) or 0, text))
    local broken = {}
    local changes = { function(count) return FAR * count end, function() return 0 end, function(count) return FAR + count end }
    for _, change in ipairs(changes) do
        for name in pairs(with_fault(argument.entries, event, change, function() return broken_laws(argument) end) or {}) do
            broken[name] = true
        end
    end
    out:write(("break\t%s\t%s\n"):format(event, table.concat(lists.sorted(broken), "|")))
end

function assess.examine(argument)
    local all = setmetatable({ entries = law_counts.read(argument), witness = argument.machine.probe.event }, { __index = argument })
    local found = real.check(all)
    local out = assert(io.open(os.getenv "LAWS_OUT", "w"))
    for _, law in ipairs(found.laws) do
        out:write(("law\t%s\t%s\t%s\n"):format(law.name, law.status, law.sees_pct or "-"))
    end
    for _, entry in ipairs(found.blame) do
        out:write(("blame\t%s\n"):format(entry.text))
    end
    for _, one in ipairs(os.getenv "LAWS_FAULTS" == "0" and {} or found.events) do
        try_event(all, one.event, out)
    end
    out:close()
    return found
end

return assess
