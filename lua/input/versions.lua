-- versions.lua - what of an architecture the installed version of LIKWID can count. SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local versions = {}

-- Is version `one` older than `other`? "5.4" is 5.4.0.
local function is_older(one, other)
    local numbers = other:gmatch "%d+"
    for own in (one .. ".0.0"):gmatch "%d+" do
        local theirs = tonumber(numbers() or 0)
        if tonumber(own) ~= theirs then
            return tonumber(own) < theirs
        end
    end
    return false
end

-- Why an entry with `since` and `upto` (the first and the last version that it is about, each may be nil) is not about this version of
-- LIKWID; nil if it is. Without a version: the newest.
local function why_not(entry, likwid)
    if entry.since and likwid and is_older(likwid, entry.since) then
        return entry.since .. " is the first that can"
    elseif entry.upto and (not likwid or is_older(entry.upto, likwid)) then
        return entry.upto .. " is the last that can"
    end
end

-- Refuses an entry of `versions` that is about all versions, or about none.
function versions.check(machine, fail_at)
    for _, entry in ipairs(machine.versions or {}) do
        if not entry.since and not entry.upto then
            fail_at(entry)("a version needs `since`, `upto` or both")
        elseif entry.since and entry.upto and is_older(entry.upto, entry.since) then
            fail_at(entry)("a version's `upto` must not be older than its `since`, %s", entry.since)
        end
    end
end

-- Leaves in `machine`, as its file has it, what is true of LIKWID's version (nil: the newest): absences, and of `versions` those entries
-- that the version cannot count, each with the reason in `why`. `since`: the first version that knows the architecture |nil.
function versions.apply(machine, likwid)
    machine.cannot = machine.cannot and lists.filter(machine.cannot, function(absent) return not why_not(absent, likwid) end)
    local own = lists.find(machine.versions or {}, function(entry) return lists.contains(entry.names, machine.arch) end)
    machine.since = own and own.since
    machine.versions = machine.versions and lists.filter(machine.versions, function(entry)
        entry.why = why_not(entry, likwid)
        return entry.why
    end)
    machine.likwid = likwid
end

-- Is the name that of the architecture, the group, or one of its events or counters ("UMC" is that of UMC3C0)?
local function is_of(name, group, machine)
    return name == machine.arch or name == group.name or lists.any(group.events, function(event)
        return event.event == name or event.counter:find("^" .. name .. "%d") ~= nil
    end)
end

-- Why LIKWID's version cannot count the group (input/group.lua); nil if it can.
function versions.why_unfit(group, machine)
    for _, entry in ipairs(machine.versions or {}) do
        local name = lists.find(entry.names, function(one) return is_of(one, group, machine) end)
        if name then
            return ("%s cannot count %s; %s"):format(machine.likwid and "LIKWID " .. machine.likwid or "the newest LIKWID", name, entry.why)
        end
    end
end

return versions
