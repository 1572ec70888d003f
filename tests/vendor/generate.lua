-- generate.lua - writes groups/ARCH/pmu.vendor: the vendor's codes of LIKWID's events that a pmu.events of groups/ names, the
-- architecture's own or another one's, and of LIKWID's other events that have another code. The order is that of the architecture's
-- pmu.events, if it has one, then LIKWID's.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Run it in the project's folder.
-- usage: lua5.4 tests/vendor/generate.lua ARCH SOURCE LIKWID LIBPFM4 JSON... > groups/ARCH/pmu.vendor
--   SOURCE   words for the table's header: whose list, which version
--   LIKWID   output of likwid-perfctr -e
--   LIBPFM4  output of tests/vendor/libpfm4.py: a second opinion on the codes
--   JSON     the vendor's lists: of github intel/perfmon, or of Linux (tools/perf/pmu-events/arch/x86)
--
-- An event is found by its name. Else by LIKWID's code: the vendor's event of that code with the most words in common, else the vendor's
-- events whose unit masks together are LIKWID's. Else by its name without the words ALL and ANY. Other events get no line.
package.path = "lua/?.lua;tests/?.lua;inherit/?.lua;" .. package.path
local architectures = require "architectures"
local event_list = require "input.event_list"
local json = require "json"
local meanings = require "meanings"
local pmu_lines = require "input.pmu_lines"
local vendor = require "input.vendor"

-- LIKWID's units by the vendor's names.
local UNITS = {
    CBO = "CBOX", CHA = "CBOX", HA = "BBOX", iMC = "MBOX", IMC = "MBOX", ["QPI LL"] = "QBOX", ["UPI LL"] = "SBOX", SBO = "SBOX",
    M2M = "M2M", ARB = "UBOX", L3PMC = "CPMC", DFPMC = "DFC", UMCPMC = "UMC", CORE = "PMC",
}
local OPTIONS = { CounterMask = "THRESHOLD", Invert = "INVERT", EdgeDetect = "EDGEDETECT", AnyThread = "ANYTHREAD", UMaskExt = "EXT",
    ExtSel = "EXTSEL", RdWrMask = "MASK0" }

local function slurp(path)
    local file = assert(io.open(path))
    local text = file:read "a"
    file:close()
    return text
end

local function number(text)
    return tonumber(tostring(text or 0):match "^%w+") or 0
end

-- CAS_COUNT.RD of UNC_M_CAS_COUNT.RD; the upper-case name with "_" only.
local function plain(name)
    return (name:upper():gsub("^UNC_%w+_", ""):gsub("[^%w]+", "_"))
end

-- An entry of a list -> { unit =, code =, umask =, options =, counters =, name = } |nil: the unit has no counters of LIKWID's.
local function entry_of(one)
    local unit = not one.Unit and "PMC" or UNITS[one.Unit] or one.Unit:match "^cpu" and "PMC"
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

local function read_lists(paths)
    local list = { named = {}, loose = {}, register_bits = {} }
    for _, path in ipairs(paths) do
        local text = json.decode(slurp(path))
        for _, one in ipairs(text.Events or text) do
            for code in (one.EventCode or ""):gmatch "[^, ]+" do
                one.EventCode = code
                local entry = entry_of(one)
                if entry then
                    add(list, entry)
                    list.register_bits[entry.code] = (list.register_bits[entry.code] or 0) | number(one.MSRValue)
                end
            end
        end
    end
    return list
end

local function common_words(one, other)
    local words, count = {}, 0
    for word in plain(one):gmatch "[^_]+" do
        words[word] = true
    end
    for word in plain(other):gmatch "[^_]+" do
        count = count + (words[word] and 2 or 0) - 1
    end
    return count
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

local function find(list, event, likwid)
    local is_fixed = event.unit == "FIXC"
    local named = not is_fixed and list.named[event.unit .. " " .. plain(event.name)]
    if named then
        return named
    end
    local coded = by_code(list, event, likwid) or not is_fixed and by_sum(list, event, likwid)
    return coded or not is_fixed and list.loose[event.unit .. " " .. short(event.name)] or nil
end

-- { [NAME of the vendor's, with its prefix] = select } of libpfm4.
local function second_opinion(path)
    local found = {}
    for name, value in slurp(path):gmatch "%S+ (%S+) (0x%x+)" do
        found[name:upper()] = tonumber(value)
    end
    return found
end

-- " OLD=0xMASK" if libpfm4 has LIKWID's unit mask under the vendor's name, and the vendor another one.
local function old_mask(second, entry, likwid)
    local value = second[entry.name:upper()]
    local is_old = value and likwid.umask ~= entry.umask and value & 0xffff == likwid.code | likwid.umask << 8
    return is_old and (" OLD=0x%02x"):format(likwid.umask) or ""
end

-- " BITS=0xMASK" if the event has a register: the bits that the vendor's events set in it.
local function register_bits(list, entry)
    local bits = entry.unit == "PMC" and list.register_bits[entry.code] or 0
    return bits ~= 0 and (" BITS=0x%x"):format(bits) or ""
end

local function line_of(event, entry, extra, usual)
    local words = {}
    for option, value in pairs(entry.options) do
        words[#words + 1] = (" %s=0x%x"):format(option, value)
    end
    table.sort(words)
    local counters = entry.counters ~= usual and entry.counters and entry.counters:match "^[%d, ]+$"
    words[#words + 1] = counters and event.unit ~= "FIXC" and " COUNTERS=" .. counters:gsub("[, ]+", "|") or nil
    words[#words + 1] = extra
    local name = entry.has_register and entry.name:match "^[^.:]+" or entry.name
    return ("event %s 0x%02x 0x%02x %s%s = %s"):format(event.unit, entry.code, entry.umask, event.name, table.concat(words), name)
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

-- Joins consecutive lines that differ in one number, and by it in the unit mask, to one with {B:FIRST-LAST}.
local function joined(lines)
    local made, first, last = {}, nil, {}
    for _, line in ipairs(lines) do
        local head, mask, name, at, rest = line:match "^(event %S+ %S+) (%S+) (%S-_%a+)(%d+) = (.*)$"
        local tail = at and rest:match("^(.-)" .. at .. "$")
        local from = tail and tonumber(mask) - tonumber(at)
        local key = tail and from >= 0 and ("%s %s{B} %s{B} = %s{B}"):format(head, from > 0 and ("0x%02x+"):format(from) or "", name, tail)
        if key and key == last.key and tonumber(at) == last.at + 1 then
            made[#made] = key:gsub("{B}", ("{B:%d-%d}"):format(first, at), 1)
        else
            first, made[#made + 1] = at, line
        end
        last = { key = key, at = tonumber(at) }
    end
    return made
end

local HEADER = [[
# The vendor's codes of the events that pmu.events names, here or for another architecture, and of others to which LIKWID gives another
# code, written by tests/vendor/generate.lua; do not edit.
# Source: %s.
# Second opinion: libpfm4.
#
# A line has the syntax of pmu.events (vnode/pmu/table_file.h): unit, code and unit mask by the vendor, LIKWID's name, options, "=", the
# vendor's name. A.B+C are several events whose unit masks together are this one. For FIXC the code is the counter's number. Options are
# named as LIKWID does, and EXT: further bits of the unit mask; EXTSEL: the select's extra bit; COUNTERS: those that count it, if not all;
# OLD: LIKWID's unit mask, if libpfm4 has that one, too; BITS: the bits of the event's register that the vendor uses.
# An event of pmu.events that is missing here is not in the vendor's list, or not in LIKWID's.
]]

-- Events of an architecture's pmu.events, or of the built pmu.used; their codes do not matter here.
local function events_of(name, arch)
    local file = arch and arch.files["pmu.events"]
    local built = not file and io.open(("%s/groups/%s/pmu.used"):format(os.getenv "BUILD" or "build", name))
    local used = built and built:read "a"
    if built then
        built:close()
    end
    return pmu_lines.read(used or table.concat(file and meanings.joined(file.lines, function() return "0 0" end) or {}, "\n"))
end

-- { [arch] = architectures.merge's }
local function merged()
    local paths, list <close> = {}, assert(io.popen "ls groups/*/*")
    for path in list:lines() do
        paths[#paths + 1] = path
    end
    return architectures.merge("groups", paths)
end

local arch, source, likwid_path, second_path = table.unpack(arg, 1, 4)
local likwid, listed = event_list.selects(slurp(likwid_path))
for _, event in ipairs(listed) do -- LIKWID's name of the links depends on the architecture
    UNITS["UPI LL"] = (event.unit == "UPI" or event.unit == "QBOX") and event.unit or UNITS["UPI LL"]
end
local list = read_lists { table.unpack(arg, 5) }
local second, usual = second_opinion(second_path), usual_counters(list)
local all, is_used, lines = merged(), {}, {}
for name, one in pairs(all) do
    for _, event in ipairs(vendor.used(events_of(name, one), {})) do
        is_used[event.name] = true
    end
end
for _, event in ipairs(vendor.used(events_of(arch, all[arch]), listed)) do
    local entry = likwid[event.name] and find(list, event, likwid[event.name])
    if entry and (is_used[event.name] or vendor.difference(event, entry)) then
        local extra = register_bits(list, entry) .. old_mask(second, entry, likwid[event.name])
        lines[#lines + 1] = line_of(event, entry, extra, usual[event.unit])
    end
end
print(HEADER:format(source))
print(table.concat(joined(lines), "\n"))
