-- vendor_lists.lua - finds LIKWID's events in the vendor's lists, of github intel/perfmon or of Linux (tools/perf/pmu-events/arch/x86).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- An event is found by its name. Else by LIKWID's code: the vendor's event of that code with the most words in common, else the vendor's
-- events whose unit masks together are LIKWID's. Else by its name without the words ALL and ANY.
local lists = require "input.lists"
local vendor = require "input.vendor"

local vendor_lists = {}

-- LIKWID's units by the vendor's names.
local UNITS = {
    CBO = "CBOX", CHA = "CBOX", HA = "BBOX", iMC = "MBOX", IMC = "MBOX", ["QPI LL"] = "QBOX", ["UPI LL"] = "SBOX", SBO = "SBOX",
    M2M = "M2M", ARB = "UBOX", L3PMC = "CPMC", DFPMC = "DFC", UMCPMC = "UMC", CORE = "PMC",
}
local OPTIONS = { CounterMask = "THRESHOLD", Invert = "INVERT", EdgeDetect = "EDGEDETECT", AnyThread = "ANYTHREAD", UMaskExt = "EXT",
    ExtSel = "EXTSEL", RdWrMask = "MASK0" }

local function number(text)
    return tonumber(tostring(text or 0):match "^%w+") or 0
end

-- CAS_COUNT.RD of UNC_M_CAS_COUNT.RD; the upper-case name with "_" only.
local function plain(name)
    return (name:upper():gsub("^UNC_%w+_", ""):gsub("[^%w]+", "_"))
end

-- An entry of a list -> { unit =, code =, umask =, options =, counters =, name = } |nil: the unit has no counters of LIKWID's.
local function entry_of(one, units)
    local unit = not one.Unit and "PMC" or units[one.Unit] or UNITS[one.Unit] or one.Unit:match "^cpu" and "PMC"
    local fixed = (one.Counter or ""):match "^Fixed counter (%d)"
    local found = { unit = fixed and "FIXC" or unit, code = number(fixed or one.EventCode), umask = fixed and 0 or number(one.UMask),
        options = {}, counters = one.Counter, has_register = number(one.MSRValue) ~= 0, name = one.EventName }
    for key, option in pairs(OPTIONS) do
        found.options[option] = number(one[key]) ~= 0 and number(one[key]) or nil
    end
    return unit and found or nil
end

local function short(name)
    return (plain(name):gsub("_ALL%f[_\0]", ""):gsub("_ANY%f[_\0]", ""))
end

local function add(list, entry)
    local key, loose = entry.unit .. " " .. plain(entry.name), entry.unit .. " " .. short(entry.name)
    list.named[key] = list.named[key] or entry
    list.loose[loose] = list.loose[loose] or entry
    list[#list + 1] = entry
end

-- Adds the entries of one decoded list.
local function add_list(list, entries, units)
    for _, one in ipairs(entries) do
        for code in (one.EventCode or ""):gmatch "[^, ]+" do
            one.EventCode = code
            local entry = entry_of(one, units)
            if entry then
                add(list, entry)
                list.register_bits[entry.code] = (list.register_bits[entry.code] or 0) | number(one.MSRValue)
            end
        end
    end
end

-- The counters of most of a unit's events.
local function usual_counters(list)
    local count, usual = {}, {}
    for _, one in ipairs(list) do
        local key = one.unit .. (one.counters or "")
        count[key] = (count[key] or 0) + 1
        local best = usual[one.unit]
        usual[one.unit] = best and count[one.unit .. best] >= count[key] and best or one.counters
    end
    return usual
end

-- texts = array of decoded JSON files, listed = LIKWID's events (event_list.selects' second result) -> the vendor's events, for find()
function vendor_lists.read(texts, listed)
    local list, units = { named = {}, loose = {}, register_bits = {} }, {}
    for _, event in ipairs(listed) do -- LIKWID's name of the links depends on the architecture
        units["UPI LL"] = (event.unit == "UPI" or event.unit == "QBOX") and event.unit or units["UPI LL"]
    end
    for _, text in ipairs(texts) do
        add_list(list, text.Events or text, units)
    end
    list.usual = usual_counters(list)
    return list
end

local function common_words(one, other)
    local words = lists.set(lists.words(plain(one), "[^_]+"))
    return lists.sum(lists.words(plain(other), "[^_]+"), function(word) return words[word] and 1 or -1 end)
end

local function by_code(list, event, likwid)
    local best
    for _, one in ipairs(list) do
        local is_same = one.unit == event.unit and not one.options.EXTSEL and not vendor.difference(likwid, one)
        if is_same and (not best or common_words(event.name, one.name) > common_words(event.name, best.name)) then
            best = one
        end
    end
    return best
end

-- The vendor's events whose unit masks together are LIKWID's, widest first.
local function by_sum(list, event, likwid)
    local parts, rest, names = {}, likwid.umask, {}
    for _, one in ipairs(list) do
        local is_part = one.unit == event.unit and one.code == likwid.code and one.umask & ~likwid.umask == 0
        parts[#parts + 1] = is_part and next(one.options) == nil and not one.has_register and one or nil
    end
    table.sort(parts, function(a, b) return a.umask > b.umask end)
    for _, one in ipairs(parts) do
        if one.umask & rest ~= 0 then
            rest, names[#names + 1] = rest & ~one.umask, #names == 0 and one.name or one.name:match "[^.]+$"
        end
    end
    local is_sum = rest == 0 and #names > 0 and next(likwid.options) == nil
    return is_sum and { code = likwid.code, umask = likwid.umask, options = {}, name = table.concat(names, "+") } or nil
end

function vendor_lists.find_named(list, event)
    return event.unit ~= "FIXC" and list.named[event.unit .. " " .. plain(event.name)] or nil
end

-- The vendor's entry of an event that has LIKWID's select `likwid`; nil if there is none.
function vendor_lists.find(list, event, likwid)
    local is_fixed = event.unit == "FIXC"
    local named = vendor_lists.find_named(list, event)
    if named then
        return named
    end
    local coded = by_code(list, event, likwid) or not is_fixed and by_sum(list, event, likwid)
    return coded or not is_fixed and list.loose[event.unit .. " " .. short(event.name)] or nil
end

-- " BITS=0xMASK" if the event has a register: the bits that the vendor's events set in it.
local function register_bits(list, entry)
    local bits = entry.unit == "PMC" and list.register_bits[entry.code] or 0
    return bits ~= 0 and (" BITS=0x%x"):format(bits) or ""
end

-- The entry as a line of pmu.vendor; `extra`: more of its options.
function vendor_lists.line_of(list, event, entry, extra)
    local words, usual = {}, list.usual[event.unit]
    for option, value in pairs(entry.options) do
        words[#words + 1] = (" %s=0x%x"):format(option, value)
    end
    table.sort(words)
    local counters = entry.counters ~= usual and entry.counters and entry.counters:match "^[%d, ]+$"
    words[#words + 1] = counters and event.unit ~= "FIXC" and " COUNTERS=" .. counters:gsub("[, ]+", "|") or nil
    words[#words + 1] = register_bits(list, entry) .. (extra or "")
    local name = entry.has_register and entry.name:match "^[^.:]+" or entry.name
    return ("event %s 0x%02x 0x%02x %s%s = %s"):format(event.unit, entry.code, entry.umask, event.name, table.concat(words), name)
end

return vendor_lists
