-- event_list.lua - reads LIKWID's own list of an architecture's events (likwid-perfctr -e). SPDX-License-Identifier: GPL-3.0-or-later
--
-- After "This architecture has N events." follow lines NAME, CODE, MASK, COUNTERS[, OPTIONS]. COUNTERS are a kind of counters ("PMC",
-- "CBOX") or single ones ("PMC2", "CBOX0C0|CBOX1C0"); OPTIONS are those that LIKWID sets itself.
local array = require "input.array"
local lists = require "input.lists"
local pmu_lines = require "input.pmu_lines"

local event_list = {}

-- Codes of core events for which a virtual node's table accepts any unit mask.
local function codes_of(table_text)
    local found = pmu_lines.read(table_text)
    local lines = lists.flat({ found.events, found.fields, found.responses })
    return lists.set(lists.filter(lines, function(line) return line.unit == "PMC" end), "code")
end

-- likwid-perfctr -e's output -> { [NAME] = { name =, unit =, code =, umask =, options = { [OPTION] = value } } }, and the array of them;
-- the code of a fixed counter's event is the counter's number, and it has no unit mask.
function event_list.selects(text)
    local found, list = {}, {}
    for name, code, umask, counters, rest in text:gmatch "\n([%w_]+), (0x%x+), (0x%x+), ([%w|]+)([^\n]*)" do
        local fixed = counters:match "^FIXC(%d)$"
        local one = { name = name, unit = counters:match "^%a+", code = tonumber(fixed or code), umask = fixed and 0 or tonumber(umask),
            options = {} }
        for option, value in rest:gmatch "(%w+)=(0x%x+)" do
            one.options[option] = tonumber(value)
        end
        list[#list + 1] = not found[name] and one or nil
        found[name] = found[name] or one
    end
    return found, list
end

-- { text =, modelled = groups/ARCH/pmu.events of a virtual node |nil } -> array of { event =, counters = "PMC", lacks = why the node
-- cannot count it |nil }.
function event_list.read(argument)
    local list, is_there = array(), false
    local codes = argument.modelled and codes_of(argument.modelled)
    for line in (argument.text .. "\n"):gmatch "(.-)\r?\n" do
        local name, code, counters = line:match "^([%w_]+), (0x%x+), 0x%x+, ([%w|]+)"
        is_there = is_there or line:find "^This architecture has %d+ events" ~= nil
        if is_there and name then
            local is_lacking = codes and counters:find "^PMC" and not codes[tonumber(code)]
            list[#list + 1] = { event = name, counters = counters, lacks = is_lacking and "the virtual node does not model it" or nil }
        end
    end
    if #list == 0 then
        error("likwid-perfctr -e lists no events; assay doctor says what stands in the way", 0)
    end
    return list
end

-- { text =, arch = } -> a machine of which only the counters are known: those of the lines "NAME, TYPE[, OPTIONS]" that precede the
-- events. It has no levels and no processor, which only a machine file knows.
function event_list.machine(argument)
    local counters, named = array(), {}
    for counter in (argument.text:match "^(.-)This architecture has %d+ events" or ""):gmatch "([%w_]+), [^\n]*" do
        local name, box, index = counter:match "^(%u+)(%d+)C(%d+)$"
        if not name then
            name, index = counter:match "^(%u+)(%d+)$"
        end
        local one = named[name]
        if name and not one then
            one = { name = name, count = 0, fixed = name == "FIXC" or nil }
            named[name], counters[#counters + 1] = one, one
        end
        if name then
            one.count = math.max(one.count, tonumber(index) + 1)
            one.boxes = box and math.max(one.boxes or 0, tonumber(box) + 1)
        end
    end
    return { arch = argument.arch, counters = counters, traffic = array() }
end

return event_list
