-- compare.lua - compares the built groups/ARCH/pmu.vendor with libpfm4's codes, a second source of the vendor's facts.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- usage: tests/vendor/libpfm4.py PMU... | lua5.4 tests/vendor/compare.lua ARCH [--selects|--boxes]
-- Prints a line for each event that both know with different codes, then the number of events that both know. Names are compared where
-- both have the vendor's name; an event whose name libpfm4 lacks must have a code of libpfm4, with known bits of the unit mask.
-- --selects: prints "EVENT SELECT [COUNTER]" for each event of a core that both know, by libpfm4's code, COUNTER if one alone can count it.
-- --boxes: prints "EVENT SELECT UNIT [COUNTER]" for each event of a box, by libpfm4's code if it has the event.
package.path = "lua/?.lua;" .. package.path
local pmu_lines = require "input.pmu_lines"

-- Where libpfm4 4.13 is wrong or coarser: bank 12 is 0xc0 there, bank group 1 0x20, and so on; 0xd8 and 0x38, the masks of both levels'
-- prefetchers, are L2's alone; bit 0 of AMD's requests to L2 is missing, Linux' l2_request_g1.all_no_prefetch has it; of Zen 3's locks it has
-- those of the bus, Linux' ls_locks all four kinds.
local LIBPFM4_ONLY = {
    "^[RW][DR]_CAS_RANK%d_BANK1[2-5]$", "^[RW][DR]_CAS_RANK%d_BANKG%d$", "^L2_RQSTS_L2_PF_", "^REQUESTS_TO_L2_GRP1_ALL",
    "^RETIRED_LOCK_INSTR_",
}

local function plain(name)
    return (name:upper():gsub("[^%w]+", "_"))
end

-- An AMD select has the upper bits of its code in bits 32 to 35.
local function split(select)
    return select & 0xff | select >> 24 & 0xf00, select >> 8 & 0xff
end

local function read_second()
    local named, masks = {}, {}
    for line in io.lines() do
        local name, value = line:match "^%S+ (%S+) (0x%x+)$"
        local code, umask = split(tonumber(value))
        named[plain(name)] = { code = code, umask = umask, select = value }
        masks[code] = (masks[code] or 0) | umask
    end
    return named, masks
end

local function is_known_error(name)
    for _, pattern in ipairs(LIBPFM4_ONLY) do
        if name:find(pattern) then
            return true
        end
    end
end

-- What libpfm4 has instead of the event's code, nil if the same; false if it does not know the event.
local function difference(event, named, masks)
    local second, has_vendors_name = named[plain(event.made)], event.made:find "%u"
    if second then
        local is_same = second.code == event.code and (second.umask == event.umask or second.umask == event.options.OLD)
        return not is_same and ("0x%02x:0x%02x"):format(second.code, second.umask) or nil
    elseif has_vendors_name or event.unit ~= "PMC" or not masks[event.code] then
        return false
    end
    return event.umask & ~masks[event.code] ~= 0 and ("only 0x%02x in its unit masks"):format(masks[event.code]) or nil
end

local function select_of(event, named)
    local own = ("0x%x"):format(event.code & 0xff | event.umask << 8 | (event.code & 0xf00) << 24)
    local second = named[plain(event.made)]
    return second and second.select or own
end

local print_event = {
    ["--selects"] = function(event, named, other)
        if other == nil and event.unit == "PMC" then
            print(event.name, select_of(event, named), event.options.COUNTERS and "PMC" .. event.options.COUNTERS or "")
        end
    end,
    ["--boxes"] = function(event, named, other)
        if not other and event.unit ~= "PMC" then
            print(event.name, select_of(event, named), event.unit, event.options.COUNTERS or "")
        end
    end,
}

local file = assert(io.open((os.getenv "BUILD" or "build") .. "/groups/" .. arg[1] .. "/pmu.vendor"))
local named, masks = read_second()
local both = 0
for _, event in ipairs(pmu_lines.read(file:read "a").events) do
    local other = difference(event, named, masks)
    both = both + (other ~= false and 1 or 0)
    if arg[2] then
        print_event[arg[2]](event, named, other)
    elseif other and not is_known_error(event.name) then
        print(("%s 0x%02x:0x%02x, libpfm4 %s"):format(event.name, event.code, event.umask, other))
    end
end
if not arg[2] then
    print(both .. " events that both know")
end
