-- generate.lua - writes groups/ARCH/pmu.vendor: the vendor's codes of LIKWID's events that a pmu.events of groups/ names, the
-- architecture's own or another one's, and of LIKWID's other events that have another code. If the architecture inherits such a table and
-- its differences from that have fewer lines, it writes these: groups/ARCH/pmu.vendor.changes.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Architectures that inherit from it keep their events: their changes are written again. Run it in the project's folder.
-- usage: lua5.4 tests/vendor/generate.lua ARCH SOURCE LIKWID LIBPFM4 JSON...
--   SOURCE   words for the table's header: whose list, which version
--   LIKWID   output of likwid-perfctr -e; it omits counters that the machine lacks, so add lines "NAME, CODE, UMASK, UNIT" for these
--   LIBPFM4  output of tests/vendor/libpfm4.py PMU...: a second opinion on the codes; empty if libpfm4 lacks the processor
--   JSON     the vendor's lists: of github intel/perfmon, or of Linux (tools/perf/pmu-events/arch/x86)
-- An event that lua/input/vendor_lists.lua does not find gets no line. Prints the names of the files that change.
package.path = "lua/?.lua;tests/?.lua;inherit/?.lua;tests/vendor/?.lua;" .. package.path
local architectures = require "architectures"
local compact = require "compact"
local event_list = require "input.event_list"
local json = require "json"
local lists = require "input.lists"
local meanings = require "meanings"
local pmu_lines = require "input.pmu_lines"
local vendor = require "input.vendor"
local vendor_lists = require "input.vendor_lists"

local function slurp(path)
    local file = assert(io.open(path))
    local text = file:read "a"
    file:close()
    return text
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

local HEADER = [[
# Written by tests/vendor/generate.lua; do not edit. Syntax: inherit/vendor_codes.lua.
# Source: %s.
# Second opinion: %s.
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

-- The events of pmu.events, and LIKWID's others; a name may stand for events of two units.
local function wanted(read, listed)
    local list, units, names = {}, {}, {}
    for _, event in ipairs(lists.joined(read.responses, read.events)) do
        lists.bin(units, event.unit .. " " .. event.name, event, list)
        names[event.name] = true
    end
    return lists.append(list, listed, function(event) return not names[event.name] and event end)
end

-- Writes the lines, or how they differ from the inherited ones (nil: none) if that is shorter, below `head`. Prints the file's name and
-- returns true if the file was another one.
local function write(arch, head, lines, inherited)
    local own, changes = compact.lines(lines), inherited and compact.changes(inherited, lines)
    local is_changed = changes and #changes < #own
    local paths = { ("groups/%s/pmu.vendor"):format(arch), ("groups/%s/pmu.vendor.changes"):format(arch) }
    local path, other = paths[is_changed and 2 or 1], paths[is_changed and 1 or 2]
    local text = head .. table.concat(is_changed and changes or own, "\n") .. "\n"
    os.remove(other)
    local there = io.open(path)
    local is_same = there and there:read "a" == text
    if there then
        there:close()
    end
    if not is_same then
        local file <close> = assert(io.open(path, "w"))
        assert(file:write(text))
        print(path)
    end
    return not is_same
end

-- The comment at the begin of a file.
local function head_of(path)
    local lines = {}
    for line in io.lines(path) do
        if not line:find "^#" then
            break
        end
        lines[#lines + 1] = line .. "\n"
    end
    return table.concat(lines)
end

-- Writes again what inherits from tables that have changed since `before`, with the same events.
local function write_heirs(before)
    local is_written = false
    for name, one in pairs(merged()) do
        local file, old = one.files["pmu.vendor"], before[name].files["pmu.vendor"]
        if file and one.vendors and not one.vendors.stale and not old.stale then
            is_written = write(name, head_of(file.sources[#file.sources]), old.lines, one.vendors.lines) or is_written
        end
    end
    return is_written and write_heirs(before)
end

local arch, source, likwid_path, second_path = table.unpack(arg, 1, 4)
local likwid, listed = event_list.selects(slurp(likwid_path))
local list = vendor_lists.read(lists.map({ table.unpack(arg, 5) }, function(path) return json.decode(slurp(path)) end), listed)
local second = second_opinion(second_path)
local all, is_used, lines = merged(), {}, {}
for name, one in pairs(all) do
    for _, event in ipairs(vendor.used(events_of(name, one), {})) do
        is_used[event.name] = true
    end
end
for _, event in ipairs(wanted(events_of(arch, all[arch]), listed)) do
    local entry = likwid[event.name] and vendor_lists.find(list, event, likwid[event.name])
    if entry and (is_used[event.name] or vendor.difference(event, entry)) then
        lines[#lines + 1] = vendor_lists.line_of(list, event, entry, old_mask(second, entry, likwid[event.name]))
    end
end
table.sort(lines)
local base = all[arch].vendors or {}
assert(not base.stale, base.stale)
write(arch, HEADER:format(source, next(second) and "libpfm4" or "none, as libpfm4 lacks the processor"), lines, base.lines)
all[arch].files["pmu.vendor"] = { lines = lines }
write_heirs(all)
