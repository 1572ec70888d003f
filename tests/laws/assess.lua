-- assess.lua - replaces lua/program/laws/laws.lua in run.lua: judges the measured counts, then again with each event made wrong.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Writes lines to $LAWS_OUT, with tabs between the fields:
--     law  NAME  STATUS  SEES          a law and the measured counts; SEES: laws.lua's sees_pct
--     blame  TEXT                      a line of blame for the measured counts
--     fault  EVENT  WORD  LAWS  TEXT   the event counts 1.05 times, in all counters and runs. LAWS: number of laws that this breaks,
--                                      TEXT: the lines of blame. WORD:
--         named     the event is blamed, in a list of at most EVENTS_MOST events
--         many      the event is blamed in a longer list
--         missed    there is no line of blame
--         misnamed  the lines of blame do not name the event
--         same      all counts are so small that 1.05 times them is the same integer
--     break  EVENT  LAWS               the laws, with "|" between, that break if the event counts FAR times, nothing, or FAR more
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

-- Replaces the event's counts by change(count), runs judge() and restores them. Returns its result; nil if no count changed.
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

-- WORD and TEXT for lines of blame.
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
