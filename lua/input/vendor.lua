-- vendor.lua - compares the selects that LIKWID writes with the vendor's codes (groups/ARCH/pmu.vendor), for the events that Assay uses
-- and others of that table.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- LIKWID's side is its own list (likwid-perfctr -e): code, unit mask, and the options that it sets itself. Its setup code may drop bits of
-- an event's register; those are found by a run with all bits set, whose register writes likwid-perfctr -V 3 shows.
local array = require "input.array"
local event_list = require "input.event_list"
local group_file = require "input.group"
local lists = require "input.lists"
local pmu_lines = require "input.pmu_lines"

local vendor = {}

local COMPARED = { "THRESHOLD", "INVERT", "EDGEDETECT", "ANYTHREAD", "EXT", "MASK0" }

-- pmu_lines.read's result of pmu.events, and more events -> array of { name =, unit = } of all, each once.
function vendor.used(read, more)
    local used, seen = {}, {}
    for _, event in ipairs(lists.joined(lists.joined(read.responses, read.events), more)) do
        lists.bin(seen, event.name, event, used)
    end
    return used
end

-- An option of an event; a box's MATCH0 is what the vendor calls the extended unit mask, and so is the table's CFG (lint/event_table.lua)
-- for an event that has one.
local function option_of(event, option, unit, is_extended)
    local value = event.options[option]
    return value or option == "EXT" and unit ~= "PMC" and (event.options.MATCH0 or is_extended and event.options.CFG) or 0
end

-- What LIKWID's select makes of the vendor's event; nil if both are equal.
function vendor.difference(likwid, entry)
    local lacks, adds = entry.umask & ~likwid.umask, likwid.umask & ~entry.umask
    if likwid.code ~= entry.code then
        return "counts another event"
    elseif lacks ~= 0 and adds ~= 0 then
        return ("counts what other bits of the unit mask select: 0x%02x instead of 0x%02x"):format(adds, lacks)
    elseif lacks ~= 0 then
        return ("does not count what bits 0x%02x of the unit mask select"):format(lacks)
    elseif adds ~= 0 then
        return ("also counts what bits 0x%02x of the unit mask select"):format(adds)
    end
    for _, option in ipairs(COMPARED) do
        local wanted = option_of(entry, option, entry.unit)
        local own = option_of(likwid, option, entry.unit, wanted ~= 0)
        if own ~= wanted then
            return ("sets %s to 0x%x instead of 0x%x"):format(option, own, wanted)
        end
    end
end

local function select_text(one)
    return table.concat(lists.append({ ("0x%02x:0x%02x"):format(one.code, one.umask) }, COMPARED, function(option)
        return one.options[option] and ("%s=0x%x"):format(option, one.options[option])
    end), " ")
end

-- The vendor's name for the select that LIKWID writes, and whether a second list has LIKWID's unit mask.
local function explain(why, likwid, entry, entries)
    if likwid.code == entry.code and likwid.umask == entry.options.OLD then
        return why .. "; libpfm4 has LIKWID's unit mask, too: the vendor may have changed it"
    end
    local named = lists.find(entries, function(other)
        return other.unit == entry.unit and other.made ~= entry.made and not vendor.difference(likwid, other)
    end)
    return named and ("%s; the vendor calls it %s"):format(why, named.made) or why
end

-- The bits that the vendor's events set in the event's register and that LIKWID does not write; nil if unknown or none.
local function dropped_bits(event, entry, written)
    local flags = event.register and written:match(("SETUP[^\n]*Register 0x%X , Flags: (0x%%x+)"):format(event.register))
    local dropped = flags and entry and (entry.options.BITS or 0) & ~tonumber(flags) or 0
    return dropped ~= 0 and ("never sets bits 0x%x of its register"):format(dropped) or nil
end

-- What pmu.events makes of the event `right`; nil if both are equal or it says nothing (code 0 of an event that the vendor lacks). Codes
-- from 0x100 on may have the select's extra bit, which neither LIKWID's list nor the code in pmu.vendor shows; unit masks from 0x100 on
-- have the vendor's EXT above the mask. A mask of reads and writes is the unit mask there.
local function in_events(event, right, is_vendors)
    local code = right.code < 0x100 and event.code & 0xff or event.code
    local umask = event.umask >> 8 == (right.options.EXT or 0) and event.umask & 0xff or event.umask
    umask = umask ~ (right.options.MASK0 or 0)
    local says = event.code ~= 0 or is_vendors
    local why = says and vendor.difference({ code = code, umask = umask, options = right.options }, right)
    return why and ("pmu.events has %s, which %s"):format(select_text(event), why) or nil
end

-- Does LIKWID's list have counters, but none of this unit?
local function lacks_unit(counters, unit)
    return #counters > 0 and not lists.any(counters, function(one) return one.name == unit end)
end

local function compare(event, likwid, entry, argument)
    local row = { event = event.name, unit = event.unit, likwid = likwid and select_text(likwid), vendor = entry and select_text(entry),
        name = entry and entry.made }
    local why = likwid and entry and vendor.difference(likwid, entry)
    row.consequence = why and explain(why, likwid, entry, argument.entries)
        or likwid and event ~= entry and in_events(event, entry or likwid, entry ~= nil)
        or dropped_bits(event, entry, argument.written or "")
    row.state = not likwid and (lacks_unit(argument.counters, event.unit) and "not compared" or "not in LIKWID")
        or row.consequence and "differs" or not entry and "LIKWID only" or "same"
    return row
end

-- { events = groups/ARCH/pmu.events } -> { text = the event set that writes all bits of the events' registers |nil: none has one }.
function vendor.registers(argument)
    local set = lists.map(pmu_lines.read(argument.events).responses, function(event, i)
        return ("%s:PMC%d:MATCH0=0x%X:MATCH1=0x%X"):format(event.name, i - 1, -1, -1)
    end)
    return { text = #set > 0 and table.concat(set, ",") or nil }
end

-- Compares the events of pmu.events (pmu.used at native stage), and then LIKWID's other events that pmu.vendor has. argument:
--   codes, events = texts of groups/ARCH/pmu.vendor and pmu.events or pmu.used
--   text = likwid-perfctr -e's output, or selects = event_list.selects(); both nil: codes of pmu.events are compared
--   written = likwid-perfctr -V 3's output for vendor.registers |nil
-- -> array of { event =, unit =, likwid = select |nil, vendor = select |nil, name = the vendor's |nil, consequence = for differs,
--   state = "same" | "differs" | "LIKWID only": not in the vendor's list | "not in LIKWID" | "not compared": no such box on the node }
function vendor.check(argument)
    local context = { entries = pmu_lines.read(argument.codes).events, written = argument.written,
        counters = event_list.machine({ text = argument.text or "" }).counters }
    local named, rows = lists.index(context.entries, "name"), array()
    local selects = argument.selects or argument.text and event_list.selects(argument.text)
    local others = lists.filter(context.entries, function(entry) return selects and selects[entry.name] end)
    for _, event in ipairs(vendor.used(pmu_lines.read(argument.events), others)) do
        local entry, likwid = named[event.name], event
        if selects then
            likwid = selects[event.name]
        elseif entry and (entry.options.EXTSEL or entry.options.EXT) then
            likwid = { code = event.code & 0xff, umask = event.umask & 0xff, options = { EXT = event.umask >> 8 } }
        elseif entry and entry.options.MASK0 then
            likwid = { code = event.code, umask = 0, options = { MASK0 = event.umask } }
        end
        rows[#rows + 1] = compare(event, likwid, entry, context)
    end
    return rows
end

-- vendor.check's rows |nil -> { [EVENT] = { row } }, nil without rows
function vendor.by_event(rows)
    return rows and #rows > 0 and select(2, lists.group(rows, "event")) or nil
end

-- ", vendor check: EVENT STATE, .." for the vendor entries of records' metrics; "" if there are none.
function vendor.words(found)
    local words = lists.join(found, ", ", function(row) return row.event .. " " .. row.state end)
    return words ~= "" and ", vendor check: " .. words or ""
end

-- Array of those rows (vendor.by_event) of the events in a group's metric that are not "same"; "not compared": an event that the vendor's
-- table is not about. nil without rows.
function vendor.of_metric(rows, group, name)
    local found = rows and array()
    for _, event in ipairs(rows and lists.group(group_file.events_of(group, group_file.metric(group, name)), "event") or {}) do
        local row = (rows[event[1].event] or { { event = event[1].event, state = "not compared" } })[1]
        found[#found + 1] = row.state ~= "same" and row or nil
    end
    return found
end

return vendor
