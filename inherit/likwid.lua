-- likwid.lua - what an architecture inherits against its own LIKWID table: likwid-perfctr -e | lua5.4 inherit/likwid.lua GROUPS ARCH
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- GROUPS: the built groups; standard input: LIKWID's list on a node of ARCH, with two sockets if it can have them. Names each event of
-- GROUPS/ARCH/pmu.events or pmu.used that the list lacks or codes otherwise; exit status 1 if there is one. `unlisted` in the family file
-- allows events that the list lacks. Events of boxes that LIKWID does not find on the node are not compared, nor is an architecture that
-- only some versions of LIKWID know (`versions` of machine.lua) if this one lists nothing. Codes that are the vendor's are right; `assay
-- list events` compares those with LIKWID's.
package.path = "inherit/?.lua;lua/?.lua;" .. package.path
local family = require "family"
local pmu_lines = require "input.pmu_lines"

local groups, arch = arg[1], arg[2]

local function text_of(path)
    local file = io.open(path)
    local text = file and file:read "a"
    if file then
        file:close()
    end
    return text
end

-- { [event] = { { code, umask } } }: LIKWID lists some names several times; { [unit] = true } of the counters that it finds on the node.
local function listed()
    local events, units = {}, {}
    for line in io.lines() do
        local name, code, umask = line:match "^([%w_]+), (0x%x+), (0x%x+), "
        if name then
            events[name] = events[name] or {}
            table.insert(events[name], { tonumber(code), tonumber(umask) })
        end
        units[line:match "^(%u%w-)%d+C?%d*, %u%l" or ""] = true
    end
    local is_new = text_of(("%s/%s/machine.lua"):format(groups, arch)):find(('names = { "%s" }'):format(arch), 1, true)
    if not next(events) and is_new then
        print(("groups/%s: this LIKWID does not know the processor; nothing was compared"):format(arch))
        os.exit(0)
    elseif not next(events) then
        io.stderr:write("standard input has no events; it should be what likwid-perfctr -e prints\n")
        os.exit(2)
    end
    return events, units
end

-- Codes and unit masks from 0x100 on have further bits, which the lists do not show; fixed counters have no codes; code 0 says nothing
-- (used.lua).
local function is_same(event, codes)
    for _, code in ipairs(codes) do
        local is_code = event.code & 0xff == code[1] & 0xff and event.umask & 0xff == code[2]
        if event.unit:find "FIX" or event.code == 0 or is_code then
            return true
        end
    end
end

-- vendors: { CODE, UMASK } of the vendor's table |nil
local function problem(event, codes, vendors, allowed)
    if not codes then
        return not allowed and "LIKWID's table has no such event" or nil
    elseif not is_same(event, codes) and not (vendors and is_same(event, { vendors })) then
        return ("LIKWID's table has it as 0x%02x 0x%02x"):format(codes[1][1], codes[1][2])
    end
end

local vendors = {}
for _, event in ipairs(pmu_lines.read(text_of(("%s/%s/pmu.vendor"):format(groups, arch)) or "").events) do
    vendors[event.name] = { event.code, event.umask }
end
local own = family.read(text_of(("groups/%s/family"):format(arch)), ("groups/%s/family"):format(arch))
local events, units = listed()
local count, folder = 0, ("%s/%s/"):format(groups, arch)
for _, event in ipairs(pmu_lines.read(text_of(folder .. "pmu.events") or text_of(folder .. "pmu.used")).events) do
    local text = problem(event, events[event.name], vendors[event.name], own.unlisted[event.name] or not units[event.unit])
    if text then
        count = count + 1
        print(("groups/%s: %s of %s: %s; change the event, or leave it out"):format(arch, event.name, event.unit, text))
    end
end
os.exit(count == 0)
